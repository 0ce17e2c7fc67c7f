"""Tidy tables of every score, and of the numbers of components by the variance rule."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from kpca.kernels.registry import PARAMETERS
from kpca.study.datasets.dataset import WHOLE
from kpca.study.scoring.settings import Outcome
from kpca.study.store import Arrays, read_store

_SETTING = ["dataset", "replicate", "kernel", "cell"]
SCORE_COLUMNS = [*_SETTING, *PARAMETERS, *Outcome._fields]


def scores_table(stores: Iterable[Path | str], *, whole: bool = False) -> pd.DataFrame:
    """Return every score in ``stores`` as one row with `SCORE_COLUMNS`.

    Stores are files that are named after their datasets. A dataset can have several files.

    ``split`` is train, test or cv. cv means the mean over the validation folds, with its standard
    error as ``error``. The scores are those of all replicates or, with ``whole``, those of the
    cross-validation on all rows.
    """
    parts = []
    for at, entry in _entries(stores):
        if (at["replicate"] == WHOLE) == whole and len(entry["value"]):
            parameters = {name: float(entry.get(name, np.nan)) for name in PARAMETERS}
            scores = {name: entry[name] for name in Outcome._fields}
            parts.append(pd.DataFrame(scores | at | parameters))
    none = pd.DataFrame(columns=SCORE_COLUMNS)
    table = pd.concat(parts or [none], ignore_index=True)[SCORE_COLUMNS]
    return table if whole else table.astype({"replicate": int})


def variance_rule_table(stores: Iterable[Path | str]) -> pd.DataFrame:
    """Return, per fit, the number of components that keeps the fraction ``variance_share``."""
    facts = ["components_for_share", "rank"]
    fits = [(at, entry) for at, entry in _entries(stores) if "rank" in entry]
    rows = [at | {name: int(entry[name]) for name in facts} for at, entry in fits]
    table = pd.DataFrame(rows, columns=[*_SETTING, *facts]).astype({"replicate": int})
    return table.drop_duplicates(ignore_index=True)  # Files of a dataset may repeat the facts.


def _entries(stores: Iterable[Path | str]) -> Iterator[tuple[dict[str, str], Arrays]]:
    """Yield the entries of all stores, each after its dataset, replicate, kernel and cell."""
    for store in stores:
        for name, entry in read_store(store).items():
            cell, _, replicate = name.rpartition("/")
            at = {"dataset": Path(store).stem, "replicate": replicate}
            yield at | {"kernel": cell.split("-", 1)[0], "cell": cell}, entry
