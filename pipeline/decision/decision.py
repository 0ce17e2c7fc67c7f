"""What is decided for a dataset, and what that rests on."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from pipeline.datasets.dataset import Dataset
from pipeline.evaluation.settings import Settings, main_method
from pipeline.fitted_models import arguments
from pipeline.grid import Point
from pipeline.tables.comparison import PLANNED
from pipeline.tables.metrics import MAIN_METRIC
from pipeline.tables.selection import (
    KERNEL_PCA,
    ONLY_PCA,
    RAW,
    best_setting,
    simplest_setting,
    simplicity,
)

Decision = dict[str, Any]
"""A row of ``tables/decisions.csv``, as docs/columns.md describes it, but for the words.

What is missing is NaN, or an empty text.
"""

VIEWED = 2
"""Number of components of the setting chosen for viewing."""

SCORE, GAIN = ("mean", "low", "high"), ("gain", "gain_low", "gain_high")


@dataclass(frozen=True, kw_only=True)
class Basis:
    """What a decision rests on."""

    point: Point  # the kernel of the exported model, as the configuration has it
    validated: bool = True  # whether there were validation scores to choose by
    families: int = 2  # number of kernel families to choose from
    # Replicates are independent draws, and the choice is that of the first one; else they are
    # random splits of the rows that the choice is made on.
    independent: bool = False
    sampled_from: int = 0  # number of rows of which those were a sample; 0 if they are all
    train_fraction: float = 0.7  # of the rows, which the scored models were trained on
    groups: int = 0  # number of groups; 0 if there are none
    classes: Mapping[str, int] = field(default_factory=dict)  # rows of each class
    # Mean held-out score of the exported kernel, tuned alone in the same splits, with its CI.
    alone: tuple[float, float, float] = (math.nan, math.nan, math.nan)
    unconverged: int = 0  # number of fits of SVMs and the like that stopped before they converged
    quick: str = ""  # what the whole run adds to a quick one; empty if this is the whole run


def decide(
    dataset: Dataset,
    points: Iterable[Point],
    settings: Settings,
    tables: Mapping[str, pd.DataFrame],
) -> tuple[Decision, Basis]:
    """Decide for a dataset.

    Parameters
    ----------
    dataset : Dataset
        With its splits.
    points : iterable of Point
        The grid.
    settings : Settings
        Of the evaluation.
    tables : mapping of str to DataFrame
        ``validation`` (`scores_table` of all rows), ``scores``, ``selected``, ``comparisons``,
        ``variance_rule`` and ``unconverged`` (columns dataset, fits).
    """
    grid = {point.id: point for point in points}
    method = main_method(dataset.task, settings)
    here = {name: table[table["dataset"] == dataset.name] for name, table in tables.items()}
    judged = {"method": method, "metric": MAIN_METRIC[method]}
    compared, selected = (_where(here[name], **judged) for name in ("comparisons", "selected"))
    ours = {name: _row(compared, criterion="cv_over_kernels", baseline=name) for name in PLANNED}
    verdicts = {name: str(row.get("verdict", "no comparison")) for name, row in ours.items()}
    is_pca = verdicts["pca"] in ("enough", "worse")
    validation = candidates = _where(here["validation"], **judged)
    if dataset.independent:  # the first draw chose
        validation = _where(here["scores"], **judged, split="cv", replicate=0)
        criterion = "cv" if is_pca else "cv_over_kernels"
        candidates = _where(selected, criterion=criterion, split="cv", replicate=0)
    candidates = candidates[(candidates["kernel"] == "pca") == is_pca]
    best = simplest_setting(candidates, ["dataset", "method"])
    validated = not best.empty
    setting = best.iloc[0] if validated else _without_scores(here["variance_rule"])
    point = Point("linear") if is_pca else grid[str(setting["cell"])]
    rows = dataset.split(0) if dataset.independent else dataset.whole()
    pca, kernel_pca = _row(compared, kernel="pca", criterion="cv"), ours["pca"]
    chosen = _where(selected, criterion="cv_over_kernels", split="cv", kernel=point.kernel)
    decision = {
        "dataset": dataset.name,
        **{f"vs_{name}": word for name, word in verdicts.items()},
        "model": ONLY_PCA if is_pca else KERNEL_PCA,
        "kernel": point.kernel,
        "cell": point.id,
        "parameters": json.dumps(arguments(point, rows.X_train)),
        "n_components": int(setting["n_components"]),
        "scaling": settings.scaling[0] if dataset.task == "classification" else "",
        "C": _number(setting, "C"),
        "measure": MAIN_METRIC[method],
        **_interval(pca if is_pca else kernel_pca, SCORE, "model_score", "model_low", "model_high"),
        **_interval(kernel_pca, SCORE, "score", "low", "high"),
        "chance": _number(kernel_pca, "mean") - _number(ours["chance"], "gain"),
        "raw": _number(_row(compared, kernel="best raw"), "mean"),
        "pca": _number(pca, "mean"),
        "raw_method": _most_chosen(here["selected"]),
        **_interval(ours["chance"], GAIN, "chance_gain", "chance_low", "chance_high"),
        **_interval(ours["raw"], GAIN, "raw_gain", "raw_low", "raw_high"),
        **_interval(kernel_pca, GAIN, *GAIN),
        "agreeing": len(chosen),
        "replicates": dataset.replicates,
        "rows": len(rows.X_train),
        "features": math.nan if dataset.precomputed else float(dataset.X.shape[1]),
        **_view(validation if dataset.task != "none" else validation.iloc[:0], grid, rows.X_train),
    }
    train, test = dataset.splits[0]
    sizes = [] if rows.y_train is None else np.bincount(rows.y_train).tolist()
    alone = _row(compared, kernel=point.kernel, criterion="cv")
    basis = Basis(
        point=point,
        validated=validated,
        families=len({point.kernel for point in grid.values()}),
        independent=dataset.independent,
        sampled_from=dataset.sampled_from,
        train_fraction=len(train) / (len(train) + len(test)),
        groups=0 if dataset.groups is None else len(np.unique(dataset.groups)),
        classes=dict(zip(dataset.class_names, sizes, strict=False)),
        alone=(_number(alone, "mean"), _number(alone, "low"), _number(alone, "high")),
        unconverged=int(here["unconverged"]["fits"].sum()),
    )
    return decision, basis


def _view(validation: pd.DataFrame, grid: Mapping[str, Point], X: np.ndarray) -> dict[str, Any]:
    """Return the setting with the best validation score at two components, which suit a picture.

    Without labels and target, scores of so few components say little, and there is none.
    """
    rows = _where(validation, n_components=VIEWED)
    best = best_setting(rows[rows["cell"].isin(grid)], ["dataset"])
    cell = "" if best.empty else str(best["cell"].iloc[0])
    return {
        "view": cell,
        "view_parameters": json.dumps(arguments(grid[cell], X)) if cell else "",
        "view_score": float(best["value"].max()),
        "view_pca": float(rows.loc[rows["kernel"] == "pca", "value"].max()) if cell else math.nan,
    }


def _most_chosen(selected: pd.DataFrame) -> str:
    """Return the predictor on raw features that most replicates chose."""
    chosen = _where(selected, criterion="cv_over_raw", split="cv")["method"]
    return min(chosen.mode(), key=RAW.index, default="")


def _without_scores(variance_rule: pd.DataFrame) -> pd.Series:
    """Return the median heuristic and as many components as keep the fraction of the variance.

    Without that heuristic in the grid, the simplest kernel.
    """
    rows = _where(variance_rule, replicate=0).rename(
        columns={"components_for_share": "n_components"}
    )
    other = ~rows["cell"].str.endswith("-median1")
    ranked = rows.assign(other=other, simple=rows["kernel"].map(simplicity))
    return ranked.sort_values(["other", "simple", "cell"]).iloc[0]


def _where(table: pd.DataFrame, **values: object) -> pd.DataFrame:
    for column, value in values.items():
        table = table[table[column] == value]
    return table


def _row(compared: pd.DataFrame, **values: object) -> Mapping[Any, Any]:
    """Return the one row of the comparisons with some values, empty if there is none."""
    rows = _where(compared, **values)
    return {} if rows.empty else dict(rows.iloc[0].dropna())


def _interval(row: Mapping[Any, Any], columns: Sequence[str], *names: str) -> dict[str, float]:
    """Return a mean or a difference with its CI, under the names of the table."""
    return {name: _number(row, column) for name, column in zip(names, columns, strict=True)}


def _number(row: Mapping[Any, Any] | pd.Series, name: str) -> float:
    return float(row.get(name, math.nan))
