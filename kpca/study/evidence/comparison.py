"""Compute mean scores, differences from baselines, scores by components, and rankings."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from kpca.study.evidence.selection import (
    KERNEL_PCA,
    MODELS,
    ONLY_PCA,
    RAW_FEATURES,
    best_setting,
    by_main_metric,
    curved_kernels,
    scores_at,
    selected_models,
)
from kpca.study.evidence.statistics import (
    FEWEST_GROUPS,
    Interval,
    compare_scores,
    interval,
    least_half_width,
    verdict,
)
from kpca.study.scoring.methods import CHANCE, METHODS
from kpca.study.scoring.metrics import METRICS

# Value of the column `kernel` in the comparisons → its model.
OF_KERNEL = {"best raw": RAW_FEATURES, "pca": ONLY_PCA, "best kernel": KERNEL_PCA}
# Value of the column `baseline` in planned comparisons → its model.
PLANNED = {"chance": "chance", "raw": RAW_FEATURES, "pca": ONLY_PCA}
# Smallest half-width of the CI of a difference between independent draws, as a multiple of the
# metric's margin. A minimum is needed because most draws may agree while a few differ by far. With
# 0.7, five equal draws still allow a verdict.
LEAST_OF_DRAWS = 0.7
# Clustering of raw features → the clustering of PCA scores with which it is compared.
CLUSTERING = {"spectral": "kmeans"}
# An option is preferred to a simpler one if it is better with a probability above `THRESHOLD`. Of
# 0.6, 0.7, 0.75 and 0.8, this is the smallest value with which the loss in the population exceeds
# the loss of always using raw features by at most 0.05 points. The value was chosen on datasets
# other than those of the results in docs/calibration.md.
THRESHOLD = 0.7
# Model → how far each row, or group of rows, moves the mean score over random splits.
Influences = Mapping[str, np.ndarray]

ENDS = ("mean", "low", "high")
GAINS = ("gain", "gain_low", "gain_high")

_CHOSEN = {"cv_over_kernels": "best kernel", "cv_over_raw": "best raw"}


class _Line(NamedTuple):
    """The key of a series of scores with one score per replicate."""

    method: str
    metric: str
    kernel: str
    criterion: str


def overlap_of(described: Mapping[Any, Any]) -> float | None:
    """Return the argument ``test_over_train`` of `interval`, from a row of ``tables/datasets.csv``.

    It is None for independent draws, NaN if the groups are too few for an interval, and otherwise
    n_test/n_train.
    """
    if described["draws"] == "independent":
        return None
    has_few_groups = 0 < described["groups"] < FEWEST_GROUPS
    return math.nan if has_few_groups else float(described["test_over_train"])


def compare(
    selected: pd.DataFrame, described: Mapping[Any, Any], main: str, influences: Influences
) -> pd.DataFrame:
    """Compare selected settings of a dataset: a row per method, kernel, criterion and baseline.

    Each row has the mean test score with its 95 % CI, clipped to the range of the metric, and
    ``gain``, the paired difference from the baseline. For independent draws, the half-width of the
    CI of a gain is at least `LEAST_OF_DRAWS` margins. ``probability`` is the probability that the
    gain is above 0.

    The baseline is PCA that was tuned in the same way. The setting that was chosen among all
    nonlinear kernels is also compared with the best predictor on raw features. This setting, this
    predictor and PCA are also compared with chance.

    ``selected`` is the table of `kpca.study.evidence.selection.select`, and ``described`` the row
    of `kpca.study.evidence.described.describe`. ``main`` is the method by which the kernel is
    chosen, and ``influences`` are the `Influences` of its models, empty for independent draws.
    """
    test = selected[selected["split"] == "test"]
    test = test.assign(kernel=test["criterion"].map(_CHOSEN).fillna(test["kernel"]))
    # Replicates can differ in the best predictor on raw features, so that its scores get the name
    # of the main method.
    best_raw = test["kernel"] == "best raw"
    test["method"] = test["method"].mask(best_raw, main)
    scores = {
        _Line(*map(str, key)): rows.set_index("replicate")["value"].sort_index()
        for key, rows in test.groupby([*_Line._fields])
        if len(rows) > 1  # Few distinct rows can have neighbours to compare in one replicate only.
    }
    moved = {"chance": np.zeros(()), **influences}
    table: list[tuple[object, ...]] = []
    for line, values in scores.items():
        design = Design.of(described, line.metric)
        model = OF_KERNEL.get(line.kernel, "") if line.method == main else ""
        influence = moved.get(model)
        mean = design.score(values, influence)
        is_main = line.metric == METHODS[line.method].metric
        row = described["dataset"], line.method, line.metric, is_main, line.kernel, line.criterion
        for baseline, reference in _references(line, main, model).items():
            gain: tuple[float, ...] = (math.nan,) * 3
            probability = math.nan
            word = "no comparison"
            known = scores[reference] if reference in scores else values[:0]
            if values.index.isin(known.index).all():
                paired = known.loc[values.index]
                apart = None if influence is None else influence - moved[PLANNED[baseline]]
                difference = design.difference(values, paired, apart)
                gain = difference[:3]
                if line.method != "embedding":
                    probability = difference.above(0.0)
                    word = verdict(*gain[1:], METRICS[line.metric].margin)
            if reference in scores or baseline == "pca":
                replicates = len(values)
                table.append((*row, baseline, replicates, *mean[:3], *gain, probability, word))
    columns = ["dataset", "method", "metric", "main", "kernel", "criterion", "baseline"]
    columns += ["replicates", *ENDS, *GAINS, "probability", "verdict"]
    return pd.DataFrame(table, columns=columns)


def _references(line: _Line, main: str, model: str) -> dict[str, _Line | None]:
    """Return baseline → the series of scores with which the series ``line`` is compared.

    ``model`` is the model of ``line`` if its comparisons are planned, and empty otherwise. PCA and
    the linear kernel, which equals PCA, are not compared with PCA.
    """
    against = main if line.metric == METHODS[main].metric else line.method
    against = CLUSTERING.get(line.method, against)
    pca = line._replace(method=against, kernel="pca", criterion="cv")
    is_pca = line in (pca, pca._replace(kernel="linear"))
    references = {"pca": None if is_pca else pca}
    if model:
        references["chance"] = pca._replace(method=CHANCE.get(line.metric, ""), kernel="raw")
    if model == KERNEL_PCA:
        references["raw"] = line._replace(kernel="best raw", criterion="cv_over_raw")
    return references


@dataclass(frozen=True)
class Design:
    """What determines the CIs of a dataset's scores: the metric, the splits, the held-out rows."""

    metric: str
    test_over_train: float | None  # argument of `compare_scores`
    least: float  # smallest half-width of the CI of a score
    least_difference: float  # smallest half-width of the CI of a difference

    @classmethod
    def of(cls, described: Mapping[Any, Any], metric: str) -> Self:
        """Return the design of a dataset from its row of ``tables/datasets.csv``.

        For balanced accuracy, the smallest half-widths depend on the number of held-out rows of
        each class. Other metrics are not means over rows. By convention, their half-widths depend
        on the number of all held-out rows, so that scores without spread get no interval of zero
        width. For independent draws, the half-width of a difference is at least `LEAST_OF_DRAWS`
        times the margin of the metric.
        """
        held_out = [int(n) for n in str(described["held_out"]).split()]
        if metric != "balanced_accuracy":
            held_out = [sum(held_out)]
        least = least_half_width(held_out)
        least_difference = least
        if described["draws"] == "independent":
            least_difference = max(least, LEAST_OF_DRAWS * METRICS[metric].margin)
        return cls(metric, overlap_of(described), least, least_difference)

    def score(self, values: ArrayLike, influence: np.ndarray | None = None) -> Interval:
        """Return the mean of scores with its CI; ``influence`` is how far rows move the mean."""
        return interval(
            values,
            test_over_train=self.test_over_train,
            influence=influence,
            least=self.least,
            limits=(METRICS[self.metric].least, 1.0),
        )

    def difference(
        self, scores: ArrayLike, baseline: ArrayLike, influence: np.ndarray | None = None
    ) -> Interval:
        """Return the mean difference of paired scores, with its posterior."""
        widest = 1 - METRICS[self.metric].least
        return compare_scores(
            scores,
            baseline,
            self.test_over_train,
            influences=influence,
            least=self.least_difference,
            limits=(-widest, widest),
        )


