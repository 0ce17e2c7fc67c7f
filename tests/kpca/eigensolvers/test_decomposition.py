import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from kpca import KernelPCA
from kpca.certificates.definiteness import SEMIDEFINITE, Definiteness
from kpca.eigensolvers import Problem, Solution
from kpca.eigensolvers.decomposition import (
    SolverChoice,
    ToleranceWarning,
    finish,
    signs,
    warn_if_missed,
)
from kpca.operators import Centering, CentredGram, FullGram, TiledGram
from kpca.operators.sources import MatrixSource
from tests.kpca.certificates.test_no_certificate_says_too_much import centred, kernel_matrix

RNG = np.random.default_rng(0)
Q = np.linalg.qr(RNG.normal(size=(8, 8)))[0]
SPECTRUM = np.array([5.0, 3.0, 1.0, 1e-13, 0, 0, 0, 0])
K = (Q * SPECTRUM) @ Q.T
PLAIN = Centering(8, center=False)
PROBLEM = Problem(MatrixSource(K), PLAIN, 4)
CHOICE, POSITIVE = SolverChoice("krylov", "asked for"), SEMIDEFINITE


def solution(values: np.ndarray = SPECTRUM[:4], vectors: np.ndarray = Q[:, :4]) -> Solution:
    return Solution(values, vectors, CentredGram(FullGram(K), PLAIN))


def test_pairs_are_sorted_together_and_zero_is_relative_to_the_largest() -> None:
    order = [2, 0, 3, 1]
    pairs = finish(solution(SPECTRUM[:4][order], Q[:, order]), PROBLEM, CHOICE, POSITIVE)
    np.testing.assert_allclose(pairs.values, [5, 3, 1, 0])
    assert pairs.values[3] == 0
    np.testing.assert_allclose(np.abs(pairs.vectors.T @ Q[:, :3]), np.eye(4, 3), atol=1e-12)
    small = Solution(SPECTRUM[:4] * 1e-30, Q[:, :4], CentredGram(FullGram(K * 1e-30), PLAIN))
    values = finish(small, PROBLEM, CHOICE, POSITIVE).values
    np.testing.assert_array_equal(values > 0, [True] * 3 + [False])


def test_a_value_within_its_own_residual_stays_and_a_clipped_one_has_that_of_zero() -> None:
    wrong = Q[:, :4].copy()
    wrong[:, 2] = (Q[:, 2] + 3 * Q[:, 7]) / np.sqrt(10)
    pairs = finish(solution(np.array([5.0, 3.0, 0.1, 0.0]), wrong), PROBLEM, CHOICE, POSITIVE)
    assert pairs.values[2] == 0.1
    assert pairs.residuals[2] > 0.05
    K = (Q * np.array([5.0, -3.0, 0, 0, 0, 0, 0, 0])) @ Q.T
    negative = Solution(np.array([5.0, -3.0]), Q[:, :2], CentredGram(FullGram(K), PLAIN))
    pairs = finish(negative, PROBLEM, CHOICE, Definiteness("proven", -3.0, 0.0, -3.0, 0.0))
    np.testing.assert_allclose(pairs.values, [5, 0])
    np.testing.assert_allclose(pairs.residuals, [0, 0.6], atol=1e-14)


def test_residuals_are_relative_and_recomputed_and_errors_of_products_are_added() -> None:
    pairs = finish(solution(SPECTRUM[:4] + np.array([0.5, 0, 0, 0])), PROBLEM, CHOICE, POSITIVE)
    np.testing.assert_allclose(pairs.residuals[:3], [0.5 / 5.5, 0, 0], atol=1e-14)
    with pytest.warns(ToleranceWarning, match=r"residual of 9.1e-02, 9.1 times the tolerance"):
        warn_if_missed(replace(pairs, tol=0.01), "auto")
    with_slack = replace(solution(), slack=np.array([0.0, 0.5, 0.0, 0.0]))
    found = finish(with_slack, PROBLEM, CHOICE, POSITIVE).residuals[1]
    np.testing.assert_allclose(found, 0.1, rtol=1e-9)


