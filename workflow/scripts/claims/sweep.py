"""Statements of the theory that the tables of the sweep can test."""

from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd

from kpca.study.evidence.comparison import Design, overlap_of
from kpca.study.evidence.selection import scores_at
from kpca.study.evidence.statistics import half_width
from kpca.study.scoring.methods import METHODS
from kpca.study.scoring.metrics import METRICS
from workflow.job import script
from workflow.scripts.claims.claim import Case, averaged

UNIT = ["dataset", "replicate"]
SETTING = ["cell", "n_components", "C"]
SVM = "linear_svm"
WHITENED = "linear_svm_whitened"
KMEANS = "kmeans"
# Claims that rows of the comparisons answer: method, kernel, criterion, baseline.
COMPARED = {
    "8-svm-tuned-pca": (SVM, "best kernel", "cv_over_kernels", "pca"),
    "8-svm-tuned-raw": (SVM, "best kernel", "cv_over_kernels", "raw"),
    "8-svm-label-free-pca": (SVM, "rbf", "label_free", "pca"),
    "8-kmeans-tuned-pca": (KMEANS, "best kernel", "cv_over_kernels", "pca"),
    "8-kmeans-label-free-pca": (KMEANS, "rbf", "label_free", "pca"),
}
HIGHEST = 1.0  # score
DIGITS = 10  # tables hold twelve
ROUNDING = 1e-12
# A claim, and two tables of scores whose difference it speaks of.
Pair = tuple[str, pd.DataFrame, pd.DataFrame]


def compared(comparisons: pd.DataFrame) -> Iterator[Case]:
    """Yield the improvements of `COMPARED`, with the intervals that the comparisons have."""
    known = comparisons[comparisons["main"].astype(bool)].dropna(subset="gain")
    by_line = known.groupby(["method", "kernel", "criterion", "baseline"], sort=False)
    rows_of = dict(list(by_line))
    for claim, line in COMPARED.items():
        for row in rows_of.get(line, known[:0]).to_dict("records"):
            gain = row["gain"]
            low = row["gain_low"]
            high = row["gain_high"]
            replicates = row["replicates"]
            error = max(gain - low, high - gain) / half_width(replicates)
            most = HIGHEST - row["mean"] + gain
            yield Case(claim, gain, low, high, row["dataset"], replicates, error, highest=most)


def differences(
    pairs: Iterable[Pair], datasets: pd.DataFrame, metric: str = "", *, limited: bool = False
) -> Iterator[Case]:
    """Yield one case per dataset, of left − right, paired by replicate.

    It may be limited to what the right score leaves to the highest one.
    """
    described = {row["dataset"]: row for row in datasets.to_dict("records")}
    for claim, first, right in pairs:
        both = first.merge(right[[*UNIT, "value"]], on=UNIT, suffixes=("", "_right"))
        for name, rows in both.groupby("dataset", sort=False):
            if len(rows) > 1:
                values = (rows["value"] - rows["value_right"]).round(DIGITS).to_numpy()
                dataset = str(name)
                least = 0.0
                most = np.inf
                if metric:
                    least = Design.of(described[dataset], metric).least_difference
                if limited:
                    most = HIGHEST - float(rows["value_right"].mean())
                spread = overlap_of(described[dataset])
                yield averaged(claim, values, spread, dataset, least=least, highest=most)


def main_rows(table: pd.DataFrame, method: str, split: str = "test") -> pd.DataFrame:
    """Return the rows of scores, or of selections, with the main metric of a method."""
    wanted = [method, METHODS[method].metric, split]
    return table[(table[["method", "metric", "split"]] == wanted).all(axis=1)]


def chosen(selected: pd.DataFrame, method: str, criterion: str, kernel: str = "") -> pd.DataFrame:
    """Return the test rows of what a criterion chose, of one kernel or of those it chose."""
    rows = main_rows(selected, method)
    rows = rows[rows["criterion"] == criterion]
    return rows[rows["kernel"] == kernel] if kernel else rows


