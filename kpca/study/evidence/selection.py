"""Select the settings of each method by validation scores, which use the training rows only."""

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd

from kpca.study.fitting.kernels import FAMILIES, LINEAR
from kpca.study.scoring.methods import METHODS, PREDICTORS

BASELINES = ("raw", "pca")

# Models of a dataset, each of which is tuned inside the training set.
KERNEL_PCA = "kernel PCA"
ONLY_PCA = "PCA"
RAW_FEATURES = "raw features"
MODELS = (RAW_FEATURES, ONLY_PCA, KERNEL_PCA)  # simpler models come first

_UNIT = ["dataset", "replicate", "kernel", "method"]
_SETTING = ["cell", "n_components", "C"]
_KEYS = [*_UNIT, *_SETTING]


def select(scores: pd.DataFrame, variance_rule: pd.DataFrame) -> pd.DataFrame:
    """Return the scores of the selected settings, with the ``criterion`` that selected each.

    - ``cv`` takes, per kernel and replicate, the setting with the best mean validation score. Ties
      go to fewer components, then to a lower degree, then to a γ nearer to the middle of the grid,
      then to a smaller C.
    - ``cv_over_kernels`` also chooses the kernel, among the nonlinear ones. Ties go to the simplest
      kernel by `simplicity`. The linear kernel is left out, because it is PCA, with which kernel
      PCA is compared.
    - ``cv_over_raw`` takes the best predictor on raw features. Ties go to the first of
      `PREDICTORS`.
    - ``label_free`` uses no label: it takes the median heuristic, C = 1, and the number of
      components that keeps the configured fraction of the variance, or the largest scored number if
      that is smaller.

    Both tables are made by `kpca.study.scoring.scores`.
    """
    of_kernels = scores[scores["kernel"].isin(curved_kernels(variance_rule))]
    raw = scores[(scores["kernel"] == "raw") & scores["method"].isin(PREDICTORS)]
    parts = {
        "cv": best_setting(scores, _UNIT),
        "cv_over_kernels": best_setting(of_kernels, ["dataset", "replicate", "method"]),
        "cv_over_raw": best_setting(raw, ["dataset", "replicate"]),
        "label_free": _label_free(scores, variance_rule),
    }
    chosen = pd.concat([frame.assign(criterion=name) for name, frame in parts.items()])
    return scores_at(scores, chosen, "criterion").sort_values(
        ["dataset", "criterion", "kernel", "method", "replicate", "metric", "split"],
        ignore_index=True,
    )


def curved_kernels(variance_rule: pd.DataFrame) -> set[str]:
    """Return the nonlinear kernels of the fits in a table."""
    return set(variance_rule["kernel"]) - {*BASELINES, LINEAR}


def selected_models(selected: pd.DataFrame, method: str, split: str = "test") -> pd.DataFrame:
    """Return the scores of the `MODELS`, with the name of each in the column ``model``.

    ``selected`` is the table of `select` for datasets whose main method is ``method``. Scores of
    raw features are those of the selected predictor.
    """
    metric = selected["metric"] == METHODS[method].metric
    rows = selected[metric & (selected["split"] == split)]
    main = rows["method"] == method
    by_cv = rows["criterion"] == "cv"
    models = {
        KERNEL_PCA: main & (rows["criterion"] == "cv_over_kernels"),
        RAW_FEATURES: rows["criterion"] == "cv_over_raw",
        ONLY_PCA: main & by_cv & (rows["kernel"] == "pca"),
    }
    parts = [rows[of_model].assign(model=name) for name, of_model in models.items()]
    return pd.concat(parts).sort_values("replicate", kind="stable")


def best_setting(scores: pd.DataFrame, unit: list[str]) -> pd.DataFrame:
    """Return the best setting per value of the columns ``unit``, with its validation score.

    Ties are broken as in `select`. If some settings were scored on the test set, only these are
    compared.
    """
    main = by_main_metric(scores)
    validation = main[main["split"] == "cv"]
    tested = main[main["split"] == "test"]
    if not tested.empty:  # Folds of lower rank have scores at further numbers of components.
        validation = scores_at(validation, tested[_KEYS].drop_duplicates())
    ranked = validation.assign(
        rank=-validation["value"].round(10),
        simple=validation["kernel"].map(simplicity),
        predictor=validation["method"].map([*METHODS].index),
        away=from_middle(validation, _UNIT),
    )
    order = ["rank", "simple", "predictor", "n_components", "degree", "away", "gamma", "C", "cell"]
    return ranked.sort_values(order, kind="stable").drop_duplicates(unit)[validation.columns]


