"""Statements that the tables of other studies can test: sparse PCA, SVD, denoising."""

from collections.abc import Iterator
from math import ceil, floor

import numpy as np
import pandas as pd

from kpca.types import Floats
from pipeline.job import script
from workflow.scripts.claims.claim import Case, averaged, exactly

OVERLAP = 200 / 600  # test digits over training digits, of the splits of denoising


def gain_at_equal_sparsity(paths: pd.DataFrame) -> float:
    """Return how much more variance SPCA explains than two steps, over the sizes that both have."""
    curves = [
        paths[paths["method"] == method].groupby("nonzeros")["adjusted_variance"].max()
        for method in ("spca", "two_step")
    ]
    first, last = (max(c.index.min() for c in curves), min(c.index.max() for c in curves))
    sizes = np.arange(ceil(first), floor(last) + 1)
    spca, two_step = (np.interp(sizes, curve.index, curve) for curve in curves)
    return float((spca - two_step).mean())


def units_of(loadings: pd.DataFrame, method: str) -> Floats:
    """Return the components of a method in rows, each of norm 1 or zero."""
    rows = loadings[loadings["method"] == method]
    return rows.pivot(index="component", columns="variable", values="loading").to_numpy()


def sparse(paths: pd.DataFrame, loadings: pd.DataFrame, wide: pd.DataFrame) -> Iterator[Case]:
    """Yield the cases of sparse PCA."""
    for name, rows in paths.groupby("data", sort=False):
        yield exactly("13-two-step", gain_at_equal_sparsity(rows), str(name))
    for name, rows in loadings.groupby("data", sort=False):
        found = {method: units_of(rows, method) for method in rows["method"].unique()}
        alike = np.abs(found["spca"] @ found["dictionary"].T).max(axis=1).mean()
        yield exactly("13-dictionary", float(alike), str(name))
        for method in [*found][1:]:
            cosines = found[method] @ found[method].T
            largest = np.abs(np.triu(cosines, k=1)).max()
            yield exactly("13-orthogonal", float(largest), f"{method} on {name}")
    by = wide[wide["chosen"]].pivot(index="draw", columns="method", values="cosine")
    for method in ("spca", "spca_soft"):
        yield averaged("13-wide", (by[method] - by["pca"]).to_numpy(), None, method)


def randomized(errors: pd.DataFrame) -> Iterator[Case]:
    """Yield the cases of the randomized SVD, by spectrum: without and with power iterations."""
    most = errors["n_iter"].max()
    for name, rows in errors.groupby("spectrum", sort=False):
        by = rows.pivot(index="draw", columns=["n_iter", "normalizer"], values="error")
        yield averaged("14-power", by[0, "QR"].to_numpy(), None, str(name))
        for claim, one, other in (("14-normaliser", "none", "LU"), ("14-lu", "LU", "QR")):
            logs = np.log2(by[most, one] / by[most, other])
            yield averaged(claim, logs.to_numpy(), None, str(name))


def denoised(digits: pd.DataFrame) -> Iterator[Case]:
    """Yield how much closer kernel PCA comes to clean digits than PCA, in decibels."""
    chosen = digits[digits["chosen"]]
    for noise, rows in chosen.groupby("noise", sort=False):
        by = rows.pivot(index="replicate", columns="method", values="psnr")
        for method in by.columns.drop("pca"):
            gains = (by[method] - by["pca"]).to_numpy()
            yield averaged("15-denoising", gains, OVERLAP, f"{method} on {noise}")


@script
def measure(
    variances: pd.DataFrame,
    loadings: pd.DataFrame,
    wide: pd.DataFrame,
    errors: pd.DataFrame,
    digits: pd.DataFrame,
) -> dict[str, pd.DataFrame]:
    """Return the cases of the studies, and no other table: their own figures show them."""
    cases = [*sparse(variances, loadings, wide), *randomized(errors), *denoised(digits)]
    return {"claims": pd.DataFrame(cases)}
