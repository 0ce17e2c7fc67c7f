"""The tidy tables: every score, what was selected, and how it compares."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from pipeline.evaluation.settings import Outcome
from pipeline.store import Arrays, read_store
from pipeline.tasks import WHOLE

SCORE_COLUMNS = [
    "dataset",
    "replicate",
    "kernel",
    "cell",
    "gamma",
    "degree",
    "coef0",
    "n_components",
    "method",
    "C",
    "metric",
    "split",
    "value",
    "error",
]

Store = Path | str | Mapping[str, Arrays]
"""File of a store, or its entries."""

_NONE = pd.DataFrame(columns=SCORE_COLUMNS)


def scores_table(stores: Mapping[str, Store]) -> pd.DataFrame:
    """Return every score of the stores of datasets in tidy form, one number per row.

    The columns are `SCORE_COLUMNS`; ``split`` is train, cv (the mean over the validation folds
    of the training set) or test. ``error`` is the standard error of that mean.
    """
    table = _frames(stores, whole=False)
    return table.assign(replicate=table["replicate"].astype(int))


def validation_table(stores: Mapping[str, Store]) -> pd.DataFrame:
    """Return the validation scores of all rows of datasets, with the same columns."""
    return _frames(stores, whole=True)


def variance_rule_table(stores: Mapping[str, Store]) -> pd.DataFrame:
    """Return, for every fit, the number of components that keeps the fraction of the variance."""
    rows = []
    for dataset, store in stores.items():
        for name, entry in _entries(store).items():
            if "components_for_share" in entry:
                cell, _, replicate = name.rpartition("/")
                share, rank = int(entry["components_for_share"]), int(entry["rank"])
                rows.append((dataset, int(replicate), _kernel(cell), cell, share, rank))
    columns = ["dataset", "replicate", "kernel", "cell", "components_for_share", "rank"]
    return pd.DataFrame(rows, columns=columns)


def unconverged_table(stores: Mapping[str, Store]) -> pd.DataFrame:
    """Return how many fits of each dataset stopped before they converged: dataset, fits."""
    counts = {
        dataset: sum(int(entry["unconverged"]) for entry in _entries(store).values())
        for dataset, store in stores.items()
    }
    return pd.DataFrame(list(counts.items()), columns=["dataset", "fits"])


def _frames(stores: Mapping[str, Store], *, whole: bool) -> pd.DataFrame:
    parts = [
        _entry_frame(dataset, name, entry)
        for dataset, store in stores.items()
        for name, entry in _entries(store).items()
        if name.endswith(f"/{WHOLE}") == whole
    ]
    some = [part for part in parts if len(part)]
    return pd.concat(some, ignore_index=True)[SCORE_COLUMNS] if some else _NONE


def _entries(store: Store) -> Mapping[str, Arrays]:
    return store if isinstance(store, Mapping) else read_store(store)


def _entry_frame(dataset: str, name: str, entry: Arrays) -> pd.DataFrame:
    cell, _, replicate = name.rpartition("/")
    constants = {
        "dataset": dataset,
        "replicate": replicate,
        "kernel": _kernel(cell),
        "cell": cell,
    }
    parameters = {
        n: float(entry[n]) if n in entry else np.nan for n in ("gamma", "degree", "coef0")
    }
    return pd.DataFrame({n: entry[n] for n in Outcome._fields} | constants | parameters)


def _kernel(cell: str) -> str:
    return cell.split("-", 1)[0]