def candidates(
    validation: pd.DataFrame, method: str, cells: Collection[str], model: str
) -> pd.DataFrame:
    """Return the validation scores of the settings among which the setting of a model is chosen.

    The settings of kernel PCA include the linear kernel only if there is no other kernel, or if
    there is neither label nor target.
    """
    if model == RAW_FEATURES:
        return validation[(validation["kernel"] == "raw") & validation["method"].isin(PREDICTORS)]
    rows = validation[validation["method"] == method]
    if model == ONLY_PCA:
        return rows[rows["kernel"] == "pca"]
    rows = rows[rows["cell"].isin(cells)]
    curved = rows[rows["kernel"] != LINEAR]
    return rows if curved.empty or method == "embedding" else curved


def simplicity(kernel: str) -> int:
    """Return the rank of a kernel by simplicity, which breaks ties; the linear kernel comes first.

    Other kernels are ordered by their number of parameters, and custom kernels come last.
    """
    ordered = sorted(FAMILIES, key=lambda name: FAMILIES[name].n_parameters)
    return ordered.index(kernel) if kernel in FAMILIES else len(ordered)


def from_middle(settings: pd.DataFrame, unit: list[str]) -> pd.Series:
    """Return |log γ − median log γ|, with one median per value of the columns ``unit``.

    This distance breaks ties in favour of the middle, because the edges of a grid are arbitrary.
    """
    logs = np.log(settings["gamma"])
    groups = logs.groupby([settings[name] for name in unit])
    middles = groups.transform(lambda values: values.drop_duplicates().median())
    return (logs - middles).abs().round(10)


def by_main_metric(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the scores by the main metric of each method, which selects and compares settings."""
    main = {name: method.metric for name, method in METHODS.items()}
    return scores[scores["metric"] == scores["method"].map(main)]


def scores_at(scores: pd.DataFrame, settings: pd.DataFrame, *columns: str) -> pd.DataFrame:
    """Return the rows of ``scores`` at the ``settings``, and add ``columns`` of the settings."""
    return scores.merge(settings[[*_KEYS, *columns]], on=_KEYS)  # NaN matches NaN


def by_first_method(scores: pd.DataFrame, methods: Sequence[str]) -> pd.DataFrame:
    """Return, for each dataset, the scores by the first of ``methods`` that the dataset has.

    >>> rows = pd.DataFrame({"dataset": ["a", "a", "b"], "method": ["ridge", "mean", "mean"]})
    >>> by_first_method(rows, ("ridge", "mean"))["method"].tolist()
    ['ridge', 'mean']
    """
    rows = scores[scores["method"].isin(methods)]
    rank = rows["method"].map([*methods].index)
    return rows[rank == rank.groupby(rows["dataset"]).transform("min")]


def budgets(scores: pd.DataFrame, selected: pd.DataFrame) -> pd.DataFrame:
    """Return how many settings each method was tuned over, and how often an edge was chosen.

    If the edge of a grid is chosen often, a wider grid may do better.
    """
    keys = ["dataset", "kernel", "method"]
    tuned = scores[scores["split"] == "cv"]
    by_cv = selected[(selected["criterion"] == "cv") & (selected["split"] == "cv")]
    settings = tuned.drop_duplicates([*keys, *_SETTING]).groupby(keys)
    table = settings.size().to_frame("settings")
    for axis in ("n_components", "C", "degree", "gamma"):
        # Each replicate has edges of its own, because γ depends on the median of its rows.
        grids = tuned.groupby(_UNIT)[axis].agg(["min", "max", "nunique"])
        wide = grids[grids["nunique"] >= 3].reset_index()
        chosen = by_main_metric(by_cv).merge(wide, on=_UNIT)
        chosen["at_edge"] = chosen[axis].eq(chosen["min"]) | chosen[axis].eq(chosen["max"])
        table[f"{axis}_at_edge"] = chosen.groupby(keys)["at_edge"].mean()
    return table.reset_index()


def _label_free(scores: pd.DataFrame, variance_rule: pd.DataFrame) -> pd.DataFrame:
    median = variance_rule[variance_rule["cell"].str.endswith("-median1")]
    keys = ["dataset", "replicate", "kernel", "cell"]
    frame = scores[scores["split"] == "test"].merge(median, on=keys)
    most = frame.groupby([*keys, "method"])["n_components"].transform("max")
    frame = frame[frame["n_components"] == frame["components_for_share"].clip(upper=most)]
    from_one = (frame["C"].fillna(1.0) - 1.0).abs()
    return frame.loc[from_one.sort_values(kind="stable").index].drop_duplicates(_UNIT)
