"""Five ways to compute PCA ("routes"), which give the same axes, and errors of a randomized SVD.

The axes are the k leading eigenvectors of XᵀX for a centred X (n × d).

Deflation: maximise ‖Xw‖ over unit vectors w, then replace X by X − Xwwᵀ, and repeat. Covariance
(primal): XᵀX v = λv. Dual: XXᵀ u = λu, v = Xᵀu/√λ. SVD: X = UΣVᵀ. Regression: scores XV = UΣ are
regressed on X.
"""

from collections.abc import Callable, Mapping
from itertools import product

import numpy as np
import pandas as pd
import scipy.linalg
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.utils.extmath import randomized_range_finder

from kpca.linear import routes
from kpca.linear.routes import PrincipalAxes, certified
from kpca.linear.svd import svd
from kpca.study.seeds import seed_for
from kpca.types import Array, Floats
from workflow.job import Tables, script

EIGENVALUE_TOLERANCE = 1e-12  # largest difference of eigenvalues, relative to the first one
ANGLE_TOLERANCE = 1e-9  # largest angle between the leading axes of two routes, in radians
N_COMPONENTS = 10
# Constants of the study of the randomized SVD.
SHAPE = (300, 200)
N_OVERSAMPLES = 10
N_ITERS = range(7)
NORMALIZERS = ("none", "LU", "QR")  # normalizers of power iterations
DRAWS = 10


def principal_axes(X: Floats, n_components: int, route: str) -> PrincipalAxes:
    """Return the leading eigenvectors of XᵀX for a centred X, by a route of `ROUTES`.

    Some routes find only axes of nonzero variance. Random directions, orthogonal to these axes,
    then complete them.
    """
    axes = ROUTES[route](X, n_components)
    if missing := n_components - len(axes):
        random = np.random.default_rng(0).standard_normal((X.shape[1], missing))
        others = orthonormal_columns(np.hstack([axes.T, random]))[:, len(axes) :]
        axes = np.vstack([axes, others.T])
    return certified(X, axes)


def orthonormal_columns(columns: Floats) -> Floats:
    """Orthonormalise columns that are nearly orthonormal, and keep their signs."""
    Q, R = scipy.linalg.qr(columns, mode="economic")
    return np.asarray(Q * np.sign(np.diag(R)), dtype=np.float64)


def _deflation(X: Floats, k: int) -> Floats:
    rest = X.copy()
    axes = np.empty((0, X.shape[1]))
    floor = _tolerance(X) * np.linalg.norm(X)
    while len(axes) < k and np.linalg.norm(rest) > floor:
        w = svd(rest, 1).Vt[0]
        w -= axes.T @ (axes @ w)
        w /= np.linalg.norm(w)
        rest -= np.outer(rest @ w, w)
        axes = np.vstack([axes, w])
    return axes


def _dual(X: Floats, k: int) -> Floats:
    n = len(X)
    eigenvalues, vectors = scipy.linalg.eigh(X @ X.T, subset_by_index=[n - k, n - 1])
    # A zero eigenvalue becomes eps λ₁ by rounding, not eps² λ₁, because XXᵀ holds squares.
    positive = eigenvalues > _tolerance(X) * eigenvalues[-1]
    axes = X.T @ (vectors[:, positive] / np.sqrt(eigenvalues[positive]))
    return orthonormal_columns(axes[:, ::-1]).T


def _regression(X: Floats, k: int) -> Floats:
    factors = svd(X, k)
    nonzero = factors.s > _tolerance(X) * factors.s[0]
    scores = factors.U[:, nonzero] * factors.s[nonzero]
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


def tall_and_wide(seed: int) -> dict[str, Array]:
    """Return two tables with n > d, one of lower and one of full rank, and a table with n < d."""
    rng = np.random.default_rng(seed)
    wide = rng.standard_normal((80, 20)) @ rng.standard_normal((20, 500))
    tall = load_breast_cancer().data
    return {
        "digits (1797 × 64, rank 61)": load_digits().data,
        "breast cancer (569 × 30)": (tall - tall.mean(axis=0)) / tall.std(axis=0, ddof=1),
        "wide (80 × 500)": wide + 0.3 * rng.standard_normal((80, 500)),
    }


