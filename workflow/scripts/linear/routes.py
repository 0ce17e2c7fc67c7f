"""Five routes to the same principal axes.

Each takes centred data X (n × d) and returns the k leading eigenvectors of XᵀX with their
eigenvalues. They differ in cost and in how they lose accuracy:

============  =======================================  ==================
route         what it solves                           cost
============  =======================================  ==================
deflation     max ‖Xw‖, then X ← X − Xwwᵀ, repeat      O(ndk) per Lanczos step
covariance    XᵀX v = λv (primal)                      O(nd² + d³)
dual          XXᵀ u = λu, v = Xᵀu/√λ                   O(dn² + n³)
svd           X = UΣVᵀ                                 O(nd min(n, d))
regression    scores XV = UΣ regressed on X            O(nd min(n, d))
============  =======================================  ==================
"""

from collections.abc import Callable

import numpy as np
import scipy.linalg
from scipy.sparse.linalg import LinearOperator, eigsh

from kpca.linear import routes
from kpca.linear.routes import PrincipalAxes, certified, orthonormal_columns
from kpca.linear.svd import svd
from kpca.types import Floats


def principal_axes(X: Floats, n_components: int, *, route: str = "svd") -> PrincipalAxes:
    """Return the leading eigenvectors of XᵀX, X centred, by a route of the table above."""
    return certified(X, ROUTES[route](X, n_components), n_components)


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


def _dual(X: Floats, k: int) -> Floats:
    n = len(X)
    eigenvalues, vectors = scipy.linalg.eigh(X @ X.T, subset_by_index=[n - k, n - 1])
    # XXᵀ holds squares: what rounding leaves of a zero eigenvalue is eps λ₁, not eps² λ₁.
    positive = eigenvalues > _tolerance(X) * eigenvalues[-1]
    axes = X.T @ (vectors[:, positive] / np.sqrt(eigenvalues[positive]))
    return orthonormal_columns(axes[:, ::-1]).T


def _regression(X: Floats, k: int) -> Floats:
    factors = svd(X, k)
    kept = factors.s > _tolerance(X) * factors.s[0]
    scores = factors.U[:, kept] * factors.s[kept]
    coefficients, *_ = scipy.linalg.lstsq(X, scores, cond=_tolerance(X))
    return orthonormal_columns(coefficients).T


def _tolerance(X: Floats) -> float:
    return max(X.shape) * float(np.finfo(np.float64).eps)


ROUTES: dict[str, Callable[..., Floats]] = {
    "deflation": _deflation,
    "covariance": routes.ROUTES["covariance"],
    "dual": _dual,
    "svd": routes.ROUTES["svd"],
    "regression": _regression,
}