def ranking(
    selected: pd.DataFrame, described: Mapping[Any, Any], main: str, influences: Influences
) -> pd.DataFrame:
    """Return one row per model of a dataset: raw features, PCA and kernel PCA.

    The rows have the mean held-out score with its 95 % CI, the probability that the model is better
    than the recommended one, and whether it is `recommended`. The arguments are those of `compare`.
    Without labels and target there are no rows.
    """
    columns = ["dataset", "model", *ENDS, "probability", "recommended"]
    metric = METHODS[main].metric
    if metric == "trustworthiness":
        return pd.DataFrame(columns=columns)
    scores = selected_models(selected, main).pivot(
        index="replicate", columns="model", values="value"
    )
    scores = scores[[name for name in MODELS if name in scores]]
    options = ranked(Design.of(described, metric), scores, influences)
    return options.assign(dataset=described["dataset"])[columns]


def ranked(design: Design, scores: pd.DataFrame, influences: Influences) -> pd.DataFrame:
    """Return the columns of `ranking` other than the dataset, with one row per model.

    The held-out ``scores`` have one row per replicate and one column per model, simpler models
    first. The ``influences`` are how far each row of the dataset moves the mean of a model, if
    that is known.

    The recommended model is the first to which no other model is superior with a probability above
    `THRESHOLD`. If the probabilities are unknown, they are NaN, and the first model is recommended.
    """
    models = scores.columns.tolist()
    for recommended in models:
        better = {recommended: math.nan}
        for other in scores.columns.drop([recommended]):
            apart = influences[other] - influences[recommended] if influences else None
            difference = design.difference(scores[other], scores[recommended], apart)
            better[other] = difference.above(0.0)
        if not any(probability > THRESHOLD for probability in better.values()):
            break
    intervals = [design.score(scores[m], influences.get(m))[:3] for m in models]
    table = pd.DataFrame(intervals, columns=[*ENDS]).assign(model=models)
    return table.assign(
        probability=table["model"].map(better), recommended=table["model"] == recommended
    )


