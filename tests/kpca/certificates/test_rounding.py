"""Every source, precision, weight, centring and method against long double, without any slack.

A tolerance of a few n·eps would hide faults of the size of rounding, which bounds are about.
"""

import numpy as np
import pytest

from tests.kpca import naive
from tests.kpca.estimators import either

N = 50
K = 4
GAMMA = 0.3
RNG = np.random.default_rng(0)
CLOUD = RNG.normal(size=(N, 3))
POINTS = {
    "cloud": CLOUD,
    "clusters": CLOUD + 1e4 * (np.arange(N) % 2)[:, None],
    "tails": RNG.standard_t(0.7, (N, 3)),
    "pairs": np.repeat(CLOUD[: N // 2], 2, axis=0) + 1e-9 * RNG.normal(size=(N, 3)),
}
WEIGHTS = {
    "equal": None,
    "whole": RNG.integers(0, 4, N).astype(float),
    "light": 10.0 ** RNG.uniform(-8, 0, N),
}
METHODS = ("dense", "arpack", "davidson", "randomized", "nystrom")


def overlap(x, y):
    return float(np.exp(-GAMMA * np.abs(x - y).max()))


def problem(source, X):
    """Return the kernel, what `fit` takes, and the kernel matrix of it in long double."""
    if source == "function":
        values = np.array([[overlap(x, y) for y in X] for x in X])
        return overlap, X, values.astype(np.longdouble)
    if source not in ("matrix", "distances"):
        exact = X.astype(np.longdouble)
        return source, X, naive.kernel_matrix(exact, exact, source, gamma=GAMMA, degree=2, coef0=1)
    if source == "distances":  # A diagonal of zeros shows no size.
        plain = -((X[:, None] - X) ** 2).sum(axis=2) / 2
    else:
        plain = naive.kernel_matrix(X, X, "rbf", gamma=GAMMA).astype(X.dtype)
        plain = (plain + plain.T) / 2
    return "precomputed", plain, plain.astype(np.longdouble)


def count_above(A, bound):
    """Return how many eigenvalues of A exceed a bound: negative pivots of bound·I − A."""
    rest = bound * np.eye(len(A), dtype=A.dtype) - A
    negative = 0
    while len(rest):
        largest = int(np.argmax(np.abs(rest.diagonal())))
        rest = np.roll(rest, -largest, axis=(0, 1))
        pivot = rest[0, 0]
        negative += int(pivot < 0)
        rest = rest[1:, 1:] - np.outer(rest[1:, 0], rest[0, 1:] / pivot)
    return negative


@pytest.mark.filterwarnings("ignore::kpca.certificates.decomposition.ToleranceWarning")
@pytest.mark.filterwarnings("ignore::kpca.certificates.definiteness.IndefiniteKernelWarning")
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "source", ["rbf", "laplacian", "matern32", "poly", "function", "matrix", "distances"]
)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_bounds_hold_in_long_double(dtype, source, method):
    if method in ("davidson", "nystrom") and source in ("function", "matrix", "distances"):
        return  # Both methods need points and a kernel by name.
    for cloud, X in POINTS.items():
        kernel, samples, exact = problem(source, X.astype(dtype))
        for how, weights in WEIGHTS.items():
            # Pivots of an uncentred matrix with a diagonal of zeros are no count.
            for center in (True,) if source == "distances" else (True, False):
                options = {"kernel": kernel, "gamma": GAMMA, "degree": 2, "coef0": 1}
                options |= {"eigen_solver": method, "center": center, "n_landmarks": 30}
                model = either(K, indefinite="clip", **options)
                model.fit(samples, sample_weight=weights)
                A = naive.centred(exact, weights, center)
                values = model.eigenvalues_
                claim = model.completeness_
                residuals = naive.residual_norms(A, values, model.eigenvectors_) / values[0]
                case = f"{cloud}, {how}, {center}"
                assert not (residuals > model.residuals_).any(), case
                assert (residuals <= model.residual_bounds_).all(), case
                assert claim.status != "proven" or count_above(A, claim.bound) <= K, case
