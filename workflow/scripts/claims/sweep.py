"""Statements of the theory that the tables of the sweep can test."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from pipeline.job import script
from pipeline.tables.comparison import least_half_widths, overlaps
from pipeline.tables.metrics import MAIN_METRIC, METRICS
from pipeline.tables.selection import best_setting, scores_at
from workflow.scripts.claims.claim import Case, averaged, claims_table, exactly

UNIT = ["dataset", "replicate"]
SVM, WHITENED, KMEANS = "linear_svm", "linear_svm_whitened", "kmeans"
NAMES = {SVM: "svm", KMEANS: "kmeans"}
CONTENDERS = {"tuned": ("", "cv_over_kernels"), "label-free": ("rbf", "label_free")}
SUITS = {"9-linear": "generator linear", "9-quadric": "generator rings"}
"""Statement on a kernel → source of the data that it suits."""

DIGITS = 10  # tables hold twelve
ROUNDING = 1e-12


@dataclass(frozen=True)
class Judge:
    """Judges statements by differences of two scores, paired within the replicates of a dataset.

    Overlaps and least half-widths of intervals are those of `pipeline.tables.comparison`.
    """

    overlap: dict[str, float | None]
    least: dict[str, float] = field(default_factory=dict)

    def __call__(self, claim: str, left: pd.DataFrame, right: pd.DataFrame) -> Iterator[Case]:
        """Yield a case a dataset, of left − right: columns dataset, replicate, value."""
        both = left.merge(right, on=UNIT, suffixes=("", "_right"))
        both["difference"] = (both["value"] - both["value_right"]).round(DIGITS)
        for name, rows in both.groupby("dataset", sort=False):
            if len(rows) > 1:
                found = rows["difference"].to_numpy()
                least = self.least.get(str(name), 0.0)
                yield averaged(claim, found, self.overlap[str(name)], str(name), least=least)


def main_rows(table: pd.DataFrame, method: str, split: str = "test") -> pd.DataFrame:
    """Return the rows of scores, or of selections, with the main metric of a method."""
    wanted = {"method": method, "metric": MAIN_METRIC[method], "split": split}
    return table[np.logical_and.reduce([table[name] == value for name, value in wanted.items()])]


def chosen(selected: pd.DataFrame, method: str, criterion: str, kernel: str = "") -> pd.DataFrame:
    """Return the test rows of what a criterion chose, of one kernel or of those it chose."""
    rows = main_rows(selected, method)
    rows = rows[rows["criterion"] == criterion]
    return rows[rows["kernel"] == kernel] if kernel else rows


def gains_over_pca(selected: pd.DataFrame, judge: Judge) -> Iterator[Case]:
    """Yield kernel PCA before the SVM and k-means compared with PCA."""
    for method, name in NAMES.items():
        pca = chosen(selected, method, "cv", "pca")
        for contender, (kernel, criterion) in CONTENDERS.items():
            ours = chosen(selected, method, criterion, kernel)
            yield from judge(f"8-{name}-{contender}-pca", ours, pca)


def gains_over_raw(selected: pd.DataFrame, judge: Judge) -> Iterator[Case]:
    """Yield kernel PCA before the SVM and k-means against the rows as they are."""
    for method, name in NAMES.items():
        ours = chosen(selected, method, "cv_over_kernels")
        yield from judge(f"8-{name}-tuned-raw", ours, chosen(selected, method, "cv", "raw"))


def variance_share(
    scores: pd.DataFrame, selected: pd.DataFrame, variance_rule: pd.DataFrame, judge: Judge
) -> Iterator[Case]:
    """Yield the number of components by the rule of explained variance, and its cost.

    Only k differs: kernel, its parameters and C are those that cross-validation chose with its k.
    """
    tuned = chosen(selected, SVM, "cv_over_kernels")
    rule = variance_rule[[*UNIT, "cell", "components_for_share"]]
    asked = tuned.merge(rule, on=[*UNIT, "cell"])
    counts = (
        asked.assign(value=np.log2(asked[name]))[[*UNIT, "value"]]
        for name in ("components_for_share", "n_components")
    )
    yield from judge("7-count", *counts)
    at_share = asked.assign(n_components=asked["components_for_share"])
    keys = [*UNIT, "cell", "C", "n_components"]
    scored = main_rows(scores, SVM)[[*keys, "value"]].merge(at_share[keys], on=keys)
    yield from judge("7-cost", tuned[[*UNIT, "value"]], scored)


def sensitivity(scores: pd.DataFrame, grid: set[str]) -> Iterator[Case]:
    """Yield how much of the whole grid, kernels included, is as good as its best setting."""
    of_kernels = scores[scores["kernel"].isin(grid)]
    seen = scores_at(main_rows(of_kernels, SVM), main_rows(of_kernels, SVM, "cv"))
    within = METRICS[MAIN_METRIC[SVM]].margin + ROUNDING
    for name, rows in seen.groupby("dataset", sort=False):
        means = rows.groupby(["cell", "n_components", "C"])["value"].mean()
        yield exactly("9-sensitive", float((means >= means.max() - within).mean()), str(name))


def kernels(
    scores: pd.DataFrame, selected: pd.DataFrame, datasets: pd.DataFrame, judge: Judge
) -> Iterator[Case]:
    """Yield whether the Gaussian kernel can be the default, and which kernel suits which data."""
    best = chosen(selected, SVM, "cv_over_kernels")
    yield from judge("9-default", chosen(selected, SVM, "cv", "rbf"), best)
    quadrics = scores[(scores["degree"] == 2) & (scores["method"] == SVM)]
    ours = {
        "9-linear": chosen(selected, SVM, "cv", "linear"),
        "9-quadric": main_rows(scores_at(quadrics, best_setting(quadrics, UNIT)), SVM),
    }
    for claim, source in SUITS.items():
        known = datasets.loc[datasets["source"] == source, "dataset"]
        yield from judge(claim, ours[claim][ours[claim]["dataset"].isin(known)], best)


def bandwidth(label_free: pd.DataFrame, judge: Judge) -> Iterator[Case]:
    """Yield the cross-validated γ against the best in hindsight and against the median's."""
    rows = label_free[label_free["method"] == SVM]
    by = {name: rows[rows["criterion"] == name] for name in ("cv", "hindsight", "variance")}
    yield from judge("10-gamma-hindsight", by["hindsight"], by["cv"])
    yield from judge("10-gamma-median", by["cv"], by["variance"])


@script
def measure(
    scores: pd.DataFrame,
    selected: pd.DataFrame,
    variance_rule: pd.DataFrame,
    datasets: pd.DataFrame,
    label_free: pd.DataFrame | None = None,
) -> dict[str, pd.DataFrame]:
    """Return the cases of the sweep, and no other table: its figures show those of the sweep.

    The choice without labels is there where the grid has multiples of the median γ.
    """
    if SVM not in set(selected["method"]):  # the configuration has whitened scores alone
        renamed = {"method": {WHITENED: SVM}}
        scores, selected = scores.replace(renamed), selected.replace(renamed)
        label_free = None if label_free is None else label_free.replace(renamed)
    judge = Judge(overlaps(datasets), least_half_widths(datasets))
    cases = [*gains_over_pca(selected, judge), *gains_over_raw(selected, judge)]
    if SVM in set(selected["method"]):
        cases += variance_share(scores, selected, variance_rule, judge)
        cases += sensitivity(scores, set(variance_rule["kernel"]))
        cases += kernels(scores, selected, datasets, judge)
    if label_free is not None:
        cases += bandwidth(label_free, judge)
    return {"claims": claims_table(cases)}
