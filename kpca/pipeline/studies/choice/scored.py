"""What a choice is worth on test rows, beside the supervised choice and the best in hindsight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from kpca.pipeline.selection import MAIN_METRIC
from kpca.pipeline.studies.choice.criteria import KEYS, USE_LABELS

METHODS = ("linear_svm", "least_squares", "kmeans")
STAND_IN = "embedding"
"""Trustworthiness, where a dataset has neither labels nor a target."""

Row = dict[str, Any]
_NONE = 0.0  # in place of a penalty, where a method has none: NaN groups with nothing

COLUMNS = [
    *KEYS,
    "method",
    "metric",
    "criterion",
    "uses_labels",
    "kernel",
    "cell",
    "multiple",
    "gamma",
    "n_components",
    "scored_components",
    "C",
    "value",
    "cv",
    "hindsight",
]


def scored(
    choices: pd.DataFrame, scores: pd.DataFrame, multiples: Mapping[str, float]
) -> pd.DataFrame:
    """Return the test score of every choice.

    A choice is looked up at the number of components of the grid that is next to the chosen
    one (on a logarithmic scale). The penalty C of the SVM is chosen by cross-validation there,
    for every criterion alike: what is compared is the representation.

    Parameters
    ----------
    choices : DataFrame
        Of `kpca.pipeline.studies.choice.criteria.choices`.
    scores : DataFrame
        Of `kpca.pipeline.tables.scores_table`.
    multiples : mapping of str to float
        Cells that could be chosen → γ in multiples of the median heuristic.

    Returns
    -------
    DataFrame
        One row a dataset, replicate, downstream method and criterion, with the columns
        `COLUMNS`: ``value`` is the test score of the choice, ``cv`` and ``hindsight`` those of
        the best validation score and of the best test score over γ, m and C, which are rows of
        their own too.
    """
    settings = _settings(scores, multiples)
    parts = []
    for (dataset, replicate), of_replicate in choices.groupby(KEYS, sort=True):
        here = settings[(settings["dataset"] == dataset) & (settings["replicate"] == replicate)]
        parts += [
            _of_method(of_replicate, tried, method)
            for method in (*METHODS, STAND_IN)
            if len(tried := here[here["method"] == method])
        ]
    return _finished(pd.concat(parts, ignore_index=True))


def landscape(
    scores: pd.DataFrame, multiples: Mapping[str, float], sizes: Sequence[int]
) -> pd.DataFrame:
    """Return the mean test score over replicates for every γ and m, with C by validation.

    Parameters
    ----------
    scores, multiples
        As for `scored`.
    sizes : sequence of int
        Numbers of components of the grid; a rank below one of them stands for it.

    Returns
    -------
    DataFrame
        Columns dataset, method, metric, multiple, n_components, test.
    """
    settings = _settings(scores, multiples)
    grid = np.sort(np.asarray(sizes))
    place = np.searchsorted(grid, settings["n_components"]).clip(max=len(grid) - 1)
    settings = settings.assign(n_components=grid[place])
    unit = ["dataset", "method", "metric", "multiple", "n_components"]
    ranked = settings.sort_values(["validation", "C"], ascending=[False, True], kind="stable")
    one_setting = ranked.drop_duplicates([*unit, "replicate"])
    return one_setting.groupby(unit)["test"].mean().reset_index()


def shown_methods(rows: pd.DataFrame) -> dict[str, str]:
    """Return, for every dataset, the downstream method that is drawn: the first of `METHODS`."""
    ranked = [*METHODS, STAND_IN]
    return {
        str(name): min(group.unique(), key=ranked.index)
        for name, group in rows.groupby("dataset")["method"]
    }


def _of_method(choices: pd.DataFrame, tried: pd.DataFrame, method: str) -> pd.DataFrame:
    ranked = {"cv": _best(tried, "validation"), "hindsight": _best(tried, "test")}
    found = [
        _look_up(tried, str(row["cell"]), int(row["n_components"])) | {"criterion": criterion}
        for criterion, row in choices.set_index("criterion").iterrows()
        if row["cell"] in set(tried["cell"])
    ]
    found += [row | {"criterion": name} for name, row in ranked.items() if row]
    best = {name: row.get("test", np.nan) for name, row in ranked.items()}
    return pd.DataFrame(found).assign(method=method, **best)


def _settings(scores: pd.DataFrame, multiples: Mapping[str, float]) -> pd.DataFrame:
    """Return validation and test score of every setting that could be chosen, side by side."""
    rows = scores[scores["cell"].isin(multiples) & scores["method"].isin([*METHODS, STAND_IN])]
    rows = rows[rows["metric"] == rows["method"].map(MAIN_METRIC)]
    known = set(rows.loc[rows["method"] != STAND_IN, "dataset"])
    rows = rows[(rows["method"] != STAND_IN) | ~rows["dataset"].isin(known)]
    keys = [*KEYS, "cell", "gamma", "n_components", "method", "metric", "C"]
    sides = rows[rows["split"] != "train"].fillna({"C": _NONE})
    wide = sides.pivot_table(index=keys, columns="split", values="value").reset_index()
    wide = wide.rename(columns={"cv": "validation"}).dropna(subset="test")
    wide = wide.reindex(columns=[*keys, "validation", "test"])
    # The share of the variance asks for a number of components that was never validated.
    validated = wide["validation"].notna()
    unit = [wide[name] for name in ("dataset", "method")]
    validated |= ~validated.groupby(unit).transform("any")
    return wide[validated].assign(multiple=wide["cell"].map(multiples))


def _best(tried: pd.DataFrame, by: str) -> Row:
    """Return the setting that is best by a column; ties as in `kpca.pipeline.selection`."""
    known = tried.dropna(subset=by)
    if known.empty:
        return {}
    ranked = known.assign(rounded=-known[by].round(10))
    best = ranked.sort_values(["rounded", "n_components", "gamma", "C"], kind="stable").iloc[0]
    return {str(name): value for name, value in best.items()} | {
        "scored_components": best["n_components"]
    }


def _look_up(tried: pd.DataFrame, cell: str, m: int) -> Row:
    """Return the setting next to a choice: its cell, the nearest m, C by validation."""
    here = tried[tried["cell"] == cell]
    distance = np.abs(np.log(here["n_components"] / m))
    nearest = here[distance == distance.min()]
    return (_best(nearest, "validation") or _best(nearest, "test")) | {"n_components": m}


def _finished(rows: pd.DataFrame) -> pd.DataFrame:
    rows = rows.rename(columns={"test": "value"}).assign(
        kernel="rbf",
        uses_labels=rows["criterion"].isin(USE_LABELS) & (rows["method"] != STAND_IN),
        C=rows["C"].where(rows["C"] != _NONE),
    )
    return rows[COLUMNS].astype({"n_components": int, "scored_components": int})
