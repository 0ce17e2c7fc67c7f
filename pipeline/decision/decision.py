"""What is decided for a dataset, and what that rests on."""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import pandas as pd

from pipeline.datasets.dataset import Dataset, Split
from pipeline.evaluation.settings import Settings
from pipeline.grid import Point
from pipeline.kernels import arguments
from pipeline.tables.metrics import MAIN_METRIC
from pipeline.tables.selection import best_validated, simplicity


@dataclass(frozen=True, kw_only=True)
class Decision:
    """A row of ``tables/decisions.csv``, as docs/columns.md describes it, but for the sentence.

    What there is not is NaN, or an empty text.
    """

    dataset: str
    kernel: str
    cell: str
    parameters: str
    n_components: int
    scaling: str
    C: float
    measure: str
    score: float
    low: float
    high: float
    pca: float
    gain: float
    gain_low: float
    gain_high: float
    verdict: str
    agreeing: int
    replicates: int
    rows: int
    features: float


@dataclass(frozen=True, kw_only=True)
class Basis:
    """What a decision rests on.

    Attributes
    ----------
    task : str
        classification, regression or none: what is known of the rows.
    point : Point
        The kernel that was chosen, as the configuration has it.
    validated : bool
        Whether there were validation scores to choose by.
    families : int
        Number of kernel families that there were to choose from.
    independent : bool
        Replicates are independent draws, and the choice is that of the first one; else they are
        re-drawn splits of the rows that the choice is made on.
    sampled_from : int
        Number of rows of which those were a sample; 0 where they are all.
    """

    task: str
    point: Point
    validated: bool = True
    families: int = 2
    independent: bool = False
    sampled_from: int = 0


def main_method(task: str, settings: Settings) -> tuple[str, str]:
    """Return the method, as tables call it, by which a kernel is chosen, and its scaling."""
    if task != "classification":
        return ("least_squares" if task == "regression" else "embedding"), ""
    scaling = settings.scaling[0]
    return ("linear_svm" if scaling == "unit" else "linear_svm_whitened"), scaling


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
        ``validation`` (`pipeline.tables.scores.validation_table`), ``selected``, ``comparisons``
        and ``variance_rule``.
    """
    grid = {point.id: point for point in points}
    method, scaling = main_method(dataset.task, settings)
    here = {name: table[table["dataset"] == dataset.name] for name, table in tables.items()}
    chosen = _of_method(here["selected"], method, criterion="cv_over_kernels", split="cv")
    found = _of_method(here["validation"], method)
    best = _first(chosen[chosen["replicate"] == 0], found, dataset.independent)
    validated = best is not None
    if best is None:
        best = _without_scores(here["variance_rule"])
    point = grid[str(best["cell"])]
    split = chosen_on(dataset)
    compared = _of_method(here["comparisons"], method, main=True)
    procedure = _numbers(compared, kernel="best kernel", criterion="cv_over_kernels")
    pca = _numbers(compared, kernel="pca", criterion="cv")
    decision = Decision(
        dataset=dataset.name,
        kernel=point.kernel,
        cell=point.id,
        parameters=json.dumps(arguments(point, split.X_train)),
        n_components=int(best["n_components"]),
        scaling=scaling,
        C=float(best.get("C", math.nan)),
        measure=MAIN_METRIC[method],
        score=_number(procedure, "mean"),
        low=_number(procedure, "low"),
        high=_number(procedure, "high"),
        pca=_number(pca, "mean"),
        gain=_number(procedure, "gain"),
        gain_low=_number(procedure, "gain_low"),
        gain_high=_number(procedure, "gain_high"),
        verdict=str(procedure.get("verdict") or ""),
        agreeing=int((chosen["kernel"] == point.kernel).sum()),
        replicates=dataset.replicates,
        rows=len(split.X_train),
        features=math.nan if dataset.precomputed else float(dataset.X.shape[1]),
    )
    basis = Basis(
        task=dataset.task,
        point=point,
        validated=validated,
        families=len({point.kernel for point in grid.values()}),
        independent=dataset.independent,
        sampled_from=dataset.sampled_from,
    )
    return decision, basis


def chosen_on(dataset: Dataset) -> Split:
    """Return the rows of a dataset that the choice is made on, as training rows."""
    return dataset.split(0) if dataset.independent else dataset.whole()


def as_row(decision: Decision, sentence: str) -> dict[str, Any]:
    """Return the row of the table."""
    return asdict(decision) | {"sentence": sentence}


def _first(
    drawn: pd.DataFrame, validation: pd.DataFrame, independent: bool
) -> Mapping[str, Any] | None:
    """Return the choice of the first draw, or that on all rows."""
    best = drawn if independent else best_validated(validation, ["dataset", "method"])
    return None if best.empty else dict(best.iloc[0])


def _without_scores(variance_rule: pd.DataFrame) -> Mapping[str, Any]:
    """Return the median heuristic and as many components as hold the share of the variance.

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
    """Return the one row of the comparisons with some values, empty where there is none."""
    for column, value in values.items():
        compared = compared[compared[column] == value]
    return {} if compared.empty else dict(compared.iloc[0].dropna())


def _number(row: Mapping[str, Any], name: str) -> float:
    return float(row.get(name, math.nan))
