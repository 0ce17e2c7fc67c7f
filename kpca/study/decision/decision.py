"""Decide for a dataset: the recommended option, the exported setting, and the facts behind them."""

import json
import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from kpca.study.datasets.dataset import Dataset, Split
from kpca.study.decision.dependence import Dependence, Memory
from kpca.study.decision.record import COMPARED, RECOMMENDED, Decision
from kpca.study.evidence.comparison import ENDS, GAINS, OF_KERNEL, PLANNED, THRESHOLD
from kpca.study.evidence.selection import (
    KERNEL_PCA,
    LINEAR,
    MODELS,
    ONLY_PCA,
    RAW_FEATURES,
    best_setting,
    candidates,
    selected_models,
    simplicity,
)
from kpca.study.fitting.fitted_models import arguments
from kpca.study.fitting.grid import Point
from kpca.study.scoring.methods import METHODS, PREDICTORS
from kpca.study.scoring.settings import Settings, main_method

VIEWED = 2  # number of components of the setting that is chosen for pictures


class Difference(NamedTuple):
    """Difference between the scores of two options, with its 95 % CI and P(above 0)."""

    gain: float = math.nan
    low: float = math.nan
    high: float = math.nan
    probability: float = math.nan
    verdict: str = "no comparison"


UNKNOWN = Difference()


@dataclass(frozen=True, kw_only=True)
class ReasonedDecision(Decision):
    """A decision with the facts on which it is based."""

    point: Point  # setting of the exported model, as the configuration gives it
    default: str = ""  # the simplest option
    over_default: Difference = UNKNOWN  # the recommended option compared with `default`
    next: str = ""  # the option with the highest mean among those that are not recommended
    behind: Difference = UNKNOWN  # `next` compared with the recommended option
    variance_share: float = 0.9  # fraction of the variance to keep if there are no scores
    families: int = 2  # number of kernel families to choose from
    # Whether replicates are independent draws; the setting is then chosen on the first draw.
    # Otherwise, replicates are random splits of the rows on which the setting is chosen.
    independent: bool = False
    groups: int = 0  # number of groups; 0 if there are none
    classes: Mapping[str, int] = field(default_factory=dict)  # rows of each class
    unconverged: int = 0  # number of predictor fits, such as SVMs, that stopped before convergence
    edges: tuple[str, ...] = ()  # parameters of the exported setting at an edge of the grid
    # Number of components → score of kernel PCA minus score of PCA with this number.
    gains: Mapping[int, float] = field(default_factory=dict)
    completeness: str = ""  # status of the certificate of the exported kernel PCA
    back: int | None = None  # number of exported components that a second sample would show
    kurtosis: float = math.nan  # excess kurtosis of held-out residuals, if there is a target
    # Each column with the score of predicting from this column only, the best first.
    lone: tuple[tuple[str, float], ...] = ()
    # Whether rows depend on each other; None if this was not tested.
    dependence: Dependence | None = None
    # How many neighbouring rows are alike, the number of rows, and whether time orders them; None
    # if the rows are not in the order of normal operation.
    memory: Memory | None = None

    @property
    def validated(self) -> bool:
        """Whether the setting was chosen by validation scores."""
        return not math.isnan(self.predictor_score)

    def row(self) -> dict[str, Any]:
        """Return the row of ``tables/decisions.csv``."""
        return {column.name: getattr(self, column.name) for column in fields(Decision)}


