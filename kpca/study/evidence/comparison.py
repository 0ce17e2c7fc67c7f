"""Means over replicates with 95 % CIs, and paired differences from baselines."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd

from kpca.study.evidence.selection import KERNEL_PCA, ONLY_PCA, RAW_FEATURES
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

# Kernel in the comparisons → its model.
OF_KERNEL = {"best raw": RAW_FEATURES, "pca": ONLY_PCA, "best kernel": KERNEL_PCA}
# Baseline of kernel PCA → its model.
PLANNED = {"chance": "chance", "raw": RAW_FEATURES, "pca": ONLY_PCA}
# Least half-width of a difference of independent draws, in margins. Most draws may agree, and
# others differ by far. With 0.7 five equal draws are still decided.
LEAST_OF_DRAWS = 0.7
# A baseline without a representation is compared with PCA before this method.
CLUSTERING = {"spectral": "kmeans"}
# Model → how far each row, or group of rows, moves its mean score over random splits.
Influences = Mapping[str, np.ndarray]

ENDS = ("mean", "low", "high")
GAINS = ("gain", "gain_low", "gain_high")

_CHOSEN = {"cv_over_kernels": "best kernel", "cv_over_raw": "best raw"}


class _Line(NamedTuple):
    """What has one score per replicate."""

    method: str
    metric: str
    kernel: str
    criterion: str

    def is_planned(self, main: str) -> bool:
        """Return whether it is one of the models that are compared by the main method."""
        chosen = self.kernel in OF_KERNEL and self.criterion != "label_free"
        return self.method == main and chosen


def overlap_of(described: Mapping[Any, Any]) -> float | None:
    """Return what `interval` takes as ``test_over_train``, of a row of ``tables/datasets.csv``.

    None for independent draws, else n_test/n_train; NaN if the groups are too few for an interval.
    """
    if described["draws"] == "independent":
        return None
    has_few_groups = 0 < described["groups"] < FEWEST_GROUPS
    return math.nan if has_few_groups else float(described["test_over_train"])


def compare(
    selected: pd.DataFrame, described: Mapping[Any, Any], main: str, influences: Influences
) -> pd.DataFrame:
    """Return one row per method, kernel, criterion and baseline of what was selected of a dataset.

    Each row has the mean test score with its 95 % CI, cut off where the metric ends. ``gain`` is
    the paired difference from a baseline: PCA that was tuned in the same way. The half-width of its
    CI is at least `LEAST_OF_DRAWS` margins for independent draws. ``probability`` is that of a gain
    above 0. The choice among the non-linear kernels is also compared with the best predictor on raw
    features, and it, that predictor and PCA are compared with chance.

    The table is that of `kpca.study.evidence.selection.select`, and ``described`` the row of
    `kpca.study.evidence.described.describe`. ``main`` is the method by which the kernel is chosen,
    and ``influences`` are those of its models for random splits.
    """
    test = selected[selected["split"] == "test"]
    test = test.assign(kernel=test["criterion"].map(_CHOSEN).fillna(test["kernel"]))
    best_raw = test["kernel"] == "best raw"  # by several methods: one line of the main method
    test["method"] = test["method"].mask(best_raw, main)
    scores = {
        _Line(*map(str, key)): rows.set_index("replicate")["value"].sort_index()
        for key, rows in test.groupby([*_Line._fields])
    }
    moved = {"chance": np.zeros(()), **influences}
    table: list[dict[str, object]] = []
    for line, values in scores.items():
        design = Design.of(described, line.metric)
        influence = moved.get(OF_KERNEL[line.kernel]) if line.is_planned(main) else None
        mean = design.score(values.to_numpy(), influence)
        row = {"dataset": described["dataset"], "method": line.method}
        row |= {"metric": line.metric, "main": line.metric == METHODS[line.method].metric}
        row |= {"kernel": line.kernel, "criterion": line.criterion}
        for baseline, reference in _references(scores, line, main).items():
            compared = row | {"baseline": baseline, "replicates": len(values)}
            compared |= zip(ENDS, mean[:3], strict=True)
            compared["verdict"] = "no comparison"
            if reference is not None:
                paired = reference.loc[values.index].to_numpy()
                apart = None if influence is None else influence - moved[PLANNED[baseline]]
                gain = design.difference(values.to_numpy(), paired, apart)
                compared |= zip(GAINS, gain[:3], strict=True)
                compared["probability"] = math.nan
                if line.method != "embedding":
                    compared["probability"] = gain.above(0.0)
                    compared["verdict"] = verdict(*gain[1:3], METRICS[line.metric].margin)
            table.append(compared)
    frame = pd.DataFrame(table)
    return frame.assign(verdict=frame.pop("verdict"))


def _references(
    scores: Mapping[_Line, pd.Series], line: _Line, main: str
) -> dict[str, pd.Series | None]:
    """Return the scores of the baselines of a line: none for PCA if it has none, or equals it."""
    against = main if line.metric == METHODS[main].metric else line.method
    against = CLUSTERING.get(line.method, against)
    pca = line._replace(method=against, kernel="pca", criterion="cv")
    is_pca = line in (pca, pca._replace(kernel="linear"))
    references = {"pca": None if is_pca else scores.get(pca)}
    if line.is_planned(main):
        chance = pca._replace(method=CHANCE.get(line.metric, ""), kernel="raw")
        baselines = {"chance": chance}
        if line.kernel == "best kernel":
            baselines["raw"] = line._replace(kernel="best raw", criterion="cv_over_raw")
        references |= {name: scores[of] for name, of in baselines.items() if of in scores}
    return references


@dataclass(frozen=True)
class Design:
    """What the splits of a dataset say of scores by a metric."""

    metric: str
    test_over_train: float | None  # as `compare_scores` takes it
    least: float  # smallest half-width of the CI of a score
    least_difference: float  # of a difference between two

    @classmethod
    def of(cls, described: Mapping[Any, Any], metric: str) -> Self:
        """Return the design of a dataset, of its row of ``tables/datasets.csv``."""
        return cls(metric, overlap_of(described), *least_of(described, metric))

    def score(self, values: np.ndarray, influence: np.ndarray | None = None) -> Interval:
        """Return the mean of scores with its CI; the influence is that of rows on the mean."""
        return interval(
            values,
            test_over_train=self.test_over_train,
            influence=influence,
            least=self.least,
            limits=(METRICS[self.metric].least, 1.0),
        )

    def difference(
        self, scores: np.ndarray, baseline: np.ndarray, influence: np.ndarray | None = None
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


def least_of(described: Mapping[Any, Any], metric: str) -> tuple[float, float]:
    """Return the least half-width of the CI of a score of a dataset, and of that of a difference.

    It is by class for balanced accuracy. Other metrics are not means over rows; by convention, they
    have that of all rows, so that scores without spread get no interval of zero width. For
    independent draws that of a difference is at least `LEAST_OF_DRAWS` margins.
    """
    held_out = [int(n) for n in str(described["held_out"]).split()]
    by_class = metric == "balanced_accuracy"
    least = least_half_width(held_out if by_class else [sum(held_out)])
    if described["draws"] != "independent":
        return least, least
    return least, max(least, LEAST_OF_DRAWS * METRICS[metric].margin)
