"""Five routes of PCA give the same axes: the k leading eigenvectors of XᵀX, X (n × d) centred.

Deflation: max ‖Xw‖, then X ← X − Xwwᵀ. Covariance (primal): XᵀX v = λv. Dual: XXᵀ u = λu,
v = Xᵀu/√λ. SVD: X = UΣVᵀ. Regression: scores XV = UΣ regressed on X.
"""

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd
import scipy.linalg
from scipy.sparse.linalg import LinearOperator, eigsh
from sklearn.datasets import load_breast_cancer, load_digits

from kpca.linear import routes
from kpca.linear.routes import PrincipalAxes, certified, orthonormal_columns
from kpca.linear.svd import svd
from kpca.types import Floats
from pipeline.job import script
from pipeline.seeds import seed_for

EIGENVALUE_TOLERANCE = 1e-12  # of differences between routes, relative to the first
ANGLE_TOLERANCE = 1e-9  # of the spans of the leading axes of two routes, in radians


def principal_axes(X: Floats, n_components: int, *, route: str = "svd") -> PrincipalAxes:
    """Return the leading eigenvectors of XᵀX, X centred, by a route of `ROUTES`."""
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
    square = LinearOperator((d, d), matvec=lambda w: X.T @ (X @ w), dtype=np.float64)
    # The longest row is never orthogonal to every leading direction, as a random start may be.
    start = X[np.argmax(np.sum(X**2, axis=1))]
    return np.asarray(eigsh(square, k=1, v0=start)[1][:, 0]) if d > 1 else np.ones(1)


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


def tall_and_wide(seed: int) -> dict[str, np.ndarray]:
    """Return data with n > d, of full rank and not, and data with n < d."""
    rng = np.random.default_rng(seed)
    wide = rng.standard_normal((80, 20)) @ rng.standard_normal((20, 500))
    tall = load_breast_cancer().data
    return {
        "digits (1797 × 64, rank 61)": load_digits().data,
        "breast cancer (569 × 30)": (tall - tall.mean(axis=0)) / tall.std(axis=0, ddof=1),
        "wide (80 × 500)": wide + 0.3 * rng.standard_normal((80, 500)),
    }


def agreement(samples: Mapping[str, np.ndarray], n_components: int) -> pd.DataFrame:
    """Compare the leading axes of every route with the SVD, as full as LAPACK gives it."""
    rows = []
    for name, X in samples.items():
        centred = X - X.mean(axis=0)
        reference = principal_axes(centred, n_components)
        for route in ROUTES:
            found = principal_axes(centred, n_components, route=route)
            error = np.abs(found.eigenvalues - reference.eigenvalues).max()
            angle = scipy.linalg.subspace_angles(found.axes.T, reference.axes.T).max()
            relative = error / reference.eigenvalues[0]
            rows.append((name, route, relative, angle))
    table = pd.DataFrame(rows, columns=["data", "route", "eigenvalue_error", "angle"])
    small = table[["eigenvalue_error", "angle"]] < [EIGENVALUE_TOLERANCE, ANGLE_TOLERANCE]
    return table.assign(agrees=small.all(axis=1))


@script
def table(seed: int, n_components: int = 10) -> pd.DataFrame:
    """Return the agreement of the routes."""
    return agreement(tall_and_wide(seed_for(seed, "linear", "agreement")), n_components)
