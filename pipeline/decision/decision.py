"""What is decided for a dataset, and what that rests on."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from pipeline.datasets.dataset import Dataset, Split
from pipeline.evaluation.settings import Settings, main_method
from pipeline.fitted_models import arguments
from pipeline.grid import Point
from pipeline.tables.comparison import PLANNED
from pipeline.tables.metrics import MAIN_METRIC
from pipeline.tables.selection import (
    KERNEL_PCA,
    ONLY_PCA,
    RAW,
    best_validated,
    simplest_validated,
    simplicity,
)

VIEWED = 2
"""Number of components of the setting chosen for viewing."""


@dataclass(frozen=True, kw_only=True)
class Decision:
    """A row of ``tables/decisions.csv``, as docs/columns.md describes it, but for the words.

    What is missing is NaN, or an empty text.
    """

    dataset: str
    vs_chance: str
    vs_raw: str
    vs_pca: str
    model: str
    kernel: str
    cell: str
    parameters: str
    n_components: int
    scaling: str
    C: float
    measure: str
    model_score: float
    model_low: float
    model_high: float
    score: float
    low: float
    high: float
    chance: float
    raw: float
    pca: float
    raw_method: str
    chance_gain: float
    chance_low: float
    chance_high: float
    raw_gain: float
    raw_low: float
    raw_high: float
    gain: float
    gain_low: float
    gain_high: float
    agreeing: int
    replicates: int
    rows: int
    features: float
    view: str = ""
    view_parameters: str = ""
    view_score: float = math.nan
    view_pca: float = math.nan


@dataclass(frozen=True, kw_only=True)
class Basis:
    """What a decision rests on.

    Attributes
    ----------
    task : str
        classification, regression or none: what is known of the rows.
    point : Point
        The kernel of the exported model, as the configuration has it.
    validated : bool
        Whether there were validation scores to choose by.
    families : int
        Number of kernel families to choose from.
    independent : bool
        Replicates are independent draws, and the choice is that of the first one; else they are
        random splits of the rows that the choice is made on.
    precomputed : bool
        Only a kernel matrix is known.
    sampled_from : int
        Number of rows of which those were a sample; 0 if they are all.
    train_fraction : float
        Fraction of the rows that the scored models were trained on.
    groups : int
        Number of groups; 0 if there are none.
    classes : dict of str to int
        Rows of each class.
    alone : tuple of float
        Mean held-out score of the exported kernel, tuned alone in the same splits, with its CI.
    unconverged : int
        Number of fits of SVMs and the like that stopped before they converged.
    quick : str
        What the whole run adds to a quick one; empty if this is the whole run.
    """

    task: str
    point: Point
    validated: bool = True
    families: int = 2
    independent: bool = False
    precomputed: bool = False
    sampled_from: int = 0
    train_fraction: float = 0.7
    groups: int = 0
    classes: Mapping[str, int] = field(default_factory=dict)
    alone: tuple[float, float, float] = (math.nan, math.nan, math.nan)
    unconverged: int = 0
    quick: str = ""


def decide(
    dataset: Dataset,
    points: Iterable[Point],
    settings: Settings,
    tables: Mapping[str, pd.DataFrame],
    *,
    quick: str = "",
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
        ``validation`` (`pipeline.tables.scores.validation_table`), ``scores``, ``selected``,
        ``comparisons``, ``variance_rule`` and ``unconverged`` (columns dataset, fits).
    quick : str, default=""
        What the whole run adds to a quick one.
    """
    grid = {point.id: point for point in points}
    method = main_method(dataset.task, settings)
    here = {name: table[table["dataset"] == dataset.name] for name, table in tables.items()}
    compared = here["comparisons"]
    compared = compared[compared["method"].eq(method) & compared["metric"].eq(MAIN_METRIC[method])]
    ours = {
        name: _numbers(compared, criterion="cv_over_kernels", baseline=name) for name in PLANNED
    }
    verdicts = {name: str(row.get("verdict", "no comparison")) for name, row in ours.items()}
    model = ONLY_PCA if verdicts["pca"] in ("enough", "worse") else KERNEL_PCA
    chosen = _of_method(here["selected"], method, criterion="cv_over_kernels", split="cv")
    best = _setting(here, method, model, independent=dataset.independent)
    validated = best is not None
    if best is None:
        best = _without_scores(here["variance_rule"])
    point = Point("linear") if model == ONLY_PCA else grid[str(best["cell"])]
    split = chosen_on(dataset)
    pca = _numbers(compared, kernel="pca", criterion="cv")
    raw = _numbers(compared, kernel="best raw")
    kernel_pca = ours["pca"]
    exported = pca if model == ONLY_PCA else kernel_pca
    alone = _numbers(compared, kernel=point.kernel, criterion="cv")
    scaled = dataset.task == "classification"
    found: dict[str, Any] = dict(
        dataset=dataset.name,
        **{f"vs_{name}": word for name, word in verdicts.items()},
        model=model,
        kernel=point.kernel,
        cell=point.id,
        parameters=json.dumps(arguments(point, split.X_train)),
        n_components=int(best["n_components"]),
        scaling=settings.scaling[0] if scaled else "",
        C=float(best.get("C", math.nan)),
        measure=MAIN_METRIC[method],
        **_interval(exported, "model_", "mean", "score"),
        **_interval(kernel_pca, "", "mean", "score"),
        chance=_number(kernel_pca, "mean") - _number(ours["chance"], "gain"),
        raw=_number(raw, "mean"),
        pca=_number(pca, "mean"),
        raw_method=_most_chosen(here["selected"]),
        **_interval(ours["chance"], "chance_", "gain", "gain"),
        **_interval(ours["raw"], "raw_", "gain", "gain"),
        gain=_number(kernel_pca, "gain"),
        gain_low=_number(kernel_pca, "gain_low"),
        gain_high=_number(kernel_pca, "gain_high"),
        agreeing=int((chosen["kernel"] == point.kernel).sum()),
        replicates=dataset.replicates,
        rows=len(split.X_train),
        features=math.nan if dataset.precomputed else float(dataset.X.shape[1]),
        **_view(here, method, grid, split.X_train, independent=dataset.independent),
    )
    train, test = dataset.splits[0]
    sizes = [] if split.y_train is None else np.bincount(split.y_train).tolist()
    basis = Basis(
        task=dataset.task,
        point=point,
        validated=validated,
        families=len({point.kernel for point in grid.values()}),
        independent=dataset.independent,
        precomputed=dataset.precomputed,
        sampled_from=dataset.sampled_from,
        train_fraction=len(train) / (len(train) + len(test)),
        groups=0 if dataset.groups is None else len(np.unique(dataset.groups)),
        classes=dict(zip(dataset.class_names, sizes, strict=False)),
        alone=(_number(alone, "mean"), _number(alone, "low"), _number(alone, "high")),
        unconverged=int(here["unconverged"]["fits"].sum()),
        quick=quick,
    )
    return Decision(**found), basis


