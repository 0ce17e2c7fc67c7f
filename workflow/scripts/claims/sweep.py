"""Statements of the theory that the tables of the sweep can test."""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
import pandas as pd

from pipeline.job import script
from pipeline.tables.comparison import least_half_widths, overlaps
from pipeline.tables.metrics import MAIN_METRIC, METRICS
from pipeline.tables.selection import best_setting, scores_at
from workflow.scripts.claims.claim import Case, averaged, exactly

UNIT = ["dataset", "replicate"]
SVM, WHITENED, KMEANS = "linear_svm", "linear_svm_whitened", "kmeans"
NAMES = {SVM: "svm", KMEANS: "kmeans"}
# Baseline → what is compared with it: a criterion, and the kernel if the criterion has many.
CONTENDERS = {
    "pca": {"tuned": ("cv_over_kernels", ""), "label-free": ("label_free", "rbf")},
    "raw": {"tuned": ("cv_over_kernels", "")},
}
DIGITS = 10  # tables hold twelve
ROUNDING = 1e-12
# A claim, and two tables of scores whose difference it speaks of.
Pair = tuple[str, pd.DataFrame, pd.DataFrame]


def differences(
    pairs: Iterable[Pair], overlap: Mapping[str, float | None], least: Mapping[str, float]
) -> Iterator[Case]:
    """Yield one case per dataset, of left − right: columns dataset, replicate, value.

    Differences are paired within the replicates. Overlaps and least half-widths of intervals are
    those of `pipeline.tables.comparison`.
    """
    for claim, left, right in pairs:
        both = left.merge(right[[*UNIT, "value"]], on=UNIT, suffixes=("", "_right"))
        found = (both["value"] - both["value_right"]).round(DIGITS)
        for name, values in found.groupby(both["dataset"], sort=False):
            if len(values) > 1:
                known = overlap[str(name)], str(name)
                yield averaged(claim, values.to_numpy(), *known, least=least.get(str(name), 0.0))


def main_rows(table: pd.DataFrame, method: str, split: str = "test") -> pd.DataFrame:
    """Return the rows of scores, or of selections, with the main metric of a method."""
    wanted = [method, MAIN_METRIC[method], split]
    return table[(table[["method", "metric", "split"]] == wanted).all(axis=1)]


def chosen(selected: pd.DataFrame, method: str, criterion: str, kernel: str = "") -> pd.DataFrame:
    """Return the test rows of what a criterion chose, of one kernel or of those it chose."""
    rows = main_rows(selected, method)
    rows = rows[rows["criterion"] == criterion]
    return rows[rows["kernel"] == kernel] if kernel else rows


def gains(selected: pd.DataFrame) -> Iterator[Pair]:
    """Yield kernel PCA before the SVM and k-means against PCA, and against the rows as they are."""
    for baseline, contenders in CONTENDERS.items():
        for method, name in NAMES.items():
            theirs = chosen(selected, method, "cv", baseline)
            for contender, (criterion, kernel) in contenders.items():
                ours = chosen(selected, method, criterion, kernel)
                yield f"8-{name}-{contender}-{baseline}", ours, theirs


def variance_share(
    scores: pd.DataFrame, selected: pd.DataFrame, variance_rule: pd.DataFrame
) -> Iterator[Pair]:
    """Yield the number of components by the rule of explained variance, and its cost.

    Only k differs: kernel, its parameters and C are those that cross-validation chose with its k.
    """
    tuned = chosen(selected, SVM, "cv_over_kernels")
    rule = variance_rule[[*UNIT, "cell", "components_for_share"]]
    asked = tuned.merge(rule, on=[*UNIT, "cell"])
    at_share = asked.assign(n_components=asked["components_for_share"])
    left, right = (rows.assign(value=np.log2(rows["n_components"])) for rows in (at_share, asked))
    yield "7-count", left, right
    keys = [*UNIT, "cell", "C", "n_components"]
    yield "7-cost", tuned, main_rows(scores, SVM).merge(at_share[keys], on=keys)


def sensitivity(scores: pd.DataFrame, grid: set[str]) -> Iterator[Case]:
    """Yield how much of the whole grid, kernels included, is as good as its best setting."""
    of_kernels = scores[scores["kernel"].isin(grid)]
    seen = scores_at(main_rows(of_kernels, SVM), main_rows(of_kernels, SVM, "cv"))
    within = METRICS[MAIN_METRIC[SVM]].margin + ROUNDING
    for name, rows in seen.groupby("dataset", sort=False):
        means = rows.groupby(["cell", "n_components", "C"])["value"].mean()
        yield exactly("9-sensitive", float((means >= means.max() - within).mean()), str(name))


def kernels(scores: pd.DataFrame, selected: pd.DataFrame, datasets: pd.DataFrame) -> Iterator[Pair]:
    """Yield whether the Gaussian kernel can be the default, and which kernel suits which data."""
    best = chosen(selected, SVM, "cv_over_kernels")
    yield "9-default", chosen(selected, SVM, "cv", "rbf"), best
    quadrics = scores[(scores["degree"] == 2) & (scores["method"] == SVM)]
    quadric = main_rows(scores_at(quadrics, best_setting(quadrics, UNIT)), SVM)
    linear, sources = chosen(selected, SVM, "cv", "linear"), datasets.set_index("dataset")["source"]
    yield "9-linear", linear[linear["dataset"].map(sources) == "generator linear"], best
    yield "9-quadric", quadric[quadric["dataset"].map(sources) == "generator rings"], best


def bandwidth(label_free: pd.DataFrame) -> Iterator[Pair]:
    """Yield the cross-validated γ against the best in hindsight and against the median's."""
    rows = label_free[label_free["method"] == SVM]
    by = {name: rows[rows["criterion"] == name] for name in ("cv", "hindsight", "variance")}
    yield "10-gamma-hindsight", by["hindsight"], by["cv"]
    yield "10-gamma-median", by["cv"], by["variance"]


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
    cases: list[Case] = []
    pairs = [*gains(selected)]
    if SVM in set(selected["method"]):
        cases += sensitivity(scores, set(variance_rule["kernel"]))
        pairs += variance_share(scores, selected, variance_rule)
        pairs += kernels(scores, selected, datasets)
    if label_free is not None:
        pairs += bandwidth(label_free)
    cases += differences(pairs, overlaps(datasets), least_half_widths(datasets))
    return {"claims": pd.DataFrame(cases, columns=Case._fields)}
