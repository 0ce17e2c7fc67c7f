"""Numbers at the ends of their range: the answer of a plain reference, or a clear refusal.

The reference is LAPACK on the centred kernel matrix, computed from the definition of the kernel in
extended precision and scaled to 1.
"""

import os
import re
import warnings

import numpy as np
import pytest
from scipy import sparse

from kpca import KernelPCA, LandmarkKernelPCA
from kpca.kernels.registry import KERNELS
from tests.kpca.estimators import either
from tests.kpca.naive import (
    SEMIDEFINITE,
    Extended,
    NaiveKernelPCA,
    assert_close,
    centred,
    kernel_matrix_of,
    used,
)

PROBLEMS = int(os.environ.get("KPCA_PROBLEMS", "300"))
SEEDS = range(1 + PROBLEMS // 1000)
"""Of `make test`, which takes every fifth case; `make test-all` has more, and all cases."""
SOLVERS = ("auto", "dense", "arpack", "davidson", "randomized", "primal", "nystrom")
EPS = float(np.finfo(float).eps)
REMEDY = "scale|lower gamma|raise|use |take a|indefinite='clip'"


def clouds(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 3))
    wide = rng.normal(size=(60, 2)) * [1.0, 1e-150]
    zeros = np.where(rng.random((60, 3)) < 0.6, 0.0, X)
    return {
        "plain": X,
        "huge": X * 1e150,
        "tiny": X * 1e-150,
        "large": X * 1e60,
        "small": X * 1e-60,
        "denormal": X * 1e-310,
        "wide": wide,
        "far": X + 1e6,
        "constant columns": np.hstack([X, np.full((60, 2), 7.0)]),
        "all equal": np.full((60, 2), 0.1),
        "two rows": np.repeat(X[:2], 30, axis=0),
        "one row twice": np.vstack([X, X[:1]]),
        "zero rows": np.vstack([X, np.zeros((9, 3))]),
        "mostly zero": zeros,
        "one point": X[:1],
        "one number": X[:1, :1],
        "two points": X[:2],
        "one column": X[:, :1],
        "one outlier": np.vstack([X, np.full((1, 3), 1e30)]),
        "whole numbers": rng.integers(0, 256, (60, 3)).astype(np.uint8),
        "long numbers": rng.integers(-9, 10, (60, 3)) * 10**15,
        "truth values": rng.random((60, 3)) < 0.5,
        "single": X.astype(np.float32),
    }


OF_DEGREE = [(0.5, 3, 1.0), (1e-300, 2, 0.0), (1e3, 30, 1.0), (1e300, 2, 1.0), (1.0, 0, 1.0)]
OTHERS = [(0.5, 3, 0.5), (1e-300, 3, 0.5), (1e300, 3, 0.5), (0.0, 3, 0.5)]


def parameters_of(kernel):
    """The parameters γ, p and c that a kernel reads, at the ends of their ranges."""
    listed = OF_DEGREE if "degree" in KERNELS[kernel].uses else OTHERS
    if KERNELS[kernel].by_differences:  # powers of 30 make lattices of eigenvalues alike to 1e-6
        listed = [values for values in listed if values[1] < 30]
    return [used(kernel, gamma=g, degree=p, coef0=c) for g, p, c in listed]


def reference(X, model):
    """Give the eigenvalues of K̄, and the size of the values of K."""
    with np.errstate(all="ignore"):
        K = kernel_matrix_of(model, X)
    K = np.where(np.isnan(K), 0, K)
    largest = np.abs(K).max() or Extended(1)
    scaled = centred(K / largest).astype(float)
    return np.linalg.eigvalsh(scaled)[::-1] * largest, largest


def is_unsure(model, points, X):
    """Check a fit or its refusal; return whether it misses an eigenvalue, which it says is open."""
    with warnings.catch_warnings(action="ignore"):
        warnings.simplefilter("error", RuntimeWarning)
        try:
            model.fit(points)
            scores = model.transform(points)
        except (ValueError, MemoryError) as error:
            clear = len(str(error)) > 40 and re.search(REMEDY, str(error))
            if clear and type(error) in (ValueError, MemoryError):
                return False
            raise
    for name, value in {**vars(model), "scores": scores}.items():
        if name != "residuals_" and isinstance(value, np.ndarray):
            assert np.isfinite(value).all(), name
    assert model.completeness_ is model.completeness_
    values = model.eigenvalues_
    spectrum, largest = reference(X, model)
    expected = np.maximum(spectrum[: len(values)], 0)
    argument = 1.0
    if model.kernel in ("sigmoid", "poly"):  # Sums of these kernels may cancel.
        argument += float(model.gamma) * float((X.astype(float) ** 2).sum(axis=1).max())
    slack = 1e-8 * expected.max(initial=0) + 1e3 * len(X) * EPS * largest * argument + 1e-300
    if isinstance(model, LandmarkKernelPCA):
        slack += model.trace_error_
    if np.abs(values - expected).max(initial=0) <= slack:
        return False
    proven = spectrum[spectrum > model.completeness_.bound + slack]
    np.testing.assert_allclose(values[: len(proven)], proven, rtol=0, atol=slack)
    assert (values <= expected + slack).all()  # Computed eigenvalues must be bounded alike.
    assert model.completeness_.status == "open"
    # Eigenvalues of a kernel matrix near the identity are alike: no search sees their order.
    return bool(np.ptp(spectrum[:-1]) > 1e-3 * spectrum[0])


CASES = {
    f"{name} {kernel} {parameters}": (name, kernel, parameters)
    for name in clouds(0)
    for kernel in KERNELS
    for parameters in parameters_of(kernel)
}


@pytest.mark.parametrize("case", list(CASES)[:: 1 if PROBLEMS >= 1000 else 5])
def test_the_answer_is_right_or_refused(case):
    name, kernel, parameters = CASES[case]
    unsure = []
    for seed in SEEDS:
        X = clouds(seed)[name]
        for solver in SOLVERS:
            model = either(2, kernel=kernel, eigen_solver=solver, indefinite="clip")
            unsure.append(is_unsure(model.set_params(**parameters), X, X))
    assert np.mean(unsure) <= 1 / 20


def stored_zeros(X):
    rows = sparse.csr_array(X + 1)  # no entry is zero, and so all are stored
    rows.data -= 1
    return rows


@pytest.mark.slow
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("kernel", SEMIDEFINITE)
def test_other_forms_of_points(kernel, solver, tmp_path):
    X = clouds(0)["mostly zero"]
    np.save(tmp_path / "points.npy", X)
    mapped = np.load(tmp_path / "points.npy", mmap_mode="r")
    frozen = X.copy()
    frozen.flags.writeable = False
    for points in (mapped, stored_zeros(X), frozen, frozen[:, ::-1], np.asfortranarray(X)):
        rows = points.toarray() if sparse.issparse(points) else np.asarray(points)
        for k in (3, 60):
            model = either(k, kernel=kernel, gamma=0.5, eigen_solver=solver)
            assert not is_unsure(model, points, rows)


@pytest.mark.parametrize("solver", SOLVERS[:-2])
@pytest.mark.parametrize("kernel", SEMIDEFINITE)
def test_hundreds_of_copies(kernel, solver):
    X = clouds(0)["plain"][:4]
    model = KernelPCA(4, kernel=kernel, gamma=0.5, eigen_solver=solver).fit(np.repeat(X, 150, 0))
    naive = NaiveKernelPCA(kernel_matrix_of(model, X), weights=np.full(4, 150.0))
    assert_close(model.eigenvalues_, naive.eigenvalues)
