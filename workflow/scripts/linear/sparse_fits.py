"""The sparse fits that tables and figures share: every method over its whole range."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from kpca.linear.sparse_pca import SparsePCA

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
