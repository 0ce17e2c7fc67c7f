"""What the theory says of the sweep, read off the tables that the sweep writes anyway."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from kpca.pipeline.comparison import MARGIN
from kpca.pipeline.curves import overlaps
from kpca.pipeline.selection import MAIN_METRIC, best_setting, scores_at
from kpca.pipeline.studies.claims.claim import Bounds, Claim, Rule, Side, averaged, exactly

Overlaps = dict[str, float | None]
UNIT = ["dataset", "replicate"]
SVM, KMEANS = "linear_svm", "kmeans"
USES = {
    SVM: ("svm", "the SVM", "balanced accuracy"),
    KMEANS: ("kmeans", "k-means", "adjusted mutual information"),
}
CONTENDERS = {
    "tuned": ("best kernel", "cv_over_kernels", "kernel and parameters by cross-validation"),
    "label-free": ("rbf", "label_free", "Gaussian, median γ, share of the variance"),
}
SUITS = (
    ("linear", "linear", "same as PCA", "The linear kernel suits linear data."),
    ("quadric", "rings", "quadratic surfaces", "A polynomial of degree 2 suits rings."),
)
"""Name, generator of the data, what the source says, and the statement."""

DIGITS = 10  # tables hold twelve
ROUNDING = 1e-12


@dataclass(frozen=True)
class Statement:
    """A statement about every dataset; the fields are those of `Claim` and `Rule`."""

    claim: str
    statement: str
    source: str
    estimand: str
    side: Side
    threshold: float
    figure: str

    def of(self, case: str, found: Bounds, replicates: int = 1, known: str = "") -> Claim:
        """Return its claim of one case."""
        rule = Rule(self.estimand, self.side, self.threshold, replicates)
        return Claim(
            self.claim, self.statement, self.source, *found, rule, self.figure, case, known
        )

    def judged(self, left: pd.DataFrame, right: pd.DataFrame, overlap: Overlaps) -> Iterator[Claim]:
        """Yield its claim of every dataset, of left − right paired within replicates.

        Parameters
        ----------
        left, right : DataFrame
            Columns dataset, replicate, value.
        overlap : dict
            Of `kpca.pipeline.curves.overlaps`.
        """
        both = left.merge(right, on=UNIT, suffixes=("", "_right"))
        both["difference"] = (both["value"] - both["value_right"]).round(DIGITS)
        for name, rows in both.groupby("dataset", sort=False):
            if len(rows) > 1:
                found = averaged(rows["difference"].to_numpy(), overlap[str(name)])
                yield self.of(str(name), found, len(rows))


def measure(
    scores: pd.DataFrame,
    selected: pd.DataFrame,
    comparisons: pd.DataFrame,
    variance_rule: pd.DataFrame,
    datasets: pd.DataFrame,
    label_free: pd.DataFrame | None = None,
) -> tuple[list[Claim], dict[str, pd.DataFrame]]:
    """Return the statements on the sweep, and no table: its figures show those of the sweep.

    Parameters
    ----------
    scores, selected, comparisons, variance_rule, datasets : DataFrame
        Tables of the sweep.
    label_free : DataFrame, optional
        Of the choice without labels, where the grid has multiples of the median γ.
    """
    overlap = overlaps(datasets)
    claims = [*gains_over_pca(comparisons), *gains_over_raw(selected, overlap)]
    if SVM in set(selected["method"]):
        claims += variance_share(scores, selected, variance_rule, overlap)
        claims += sensitivity(scores, set(variance_rule["kernel"]))
        claims += kernels(scores, selected, datasets, overlap)
    if label_free is not None:
        claims += bandwidth(label_free, overlap)
    return claims, {}


def main_rows(table: pd.DataFrame, method: str, split: str = "test") -> pd.DataFrame:
    """Return the rows of scores, or of selections, with the main metric of a method."""
    wanted = {"method": method, "metric": MAIN_METRIC[method], "split": split}
    return table[np.logical_and.reduce([table[name] == value for name, value in wanted.items()])]


def chosen(selected: pd.DataFrame, method: str, criterion: str, kernel: str = "") -> pd.DataFrame:
    """Return the test rows of what a criterion chose, of one kernel or of those it chose."""
    rows = main_rows(selected, method)
    rows = rows[rows["criterion"] == criterion]
    return rows[rows["kernel"] == kernel] if kernel else rows


def margin(method: str) -> float:
    """Return δ of a method's main metric, stated before any run."""
    return MARGIN[MAIN_METRIC[method]]


def gains_over_pca(comparisons: pd.DataFrame) -> Iterator[Claim]:
    """Yield kernel PCA before the SVM and k-means against PCA, as the comparisons judge it."""
    for method, (short, use, metric) in USES.items():
        of_method = comparisons[(comparisons["method"] == method) & comparisons["main"]]
        for name, (kernel, criterion, words) in CONTENDERS.items():
            stated = Statement(
                f"8-{short}-{name}-pca",
                f"Kernel PCA before {use} gains over PCA ({words}).",
                f"a step before {use}",
                f"gain of {metric} over PCA",
                "above",
                margin(method),
                "gain" if method == SVM else "gain_clustering",
            )
            ours = (of_method["kernel"] == kernel) & (of_method["criterion"] == criterion)
            for row in of_method[ours].dropna(subset=["gain"]).to_dict("records"):
                found = row["gain"], row["gain_low"], row["gain_high"]
                yield stated.of(row["dataset"], found, row["replicates"], row["verdict"])


