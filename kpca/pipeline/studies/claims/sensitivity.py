"""How much of a grid is near the best, and which kernel suits which data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from kpca.pipeline.curves import overlaps
from kpca.pipeline.selection import best_setting, scores_at
from kpca.pipeline.studies.claims.claim import Claim
from kpca.pipeline.studies.claims.sweep import (
    UNIT,
    Estimand,
    across,
    by_replicate,
    dataset_claims,
    judged,
    main_rows,
    margin_of,
    metric_of,
    paired,
    svm_of,
    validated,
)

FIGURE = "claims_sensitivity"
HALF = 0.5
ROUNDING = 1e-12
SUITS = {
    "linear": ("linear", "same as PCA", "The linear kernel suits linear data"),
    "quadric": ("rings", "quadratic surfaces", "A polynomial of degree 2 suits rings"),
}
"""Name → generator of the data, what the source says, and the statement."""

WORDS = {"linear": "the linear kernel", "quadric": "the polynomial of degree 2"}
NEAR = ["dataset", "kernel", "settings", "best", "error", "share", "share_of_margin"]
SHARES = {"share": "one standard error", "share_of_margin": "the margin"}
FAMILIES = [
    *("kernel", "dataset", "replicates", "mean", "low", "high"),
    *("comparisons", "verdict"),
]


def measure(
    scores: pd.DataFrame,
    selected: pd.DataFrame,
    variance_rule: pd.DataFrame,
    datasets: pd.DataFrame,
    sizes: Sequence[int],
) -> tuple[list[Claim], dict[str, pd.DataFrame]]:
    """Return the statements on sensitivity and on kernels, and what was measured.

    Parameters
    ----------
    scores, selected, variance_rule, datasets : DataFrame
        Tables of the sweep.
    sizes : sequence of int
        Numbers of components of the grid.

    Returns
    -------
    claims : list of Claim
    tables : dict
        ``near``: columns `NEAR`, the shares of the settings of a kernel within one standard
        error, and within the margin, of its best. ``families``: columns `FAMILIES`, the
        difference of a family from the one that cross-validation chose.
    """
    svm = svm_of(scores)
    if svm is None:
        return [], {"near": pd.DataFrame(columns=NEAR), "families": pd.DataFrame(columns=FAMILIES)}
    kernels = list(variance_rule["kernel"].unique())
    grid = validated(scores[scores["kernel"].isin(kernels)], svm)
    near = near_best(grid, datasets, sizes, margin_of(svm))
    families = compared(selected, datasets, svm, kernels)
    claims = [
        *_sensitivity_claims(near, svm),
        *_default_claims(families, svm),
        *_suits_claims(scores, selected, datasets, svm),
    ]
    return claims, {"near": near, "families": families}


def near_best(
    grid: pd.DataFrame, datasets: pd.DataFrame, sizes: Sequence[int], margin: float
) -> pd.DataFrame:
    """Return how much of the grid of each kernel lies near its best.

    Means and the standard error of the best mean are those over replicates, the latter
    corrected where splits overlap (Nadeau and Bengio).

    Parameters
    ----------
    grid : DataFrame
        Test scores of one method, one row a dataset, replicate, kernel and setting.
    datasets : DataFrame
        Of the sweep.
    sizes : sequence of int
        Numbers of components of the grid; a rank below one of them stands for it.
    margin : float
        Smallest difference that matters.

    Returns
    -------
    DataFrame
        Columns `NEAR`: settings is their number, best the best mean, error its standard error.
    """
    overlap = overlaps(datasets)
    place = np.searchsorted(np.sort(sizes), grid["n_components"]).clip(max=len(sizes) - 1)
    grid = grid.assign(n_components=np.sort(sizes)[place]).fillna({"C": 0.0})
    rows = []
    for (dataset, kernel), group in grid.groupby(["dataset", "kernel"], sort=False):
        settings = group.groupby(["cell", "n_components", "C"])["value"]
        means, variances = settings.mean().to_numpy(), settings.var().to_numpy()
        best = int(means.argmax())
        share = 1 / group["replicate"].nunique() + (overlap[str(dataset)] or 0.0)
        error = float(np.sqrt(variances[best] * share))
        behind = means[best] - means - ROUNDING
        near = [float((behind <= within).mean()) for within in (error, margin)]
        rows.append((dataset, kernel, len(means), means[best], error, *near))
    return pd.DataFrame(rows, columns=NEAR)


def compared(
    selected: pd.DataFrame, datasets: pd.DataFrame, svm: str, kernels: Sequence[str]
) -> pd.DataFrame:
    """Return the difference of each family from the one that cross-validation chose."""
    rows = main_rows(selected, svm)
    chosen = by_replicate(rows[rows["criterion"] == "cv_over_kernels"])
    own = rows[rows["criterion"] == "cv"]
    parts = [
        judged(paired(by_replicate(of_kernel), chosen), datasets, _family_asked(svm)).assign(
            kernel=kernel
        )
        for kernel in kernels
        if len(of_kernel := own[own["kernel"] == kernel])
    ]
    return pd.concat(parts, ignore_index=True)[FAMILIES]


def degree_two(scores: pd.DataFrame, svm: str) -> pd.Series:
    """Return the test score of the polynomial of degree 2, all else by cross-validation."""
    rows = scores[(scores["degree"] == 2) & (scores["method"] == svm)]
    return by_replicate(main_rows(scores_at(rows, best_setting(rows, UNIT)), svm))


def _family_asked(svm: str, family: str = "one kernel") -> Estimand:
    words = f"{metric_of(svm)} of {family} less that of the kernel chosen by cross-validation"
    return Estimand(words, "above", -margin_of(svm))


def _sensitivity_claims(near: pd.DataFrame, svm: str) -> Iterator[Claim]:
    source = "sensitive to kernel and parameters"
    grids = near[near["settings"].groupby(near["kernel"]).transform("max") > 1]
    for kernel, rows in grids.groupby("kernel", sort=False):
        for column, within in SHARES.items():
            words = f"share of the grid within {within} of the best {metric_of(svm)}"
            asked = Estimand(words, "below", HALF)
            said = f"Less than half of the grid is within {within} of the best ({kernel})."
            name = f"9-sensitive-{column.removeprefix('share_of_')}-{kernel}"
            yield across(name, said, source, rows[column], asked, FIGURE)


def _default_claims(families: pd.DataFrame, svm: str) -> Iterator[Claim]:
    for kernel, rows in families.groupby("kernel", sort=False):
        said = f"One kernel can be the default: nothing is lost by never trying another ({kernel})."
        source = "default" if kernel == "rbf" else ""
        asked = _family_asked(svm, f"the kernel {kernel}")
        yield across(f"9-default-{kernel}", said, source, rows["mean"], asked, FIGURE)


def _suits_claims(
    scores: pd.DataFrame, selected: pd.DataFrame, datasets: pd.DataFrame, svm: str
) -> Iterator[Claim]:
    rows = main_rows(selected, svm)
    chosen = by_replicate(rows[rows["criterion"] == "cv_over_kernels"])
    linear = rows[(rows["criterion"] == "cv") & (rows["kernel"] == "linear")]
    ours = {"linear": by_replicate(linear), "quadric": degree_two(scores, svm)}
    for name, (generator, source, said) in SUITS.items():
        known = datasets[datasets["source"] == f"generator {generator}"]
        asked = _family_asked(svm, WORDS[name])
        differences = paired(ours[name], chosen)
        found = judged(differences, known, asked)
        for claim in dataset_claims(f"9-{name}", said, found, asked, FIGURE):
            yield replace(claim, source_value=source)
