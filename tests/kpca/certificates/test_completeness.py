"""Every bound holds, and a missed eigenvalue is seen."""

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import chain

import numpy as np
import pytest

from kpca import KernelPCA
from kpca.certificates.completeness import (
    Remainder,
    deflated_lanczos,
    from_the_matrix,
    is_below,
    judge,
    kuczynski_wozniakowski_bound,
)
from kpca.eigensolvers import SOLVERS, Problem, Solution
from kpca.eigensolvers.decomposition import known_bounds
from kpca.kernels import KernelParameters
from kpca.operators import Centering, CentredGram, FullGram
from kpca.operators.sources import KernelSource

N, K = 150, 4
X = np.random.default_rng(0).normal(size=(N, 3))
SOURCE = KernelSource(X, "rbf", KernelParameters(0.2))
OPERATOR = CentredGram(SOURCE.full(), Centering(N))
PROBLEM = Problem(SOURCE, Centering(N), K)
VALUES, VECTORS = np.linalg.eigh(OPERATOR.matmul(np.eye(N)))
VALUES, VECTORS = VALUES[::-1], VECTORS[:, ::-1]
TOP = slice(0, K)
GAPPED = [0, 1, 3, 4]  # the third eigenvalue is left out


def test_every_bound_is_above_what_is_left() -> None:
    values, vectors = VALUES[TOP], VECTORS[:, TOP]
    solution = Solution(values, vectors, OPERATOR)
    found = list(known_bounds(solution, values, np.zeros(K), PROBLEM, 0.0))
    found += from_the_matrix(OPERATOR, values, vectors, VALUES[K - 1])
    found.append(deflated_lanczos(OPERATOR, vectors, 0.0, 40, seed=0))
    assert {bound.method for bound in found} == {
        *("remaining trace", "remaining Frobenius norm", "lanczos"),
        *("Cholesky factor", "spectrum of the remainder"),
    }
    for bound in found:
        assert bound.bound >= VALUES[K] * (1 - 1e-12), bound.method


def test_lanczos_bound_becomes_tight() -> None:
    bounds = [
        deflated_lanczos(OPERATOR, VECTORS[:, TOP], 0.0, steps, seed=0).bound
        for steps in (15, 30, 100)
    ]
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[-1] < 1.05 * VALUES[K]


def test_lanczos_on_a_space_soon_exhausted() -> None:
    low = CentredGram(FullGram((Q := VECTORS[:, :3]) * [5.0, 3.0, 2.0] @ Q.T), Centering(N))
    assert 3 <= deflated_lanczos(low, Q[:, :1], 0.0, 60, seed=0).bound < 3.1
    alone = CentredGram(FullGram(2 * np.eye(10)), Centering(10, center=False))
    assert deflated_lanczos(alone, np.eye(10)[:, :1], 0.0, 8, seed=0).bound == pytest.approx(2)


@pytest.mark.parametrize("weights", [None, np.linspace(0, 2, N)])
def test_a_cholesky_factor_proves_what_holds_and_nothing_else(weights: np.ndarray | None) -> None:
    operator = CentredGram(SOURCE.full(), Centering(N, weights=weights))
    values, vectors = np.linalg.eigh(operator.matmul(np.eye(N)))
    values, vectors = values[::-1], vectors[:, ::-1]

    def proven(limit: float, chosen: object) -> bool:
        bounds = from_the_matrix(operator, values[chosen], vectors[:, chosen], limit)
        return "Cholesky factor" in {bound.method for bound in bounds}

    assert proven(values[K - 1], TOP)
    assert proven(values[K] * (1 + 1e-9), TOP)
    assert not proven(values[K] * (1 - 1e-9), TOP)
    assert not proven(values[4], GAPPED)
    assert proven(values[2] * 1.01, GAPPED)