def variance_share(
    scores: pd.DataFrame, selected: pd.DataFrame, variance_rule: pd.DataFrame
) -> tuple[Pair, Pair]:
    """Return the number of components by the rule of explained variance, and its cost."""
    tuned = chosen(selected, SVM, "cv_over_kernels")
    rule = variance_rule[[*UNIT, "cell", "components_for_share"]]
    both = tuned.merge(rule, on=[*UNIT, "cell"])
    at_share = both.assign(n_components=both["components_for_share"])
    first, right = (rows.assign(value=np.log2(rows["n_components"])) for rows in (at_share, both))
    keys = [*UNIT, "cell", "C", "n_components"]
    cost = main_rows(scores, SVM).merge(at_share[keys], on=keys)
    return ("7-count", first, right), ("7-cost", tuned, cost)


def tested(scores: pd.DataFrame, grid: set[str]) -> Iterator[tuple[str, pd.DataFrame, pd.Series]]:
    """Yield each dataset with test scores by replicate and setting, and mean validation scores."""
    of_kernels = scores[scores["kernel"].isin(grid)]
    validated = main_rows(of_kernels, SVM, "cv")
    seen = scores_at(main_rows(of_kernels, SVM), validated)
    for name, rows in seen.groupby("dataset", sort=False):
        by = rows.pivot(index="replicate", columns=SETTING, values="value").dropna(axis=1)
        means = validated[validated["dataset"] == name].groupby(SETTING)["value"].mean()
        yield str(name), by, means.round(DIGITS).loc[by.columns]


def sensitivity(
    scores: pd.DataFrame, grid: set[str], overlap: dict[str, float | None]
) -> Iterator[Case]:
    """Yield how much of the whole grid, kernels included, is as good as the best by validation."""
    margin = METRICS[METHODS[SVM].metric].margin + ROUNDING
    for name, by, means in tested(scores, grid):
        within = by.ge(by[means.idxmax()] - margin, axis=0).mean(axis=1)
        yield averaged("9-sensitive", within.to_numpy(), overlap[name], name)


def hindsight(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the Gaussian kernel at the best setting on test sets of the other replicates."""
    best = []
    for name, by, _ in tested(scores, {"rbf"}):
        others = (by.sum() - by).round(DIGITS).to_numpy().argmax(axis=1)
        values = by.to_numpy()[np.arange(len(by)), others]
        best += [(name, r, value) for r, value in zip(by.index, values, strict=True)]
    return pd.DataFrame(best, columns=[*UNIT, "value"])


@script
def measure(
    scores: pd.DataFrame,
    selected: pd.DataFrame,
    variance_rule: pd.DataFrame,
    datasets: pd.DataFrame,
    comparisons: pd.DataFrame,
    label_free: pd.DataFrame | None = None,
) -> dict[str, pd.DataFrame]:
    """Return the cases of the sweep; `label_free` is there if the grid has multiples of the γ."""
    if SVM not in set(selected["method"]):  # the configuration has whitened scores alone
        renamed = {"method": {WHITENED: SVM}}
        scores = scores.replace(renamed)
        selected = selected.replace(renamed)
        comparisons = comparisons.replace(renamed)
        label_free = None if label_free is None else label_free.replace(renamed)
    of_scores: list[Pair] = []
    cases = [*compared(comparisons)]
    tuned = chosen(selected, KMEANS, "cv_over_kernels")
    raw = chosen(selected, KMEANS, "cv", "raw")
    kmeans = [("8-kmeans-tuned-raw", tuned, raw)]
    cases += differences(kmeans, datasets, METHODS[KMEANS].metric, limited=True)
    if SVM in set(selected["method"]):
        overlap = {row["dataset"]: overlap_of(row) for row in datasets.to_dict("records")}
        cases += sensitivity(scores, set(variance_rule["kernel"]), overlap)
        count, cost = variance_share(scores, selected, variance_rule)
        gaussian = chosen(selected, SVM, "cv", "rbf")
        of_scores += [cost, ("9-default", gaussian, chosen(selected, SVM, "cv_over_kernels"))]
        cases += differences([count], datasets)
    if label_free is not None:
        rows = label_free[label_free["method"] == SVM]
        tuned, median = (rows[rows["criterion"] == name] for name in ("cv", "variance"))
        of_scores.append(("10-gamma-hindsight", hindsight(scores), tuned))
        gains = [("10-gamma-median", tuned, median)]
        cases += differences(gains, datasets, METHODS[SVM].metric, limited=True)
    cases += differences(of_scores, datasets, METHODS[SVM].metric)
    return {"claims": pd.DataFrame(cases, columns=Case._fields)}
