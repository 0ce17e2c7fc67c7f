"""What is decided for a dataset, and what that rests on."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from kpca.study.datasets.dataset import Dataset
from kpca.study.decision.dependence import Dependence, Memory
from kpca.study.decision.record import (
    COMPARED,
    GAIN,
    NEXT,
    OVER_DEFAULT,
    RECOMMENDED,
    Decision,
)
from kpca.study.evidence import selection
from kpca.study.evidence.comparison import ENDS, OF_KERNEL, PLANNED
from kpca.study.evidence.recommendation import THRESHOLD
from kpca.study.evidence.selection import KERNEL_PCA, LINEAR, MODELS, ONLY_PCA, RAW_FEATURES
from kpca.study.fitting.fitted_models import arguments
from kpca.study.fitting.grid import Point
from kpca.study.scoring.methods import METHODS, PREDICTORS
from kpca.study.scoring.settings import Cell, Settings, cells, main_method

VIEWED = 2  # number of components of the setting chosen for viewing

_DIFFERENCE = [*GAIN, "probability", "verdict"]


class Difference(NamedTuple):
    """How far one model is above another one, by the table of comparisons."""

    gain: float = math.nan
    low: float = math.nan
    high: float = math.nan
    probability: float = math.nan
    verdict: str = "no comparison"


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
    ``comparisons``, ``ranking``, ``by_components``, ``held_out`` and ``variance_rule``.
    """
    grid = {point.id: point for point in points}
    method = main_method(dataset.task, settings)
    metric = METHODS[method].metric
    here = {name: table[table["dataset"] == dataset.name] for name, table in tables.items()}
    compared = _comparisons(_where(here["comparisons"], method=method, metric=metric))
    ranked = here["ranking"].set_index("model")
    used = next(iter(ranked.index[ranked["recommended"].astype(bool)]), "")
    exported = used if used in (ONLY_PCA, KERNEL_PCA) else _best_embedding(ranked, compared)
    rows = dataset.chosen_on()
    validation = _validation(dataset, here, metric)
    candidates = selection.candidates(validation, method, set(grid), exported)
    best = selection.best_setting(candidates, ["dataset"])
    validated = not best.empty
    setting = best.iloc[0] if validated else _without_scores(here["variance_rule"])
    point = Point(LINEAR) if exported == ONLY_PCA else grid[str(setting["cell"])]
    last, cell = setting, Cell("kernel", point)
    if used == RAW_FEATURES:
        candidates = selection.candidates(validation, method, set(grid), RAW_FEATURES)
        last = selection.best_setting(candidates, ["dataset"]).iloc[0]
        raw = cells([*grid.values()], {}, task=dataset.task, precomputed=False)
        cell = next(one for one in raw if one.id == last["cell"])
    predictor = "" if dataset.task == "none" else str(last.get("method", method))
    selected = _where(here["selected"], split="cv", metric=metric)
    of_raw = _where(selected, criterion="cv_over_raw")["method"]
    of_kernels = _where(selected, criterion="cv_over_kernels", method=method)["kernel"]
    linear_chosen = _linear_chosen(_where(selected, method=method))
    agreeing = {
        RAW_FEATURES: (of_raw == predictor).sum(),
        ONLY_PCA: linear_chosen,
        KERNEL_PCA: (of_kernels == point.kernel).sum(),
    }
    scores = compared.drop_duplicates("model").set_index("model")[[*ENDS]].reindex(MODELS)
    columns = _compared(compared, ranked, used)
    columns |= zip(RECOMMENDED, ranked[[*ENDS]].reindex([used]).to_numpy()[0], strict=True)
    columns |= zip(("score", "low", "high"), scores.loc[KERNEL_PCA], strict=True)
    decision = Decision(
        dataset=dataset.name,
        recommended=used,
        **columns,
        model=exported,
        kernel=point.kernel,
        cell=point.id,
        parameters=json.dumps(arguments(point, rows.X_train)),
        n_components=int(setting["n_components"]),
        scaling=settings.scaling[0] if dataset.task == "classification" else "",
        predictor=predictor,
        predictor_cell=cell.id,
        predictor_parameters=json.dumps(
            arguments(cell.point, rows.X_train) if cell.kind == "gaussian" else {}
        ),
        C=float(last.get("C", math.nan)),
        predictor_score=float(last.get("value", math.nan)),
        measure=metric,
        chance=scores["mean"][used or KERNEL_PCA] - columns["chance_gain"],
        raw=scores["mean"][RAW_FEATURES],
        pca=scores["mean"][ONLY_PCA],
        raw_method=min(of_raw.mode(), key=[*PREDICTORS].index, default=""),
        agreeing=int(agreeing[used or exported]),
        linear_chosen=linear_chosen,
        replicates=dataset.replicates,
        rows=len(rows.X_train),
        features=math.nan if dataset.precomputed else float(dataset.X.shape[1]),
        **_view(_where(validation, method=method, n_components=VIEWED), grid, rows.X_train),
    )
    gains = here["by_components"].dropna(subset="gain")
    sizes = [] if rows.y_train is None else np.bincount(rows.y_train).tolist()
    kurtosis = _where(here["held_out"], model=used, metric="residual_kurtosis")["mean"]
    basis = Basis(
        point=point,
        validated=validated,
        variance_share=settings.variance_share,
        families=len({point.kernel for point in grid.values()}),
        independent=dataset.independent,
        groups=0 if dataset.groups is None else len(np.unique(dataset.groups)),
        classes=dict(zip(dataset.class_names, sizes, strict=False)),
        unconverged=int(ranked["unconverged"].sum()),
        edges=tuple(_edges(last, candidates, settings)) if validated else (),
        gains=dict(zip(gains["n_components"].astype(int), gains["gain"], strict=True)),
        kurtosis=float(kurtosis.max()),
    )
    return decision, basis


