"""Sparsity against variance, exact references for few variables, and the loadings behind it."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.exceptions import ConvergenceWarning

from kpca.linear.sparse.measures import adjusted_variances, covariance_root
from kpca.linear.sparse_pca import SparsePCA
from kpca.linear.svd import axis_signs
from kpca.types import Floats
from pipeline.job import script

METHODS: dict[str, dict[str, Any]] = {
    "deflation": {"method": "deflation"},
    "two_step": {"method": "two_step"},
    "spca": {"method": "spca"},
    "spca_soft": {"method": "spca", "l2_penalty": np.inf},
    "dictionary": {"method": "dictionary"},
}
"""The four methods, and the soft-thresholding limit of the third."""

TOLERANCE = 1e-3
"""Change of a loading at which the methods stop, as in the paper of Zou, Hastie and Tibshirani."""

STRENGTHS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
N_COMPONENTS = {"pitprops": 6, "breast_cancer": 6, "digits": 10}

Fits = dict[str, dict[float, SparsePCA]]
"""Method → strength → fit."""

NONZEROS = {"pitprops": 3, "digits": 10}
"""Mean nonzeros of a component, about, of the loadings that are shown."""


@dataclass(frozen=True)
class Sample:
    """A covariance matrix and the number of components to take from it."""

    covariance: np.ndarray
    n_components: int


def fit_all(sample: Sample, strengths: Sequence[float] = STRENGTHS) -> Fits:
    """Fit every method at every strength, from 0 (no penalty) to 1 (little or nothing left)."""
    return {
        method: {strength: fit_sparse(sample, method, strength) for strength in strengths}
        for method in METHODS
    }


def fit_sparse(sample: Sample, method: str, strength: float) -> SparsePCA:
    """Fit one method at a strength between 0 and 1, on a scale that all methods share.

    The bound on the L1 norm falls from √d to 1. A penalty is the cube of the strength, since
    small ones matter most, times one that leaves little: `largest_penalty` for the elastic
    nets, the largest standard deviation for dictionary learning.
    """
    d = len(sample.covariance)
    penalties = {
        "deflation": {"l1_bound": 1 + (np.sqrt(d) - 1) * (1 - strength)},
        "dictionary": {"l1_penalty": strength**3 * np.sqrt(np.diag(sample.covariance).max())},
    }
    nets = {"l1_penalty": strength**3 * largest_penalty(sample.covariance)}
    chosen = METHODS[method] | penalties.get(method, nets)
    model = SparsePCA(sample.n_components, input="covariance", tol=TOLERANCE, **chosen)
    with warnings.catch_warnings():
        # Whether it converged is a column of the table.
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(sample.covariance)


def largest_penalty(covariance: np.ndarray) -> float:
    """Return 2 max_i |(Sv)_i| of the leading axis v: λ₁ beyond it leaves no variable of v."""
    eigenvalues, vectors = np.linalg.eigh(covariance)
    return 2 * float(eigenvalues[-1] * np.abs(vectors[:, -1]).max())


def path_table(sample: Sample, fits: Fits) -> pd.DataFrame:
    """Return what every fit explains, as shares of the total variance."""
    rows = [
        {
            "method": method,
            "strength": strength,
            "nonzeros": model.n_nonzero_.mean(),
            "variance": model.explained_variance_ratio_.sum(),
            "adjusted_variance": model.adjusted_variance_ratio_.sum(),
            "reconstruction_error": model.reconstruction_error_,
            "iterations": model.n_iter_,
            "converged": model.converged_,
        }
        for method, by_strength in fits.items()
        for strength, model in by_strength.items()
    ]
    eigenvalues = np.linalg.eigvalsh(sample.covariance)[::-1]
    pca = float(eigenvalues[: sample.n_components].sum() / eigenvalues.sum())
    return pd.DataFrame(rows).assign(pca=pca)


def best_direction(S: Floats, n_nonzero: int) -> Floats:
    """Return the w with at most s nonzeros and norm 1 that maximises wᵀSw, S symmetric.

    The leading eigenvalue of a principal submatrix never falls when a variable is added, so
    the best support of exactly s variables is the best of at most s. Finding it is NP-hard;
    13 variables have 2¹³ supports in all.

    >>> best_direction(np.diag([1.0, 3.0, 2.0]), 1)
    array([0., 1., 0.])
    """
    supports = np.array(list(combinations(range(len(S)), n_nonzero)))
    blocks = S[supports[:, :, None], supports[:, None, :]]
    best = supports[np.argmax(np.linalg.eigvalsh(blocks)[:, -1])]
    direction = np.zeros(len(S))
    direction[best] = np.linalg.eigh(S[np.ix_(best, best)])[1][:, -1]
    return direction * np.sign(direction[np.argmax(np.abs(direction))])


def exact_components(S: Floats, n_nonzero: Sequence[int]) -> Floats:
    """Return directions of given sizes, one a column, each the best left after those before it.

    What is maximised is the adjusted variance: the variance that a score adds to the earlier
    ones, wᵀS̃w with S̃ = S − SW(WᵀSW)⁺WᵀS, of a covariance matrix S. Each step is exact; a choice
    that looks further ahead may still have a larger sum.
    """
    W = np.empty((len(S), 0))
    for size in n_nonzero:
        products = S @ W
        rest = S - products @ np.linalg.pinv(W.T @ products, hermitian=True) @ products.T
        W = np.column_stack([W, best_direction(rest, size)])
    return W


def exact_path(sample: Sample) -> pd.DataFrame:
    """Return what exact components explain, all of one size, for every size."""
    root, total = covariance_root(sample.covariance), np.trace(sample.covariance)
    rows = []
    for size in range(1, len(sample.covariance) + 1):
        W = exact_components(sample.covariance, [size] * sample.n_components)
        rows.append((size, float(adjusted_variances(root, W).sum() / total)))
    return pd.DataFrame(rows, columns=["nonzeros", "adjusted_variance"])


def loadings(sample: Sample, fits: Fits, names: Sequence[str], nonzeros: float) -> pd.DataFrame:
    """Return the loadings of ordinary components, and of every method about as sparse.

    Each method shows the fit whose mean number of nonzeros of a component is nearest.
    """
    vectors = np.linalg.eigh(sample.covariance)[1][:, : -sample.n_components - 1 : -1].T
    found = {"pca": vectors * axis_signs(vectors)[:, None]}
    for method, by_strength in fits.items():
        models = by_strength.values()
        nearest = min(models, key=lambda model: abs(model.n_nonzero_.mean() - nonzeros))
        found[method] = nearest.components_
    rows = [
        (method, j, name, value)
        for method, components in found.items()
        for j, component in enumerate(components, 1)
        for name, value in zip(names, component, strict=True)
    ]
    return pd.DataFrame(rows, columns=["method", "component", "variable", "loading"])


@script
def tables(
    correlations: pd.DataFrame,
    strengths: Sequence[float] = STRENGTHS,
    n_components: Mapping[str, int] = N_COMPONENTS,
) -> dict[str, pd.DataFrame]:
    """Return paths, loadings and the exact path of the Pitprops.

    The covariance matrices are those of standardised variables, and of the grey values of digits.
    """
    cells = load_breast_cancer().data
    matrices = {
        "pitprops": correlations.to_numpy(),
        "breast_cancer": np.cov(
            (cells - cells.mean(axis=0)) / cells.std(axis=0, ddof=1), rowvar=False
        ),
        "digits": np.cov(load_digits().data, rowvar=False),
    }
    data = {name: Sample(matrix, n_components[name]) for name, matrix in matrices.items()}
    fits = {name: fit_all(sample, strengths) for name, sample in data.items()}
    variables: dict[str, list[str]] = {
        "pitprops": correlations.columns.tolist(),
        "digits": [f"pixel {i}" for i in range(64)],
    }
    paths = [path_table(data[name], fits[name]).assign(data=name) for name in data]
    shown = [
        loadings(data[name], fits[name], variables[name], size).assign(data=name)
        for name, size in NONZEROS.items()
    ]
    return {
        "paths": pd.concat(paths),
        "loadings": pd.concat(shown),
        "exact_path": exact_path(data["pitprops"]),
    }