def decide(
    dataset: Dataset,
    grid: Mapping[str, Point],
    settings: Settings,
    tables: Mapping[str, pd.DataFrame],
) -> ReasonedDecision:
    """Return the decision on a dataset; ``grid`` maps the name of each setting to the setting.

    The tables are ``validation`` (`scores_table` of all rows), ``scores``, ``selected``,
    ``comparisons``, ``ranking``, ``by_components``, ``held_out`` and ``variance_rule``.
    """
    method = main_method(dataset.task, settings)
    metric = METHODS[method].metric
    here = {name: table[table["dataset"] == dataset.name] for name, table in tables.items()}
    ranked = here["ranking"].set_index("model")
    compared = _where(here["comparisons"], method=method, metric=metric)
    compared = compared.assign(model=compared["kernel"].map(OF_KERNEL)).dropna(subset="model")
    differences = _differences(compared)
    used = "".join(ranked.index[ranked["recommended"].astype(bool)])
    exported = _exported(used, ranked.index, differences)
    validation = _validation(dataset, here, metric)
    tried = candidates(validation, method, grid, exported)
    setting = _setting(tried, here["variance_rule"])
    point = Point(LINEAR) if exported == ONLY_PCA else grid[str(setting["cell"])]
    rows = dataset.chosen_on()
    predicting = setting
    predictor_cell = point.id
    if used == RAW_FEATURES:
        tried = candidates(validation, method, grid, used)
        predicting = _setting(tried, here["variance_rule"])
        predictor_cell = str(predicting["cell"])
    predictor = str(predicting.get("method", method))
    predictor_parameters = {}
    if METHODS[predictor].follows == "gaussian":
        # The bandwidth is that of the grid, or the median heuristic if the grid has none.
        width = grid.get(predictor_cell.replace("raw", "rbf", 1), Point("rbf", {"median": 1}))
        predictor_parameters = arguments(width, rows.X_train)
    if dataset.task == "none":
        predictor = ""
    chosen = selected_models(here["selected"], method, "cv")
    scores = compared.drop_duplicates("model").set_index("model")[[*ENDS]].reindex(MODELS)
    gains = here["by_components"].dropna(subset="gain")
    kurtosis = _where(here["held_out"], model=used, metric="residual_kurtosis")["mean"]
    return ReasonedDecision(
        dataset=dataset.name,
        recommended=used,
        model=exported,
        kernel=point.kernel,
        cell=point.id,
        parameters=json.dumps(arguments(point, rows.X_train)),
        n_components=int(setting["n_components"]),
        scaling=settings.scaling[0] if dataset.task == "classification" else "",
        predictor=predictor,
        predictor_cell=predictor_cell,
        predictor_parameters=json.dumps(predictor_parameters),
        C=float(predicting.get("C", math.nan)),
        predictor_score=float(predicting.get("value", math.nan)),
        measure=metric,
        point=point,
        variance_share=settings.variance_share,
        families=len({point.kernel for point in grid.values()}),
        unconverged=int(ranked["unconverged"].sum()),
        edges=tuple(_edges(predicting, tried, settings)),
        gains=dict(zip(gains["n_components"].astype(int), gains["gain"], strict=True)),
        kurtosis=float(kurtosis.max()),
        **_facts(dataset, rows),
        **_compared(differences, ranked, scores, used),
        **_agreement(chosen, used or exported, predictor, point.kernel),
        **_view(_where(validation, method=method, n_components=VIEWED), grid, rows.X_train),
    )


def _exported(
    used: str, options: Collection[str], differences: Mapping[tuple[str, str], Difference]
) -> str:
    """Return the model to export: the recommended option if it has components.

    Otherwise the model is PCA, unless there is no PCA or kernel PCA is better with a probability
    above `THRESHOLD`.
    """
    if used in (ONLY_PCA, KERNEL_PCA):
        return used
    likelier = differences[KERNEL_PCA, ONLY_PCA].probability > THRESHOLD
    return ONLY_PCA if ONLY_PCA in options and not likelier else KERNEL_PCA


def _validation(dataset: Dataset, here: Mapping[str, pd.DataFrame], metric: str) -> pd.DataFrame:
    """Return the validation scores by which the exported setting is chosen.

    For independent draws, these are the scores of the first draw. Without a label or target, the
    table is empty, because choosing by the neighbours of held-out rows is worse than the default
    of `_setting`.
    """
    if dataset.task == "none":
        return here["validation"].iloc[:0]
    if dataset.independent:
        return _where(here["scores"], metric=metric, split="cv", replicate=0)
    return _where(here["validation"], metric=metric)


def _setting(tried: pd.DataFrame, variance_rule: pd.DataFrame) -> pd.Series:
    """Return the setting with the best validation score, or a default if there are no scores.

    The default is a setting whose γ is the median heuristic, if there is one. If several settings
    are left, the one with the simplest kernel is taken. The variance rule gives its number of
    components.
    """
    if not tried.empty:
        return best_setting(tried, ["dataset"]).iloc[0]
    rows = _where(variance_rule, replicate=0)
    rows = rows.rename(columns={"components_for_share": "n_components"})
    other = ~rows["cell"].str.endswith("-median1")
    ranked = rows.assign(other=other, simple=rows["kernel"].map(simplicity))
    return ranked.sort_values(["other", "simple", "cell"]).iloc[0]


def _facts(dataset: Dataset, rows: Split) -> dict[str, Any]:
    """Return facts about a dataset, such as numbers of rows and features, and rows per class."""
    sizes = [] if rows.y_train is None else np.bincount(rows.y_train).tolist()
    return {
        "replicates": dataset.replicates,
        "rows": len(rows.X_train),
        "features": math.nan if dataset.precomputed else float(dataset.X.shape[1]),
        "independent": dataset.independent,
        "groups": 0 if dataset.groups is None else len(np.unique(dataset.groups)),
        "classes": dict(zip(dataset.class_names, sizes, strict=False)),
    }