def gains_over_raw(selected: pd.DataFrame, overlap: Overlaps) -> Iterator[Claim]:
    """Yield kernel PCA before the SVM and k-means against the rows as they are."""
    for method, (short, use, metric) in USES.items():
        stated = Statement(
            f"8-{short}-tuned-raw",
            f"Kernel PCA before {use} gains over raw rows ({CONTENDERS['tuned'][2]}).",
            f"a step before {use}",
            f"gain of {metric} over raw rows",
            "above",
            margin(method),
            "comparison" if method == SVM else "comparison_clustering",
        )
        raw = chosen(selected, method, "cv", "raw")
        yield from stated.judged(chosen(selected, method, "cv_over_kernels"), raw, overlap)


def variance_share(
    scores: pd.DataFrame, selected: pd.DataFrame, variance_rule: pd.DataFrame, overlap: Overlaps
) -> Iterator[Claim]:
    """Yield what a share of the variance as the rule for k asks for, and what it costs.

    Only k differs: kernel, its parameters and C are those that cross-validation chose with its k.
    """
    source = "80–90 % of the variance"
    tuned = chosen(selected, SVM, "cv_over_kernels")
    rule = variance_rule[[*UNIT, "cell", "components_for_share"]]
    asked = tuned.merge(rule, on=[*UNIT, "cell"])
    count = Statement(
        "7-count",
        "A share of the variance asks for as many components as cross-validation, within a "
        "factor of two.",
        source,
        "log₂ of the k of the share over the cross-validated k",
        "within",
        1.0,
        "spectrum",
    )
    logarithms = asked.assign(value=np.log2(asked["components_for_share"]))
    theirs = asked.assign(value=np.log2(asked["n_components"]))
    yield from count.judged(logarithms[[*UNIT, "value"]], theirs, overlap)
    cost = Statement(
        "7-cost",
        "The k of a share of the variance costs nothing against the cross-validated k.",
        source,
        "loss of balanced accuracy by taking the k of the share",
        "below",
        margin(SVM),
        "grid_accuracy",
    )
    at_share = asked.drop(columns=["n_components", "value"]).rename(
        columns={"components_for_share": "n_components"}
    )
    keys = [*UNIT, "cell", "C", "n_components"]
    scored = main_rows(scores, SVM)[[*keys, "value"]].merge(at_share[keys], on=keys)
    yield from cost.judged(tuned[[*UNIT, "value"]], scored, overlap)


def sensitivity(scores: pd.DataFrame, grid: set[str]) -> Iterator[Claim]:
    """Yield how much of the whole grid, kernels included, is as good as its best setting."""
    stated = Statement(
        "9-sensitive",
        "Results are sensitive to the kernel and its parameters: less than half of the grid is "
        "within the margin of the best.",
        "sensitive to kernel and parameters",
        "share of the grid whose mean test score is within the margin of the best",
        "below",
        0.5,
        "grid_accuracy",
    )
    of_kernels = scores[scores["kernel"].isin(grid)]
    seen = scores_at(main_rows(of_kernels, SVM), main_rows(of_kernels, SVM, "cv"))
    for name, rows in seen.groupby("dataset", sort=False):
        means = rows.groupby(["cell", "n_components", "C"])["value"].mean()
        share = (means >= means.max() - margin(SVM) - ROUNDING).mean()
        yield stated.of(str(name), exactly(share))


def kernels(
    scores: pd.DataFrame, selected: pd.DataFrame, datasets: pd.DataFrame, overlap: Overlaps
) -> Iterator[Claim]:
    """Yield whether the Gaussian kernel can be the default, and which kernel suits which data."""
    best = chosen(selected, SVM, "cv_over_kernels")
    less = "less that of the kernel chosen by cross-validation"
    default = Statement(
        "9-default",
        "The Gaussian kernel can be the default: nothing is lost by never trying another.",
        "default",
        f"balanced accuracy of the Gaussian kernel {less}",
        "above",
        -margin(SVM),
        "comparison",
    )
    yield from default.judged(chosen(selected, SVM, "cv", "rbf"), best, overlap)
    quadrics = scores[(scores["degree"] == 2) & (scores["method"] == SVM)]
    ours = {
        "linear": chosen(selected, SVM, "cv", "linear"),
        "quadric": main_rows(scores_at(quadrics, best_setting(quadrics, UNIT)), SVM),
    }
    for name, generator, source, said in SUITS:
        known = datasets.loc[datasets["source"] == f"generator {generator}", "dataset"]
        rows = ours[name][ours[name]["dataset"].isin(known)]
        estimand = f"balanced accuracy of that kernel {less}"
        suits = Statement(
            f"9-{name}", said, source, estimand, "above", -margin(SVM), "grid_accuracy"
        )
        yield from suits.judged(rows, best, overlap)


def bandwidth(label_free: pd.DataFrame, overlap: Overlaps) -> Iterator[Claim]:
    """Yield the cross-validated γ against the best in hindsight and against the median's."""
    rows = label_free[label_free["method"] == SVM]
    source, figure = "γ by cross-validation", "choice_scores"
    tuned = rows[rows["criterion"] == "cv"]
    regret = Statement(
        "10-gamma-hindsight",
        "γ by cross-validation is as good as the best γ of each replicate in hindsight.",
        source,
        "balanced accuracy of the best γ, k and C in hindsight less that of cross-validation",
        "below",
        margin(SVM),
        figure,
    )
    yield from regret.judged(rows[rows["criterion"] == "hindsight"], tuned, overlap)
    gain = Statement(
        "10-gamma-median",
        "γ by cross-validation gains over the median heuristic with a share of the variance.",
        source,
        "gain of balanced accuracy over the median γ",
        "above",
        margin(SVM),
        figure,
    )
    yield from gain.judged(tuned, rows[rows["criterion"] == "variance"], overlap)
