"""Sparsity against variance: four methods over their range, and the exact reference."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.exceptions import ConvergenceWarning

from kpca.linear.sparse.exact import exact_components, exact_variances
from kpca.linear.sparse.measures import adjusted_variances
from kpca.linear.sparse.roots import covariance_root
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


SHARES = ["variance", "refitted", "exact"]


@dataclass(frozen=True)
class Sample:
    """A covariance matrix and the number of components to take from it."""

    covariance: np.ndarray
    n_components: int


def sparse_paths(
    samples: Mapping[str, Sample], strengths: Sequence[float], *, methods: Iterable[str] = METHODS
) -> pd.DataFrame:
    """Fit every method at every strength.

    Parameters
    ----------
    samples : mapping
        Name → covariance matrix and number of components.
    strengths : sequence of float
        Between 0, which penalises nothing, and 1, which leaves one variable or none.

    Returns
    -------
    DataFrame
        Columns data, method, strength, nonzeros (mean over the components), variance,
        adjusted_variance, reconstruction_error (shares of the total variance), pca (the share
        that as many ordinary components explain), iterations, converged.
    """
    rows = []
    for name, sample in samples.items():
        for method in methods:
            for strength in strengths:
                model = fit_sparse(sample, method, strength)
                rows.append({"data": name, "method": method, "strength": strength, **_row(model)})
                rows[-1]["pca"] = _pca_share(sample)
    return pd.DataFrame(rows)


def fit_sparse(sample: Sample, method: str, strength: float) -> SparsePCA:
    """Fit one method at a strength between 0 and 1, on a scale that all methods share.

    The bound on the L1 norm falls from √d to 1. A penalty is the cube of the strength, since
    small ones matter most, times the largest that can leave anything: for the elastic nets
    that of each component, for dictionary learning the largest standard deviation.
    """
    k, d = sample.n_components, len(sample.covariance)
    penalties: dict[str, Any] = {
        "deflation": {"l1_bound": 1 + (np.sqrt(d) - 1) * (1 - strength)},
        "dictionary": {"l1_penalty": strength**3 * np.sqrt(np.diag(sample.covariance).max())},
    }
    chosen = METHODS[method] | penalties.get(
        method, {"l1_penalty": 2 * strength**3 * peaks(sample)}
    )
    model = SparsePCA(k, input="covariance", tol=TOLERANCE, **chosen)
    with warnings.catch_warnings():
        # Whether it converged is a column of the table.
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(sample.covariance)


def peaks(sample: Sample) -> np.ndarray:
    """Return max_i |(Sv_j)_i| of each ordinary component; λ₁ above twice it leaves nothing."""
    eigenvalues, vectors = np.linalg.eigh(sample.covariance)
    leading = slice(None, -sample.n_components - 1, -1)
    return np.asarray(eigenvalues[leading] * np.abs(vectors[:, leading]).max(axis=0))


def first_components(sample: Sample, strengths: Sequence[float]) -> pd.DataFrame:
    """Compare single components of every method with the best support of their size.

    Parameters
    ----------
    sample : Sample
        With few variables: all their supports are enumerated.
    strengths : sequence of float

    Returns
    -------
    DataFrame
        Columns method, strength, nonzeros; variance, the share of the total that the component
        explains; refitted, the same after the best weights were found for its support; exact,
        the largest that any support of the size allows. Fits that leave nothing are left out.
    """
    best = exact_variances(sample.covariance)
    alone = Sample(sample.covariance, 1)
    rows = []
    for method in METHODS:
        for strength in strengths:
            model = fit_sparse(alone, method, strength)
            support = np.flatnonzero(model.components_[0])
            if support.size:
                refitted = np.linalg.eigvalsh(sample.covariance[np.ix_(support, support)])[-1]
                shares = [model.explained_variance_[0], refitted, best[support.size - 1]]
                rows.append((method, strength, support.size, *shares))
    table = pd.DataFrame(rows, columns=["method", "strength", "nonzeros", *SHARES])
    return table.assign(**{name: table[name] / np.trace(sample.covariance) for name in SHARES})


def exact_path(sample: Sample) -> pd.DataFrame:
    """Return the adjusted variance of exact components, all of one size, for every size.

    Returns
    -------
    DataFrame
        Columns nonzeros and adjusted_variance, a share of the total.
    """
    return pd.DataFrame(_exact_shares(sample), columns=["nonzeros", "adjusted_variance"])


def _exact_shares(sample: Sample) -> Iterator[tuple[int, float]]:
    root, total = covariance_root(sample.covariance), np.trace(sample.covariance)
    for size in range(1, len(sample.covariance) + 1):
        W = exact_components(sample.covariance, [size] * sample.n_components)
        yield size, float(adjusted_variances(root, W).sum() / total)


def _row(model: SparsePCA) -> dict[str, Any]:
    return {
        "nonzeros": float(model.n_nonzero_.mean()),
        "variance": float(model.explained_variance_ratio_.sum()),
        "adjusted_variance": float(model.adjusted_variance_ratio_.sum()),
        "reconstruction_error": model.reconstruction_error_,
        "iterations": model.n_iter_,
        "converged": model.converged_,
    }


def _pca_share(sample: Sample) -> float:
    eigenvalues = np.linalg.eigvalsh(sample.covariance)[::-1]
    return float(eigenvalues[: sample.n_components].sum() / eigenvalues.sum())