def by_components(
    scores: pd.DataFrame,
    variance_rule: pd.DataFrame,
    described: Mapping[Any, Any],
    method: str,
    sizes: Sequence[int],
) -> pd.DataFrame:
    """Return the scores of kernel PCA and PCA, one row per model and number of components.

    In each replicate, both models have their best setting with this number of components, chosen
    inside the training set. If PCA has fewer components, all of them are used. ``gain`` is the
    difference of kernel PCA from PCA. The tables are those of one dataset, and ``described`` is its
    row of `describe`. ``method`` is the method by which its kernel is chosen, and ``sizes`` are the
    requested numbers of components.
    """
    dataset = described["dataset"]
    metric = METHODS[method].metric
    design = Design.of(described, metric)
    rows = by_main_metric(scores[scores["method"] == method])
    curved = rows[rows["kernel"].isin(curved_kernels(variance_rule))]
    kernel = _best_tested(curved[curved["n_components"].isin(sizes)])
    pca = _best_tested(rows[rows["kernel"] == "pca"])
    if not pca.empty:  # There is no PCA if only a kernel matrix is known.
        pca = pca.reindex(columns=kernel.columns, method="ffill").dropna(axis="columns")
        both = kernel.index.intersection(pca.index)
        kernel, pca = (tested.loc[both] for tested in (kernel, pca))
    if len(kernel) < 2:  # An interval needs two replicates.
        kernel, pca = (tested.iloc[:, :0] for tested in (kernel, pca))
    table = []
    for model, tested in ((ONLY_PCA, pca), (KERNEL_PCA, kernel)):
        for m, values in tested.items():
            ends = design.score(values)[:3]
            gains: tuple[float, ...] = (math.nan,) * 3
            if model == KERNEL_PCA and m in pca:
                gains = design.difference(values, pca[m])[:3]
            table.append((dataset, metric, model, m, *ends, *gains))
    columns = ["dataset", "metric", "model", "n_components", *ENDS, *GAINS]
    return pd.DataFrame(table, columns=columns)


def _best_tested(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the test score of the best setting per replicate (row) and number of components.

    A number of components that some replicate lacks is left out.
    """
    best = best_setting(scores, ["replicate", "n_components"])
    tested = scores_at(scores[scores["split"] == "test"], best)
    by_number = tested.pivot(index="replicate", columns="n_components", values="value")
    return by_number.dropna(axis="columns")