def test_a_cholesky_factor_leaves_room_for_rounding() -> None:
    n, unit = 40, np.finfo(float).eps / 2
    room = (n + 2) * n * unit  # of a matrix of zeros, whose trace is n σ
    assert is_below(np.zeros((n, n)), 1.0, 0.99 / unit - room / unit)
    assert not is_below(np.zeros((n, n)), 1.0, 1 / unit)
    assert not is_below(np.zeros((n, n)), 0.0, 0.0)
    # A negative trace adds to that of the matrix that is factorised.
    assert not is_below(np.diag([0.0, -1 / unit]), 1.0, 0.0)


@pytest.mark.parametrize("solver", ["dense", "arpack", "randomized", "krylov", "davidson"])
def test_a_missed_eigenvalue_is_seen(solver: str) -> None:
    """Whatever a solver adds of its own, bounds from the matrix do not lie below the truth."""
    solution = SOLVERS[solver].solve(PROBLEM)
    limit = VALUES[4]
    bare = replace(solution, remainders=(), space=None)
    free = known_bounds(bare, VALUES[GAPPED], np.zeros(4), PROBLEM, 0.0)
    dear = from_the_matrix(OPERATOR, VALUES[GAPPED], VECTORS[:, GAPPED], limit)
    verdict = judge(limit, chain(free, dear))
    assert verdict.status == "open"
    assert verdict.bound >= VALUES[2]


def test_a_check_on_request_decides_what_was_open() -> None:
    many = np.random.default_rng(1).normal(size=(1200, 3))
    model = KernelPCA(6, kernel="rbf", gamma=2.0, eigen_solver="davidson").fit(many)
    assert model.completeness_.status == "open"
    checked = model.check_completeness(steps=150)
    assert checked.status == "probable"
    assert str(checked).startswith("probable: no eigenvalue above")
    assert checked.failure == 1e-6
    assert model.completeness_ == checked


def test_random_start_says_nothing_after_too_few_steps() -> None:
    assert (
        kuczynski_wozniakowski_bound(1.0, steps=2, starts=1, n=1000, lowest=0.0).bound == math.inf
    )
    short, long = (
        kuczynski_wozniakowski_bound(1.0, steps, 4, 1000, 0.0).bound for steps in (8, 30)
    )
    assert 1 < long < short < 3


def test_judge_computes_no_more_bounds_than_needed() -> None:
    def found() -> object:
        yield Remainder(3.0, "first")
        yield Remainder(1.0, "second")
        raise AssertionError("a bound was computed for nothing")

    verdict = judge(2.0, found())
    assert (verdict.status, verdict.method) == ("proven", "second")
    undecided = judge(0.5, [Remainder(3.0, "first"), Remainder(1.0, "second", 1e-6)])
    assert (undecided.status, undecided.bound, undecided.failure) == ("open", 1.0, 1e-6)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("n", [400, 1200])
def test_what_a_krylov_space_leaves_out_is_a_proof(n: int, center: bool, weighted: bool) -> None:
    """In float64, and in float32 beyond a thousand points."""
    many, rng = np.random.default_rng(1).normal(size=(n, 4)), np.random.default_rng(2)
    weights = rng.uniform(0.2, 2, n) if weighted else None
    gram = KernelSource(many, "rbf", KernelParameters(0.1)).full()
    whole = CentredGram(gram, Centering(n, center, weights)).matmul(np.eye(n))
    exact = np.linalg.eigvalsh(whole)[::-1]

    model = KernelPCA(5, kernel="rbf", gamma=0.1, eigen_solver="krylov", center=center)
    found = model.fit(many, sample_weight=weights).completeness_

    assert (found.status, found.method, found.failure) == ("proven", "Krylov complement", 0)
    assert exact[5] <= found.bound < exact[4]


def test_a_bound_that_counts_decides_only_where_residuals_cannot_hide_a_miss() -> None:
    """λ = 10, 5, 4 with 5 and 4 returned: λ_3 ≤ 4 is true, and 10 is missing."""
    counted = Remainder(4.0, "count", bounds_next_eigenvalue=True)
    assert judge(4.0 + 1e-8, [counted], certified_lower_bound=4.0 - 1e-9).status == "open"
    assert (
        judge(4.0 + 1e-8, [Remainder(3.0, "count", bounds_next_eigenvalue=True)], 4.0 - 1e-9).status
        == "proven"
    )
    # It is no bound on what was not returned, while another is.
    assert judge(4.0, [counted, Remainder(11.0, "trace")], 3.9).bound == 11


