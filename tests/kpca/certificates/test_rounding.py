"""Every source, precision, weight, centring and method against long double, without any slack.

A tolerance of a few n·eps would hide faults of the size of rounding, which bounds are about.
"""

import warnings
from typing import Any

import numpy as np
import pytest

from kpca.certificates.decomposition import ToleranceWarning
from kpca.certificates.definiteness import IndefiniteKernelWarning
from tests.kpca import naive
from tests.kpca.certificates.test_no_certificate_says_too_much import centred
from tests.kpca.estimators import either

N, K, GAMMA = 60, 4, 0.3
RNG = np.random.default_rng(0)
CLOUD = RNG.normal(size=(N, 3))
POINTS = {
    "cloud": CLOUD,
    "far": CLOUD + 1e4,
    "pairs": np.repeat(CLOUD[: N // 2], 2, axis=0) + 1e-9 * RNG.normal(size=(N, 3)),
}
WEIGHTS = {
    "equal": None,
    "whole": RNG.integers(0, 4, N).astype(float),
    "light": 10.0 ** RNG.uniform(-8, 0, N),
}
METHODS = ("dense", "arpack", "davidson", "randomized", "nystrom")


def overlap(x: np.ndarray, y: np.ndarray) -> float:
    return float(np.exp(-GAMMA * np.abs(x - y).max()))


def problem(source: str, X: np.ndarray) -> tuple[str | Any, np.ndarray, np.ndarray]:
    """Return the kernel, what `fit` takes, and the kernel matrix of it in long double."""
    if source == "function":
        values = np.array([[overlap(x, y) for y in X] for x in X])
        return overlap, X, values.astype(np.longdouble)
    if source == "matrix":
        plain = naive.kernel_matrix(X, X, "rbf", gamma=GAMMA).astype(X.dtype)
        plain = (plain + plain.T) / 2
        return "precomputed", plain, plain.astype(np.longdouble)
    exact = X.astype(np.longdouble)
    return source, X, naive.kernel_matrix(exact, exact, source, gamma=GAMMA, degree=2, coef0=1)


def count_above(A: np.ndarray, bound: float) -> int:
    """Return how many eigenvalues of A exceed a bound: negative pivots of bound·I − A."""
    rest, negative = bound * np.eye(len(A), dtype=A.dtype) - A, 0
    while len(rest):
        place = int(np.argmax(np.abs(rest.diagonal())))
        order = [place, *(i for i in range(len(rest)) if i != place)]
        rest = rest[np.ix_(order, order)]
        pivot = rest[0, 0]
        negative += int(pivot < 0)
        rest = rest[1:, 1:] - np.outer(rest[1:, 0], rest[0, 1:] / pivot)
    return negative


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("source", ["rbf", "laplacian", "matern32", "poly", "function", "matrix"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_bounds_hold_in_long_double(dtype: Any, source: str, method: str) -> None:
    if method in ("davidson", "nystrom") and source in ("function", "matrix"):
        return  # which need points and a kernel by name
    faults = []
    for name, X in POINTS.items():
        kernel, given, exact = problem(source, X.astype(dtype))
        for how, weights in WEIGHTS.items():
            for center in (True, False):
                asked = {"kernel": kernel, "gamma": GAMMA, "degree": 2, "coef0": 1}
                asked |= {"eigen_solver": method, "center": center, "n_landmarks": 30}
                model = either(K, **asked)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", ToleranceWarning)
                    warnings.simplefilter("ignore", IndefiniteKernelWarning)
                    model.fit(given, sample_weight=weights)
                A = centred(exact, weights, center)
                vectors = model.eigenvectors_.astype(np.longdouble)
                left = A @ vectors - vectors * model.eigenvalues_.astype(np.longdouble)
                residuals = np.sqrt((left * left).sum(axis=0)) / model.eigenvalues_[0]
                case = f"{name}, {how}, {center}"
                if (residuals > model.residual_bounds_).any():
                    faults.append(f"{case}: residuals {residuals}, said {model.residual_bounds_}")
                known = model.completeness_
                if known.status == "proven" and count_above(A, known.bound) > K:
                    faults.append(f"{case}: more than {K} eigenvalues above {known}")
    assert faults == []
