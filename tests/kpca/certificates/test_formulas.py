"""Each bound is the number that its formula gives, and none that is smaller."""

import math
from typing import Any

import numpy as np
import pytest

from kpca.certificates import completeness
from kpca.certificates import definiteness as of_definiteness
from kpca.certificates.completeness import (
    FAILURE,
    Completeness,
    Remainder,
    decide,
    deflated_lanczos,
    from_the_matrix,
    is_below,
    kuczynski_wozniakowski_bound,
    remaining_norm,
    remaining_trace,
)
from kpca.certificates.definiteness import Definiteness, definiteness, is_negative, spectrum
from kpca.eigensolvers import SOLVERS, Problem
from kpca.eigensolvers.block_lanczos import WHOLE
from kpca.eigensolvers.decomposition import known_bounds
from kpca.kernels import KernelParameters
from kpca.operators import Centering, CentredGram, FullGram, PackedGram
from kpca.operators.sources import KernelSource

EPS = float(np.finfo(float).eps)
N = 60
Q = np.linalg.qr(np.random.default_rng(0).normal(size=(N, N)))[0]
SPECTRUM = np.concatenate([[9.0, 6.0, 4.0], np.geomspace(2, 0.1, N - 3)])


def operator(spectrum: np.ndarray = SPECTRUM) -> CentredGram:
    K = (Q * spectrum) @ Q.T
    return CentredGram(FullGram((K + K.T) / 2), Centering(N, center=False))


@pytest.mark.parametrize(("estimate", "lowest"), [(2.0, 0.0), (2.0, -0.5), (2.0, 0.5), (-1.0, 0.0)])
def test_random_start(estimate: float, lowest: float) -> None:
    """Kuczyński and Woźniakowski, solved for the ε at which the probability is 1e-6."""
    n, steps, starts = 500, 40, 3
    bound, method, failure, counts = kuczynski_wozniakowski_bound(
        estimate, steps, starts, n, lowest
    )
    shift = -min(lowest, 0)
    epsilon = 1 - (max(estimate, 0) + shift) / (bound + shift) if estimate > 0 else None
    if epsilon is not None:
        chance = (1.648 * math.sqrt(n) * math.exp(-math.sqrt(epsilon) * (2 * steps - 1))) ** starts
        assert chance == pytest.approx(1e-6, rel=1e-6)
    else:
        assert bound == 0
    assert (method, failure, counts) == ("lanczos", 1e-6, False)
    assert kuczynski_wozniakowski_bound(estimate, 2, 1, n, lowest) == Remainder(
        math.inf, "lanczos", 1e-6
    )


def test_what_they_say_in_words_and_of_a_larger_matrix() -> None:
    proven = Completeness("proven", 2.5, "dense", 0.0)
    probable = Completeness("probable", 2.5, "lanczos", 1e-6)
    assert str(proven) == "proven: no eigenvalue above 2.5 is missing (dense)"
    assert str(probable) == (
        "probable: no eigenvalue above 2.5 is missing (lanczos, failing with probability 1e-06)"
    )
    assert probable.times(4.0) == Completeness("probable", 10.0, "lanczos", 1e-6)
    known = Definiteness("probable", -1.0, 0.5, -2.0, 1e-6)
    assert known.times(4.0) == Definiteness("probable", -4.0, 2.0, -8.0, 1e-6)


def test_what_is_left_of_the_trace_and_of_the_norm() -> None:
    values, norms, K = SPECTRUM[:3], np.array([0.1, 0.2, 0.3]), operator()
    rounding = 2 * N * EPS * K.scale
    expected = SPECTRUM[3:].sum() + norms.sum()
    assert remaining_trace(K, values, norms) == Remainder(
        pytest.approx(expected, rel=1e-12), "remaining trace"
    )
    expected = math.sqrt((SPECTRUM**2).sum() - ((values - norms) ** 2).sum())
    found = remaining_norm(K, values, norms)
    assert found == Remainder(pytest.approx(expected, rel=1e-9), "remaining Frobenius norm")
    # Where nothing is left, rounding alone.
    nothing = remaining_trace(K, SPECTRUM + 1.0, np.zeros(N))
    assert nothing.bound == pytest.approx(rounding)
    assert remaining_norm(K, SPECTRUM + 1.0, np.zeros(N)).bound == 0


