from dataclasses import replace

import numpy as np
import pytest

from kpca import KernelPCA
from kpca.certificates.decomposition import Problem
from kpca.eigensolvers import davidson
from kpca.eigensolvers.primal import features
from kpca.eigensolvers.solve import choose_solver
from kpca.kernels.bound import kernel_matrix
from kpca.kernels.registry import KernelParameters
from kpca.linalg.resources import ArrayRows
from kpca.nystrom.scatter import approximate, eigenvectors
from kpca.operators.grams import Centering
from kpca.operators.sources import KernelSource, MatrixSource
from tests.kpca.naive import NaiveKernelPCA, assert_close


def problem(n, k, name="rbf", d=10, **options):
    source = KernelSource(np.zeros((n, d)), name, KernelParameters(0.1))
    return Problem(source, Centering(n), k, **options)


@pytest.mark.parametrize(
    ("case", "solver"),
    [
        (problem(100, 5), "dense"),
        (problem(400, 200), "dense"),
        (problem(2000, 10), "arpack"),
        (problem(3000, 10), "davidson"),
        (problem(6000, 10, d=50), "arpack"),
        (problem(6000, 10, d=20), "davidson"),
        (problem(10_000, 10, d=64), "davidson"),
        (problem(5000, 10, "laplacian"), "arpack"),
        (problem(5000, 10, "laplacian", budget=5e7), "davidson"),
        (problem(5000, 10, "sigmoid"), "arpack"),
        (problem(5000, 10, "linear"), "primal"),
        (problem(5000, 10, "poly"), "primal"),
        (problem(15_000, 10, "poly", d=60), "davidson"),
    ],
)
def test_choice(case, solver):
    choice = choose_solver(case)
    assert choice.name == solver
    assert choice.reason


def test_what_is_stored_asked_for_or_too_large_decides():
    n = 3000
    stored = Problem(MatrixSource(np.zeros((n, n), np.float32)), Centering(n), 5)
    assert choose_solver(stored).name == "arpack"

    assert choose_solver(replace(problem(400, 5), solver="arpack")).name == "arpack"
    small = choose_solver(replace(problem(20, 5), solver="arpack"))
    assert small.name == "dense"
    assert "arpack was asked for" in small.reason

    assert choose_solver(problem(900, 10, budget=5e6)).name == "davidson"
    with pytest.raises(MemoryError, match="eigen_solver='arpack' on n = 5000"):
        choose_solver(problem(5000, 10, "sigmoid", budget=2e7))


X = np.random.default_rng(0).normal(size=(80, 3))


@pytest.mark.parametrize("degree", [1, 2, 3, 4])
@pytest.mark.parametrize("coef0", [0.0, 1.0, 0.5])
def test_monomials_are_the_features_of_the_kernel(degree, coef0):
    source = KernelSource(X, "poly", KernelParameters(0.3, degree, coef0))
    F = features(source)
    K = kernel_matrix(X, kernel="poly", gamma=0.3, degree=degree, coef0=coef0)
    np.testing.assert_allclose(F @ F.T, K, rtol=1e-11, atol=1e-12)
    assert F.shape[1] == source.feature_count


def test_more_components_than_features_are_padded_with_zeros():
    model = KernelPCA(5, eigen_solver="primal").fit(X)
    np.testing.assert_array_equal(model.eigenvalues_[3:], 0)
    np.testing.assert_allclose(model.eigenvectors_.T @ model.eigenvectors_, np.eye(5), atol=1e-12)
    assert model.residuals_.max() < 1e-12
    assert KernelPCA(eigen_solver="primal").fit(X).eigenvalues_.shape == (3,)
    assert model.completeness_.status == "proven"
    many = np.random.default_rng(0).normal(size=(4000, 5))
    assert len(KernelPCA(memory_budget=4e6).fit(many).eigenvalues_) == 5


@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("weights", [None, np.random.default_rng(1).uniform(0, 2, 80)])
@pytest.mark.parametrize("stored", [0, 80])
def test_the_preconditioner_is_the_inverse_with_the_known_eigenvectors(
    stored, weights, center, monkeypatch
):
    monkeypatch.setattr(davidson, "OPTIONS", replace(davidson.OPTIONS, stored_points=stored))
    source = KernelSource(X, "rbf", KernelParameters(0.3))
    rows = ArrayRows(X)
    centering = Centering(80, center, weights)
    axes = approximate(rows, source.with_samples(X[:20]), centering, 1).axes
    U = eigenvectors(rows, axes, centering, 1)[:, 4:]
    R = centering.project(np.random.default_rng(2).normal(size=(80, 3)))
    theta = axes.values[:3]
    problem_of_three = Problem(source, centering, 3)
    precondition = davidson.preconditioner(problem_of_three, axes, 4, np.float32)
    expected = [
        np.linalg.solve(value * np.eye(80) - (U * axes.values[4:]) @ U.T, r)
        for value, r in zip(theta, R.T, strict=True)
    ]
    corrections = centering.project(precondition(R, theta))
    np.testing.assert_allclose(corrections.T, expected, rtol=1e-4, atol=1e-5 / theta[-1])


@pytest.mark.filterwarnings("ignore::kpca.certificates.definiteness.IndefiniteKernelWarning")
def test_many_components_of_a_sigmoid_kernel_are_solved_directly():
    """Their eigenvalues end far below the rounding of the first, where ARPACK stalls."""
    data = np.random.default_rng(0).normal(size=(300, 3))
    model = KernelPCA(32, kernel="sigmoid", gamma=0.03, coef0=0, remove_zero_eig=True)
    model.fit(data)
    naive = NaiveKernelPCA(kernel_matrix(data, kernel="sigmoid", gamma=0.03, coef0=0))
    expected = naive.eigenvalues[:32]
    assert "tenth" in str(model.solver_)
    assert_close(model.eigenvalues_, expected[expected > 1e-12 * expected[0]], 1e-13)


def test_lapack_fails_for_some_of_the_eigenpairs_but_not_for_all_of_them():
    """Identity rows make the driver for few eigenpairs fail with an internal error."""
    values = KernelPCA(4, kernel="rbf", gamma=1e-3).fit(np.eye(12)).eigenvalues_
    np.testing.assert_allclose(values, -np.expm1(-2e-3), rtol=1e-9)


def test_a_sample_of_weight_zero_that_single_precision_cannot_hold_changes_nothing():
    X = np.random.default_rng(0).normal(size=(3700, 18))
    weights = np.ones(len(X))
    X[0] = 1e7
    weights[0] = 0
    model = KernelPCA(3, kernel="poly", gamma=0.3, eigen_solver="davidson")
    values = model.fit(X, sample_weight=weights).eigenvalues_
    np.testing.assert_allclose(values, model.fit(X[1:]).eigenvalues_, rtol=1e-7)