@pytest.mark.parametrize("solver", ["auto", "dense", "krylov", "davidson"])
@pytest.mark.parametrize("share", [0.5, 0.9])
def test_a_share_of_the_variance_is_complete_for_its_components(solver: str, share: float) -> None:
    model = KernelPCA(share, kernel="rbf", gamma=0.2, eigen_solver=solver).fit(X)
    following = VALUES[len(model.eigenvalues_)]
    assert model.completeness_.status == "proven"
    assert following * (1 - 1e-9) <= model.completeness_.bound
    assert model.completeness_.bound <= model.eigenvalues_[-1] * (1 + 1e-6)


def test_what_a_small_fit_leaves_open_is_decided_when_it_is_read() -> None:
    model = KernelPCA(K, kernel="rbf", gamma=0.2, eigen_solver="arpack").fit(X)
    assert vars(model)["_completeness"].status == "open"
    assert model.completeness_.status == "proven"
    assert vars(model)["_completeness"] is model.completeness_
    assert not hasattr(KernelPCA(), "completeness_")


def with_pairs(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a matrix with three double eigenvalues on top, one of which ARPACK often misses."""
    rng = np.random.default_rng(seed)
    Q = np.linalg.qr(rng.standard_normal((n, n)))[0]
    values = np.sort(rng.exponential(size=n) ** 2)[::-1]
    values[:6] = values[0] + np.repeat([5.0, 4.0, 3.0], 2)
    K = (Q * values) @ Q.T
    return (K + K.T) / 2, np.sort(values)[::-1]


@pytest.mark.parametrize("scale", [1.0, 1e39, 1e100])
def test_no_missed_twin_is_called_proven_at_any_scale(scale: float) -> None:
    missed = 0
    for seed in range(60):
        K, values = with_pairs(60, seed)
        asked = KernelPCA(8, kernel="precomputed", eigen_solver="arpack", center=False, tol=1e-2)
        model = asked.fit(K * scale)
        if np.abs(model.eigenvalues_ / scale - values[:8]).max() > 0.02 * values[0]:
            missed += 1
            assert model.completeness_.status != "proven"
    assert missed


@pytest.mark.parametrize("entry", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", [(3, 3), (7, 2)])
def test_infinite_matrices_have_no_cholesky_certificate(
    entry: float, place: tuple[int, int]
) -> None:
    left = OPERATOR.gram.K.copy()
    left[place] = left[place[::-1]] = entry
    assert not is_below(left, VALUES[0], 0.0)


@pytest.mark.parametrize("solver", ["auto", "krylov", "davidson"])
def test_completeness_of_a_weighted_fit_of_a_narrow_kernel_can_be_read(solver: str) -> None:
    for seed in range(10):
        narrow = np.random.default_rng(seed).standard_normal((160, 3)) * 1e3
        model = KernelPCA(5, kernel="rbf", gamma=1.0, eigen_solver=solver)
        model.fit(narrow, sample_weight=np.ones(160))
        assert model.completeness_ is model.completeness_


def test_check_completeness_weakens_no_status() -> None:
    model = KernelPCA(5, kernel="rbf", gamma=0.3).fit(
        np.random.default_rng(0).normal(size=(200, 3))
    )
    before = model.completeness_
    assert before.status == "proven"
    found = model.check_completeness()
    assert found.status == "probable"
    assert model.completeness_ is before


def test_threads_that_read_completeness_see_one_answer() -> None:
    points = np.random.default_rng(0).normal(size=(700, 3))
    for seed in range(3):
        model = KernelPCA(6, kernel="rbf", gamma=2.0, random_state=seed).fit(points)
        assert model._undecided
        with ThreadPoolExecutor(4) as pool:
            found = set(pool.map(lambda _, m=model: m.completeness_, range(4)))
        assert len(found) == 1