@pytest.mark.parametrize(
    ("solver", "asked", "remedy"),
    [
        ("krylov", "auto", "raise max_iter or tol, or use eigen_solver='dense'."),
        ("krylov", "krylov", "raise max_iter or tol, or use eigen_solver='auto'."),
        ("randomized", "randomized", "raise iterated_power or tol, or use eigen_solver='auto'."),
        ("primal", "primal", "raise tol, or use eigen_solver='dense'."),
        ("dense", "dense", "raise tol."),
    ],
)
def test_a_miss_is_told_with_what_helps(solver: str, asked: str, remedy: str) -> None:
    pairs = finish(solution(SPECTRUM[:4] + np.array([0.5, 0, 0, 0])), PROBLEM, CHOICE, POSITIVE)
    with pytest.warns(ToleranceWarning, match=f": {remedy}$"):
        warn_if_missed(replace(pairs, tol=0.01, choice=SolverChoice(solver, "")), asked)
    with pytest.warns(ToleranceWarning, match=r"rounding alone may be .* for every solver"):
        warn_if_missed(replace(pairs, rounding=1.0, tol=0.01), asked)


@pytest.mark.parametrize("solver", ["auto", "dense", "krylov"])
@pytest.mark.parametrize(("kernel", "gamma"), [("rbf", 1e-13), ("sigmoid", 0.17)])
def test_constant_kernels_are_told_of_rounding(solver: str, kernel: str, gamma: float) -> None:
    X = np.random.default_rng(0).normal(size=(200, 4)) + 5
    model = KernelPCA(2, kernel=kernel, gamma=gamma, eigen_solver=solver)
    with pytest.warns(ToleranceWarning, match="rounding alone may be"):
        model.fit(X)


def test_the_largest_score_is_positive_but_of_rows_without_weight() -> None:
    vectors = np.array([[0.6, -0.5], [-0.8, 0.5 * (1 + 1e-9)], [0.0, 0.5], [0.0, -0.5]])
    np.testing.assert_array_equal(signs(vectors, Centering(4)), [-1, -1])
    weights = np.array([0.0, 1.0, 4.0])
    vectors = np.array([[-0.9], [0.3], [-0.4]])  # scores: none, 0.3, −0.2
    np.testing.assert_array_equal(signs(vectors, Centering(3, weights=weights)), [1])


CLUSTERS = np.random.default_rng(0).normal(size=(200, 3))
CLUSTERS[::2, 0] += 3000.0
FITS = {
    "narrow": ({"kernel": "rbf", "gamma": 200.0}, RNG.normal(size=(900, 3))),
    "clusters": ({"kernel": "rbf", "gamma": 0.3}, CLUSTERS),
    "plain": ({"kernel": "rbf", "gamma": 0.3}, RNG.normal(size=(300, 3))),
}


@pytest.mark.parametrize("tol", [1e-14, 1e-12, 1e-8, 1e-4])
@pytest.mark.parametrize(("options", "X"), FITS.values(), ids=FITS)
def test_misses_of_tol_are_warned_of(options: dict[str, object], X: np.ndarray, tol: float) -> None:
    for solver in ("auto", "dense", "krylov"):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model = KernelPCA(5, tol=tol, eigen_solver=solver, **options).fit(X)
        warned = any(issubclass(found.category, ToleranceWarning) for found in caught)
        assert warned == (model.residuals_.max() > tol), solver


@pytest.mark.parametrize("solver", ["dense", "krylov", "davidson"])
def test_residuals_hold_with_the_rounding_of_kernel_values(solver: str) -> None:
    model = KernelPCA(20, kernel="rbf", gamma=0.3, tol=1e-13, eigen_solver=solver)
    with pytest.warns(ToleranceWarning):
        model.fit(CLUSTERS)
    K, A = centred(kernel_matrix(CLUSTERS, model), None, True), model.eigenvectors_
    exact = np.sqrt(((K @ A - A * model.eigenvalues_) ** 2).sum(axis=0)) / model.eigenvalues_[0]
    assert (exact <= model.residuals_).all()


@pytest.mark.parametrize("solver", ["krylov", "davidson"])
@pytest.mark.parametrize("most", [1, 3])
def test_all_products_are_counted(solver: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    for gram in (TiledGram, FullGram):
        multiply = gram.matmul

        def counted(self: Any, V: Any, multiply: Any = multiply) -> Any:
            made.append(type(self).__name__)
            return multiply(self, V)

        monkeypatch.setattr(gram, "matmul", counted)
    X = np.random.default_rng(0).normal(size=(1500, 8))
    asked = KernelPCA(5, kernel="rbf", gamma=5.0, eigen_solver=solver, max_iter=most)
    with pytest.warns(ToleranceWarning, match="max_iter"):
        asked.fit(X)
    # One pass more certifies a search.
    assert len(made) <= most + 1 + (solver == "krylov")
