"""What is decided for a dataset, and what that rests on."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from kpca.study.datasets.dataset import Dataset
from kpca.study.decision.dependence import Dependence, Memory
from kpca.study.decision.record import GAIN, NEXT, OVER_DEFAULT, RECOMMENDED, SCORE, Decision
from kpca.study.evidence import selection
from kpca.study.evidence.comparison import PLANNED
from kpca.study.evidence.recommendation import THRESHOLD
from kpca.study.evidence.selection import KERNEL_PCA, LINEAR, ONLY_PCA, RAW_FEATURES
from kpca.study.fitting.fitted_models import arguments
from kpca.study.fitting.grid import Point
from kpca.study.scoring.methods import METHODS, PREDICTORS
from kpca.study.scoring.settings import Cell, Settings, cells, main_method

VIEWED = 2  # number of components of the setting chosen for viewing

# Model → its rows in the comparisons.
_ROWS: dict[str, dict[str, str]] = {
    RAW_FEATURES: {"kernel": "best raw"},
    ONLY_PCA: {"kernel": "pca", "criterion": "cv"},
    KERNEL_PCA: {"kernel": "best kernel"},
}
_BASELINES = {model: name for name, model in PLANNED.items()}


@dataclass(frozen=True, kw_only=True)
class Basis:
    """What a decision rests on."""

    point: Point  # the kernel of the exported model, as the configuration has it
    validated: bool = True  # whether there were validation scores to choose by
    variance_share: float = 0.9  # that the number of components keeps, without scores
    families: int = 2  # number of kernel families to choose from
    # Replicates are independent draws, and the choice is that of the first one; else they are
    # random splits of the rows that the choice is made on.
    independent: bool = False
    groups: int = 0  # number of groups; 0 if there are none
    classes: Mapping[str, int] = field(default_factory=dict)  # rows of each class
    unconverged: int = 0  # number of fits of SVMs and the like that stopped before they converged
    edges: tuple[str, ...] = ()  # what the exported setting has at the end of its grid
    # Number of components → how far kernel PCA is above PCA with so many.
    gains: Mapping[int, float] = field(default_factory=dict)
    completeness: str = ""  # status of the certificate of the exported kernel PCA
    back: int | None = None  # how many of the exported components come back in a second sample
    kurtosis: float = math.nan  # excess kurtosis of the held-out residuals, of a target
    lone: tuple[tuple[str, float], ...] = ()  # columns and their scores alone, the best first
    # Whether rows depend on each other; None if it is not tested.
    dependence: Dependence | None = None
    # Over how many rows those next to each other are alike, of how many, and whether time orders
    # them; None if the rows are not in the order of normal operation.
    memory: Memory | None = None


def decide(
    dataset: Dataset,
    points: Iterable[Point],
    settings: Settings,
    tables: Mapping[str, pd.DataFrame],
) -> tuple[Decision, Basis]:
    """Decide for a dataset with its splits; the points are its grid.

    The tables are ``validation`` (`scores_table` of all rows), ``scores``, ``selected``,
    ``comparisons``, ``ranking``, ``by_components``, ``variance_rule`` and ``unconverged`` (columns
    dataset, fits).
    """
    grid = {point.id: point for point in points}
    method = main_method(dataset.task, settings)
    metric = METHODS[method].metric
    here = {name: table[table["dataset"] == dataset.name] for name, table in tables.items()}
    compared = _where(here["comparisons"], method=method, metric=metric)
    selected = _where(here["selected"], split="cv", metric=metric)
    ranked = here["ranking"].set_index("model")
    used = next(iter(ranked.index[ranked["recommended"].astype(bool)]), "")
    ours = {name: _difference(compared, KERNEL_PCA, model) for name, model in PLANNED.items()}
    ours["chance"] = _difference(compared, used or KERNEL_PCA, "chance")
    exported = used if used in (ONLY_PCA, KERNEL_PCA) else _best_embedding(ranked, ours["pca"])
    validation = _where(here["validation"], metric=metric)
    rows = dataset.split(0) if dataset.independent else dataset.whole()
    if dataset.independent:  # the first draw chose
        validation = _where(here["scores"], metric=metric, split="cv", replicate=0)
    candidates = selection.candidates(validation, method, set(grid), exported)
    if dataset.task == "none":  # neighbours of held-out rows choose worse than the convention
        candidates = candidates.iloc[:0]
    best = selection.best_setting(candidates, ["dataset"])
    validated = not best.empty
    setting = best.iloc[0] if validated else _without_scores(here["variance_rule"])
    point = Point(LINEAR) if exported == ONLY_PCA else grid[str(setting["cell"])]
    last, listed, cell = setting, candidates, Cell("kernel", point)
    if used == RAW_FEATURES:
        listed = selection.candidates(validation, method, set(grid), RAW_FEATURES)
        last = selection.best_setting(listed, ["dataset"]).iloc[0]
        raw = cells([*grid.values()], {}, task=dataset.task, precomputed=False)
        cell = next(one for one in raw if one.id == last["cell"])
    predictor = "" if dataset.task == "none" else str(last.get("method", method))
    gamma = arguments(cell.point, rows.X_train) if cell.kind == "gaussian" else {}
    on_raw = _where(selected, criterion="cv_over_raw")
    agreeing: dict[str, Sized] = {
        RAW_FEATURES: _where(on_raw, method=predictor),
        ONLY_PCA: _linear_chosen(selected, method),
        KERNEL_PCA: _where(
            selected, criterion="cv_over_kernels", method=method, kernel=point.kernel
        ),
    }
    decision = Decision(
        dataset=dataset.name,
        recommended=used,
        **_named(dict(ranked.loc[used]) if used else {}, SCORE, *RECOMMENDED),
        **_runner_up(ranked, compared, used),
        **_over_default(ranked, compared, used),
        **_judged(ours),
        model=exported,
        kernel=point.kernel,
        cell=point.id,
        parameters=json.dumps(arguments(point, rows.X_train)),
        n_components=int(setting["n_components"]),
        scaling=settings.scaling[0] if dataset.task == "classification" else "",
        predictor=predictor,
        predictor_cell=cell.id,
        predictor_parameters=json.dumps(gamma),
        C=_number(last, "C"),
        predictor_score=_number(last, "value"),
        measure=metric,
        **_named(ours["pca"] or _row(compared, **_ROWS[KERNEL_PCA]), SCORE, "score", "low", "high"),
        chance=_number(ours["chance"], "mean") - _number(ours["chance"], "gain"),
        raw=_number(_row(compared, **_ROWS[RAW_FEATURES]), "mean"),
        pca=_number(_row(compared, **_ROWS[ONLY_PCA]), "mean"),
        raw_method=min(on_raw["method"].mode(), key=[*PREDICTORS].index, default=""),
        **_named(ours["chance"], GAIN, "chance_gain", "chance_low", "chance_high"),
        **_named(ours["raw"], GAIN, "raw_gain", "raw_low", "raw_high"),
        **_named(ours["pca"], GAIN, *GAIN),
        agreeing=len(agreeing[used or exported]),
        linear_chosen=len(agreeing[ONLY_PCA]),
        replicates=dataset.replicates,
        rows=len(rows.X_train),
        features=math.nan if dataset.precomputed else float(dataset.X.shape[1]),
        **_view(_where(validation, method=method), grid, rows.X_train, dataset.task),
    )
    gains = here["by_components"].dropna(subset="gain")
    sizes = [] if rows.y_train is None else np.bincount(rows.y_train).tolist()
    basis = Basis(
        point=point,
        validated=validated,
        variance_share=settings.variance_share,
        families=len({point.kernel for point in grid.values()}),
        independent=dataset.independent,
        groups=0 if dataset.groups is None else len(np.unique(dataset.groups)),
        classes=dict(zip(dataset.class_names, sizes, strict=False)),
        unconverged=int(here["unconverged"]["fits"].sum()),
        edges=tuple(_edges(last, listed, settings)) if validated else (),
        gains=dict(zip(gains["n_components"].astype(int), gains["gain"], strict=True)),
    )
    return decision, basis


def _best_embedding(ranked: pd.DataFrame, over_pca: Mapping[Any, Any]) -> str:
    """Return PCA, unless there is none or kernel PCA is likelier better; see `THRESHOLD`."""
    if ONLY_PCA in ranked.index and not _number(over_pca, "probability") > THRESHOLD:
        return ONLY_PCA
    return KERNEL_PCA


def _edges(setting: pd.Series, candidates: pd.DataFrame, settings: Settings) -> Iterator[str]:
    """Yield what a setting has at the end of its grid, where a wider grid may do better."""
    if setting["kernel"] != "raw" and setting["n_components"] == max(settings.n_components):
        yield f"{setting['n_components']} components"
    for axis, symbol in (("gamma", "γ"), ("C", "C")):
        alike = candidates[["kernel", "method"]] == setting[["kernel", "method"]]
        grid = candidates.loc[alike.all(axis=1), axis].dropna().unique()
        # A small C is simple, and with a small γ the kernel approaches the linear one.
        if len(grid) > 2 and setting[axis] == grid.max():
            yield f"{symbol} = {setting[axis]:.3g}"


def _runner_up(ranked: pd.DataFrame, compared: pd.DataFrame, used: str) -> dict[str, Any]:
    """Return the best of the other models, and how far it is above the recommended one."""
    others = ranked["mean"].drop(used, errors="ignore")
    name = str(others.idxmax()) if len(others) else ""
    away = _difference(compared, name, used) if name else {}
    odds = _number(away, "probability")
    return {"next": name, **_named(away, GAIN, *NEXT), "next_probability": odds}


def _over_default(ranked: pd.DataFrame, compared: pd.DataFrame, used: str) -> dict[str, Any]:
    """Return the simplest option, and how far the recommended one is above it if it is another."""
    default = str(ranked.index[0]) if len(ranked) else ""
    above = _difference(compared, used, default) if used not in ("", default) else {}
    odds = _number(above, "probability")
    return {"default": default, **_named(above, GAIN, *OVER_DEFAULT), "default_probability": odds}


def _linear_chosen(selected: pd.DataFrame, method: str) -> pd.Index:
    """Return the replicates in which no non-linear kernel was better than PCA at validation."""
    rows = _where(selected, method=method)
    linear, curved = (
        _where(rows, **choice).set_index("replicate")["value"]
        for choice in (_ROWS[ONLY_PCA], {"criterion": "cv_over_kernels"})
    )
    return curved.index[linear.round(10).reindex(curved.index).ge(curved.round(10))]


def _view(
    validation: pd.DataFrame, grid: Mapping[str, Point], X: np.ndarray, task: str
) -> dict[str, Any]:
    """Return the best setting of two components, which suit a picture; none without an answer."""
    rows = _where(validation, n_components=VIEWED).iloc[: 0 if task == "none" else None]
    best = selection.best_setting(rows[rows["cell"].isin(grid)], ["dataset"])
    cell = "" if best.empty else str(best["cell"].iloc[0])
    return {
        "view": cell,
        "view_parameters": json.dumps(arguments(grid[cell], X)) if cell else "",
        "view_score": float(best["value"].max()),
        "view_pca": float(rows.loc[rows["kernel"] == "pca", "value"].max()) if cell else math.nan,
    }


def _without_scores(variance_rule: pd.DataFrame) -> pd.Series:
    """Return the median heuristic or the simplest kernel, with components by the variance."""
    rows = _where(variance_rule, replicate=0)
    rows = rows.rename(columns={"components_for_share": "n_components"})
    other = ~rows["cell"].str.endswith("-median1")
    ranked = rows.assign(other=other, simple=rows["kernel"].map(selection.simplicity))
    return ranked.sort_values(["other", "simple", "cell"]).iloc[0]


def _where(table: pd.DataFrame, **values: object) -> pd.DataFrame:
    for column, value in values.items():
        table = table[table[column] == value]
    return table


def _row(compared: pd.DataFrame, **values: object) -> Mapping[Any, Any]:
    """Return the first row of the comparisons with some values, empty if there is none."""
    rows = _where(compared, **values)
    return {} if rows.empty else dict(rows.iloc[0].dropna())


def _difference(compared: pd.DataFrame, model: str, other: str) -> Mapping[Any, Any]:
    """Return the comparison of two models, turned if the table has it the other way round."""
    if row := _row(compared, **_ROWS.get(model, {}), baseline=_BASELINES.get(other)):
        return row
    row = _row(compared, **_ROWS.get(other, {"kernel": other}), baseline=_BASELINES.get(model))
    turned = {"gain": "gain", "gain_low": "gain_high", "gain_high": "gain_low"}
    numbers = {name: -row[at] for name, at in turned.items() if at in row}
    if "probability" in row:
        numbers["probability"] = 1 - row["probability"]
    return numbers


def _judged(compared: Mapping[str, Mapping[Any, Any]]) -> dict[str, Any]:
    """Return the verdict and the probability of each comparison, under the names of the table."""
    names: dict[str, Any] = {}
    for name, row in compared.items():
        names[f"vs_{name}"] = str(row.get("verdict", "no comparison"))
        names[f"probability_{name}"] = _number(row, "probability")
    return names


def _named(row: Mapping[Any, Any], columns: Sequence[str], *names: str) -> dict[str, Any]:
    """Return a mean or a difference with its CI, under the names of the table."""
    return {name: _number(row, column) for name, column in zip(names, columns, strict=True)}


def _number(row: Mapping[Any, Any] | pd.Series, name: str) -> float:
    return float(row.get(name, math.nan))