def agreement(samples: Mapping[str, Array], n_components: int) -> pd.DataFrame:
    """Compare the leading axes of every route with those of the full SVD by LAPACK."""
    rows = []
    for name, X in samples.items():
        centred = X - X.mean(axis=0)
        pairs = {route: principal_axes(centred, n_components, route=route) for route in ROUTES}
        reference = pairs["svd"]
        for route, axes in pairs.items():
            errors = np.abs(axes.eigenvalues - reference.eigenvalues) / reference.eigenvalues[0]
            angles = scipy.linalg.subspace_angles(axes.axes.T, reference.axes.T)
            rows.append((name, route, errors.max(), angles.max()))
    table = pd.DataFrame(rows, columns=["data", "route", "eigenvalue_error", "angle"])
    small = table[["eigenvalue_error", "angle"]] < [EIGENVALUE_TOLERANCE, ANGLE_TOLERANCE]
    return table.assign(agrees=small.all(axis=1))


def expected_spectral_error(
    singular_values: Array, n_components: int, n_oversamples: int, n_iter: int
) -> float:
    """Return the bound on E‖X − QQᵀX‖₂ (Halko, Martinsson and Tropp 2011, corollary 10.10).

    With k components, p ≥ 2 oversamples, q power iterations and s = 2q + 1::

        [(1 + √(k/(p−1))) σ_{k+1}^s + e √(k+p)/p (Σ_{j>k} σ_j^{2s})^{1/2}]^{1/s}
    """
    k = n_components
    p = n_oversamples
    s = 2 * n_iter + 1
    tail = singular_values[k:]
    # Powers are relative to σ_{k+1}, because σ^{2s} under- or overflows for large q.
    spread = np.sqrt(np.sum((tail / tail[0]) ** (2 * s)))
    factor = 1 + np.sqrt(k / (p - 1)) + np.e * np.sqrt(k + p) / p * spread
    return tail[0] * factor ** (1 / s)


def randomized_errors(seed: int) -> pd.DataFrame:
    """Measure ‖X − QQᵀX‖₂ for every spectrum, number of power iterations, normaliser and draw."""
    rows = []
    d = SHAPE[1]
    index = np.arange(1, d + 1)
    for name, spectrum in {"flat": index**-0.5, "steep": 0.5**index}.items():
        rng = np.random.default_rng(seed)
        U, V = (np.linalg.qr(rng.standard_normal((size, d)))[0] for size in SHAPE)
        X = (U * spectrum) @ V.T
        best = spectrum[N_COMPONENTS]
        for q, normalizer, draw in product(N_ITERS, NORMALIZERS, range(DRAWS)):
            bound = expected_spectral_error(spectrum, N_COMPONENTS, N_OVERSAMPLES, q)
            Q = randomized_range_finder(
                X,
                size=N_COMPONENTS + N_OVERSAMPLES,
                n_iter=q,
                power_iteration_normalizer=normalizer,
                random_state=seed + draw,
            )
            error = np.linalg.norm(X - Q @ (Q.T @ X), 2)
            rows.append((name, normalizer, q, draw, error / best, bound / best))
    columns = ["spectrum", "normalizer", "n_iter", "draw", "error", "bound"]
    return pd.DataFrame(rows, columns=columns)


@script
def tables(*, seed: int) -> Tables:
    """Return the agreement of the routes, and errors of the randomized SVD."""
    samples = tall_and_wide(seed_for(seed, "linear", "agreement"))
    errors = randomized_errors(seed_for(seed, "linear", "svd"))
    return {"agreement": agreement(samples, N_COMPONENTS), "errors": errors}
