"""Cases that the tables of other studies show: sparse PCA, randomized SVD, denoising."""

from collections.abc import Iterator
from math import ceil, floor

import numpy as np
import pandas as pd

from workflow.job import Tables, script
from workflow.scripts.claims.claim import Case, averaged, exactly

COMPARABLE = 2  # largest ratio of numbers of nonzero loadings at which methods are compared
OVERLAP = 200 / 600  # number of test digits over training digits in the study of denoising


def gain_at_equal_sparsity(paths: pd.DataFrame) -> tuple[float, float]:
    """Return how much more variance SPCA explains than the two-step method, and the same for PCA.

    Both differences are means over the numbers of nonzero loadings that SPCA as well as the
    two-step method reach. They are NaN if no number is reached by both methods.
    """
    curves = [
        paths[paths["method"] == method].groupby("nonzeros")["adjusted_variance"].max()
        for method in ("spca", "two_step")
    ]
    first = max(c.index.min() for c in curves)
    last = min(c.index.max() for c in curves)
    sizes = np.arange(ceil(first), floor(last) + 1)
    if not len(sizes):
        return np.nan, np.nan
    spca, two_step = (np.interp(sizes, curve.index, curve).mean() for curve in curves)
    return spca - two_step, paths["pca"].iloc[0] - two_step


def sparse(paths: pd.DataFrame, loadings: pd.DataFrame, wide: pd.DataFrame) -> Iterator[Case]:
    """Yield the cases of sparse PCA."""
    for name, rows in paths.groupby("data", sort=False):
        gain, most = gain_at_equal_sparsity(rows)
        yield exactly("13-two-step", gain, str(name), highest=most)
    for name, rows in loadings.groupby("data", sort=False):
        by = rows.pivot(index="component", columns=["method", "variable"], values="loading")
        loadings_of = {method: by[method].to_numpy() for method in rows["method"].unique()}
        spca = loadings_of["spca"]
        dictionary = loadings_of["dictionary"]
        alike = np.abs(spca @ dictionary.T).max(axis=1).mean()
        sizes = np.count_nonzero(spca), np.count_nonzero(dictionary)
        comparable = max(sizes) <= COMPARABLE * min(sizes)
        yield exactly("13-dictionary", alike if comparable else np.nan, str(name))
        for method in [*loadings_of][1:]:
            V = loadings_of[method]
            cosines = np.abs(np.triu(V @ V.T, k=1))
            two = V.any(axis=1).sum() > 1
            yield exactly("13-orthogonal", cosines.max() if two else np.nan, f"{method} on {name}")
    by = wide[wide["chosen"]].pivot(index="draw", columns="method", values="cosine")
    for method in ("spca", "spca_soft"):
        most = 1 - by["pca"].mean()
        yield averaged("13-wide", by[method] - by["pca"], method, highest=most)


def randomized(errors: pd.DataFrame) -> Iterator[Case]:
    """Yield the cases of the randomized SVD per spectrum, without and with power iterations."""
    most = errors["n_iter"].max()
    for name, rows in errors.groupby("spectrum", sort=False):
        by = rows.pivot(index="draw", columns=["n_iter", "normalizer"], values="error")
        bound = rows.loc[rows["n_iter"] == 0, "bound"].max()
        yield averaged("14-power", by[0, "QR"], str(name), highest=bound)
        for claim, one, other in (("14-normaliser", "none", "LU"), ("14-lu", "LU", "QR")):
            logs = np.log2(by[most, one] / by[most, other].replace(0, np.nan))
            yield averaged(claim, logs, str(name))


def denoised(digits: pd.DataFrame) -> Iterator[Case]:
    """Yield the cases on denoised digits: the gain in PSNR of kernel PCA over PCA, in decibels."""
    chosen = digits[digits["chosen"]]
    for noise, rows in chosen.groupby("noise", sort=False):
        by = rows.pivot(index="replicate", columns="method", values="psnr")
        noisy = digits.loc[(digits["noise"] == noise) & (digits["method"] == "none"), "psnr"].mean()
        baseline = by["pca"] if by["pca"].mean() > noisy else np.nan
        for method in by.columns.drop("pca"):
            gains = by[method] - baseline
            yield averaged("15-denoising", gains, f"{method} on {noise}", overlap=OVERLAP)


@script
def measure(
    variances: pd.DataFrame,
    loadings: pd.DataFrame,
    wide: pd.DataFrame,
    errors: pd.DataFrame,
    digits: pd.DataFrame,
) -> Tables:
    """Return the cases that the tables of other studies show.

    Those studies draw their own figures, so only the table of cases is returned.
    """
    cases = [*sparse(variances, loadings, wide), *randomized(errors), *denoised(digits)]
    return {"claims": pd.DataFrame(cases)}
