"""The width σ of the Gaussian kernel: small ones see locally, large ones give linear PCA."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import scipy.linalg

from kpca.bandwidth import median_gamma
from kpca.kernel_pca import KernelPCA
from workflow.scripts.claims.claim import Claim, Statements
from workflow.scripts.claims.setting import REPLICATES, bounds, draws

PLANE = 2
"""Components whose plane is compared with that of linear PCA."""

LEADING = 5
"""Components whose locality is averaged."""

DATASETS: Mapping[str, dict[str, Any]] = {
    "rings": {"generator": "rings", "n_train": 200, "n_test": 1, "noise": 0.08},
    "swiss_roll": {"generator": "swiss_roll", "n_train": 300, "n_test": 1},
    "wine": {"sklearn": "wine", "standardize": True},
    "digits": {"sklearn": "digits", "max_rows": 400},
}
WIDTHS = (0.056, 0.1, 0.18, 0.32, 0.56, 1, 1.8, 3.2, 5.6, 10, 18, 32, 56, 100)
"""σ in multiples of the median width."""

SMALL, LARGE = 0.1, 100.0
"""Widths at which the statements are judged."""


def median_width(X: np.ndarray) -> float:
    """Return the σ that belongs to the median heuristic: γ = 1/(2σ²) = 1/median ‖x − y‖²."""
    return float(np.sqrt(0.5 / median_gamma(X)))


def linear_limit(X: np.ndarray, k: int = PLANE) -> float:
    """Return c such that the angle to the first k components of linear PCA tends to c/σ².

    With S the squared distances, the expansion exp(−S/2σ²) = 1 − S/2σ² + S²/8σ⁴ − … gives

        σ² K̄ = G + E/σ² + O(1/σ⁴),   G = H XXᵀ H,   E = H (S∘S) H / 8,

    whose first-order perturbation moves the eigenvector u_j of G by
    σ⁻² Σ_l u_l (u_lᵀ E u_j) / (λ_j − λ_l), l beyond k. c is the largest singular value of
    these displacements.

    Parameters
    ----------
    X : array of shape (n, d)
    k : int
        At most the rank of X less one.

    References
    ----------
    Stewart and Sun, Matrix Perturbation Theory (1990), Theorem V.2.7.
    """
    centred = X - X.mean(axis=0)
    gram = centred @ centred.T
    norms = np.diag(gram)
    fourth = (norms[:, None] + norms - 2 * gram) ** 2 / 8
    E = fourth - fourth.mean(axis=0) - fourth.mean(axis=1)[:, None] + fourth.mean()
    values, vectors = scipy.linalg.eigh(gram)
    inside, outside = vectors[:, -k:], vectors[:, :-k]
    moved = outside.T @ E @ inside / (values[-k:] - values[:-k, None])
    return float(np.linalg.norm(moved, 2))


def plane_angle(A: np.ndarray, X: np.ndarray) -> float:
    """Return the largest principal angle between scores and those of linear PCA, in radians.

    Parameters
    ----------
    A : array of shape (n, k)
        Eigenvectors of the centred kernel matrix: their span is that of the training scores.
    X : array of shape (n, d)
    """
    left = scipy.linalg.svd(X - X.mean(axis=0), full_matrices=False)[0]
    return float(scipy.linalg.subspace_angles(A, left[:, : A.shape[1]]).max())


def participation(A: np.ndarray) -> np.ndarray:
    """Return the effective number of rows that carry each unit vector, 1 / Σ_i a_i⁴.

    It is 1 for one row alone, and n for n equal entries.

    Parameters
    ----------
    A : array of shape (n, k)
        Columns of norm 1.

    References
    ----------
    Bell and Dean, "Atomic vibrations in vitreous silica", Discussions of the Faraday Society
    50 (1970).

    Examples
    --------
    >>> participation(np.array([[1.0, 0.5], [0, 0.5], [0, 0.5], [0, 0.5]]))
    array([1., 4.])
    """
    return np.asarray(1 / (A**4).sum(axis=0))


def spread(A: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Return the radius of the rows that carry each unit vector, over that of all rows.

    The radius is the root mean square distance from the mean, rows weighted by a_i²: 1 where
    all rows count alike, 0 where one counts alone.

    Parameters
    ----------
    A : array of shape (n, k)
        Columns of norm 1.
    X : array of shape (n, d)
        The rows in the input space.
    """
    weights = A**2
    centres = weights.T @ X
    squares = (X**2).sum(axis=1) @ weights - (centres**2).sum(axis=1)
    return np.asarray(np.sqrt(np.maximum(squares, 0) / X.var(axis=0).sum()))


def measure(
    statements: pd.DataFrame,
    *,
    seed: int,
    replicates: int = REPLICATES,
    widths: Sequence[float] = WIDTHS,
) -> tuple[list[Claim], dict[str, pd.DataFrame]]:
    """Return the statements on σ with their verdicts, and what was measured.

    Returns
    -------
    claims : list of Claim
    tables : dict
        ``widths``: columns dataset, replicate, overlap (n_test/n_train of re-drawn splits, NaN
        for independent draws), n, width, angle, limit (c/σ², both in radians), rows and spread
        (means over the leading components).
    """
    rows = [
        (name, replicate, overlap, len(split.X_train), *row)
        for name, overlap, splits in draws(DATASETS, seed=seed, replicates=replicates)
        for replicate, split in enumerate(splits)
        for row in _over_widths(split.X_train, widths)
    ]
    columns = ["dataset", "replicate", "overlap", "n", "width", "angle", "limit", "rows", "spread"]
    table = pd.DataFrame(rows, columns=columns)
    return list(_claims(table, replicates, Statements(statements))), {"widths": table}


def _over_widths(X: np.ndarray, widths: Sequence[float]) -> Iterator[tuple[float, ...]]:
    unit, limit = median_width(X), linear_limit(X)
    for width in widths:
        sigma = width * unit
        model = KernelPCA(LEADING, kernel="rbf", gamma=0.5 / sigma**2).fit(X)
        A = model.eigenvectors_
        angle = plane_angle(A[:, :PLANE], X)
        yield width, angle, limit / sigma**2, participation(A).mean(), spread(A, X).mean()


def _claims(table: pd.DataFrame, replicates: int, stated: Statements) -> Iterator[Claim]:
    keys = ["dataset", "replicate", "overlap"]
    at = {width: table[table["width"] == width].set_index(keys) for width in (SMALL, LARGE)}
    measured = {
        "linear": at[LARGE]["angle"],
        "rate": at[LARGE]["angle"] / at[LARGE]["limit"] - 1,
        "few": at[SMALL]["rows"] / at[LARGE]["rows"],
        "near": at[SMALL]["spread"] / at[LARGE]["spread"],
    }
    judged = {"replicates": replicates, "comparisons": len(DATASETS)}
    for name, values in measured.items():
        rows = bounds(values.rename("value").reset_index(), ["dataset"], "value")
        yield from stated.of_rows(f"6-sigma-{name}", rows, **judged)