def _comparisons(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the three models, with the models that are compared."""
    rows = table[table["kernel"].isin(OF_KERNEL) & (table["criterion"] != "label_free")]
    # A table without any baseline lacks the columns.
    rows = rows.reindex(columns=["kernel", "baseline", *ENDS, *_DIFFERENCE])
    return rows.assign(model=rows["kernel"].map(OF_KERNEL), other=rows["baseline"].map(PLANNED))


def _difference(compared: pd.DataFrame, model: str, other: str) -> Difference:
    """Return the difference of a model from another one, whichever the table has."""
    rows = _where(compared, model=model, other=other)
    if len(rows):
        return Difference(*rows[_DIFFERENCE].iloc[0])
    opposite = _where(compared, model=other, other=model)
    if opposite.empty:
        return Difference()
    gain, low, high, probability, _ = opposite[_DIFFERENCE].iloc[0]
    return Difference(-gain, -high, -low, 1 - probability)


def _compared(compared: pd.DataFrame, ranked: pd.DataFrame, used: str) -> dict[str, Any]:
    """Return the columns of the comparisons of kernel PCA, and of the recommended option."""
    columns: dict[str, Any] = {}
    for name, model in PLANNED.items():
        option = (used or KERNEL_PCA) if name == "chance" else KERNEL_PCA
        difference = _difference(compared, option, model)
        columns |= zip(COMPARED[name], difference[:3], strict=True)
        columns |= {f"probability_{name}": difference.probability, f"vs_{name}": difference.verdict}
    others = ranked["mean"].drop(used, errors="ignore")
    columns["next"] = str(others.idxmax()) if len(others) else ""
    columns["default"] = str(ranked.index[0]) if len(ranked) else ""
    columns |= zip(NEXT, _difference(compared, columns["next"], used)[:4], strict=True)
    columns |= zip(OVER_DEFAULT, _difference(compared, used, columns["default"])[:4], strict=True)
    return columns


def _best_embedding(ranked: pd.DataFrame, compared: pd.DataFrame) -> str:
    """Return PCA, unless there is none or kernel PCA is likelier better; see `THRESHOLD`."""
    likelier = _difference(compared, KERNEL_PCA, ONLY_PCA).probability > THRESHOLD
    return ONLY_PCA if ONLY_PCA in ranked.index and not likelier else KERNEL_PCA


def _validation(dataset: Dataset, tables: Mapping[str, pd.DataFrame], metric: str) -> pd.DataFrame:
    """Return the scores that the setting is chosen by; of draws, the first one chooses.

    Without an answer there are none: neighbours of held-out rows choose worse than the convention.
    """
    if dataset.task == "none":
        return tables["validation"].iloc[:0]
    if dataset.independent:
        return _where(tables["scores"], metric=metric, split="cv", replicate=0)
    return _where(tables["validation"], metric=metric)


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


def _linear_chosen(selected: pd.DataFrame) -> int:
    """Return in how many replicates no non-linear kernel was better than PCA at validation."""
    values = selected.round({"value": 10}).set_index("replicate")
    pca = _where(values, criterion="cv", kernel="pca")["value"]
    curved = _where(values, criterion="cv_over_kernels")["value"]
    return int(pca.reindex(curved.index).ge(curved).sum())


def _view(rows: pd.DataFrame, grid: Mapping[str, Point], X: np.ndarray) -> dict[str, Any]:
    """Return the best setting of two components, which suit a picture, if there are scores."""
    best = selection.best_setting(rows[rows["cell"].isin(grid)], ["dataset"])
    if best.empty:
        return {}
    cell = str(best["cell"].iloc[0])
    return {
        "view": cell,
        "view_parameters": json.dumps(arguments(grid[cell], X)),
        "view_score": float(best["value"].iloc[0]),
        "view_pca": float(rows.loc[rows["kernel"] == "pca", "value"].max()),
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