@pytest.mark.parametrize("precise", [True, False])
def test_a_search_in_single_precision_counts(
    precise: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kpca.eigensolvers.block_lanczos.WHOLE", WHOLE if precise else 10)
    points = np.random.default_rng(0).normal(size=(120, 2))
    source = KernelSource(points, "rbf", KernelParameters(0.2))
    problem = Problem(source, Centering(120), 3, solver="krylov")
    solution = SOLVERS["krylov"].solve(problem)
    bounds = known_bounds(solution, np.sort(solution.values)[::-1], np.zeros(3), problem, 0.0)
    complement, start = (next(b for b in bounds if b.method == m) for m in SEARCHED)
    assert complement.bounds_next_eigenvalue is not precise
    assert start.failure == FAILURE


SEARCHED = ("Krylov complement", "lanczos")


@pytest.mark.parametrize("k", [0, 3])
def test_a_cholesky_factor_leaves_room_for_rounding(
    k: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(completeness, "is_below", lambda *a: asked.append(a) or True)
    bounds = from_the_matrix(K := operator(), SPECTRUM[:k], Q[:, :k], 4.0)
    assert next(bounds) == Remainder(4.0, "Cholesky factor")
    ((left, limit, rounding),) = asked
    np.testing.assert_allclose(left, (Q[:, k:] * SPECTRUM[k:]) @ Q[:, k:].T, atol=1e-12)
    norm = math.sqrt((SPECTRUM**2).sum())
    # K centred takes means of n entries twice on each side, and AΛAᵀ sums of k.
    assert rounding == pytest.approx(4 * (N + 4) * norm + (k + 2) * SPECTRUM[:k].sum())
    assert limit == 4.0
    rest = next(bounds)
    assert rest.method == "spectrum of the remainder"
    assert rest.bound == pytest.approx(SPECTRUM[k] + 2 * N * EPS * K.scale, rel=1e-12)


def test_the_room_is_taken_off_the_limit() -> None:
    """Of a matrix of zeros the factor exists as long as anything is left of the limit."""
    zeros, unit = np.zeros((N, N)), EPS / 2
    most = 1 / unit - (N + 2) * N  # the rest is for the factor of a matrix of trace N
    assert is_below(zeros, 1.0, most * (1 - 1e-12))
    assert not is_below(zeros, 1.0, most * (1 + 1e-12))
    assert not is_below(zeros, 0.0, 0.0)
    # A negative trace adds to that of the matrix that is factorised.
    negative = np.diag(np.r_[-1e12, np.zeros(N - 1)])
    most = 1 / unit - (N + 2) * (N + 1e12)
    assert is_below(negative, 1.0, most - 1e9)
    assert not is_below(negative, 1.0, most + 1e9)


def test_no_pairs_of_a_matrix_of_zeros_are_complete() -> None:
    none, empty = CentredGram(FullGram(np.zeros((N, N))), Centering(N)), np.zeros((N, 0))
    decided = decide(none, np.zeros(0), empty, 1e-8)
    assert (decided.status, decided.bound) == ("proven", 0.0)


@pytest.mark.parametrize("steps", [30, 140])
def test_lanczos_on_what_is_left(steps: int) -> None:
    n = 300
    values = np.geomspace(5, 1e-3, n)
    whole = CentredGram(FullGram(np.diag(values)), Centering(n, center=False))
    found = deflated_lanczos(whole, np.eye(n)[:, :2], 0.0, steps, seed=0)
    expected = kuczynski_wozniakowski_bound(values[2], steps, 1, n, 0.0).bound
    assert found == Remainder(pytest.approx(expected, rel=1e-6), "lanczos", FAILURE)
    assert deflated_lanczos(whole, np.eye(n)[:, :2], 0.0, steps, seed=0) == found


def test_lanczos_on_a_space_that_ends() -> None:
    alone = CentredGram(FullGram(2 * np.eye(10)), Centering(10, center=False))
    found = deflated_lanczos(alone, np.eye(10)[:, :1], 0.0, 8, seed=0)
    assert found == Remainder(pytest.approx(2), "lanczos", FAILURE)


@pytest.mark.parametrize("single", [False, True])
def test_the_bound_on_the_smallest_eigenvalue(
    single: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is that of λ_1(shift − K̄) ≤ Ritz value + residual + errors of the products."""
    monkeypatch.setattr(of_definiteness, "SEARCH_TOL", 0.05)
    points = np.random.default_rng(0).normal(size=(200, 3))
    source = KernelSource(points, "sigmoid", KernelParameters(0.3, 3, 0.5))
    exact = CentredGram(source.full(), Centering(200))
    kernel = source.bound(np.float32 if single else np.float64)
    searched = CentredGram(PackedGram(kernel, points), Centering(200))
    values = np.linalg.eigvalsh(exact.matmul(np.eye(200)))
    asked: list[Any] = []

    def start(*arguments: Any) -> Remainder:
        asked.append(arguments)
        return kuczynski_wozniakowski_bound(*arguments)

    monkeypatch.setattr(of_definiteness, "kuczynski_wozniakowski_bound", start)
    known = definiteness(exact, searched, values[-1], 0)
    ((estimate, steps, starts, n, lowest),) = asked
    shift = values[-1] * 1.05
    lost = searched.error(searched.size) * math.sqrt(steps)
    expected = shift - known.smallest + known.residual + lost
    assert (estimate, starts, n, lowest) == (pytest.approx(expected, rel=1e-14), 1, 200, 0.0)
    assert 1e-4 < known.residual <= 0.06 * values[-1]
    assert known.bound == shift - kuczynski_wozniakowski_bound(estimate, steps, 1, 200, 0.0).bound
    assert (known.status, known.failure) == ("probable", FAILURE)
    assert known.bound <= values[0] <= known.smallest


def test_the_spectrum_of_a_small_stored_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_definiteness, "SMALL", N)
    np.testing.assert_allclose(spectrum(operator()), SPECTRUM, rtol=1e-12)
    monkeypatch.setattr(of_definiteness, "SMALL", N - 1)
    assert spectrum(operator()) is None


def test_negative_is_more_than_the_share_and_more_than_rounding() -> None:
    K = operator()
    assert not is_negative(-0.5, K, 1.0, 0.5)
    assert is_negative(-0.5001, K, -1.0, 0.5)
    rounding = N * EPS * K.scale
    assert not is_negative(-rounding, K, 1.0, 0.0)
    assert is_negative(-1.001 * rounding, K, 1.0, 0.0)