def chosen_on(dataset: Dataset) -> Split:
    """Return the rows of a dataset that the choice is made on, as training rows."""
    return dataset.split(0) if dataset.independent else dataset.whole()


def as_row(decision: Decision, sentence: str, caveats: Sequence[str]) -> dict[str, Any]:
    """Return the row of the table."""
    return asdict(decision) | {"sentence": sentence, "caveats": " | ".join(caveats)}


def _setting(
    here: Mapping[str, pd.DataFrame], method: str, model: str, *, independent: bool
) -> Mapping[str, Any] | None:
    """Return the setting of the model that is best on all rows, or of the first draw."""
    if independent:
        criterion = "cv" if model == ONLY_PCA else "cv_over_kernels"
        drawn = _of_method(here["selected"], method, criterion=criterion, split="cv")
        best = drawn[drawn["replicate"] == 0]
    else:
        best = _of_method(here["validation"], method)
    best = best[(best["kernel"] == "pca") == (model == ONLY_PCA)]
    best = simplest_validated(best, ["dataset", "method"])
    return None if best.empty else dict(best.iloc[0])


def _view(
    here: Mapping[str, pd.DataFrame],
    method: str,
    grid: Mapping[str, Point],
    X: np.ndarray,
    *,
    independent: bool,
) -> dict[str, Any]:
    """Return the setting with the best validation score at two components, which suit a picture.

    Without labels and target, scores of so few components say little, and there is none.
    """
    table = here["scores" if independent else "validation"]
    found = _of_method(table, method, split="cv", n_components=VIEWED)
    found = found[found["replicate"] == 0] if independent else found
    best = best_validated(found[found["cell"].isin(grid)], ["dataset"])
    if best.empty or method == "embedding":
        return {}
    cell = str(best["cell"].iloc[0])
    return {
        "view": cell,
        "view_parameters": json.dumps(arguments(grid[cell], X)),
        "view_score": float(best["value"].iloc[0]),
        "view_pca": float(found.loc[found["kernel"] == "pca", "value"].max()),
    }


def _most_chosen(selected: pd.DataFrame) -> str:
    """Return the predictor on raw features that most replicates chose."""
    rows = selected[(selected["criterion"] == "cv_over_raw") & (selected["split"] == "cv")]
    counts = rows["method"].value_counts()
    return "" if rows.empty else min(counts[counts == counts.max()].index, key=RAW.index)


def _without_scores(variance_rule: pd.DataFrame) -> Mapping[str, Any]:
    """Return the median heuristic and as many components as keep the fraction of the variance.

    Without that heuristic in the grid, the simplest kernel.
    """
    first = variance_rule[variance_rule["replicate"] == 0]
    ranked = first.assign(
        other=~first["cell"].str.endswith("-median1"), simple=first["kernel"].map(simplicity)
    ).sort_values(["other", "simple", "cell"])
    best = ranked.iloc[0]
    return {"cell": best["cell"], "n_components": best["components_for_share"]}


def _of_method(table: pd.DataFrame, method: str, **values: object) -> pd.DataFrame:
    wanted = {"method": method, "metric": MAIN_METRIC[method], **values}
    for column, value in wanted.items():
        table = table[table[column] == value]
    return table


def _numbers(compared: pd.DataFrame, **values: str) -> Mapping[str, Any]:
    """Return the one row of the comparisons with some values, empty if there is none."""
    for column, value in values.items():
        compared = compared[compared[column] == value]
    return {} if compared.empty else dict(compared.iloc[0].dropna())


def _interval(row: Mapping[str, Any], prefix: str, value: str, name: str) -> dict[str, float]:
    """Return a mean or a difference with its CI, under the names of the table."""
    ends = ("low", "high") if value == "mean" else ("gain_low", "gain_high")
    low, high = (_number(row, end) for end in ends)
    return {f"{prefix}{name}": _number(row, value), f"{prefix}low": low, f"{prefix}high": high}


def _number(row: Mapping[str, Any], name: str) -> float:
    return float(row.get(name, math.nan))