def _differences(compared: pd.DataFrame) -> defaultdict[tuple[str, str], Difference]:
    """Return (model, other model) → difference of the first from the second, in both orders."""
    differences: defaultdict[tuple[str, str], Difference] = defaultdict(Difference)
    columns = ["model", "baseline", *GAINS, "probability", "verdict"]
    for model, baseline, *values in compared[columns].to_numpy():
        other = PLANNED[baseline]
        difference = Difference(*values)
        opposite = -difference.gain, -difference.high, -difference.low, 1 - difference.probability
        differences[model, other] = difference
        differences.setdefault((other, model), Difference(*opposite))
    return differences


def _compared(
    differences: Mapping[tuple[str, str], Difference],
    ranked: pd.DataFrame,
    scores: pd.DataFrame,
    used: str,
) -> dict[str, Any]:
    """Return columns of scores and comparisons, for kernel PCA and for the recommended option."""
    others = ranked["mean"].drop(used, errors="ignore")
    runner_up = str(others.idxmax()) if len(others) else ""
    default = "".join(ranked.index[:1])
    columns: dict[str, Any] = {
        "default": default,
        "over_default": differences[used, default],
        "next": runner_up,
        "behind": differences[runner_up, used],
    }
    means = scores["mean"]
    for baseline, names in COMPARED.items():
        option = (used or KERNEL_PCA) if baseline == "chance" else KERNEL_PCA
        columns |= zip(names, differences[option, PLANNED[baseline]], strict=True)
    columns["chance"] = means[used or KERNEL_PCA] - columns["chance_gain"]
    columns |= zip(RECOMMENDED, scores.reindex([used]).to_numpy()[0], strict=True)
    columns |= zip(("score", "low", "high"), scores.loc[KERNEL_PCA], strict=True)
    return columns | {"pca": means[ONLY_PCA]}


def _agreement(chosen: pd.DataFrame, model: str, predictor: str, kernel: str) -> dict[str, Any]:
    """Return what replicates chose most often, and how many agree with the exported model."""
    values = chosen.round({"value": 10}).set_index("replicate")
    raw, pca, curved = (_where(values, model=option) for option in MODELS)
    # Number of replicates in which no nonlinear kernel was better than PCA in validation.
    linear_chosen = int(pca["value"].reindex(curved.index).ge(curved["value"]).sum())
    agreeing = {
        RAW_FEATURES: (raw["method"] == predictor).sum(),
        ONLY_PCA: linear_chosen,
        KERNEL_PCA: (curved["kernel"] == kernel).sum(),
    }
    return {
        "raw_method": min(raw["method"].mode(), key=[*PREDICTORS].index, default=""),
        "agreeing": int(agreeing[model]),
        "linear_chosen": linear_chosen,
    }


def _edges(setting: pd.Series, tried: pd.DataFrame, settings: Settings) -> Iterator[str]:
    """Yield parameters of a setting at an edge of the grid, where a wider grid may score higher."""
    if tried.empty:
        return
    if setting["kernel"] != "raw" and setting["n_components"] == max(settings.n_components):
        yield f"{setting['n_components']} components"
    for axis, symbol in (("gamma", "γ"), ("C", "C")):
        alike = tried[["kernel", "method"]] == setting[["kernel", "method"]]
        grid = tried.loc[alike.all(axis=1), axis].dropna().unique()
        # Only the upper edge counts, because a small C is simple, and a kernel with a small γ
        # approaches the linear one.
        if len(grid) > 2 and setting[axis] == grid.max():
            yield f"{symbol} = {setting[axis]:.3g}"


def _view(rows: pd.DataFrame, grid: Mapping[str, Point], X: np.ndarray) -> dict[str, Any]:
    """Return the best setting with two components, for pictures; empty if there are no scores."""
    best = best_setting(rows[rows["cell"].isin(grid)], ["dataset"])
    if best.empty:
        return {}
    cell = str(best["cell"].iloc[0])
    return {
        "view": cell,
        "view_parameters": json.dumps(arguments(grid[cell], X)),
        "view_score": float(best["value"].iloc[0]),
        "view_pca": float(rows.loc[rows["kernel"] == "pca", "value"].max()),
    }


def _where(table: pd.DataFrame, **values: object) -> pd.DataFrame:
    for column, value in values.items():
        table = table[table[column] == value]
    return table
