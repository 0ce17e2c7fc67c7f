"""Principal axes, computed by one of two routes, with residuals that certify them.

X of shape (n, d) holds centred data. "svd" computes the singular value decomposition X = UΣVᵀ in
O(nd min(n, d)). "covariance" computes the eigenvectors of XᵀX in O(nd² + d³).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from kpca.linear.svd import axis_signs, svd
from kpca.types import Floats


@dataclass(frozen=True)
class PrincipalAxes:
    """Principal axes of centred data X, with their eigenvalues and residuals."""

    axes: Floats  # shape (k, d): orthonormal; the entry of largest modulus in each is positive
    eigenvalues: Floats  # shape (k,), descending: squared norms ‖Xv‖², the eigenvalues of XᵀX
    residuals: Floats  # shape (k,): r = ‖XᵀXv − λv‖/λ₁; XᵀX has an eigenvalue within λ₁ r of λ


def certified(X: Floats, axes: Floats) -> PrincipalAxes:
    """Return orthonormal `axes` with fixed signs, and their eigenvalues and residuals."""
    axes = axes * axis_signs(axes)[:, None]
    scores = X @ axes.T
    eigenvalues = np.sum(scores**2, axis=0)
    residuals = np.linalg.norm(X.T @ scores - axes.T * eigenvalues, axis=0)
    return PrincipalAxes(axes, eigenvalues, residuals / (eigenvalues[0] or 1.0))


def _covariance(X: Floats, k: int, **_unused: Any) -> Floats:
    # LAPACK's driver for a subset of the eigenvectors leaves out some of them now and then.
    _, vectors = np.linalg.eigh(X.T @ X)
    return vectors[:, ::-1][:, :k].T


ROUTES: dict[str, Callable[..., Floats]] = {
    "covariance": _covariance,
    "svd": lambda X, k, **options: svd(X, k, **options).Vt,
}
