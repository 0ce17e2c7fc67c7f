"""Five routes to the same principal axes.

Each takes centred data X (n × d) and returns the k leading eigenvectors of XᵀX with their
eigenvalues. They differ in cost and in how they lose accuracy:

============  =======================================  ==================
route         what it solves                           cost
============  =======================================  ==================
deflation     max ‖Xw‖, then X ← X − Xwwᵀ, repeat      O(ndk) a Lanczos step
covariance    XᵀX v = λv (primal)                      O(nd² + d³)
dual          XXᵀ u = λu, v = Xᵀu/√λ                   O(dn² + n³)
svd           X = UΣVᵀ                                 O(nd min(n, d))
regression    scores XV = UΣ regressed on X            O(nd min(n, d))
============  =======================================  ==================
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg
from scipy.sparse.linalg import LinearOperator, eigsh

from kpca.linear.svd import axis_signs, svd
from kpca.types import Floats


@dataclass(frozen=True)
class Axes:
    """Principal axes with their certificate."""

    axes: Floats  # of shape (k, d): orthonormal; the entry of largest modulus is positive
    eigenvalues: Floats  # of shape (k,), descending: squared norms ‖Xv‖², the eigenvalues of XᵀX
    residuals: Floats  # ‖XᵀXv − λv‖/λ₁, (k,): an eigenvalue of XᵀX lies within λ₁ times it of λ


def principal_axes(X: Floats, n_components: int, *, route: str = "svd", **options: Any) -> Axes:
    """Return the k leading eigenvectors of XᵀX, X centred, by a route of the table above.

    Beyond the rank of X, where every direction orthogonal to the rest does, the axes are
    completed to an orthonormal set. Options, for "svd" only, go to `kpca.linear.svd.svd`.

    Raises
    ------
    ValueError
        If the route is unknown.
    """
    if route not in ROUTES:
        raise ValueError(f"route={route!r} is unknown: take one of {list(ROUTES)}")
    axes = ROUTES[route](X, n_components, **options)
    if missing := n_components - len(axes):
        random = np.random.default_rng(0).standard_normal((X.shape[1], missing))
        axes = np.vstack([axes, _orthonormal(np.hstack([axes.T, random]))[:, len(axes) :].T])
    axes *= axis_signs(axes)[:, None]
    scores = X @ axes.T
    eigenvalues = np.sum(scores**2, axis=0)
    residuals = np.linalg.norm(X.T @ scores - axes.T * eigenvalues, axis=0)
    return Axes(axes, eigenvalues, residuals / (eigenvalues[0] or 1.0))


def _deflation(X: Floats, k: int) -> Floats:
    rest, found = X.copy(), np.empty((0, X.shape[1]))
    floor = _tolerance(X) * np.linalg.norm(X)
    while len(found) < k and np.linalg.norm(rest) > floor:
        w = _leading_direction(rest)
        w -= found.T @ (found @ w)
        w /= np.linalg.norm(w)
        rest -= np.outer(rest @ w, w)
        found = np.vstack([found, w])
    return found


def _leading_direction(X: Floats) -> Floats:
    """Return the unit w that maximises wᵀXᵀXw."""
    d = X.shape[1]
    if d == 1:
        return np.ones(1)
    square = LinearOperator((d, d), matvec=lambda w: X.T @ (X @ w), dtype=np.float64)
    # The longest row is never orthogonal to every leading direction, as a random start may be.
    start = X[np.argmax(np.sum(X**2, axis=1))]
    vector: Floats = eigsh(square, k=1, v0=start)[1][:, 0]
    return vector


def _covariance(X: Floats, k: int) -> Floats:
    d = X.shape[1]
    _, vectors = scipy.linalg.eigh(X.T @ X, subset_by_index=[d - k, d - 1])
    axes: Floats = vectors[:, ::-1].T
    return axes


def _dual(X: Floats, k: int) -> Floats:
    n = len(X)
    eigenvalues, vectors = scipy.linalg.eigh(X @ X.T, subset_by_index=[n - k, n - 1])
    # XXᵀ holds squares: what rounding leaves of a zero eigenvalue is eps λ₁, not eps² λ₁.
    positive = eigenvalues > _tolerance(X) * eigenvalues[-1]
    axes = X.T @ (vectors[:, positive] / np.sqrt(eigenvalues[positive]))
    return _orthonormal(axes[:, ::-1]).T


def _regression(X: Floats, k: int) -> Floats:
    factors = svd(X, k)
    kept = factors.s > _tolerance(X) * factors.s[0]
    scores = factors.U[:, kept] * factors.s[kept]
    coefficients, *_ = scipy.linalg.lstsq(X, scores, cond=_tolerance(X))
    return _orthonormal(coefficients).T


ROUTES: dict[str, Callable[..., Floats]] = {
    "deflation": _deflation,
    "covariance": _covariance,
    "dual": _dual,
    "svd": lambda X, k, **options: svd(X, k, **options).Vt,
    "regression": _regression,
}


def _tolerance(X: Floats) -> float:
    return max(X.shape) * float(np.finfo(np.float64).eps)


def _orthonormal(columns: Floats) -> Floats:
    """Orthonormalise columns that are so up to rounding, keeping their directions."""
    Q, R = scipy.linalg.qr(columns, mode="economic")
    return np.asarray(Q * np.sign(np.diag(R)), dtype=np.float64)
