"""Every bound holds and is the number of its formula, and a missed eigenvalue is seen."""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from kpca import KernelPCA
from kpca.certificates import completeness, decomposition
from kpca.certificates.completeness import (
    Completeness,
    RandomVectors,
    Remainder,
    beyond,
    judge,
    spectrum_left,
)
from kpca.certificates.decomposition import Problem
from kpca.kernels import KernelParameters
from kpca.operators import Centering, CentredGram, FullGram
from kpca.operators.sources import KernelSource

EPS = float(np.finfo(float).eps)
PROBLEMS = int(os.environ.get("KPCA_PROBLEMS", "120"))
N, K = 150, 4
X = np.random.default_rng(0).normal(size=(N, 3))
SOURCE = KernelSource(X, "rbf", KernelParameters(0.2))
OPERATOR = CentredGram(SOURCE.full(), Centering(N))
VALUES, VECTORS = np.linalg.eigh(OPERATOR.matmul(np.eye(N)))
VALUES, VECTORS = VALUES[::-1], VECTORS[:, ::-1]
TOP = slice(0, K)
GAPPED = [0, 1, 3, 4]  # the third eigenvalue is left out


def diagonal(*values: float) -> CentredGram:
    return CentredGram(FullGram(np.diag(values)), Centering(len(values), center=False))


@pytest.mark.parametrize("weights", [None, np.linspace(0, 2, N)])
def test_the_spectrum_of_what_is_left_decides(
    weights: np.ndarray | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    operator = CentredGram(SOURCE.full(), Centering(N, weights=weights))
    values, vectors = np.linalg.eigh(operator.matmul(np.eye(N)))
    values, vectors = values[::-1], vectors[:, ::-1]
    limit = float(values[K - 1])
    near = spectrum_left(operator, values[TOP], vectors[:, TOP], limit)
    assert near == Remainder(0.99 * values[K - 1], "Cholesky factor")
    missed = spectrum_left(operator, values[GAPPED], vectors[:, GAPPED], limit)
    assert missed.bound == pytest.approx(values[2], rel=1e-9)
    # No pairs of a matrix of zeros are complete.
    nothing = diagonal(*np.zeros(N))
    assert spectrum_left(nothing, np.zeros(0), np.zeros((N, 0)), 0.0).bound == 0
    monkeypatch.setattr(completeness, "SPECTRUM", N - 1)
    missed = spectrum_left(operator, values[GAPPED], vectors[:, GAPPED], limit)
    assert missed.bound == np.inf
    monkeypatch.undo()
    monkeypatch.setattr(completeness, "is_below", lambda *_: False)
    found = spectrum_left(operator, values[TOP], vectors[:, TOP], limit)
    slack = operator.backward_error + (K + 2) * EPS * values[TOP].sum()
    assert found == Remainder(
        pytest.approx(values[K] + slack, rel=1e-12), "spectrum of the remainder"
    )


@pytest.mark.parametrize("share", [0.5, 0.995, 0.99999, 1.0])
def test_factors_are_tried_up_to_the_limit(share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the spectrum is not computed, a tie is decided by a factor at the limit."""
    monkeypatch.setattr(completeness, "SPECTRUM", 0)
    operator = diagonal(5.0, 3.0, 2.0, *share * np.full(57, 2.0))
    limit = 2.0 + 1e-8
    found = spectrum_left(operator, np.array([5.0, 3, 2]), np.eye(60)[:, :3], limit)
    expected = next(b for b in (1.98, 1.9998, limit) if 2 * share < b)
    assert found == Remainder(pytest.approx(expected, rel=1e-12), "Cholesky factor")


class Noisy(CentredGram):
    """K̄ of a matrix as it is, with errors of products as large as `error` says."""

    def __init__(self, K: np.ndarray, off: float) -> None:
        super().__init__(FullGram(K), Centering(len(K), center=False))
        self.off, self.rng = off, np.random.default_rng(5)

    @property
    def error(self) -> float:
        return self.off

    def matmul(self, V: np.ndarray) -> np.ndarray:
        noise = self.rng.normal(size=V.shape)
        return super().matmul(V) + self.off * noise / np.linalg.norm(noise, axis=0)


def spectrum(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return eigenvalues that fall slowly or fast, with a gap or none, perhaps indefinite."""
    values = np.sort(rng.exponential(size=n) ** rng.integers(1, 4))[::-1]
    values[rng.integers(1, n) :] *= rng.uniform(0.3, 1)
    return values - rng.choice([0, 0.5]) * values[0]


@pytest.mark.parametrize("off", [0.0, 1e-3])
def test_random_vectors_bound_what_is_beyond_a_subspace(off: float) -> None:
    """No bound is below the truth, and after eight products most are within a fifth of it."""
    tight = []
    for seed in range(PROBLEMS // 2):
        rng = np.random.default_rng(seed)
        n, w = 60, int(rng.integers(3, 9))
        U, values = np.linalg.qr(rng.normal(size=(n, n)))[0], spectrum(rng, n)
        K = (U * values) @ U.T
        Q = np.linalg.qr(U[:, :w] + 10.0 ** rng.uniform(-6, 0) * rng.normal(size=(n, w)))[0]
        found = RandomVectors(Noisy(K, off * abs(values).max()), Q, seed)
        P = np.eye(n) - Q @ Q.T
        outside = np.linalg.eigvalsh(P @ K @ P)[-1]
        for _ in range(8):
            found.advance()
            most = found.largest()
            assert most >= outside - 1e-12
        tight.append(most <= 1.2 * max(outside, 0.1 * values[0]))
    assert np.mean(tight) > 0.7


def test_random_vectors_fail_no_more_often_than_they_may() -> None:
    """Eigenvectors that all vectors are nearly orthogonal to are missed with that probability."""
    rng, vectors = np.random.default_rng(0), completeness.PROBES
    drawn = abs(rng.normal(size=(10**6, vectors))).max(axis=1)
    for chance in (1e-4, 1e-3, 1e-2):
        least = completeness.SEEN * (chance / completeness.FAILURE) ** (1 / vectors)
        assert 0.2 * chance < (drawn < least).mean() < chance


def test_further_products_are_made_as_long_as_they_may_decide(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    values = np.r_[5.0, 4.0, 3.0, np.full(57, 2.5)]
    operator = diagonal(*values)
    products, advance = list[int](), RandomVectors.advance
    monkeypatch.setattr(RandomVectors, "advance", lambda self: products.append(1) or advance(self))

    def bound(columns: list[int], steps: int) -> tuple[int, float]:
        products.clear()
        beside = RandomVectors(operator, np.eye(60)[:, columns], 0)
        limit = values[columns].min(initial=5.0) + 1e-8
        found = beyond(beside, values[columns], limit, steps)
        return len(products), found.bound

    passes, decided = bound([0, 1, 2], 50)
    assert 2.5 <= decided <= 3 + 1e-8
    assert passes < 10
    passes, missed = bound([0, 1, 3], 50)  # 3 is seen beyond them
    assert passes < 50
    assert missed >= 3
    assert bound([0, 1, 2], 1)[0] == 1
    assert bound([], 3)[1] >= 5
    nothing = diagonal(*np.zeros(9))
    assert beyond(RandomVectors(nothing, np.eye(9)[:, :1], 0), np.zeros(1), 0.0, 3).bound == 0


MANY = np.random.default_rng(1).normal(size=(1200, 3))
FLAT = {"kernel": "rbf", "gamma": 2.0, "eigen_solver": "davidson"}  # whose fit decides nothing


def test_reading_decides_more_points_by_random_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above the points that a factor decides, as long as it takes a second."""
    for module in ("certificates.decomposition", "kernel_pca"):
        monkeypatch.setattr(f"kpca.{module}.READ", 0)
    model = KernelPCA(6, **FLAT).fit(MANY)
    assert vars(model)["_completeness_"].status == "open"
    assert model.completeness_.status == "probable"
    assert model.completeness_.method == "random vectors"
    monkeypatch.setattr(decomposition, "READ_SECONDS", 0.0)
    assert model.fit(MANY).completeness_.status == "open"


def test_a_check_on_request_decides_what_was_open_and_weakens_no_status(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Problem, "is_decided_when_read", False)
    state = np.random.RandomState(0)
    model = KernelPCA(6, random_state=state, **FLAT)
    assert model.fit(MANY).completeness_.status == "open"
    assert "check_completeness() decides, in about" in str(model.completeness_)
    drawn = state.get_state()[2]
    checked = model.check_completeness(steps=150)
    assert state.get_state()[2] == drawn, "the generator of the user gives nothing to a check"
    assert (checked.status, checked.failure) == ("probable", 1e-6)
    assert model.completeness_ == checked
    monkeypatch.undo()
    proven = model.set_params(gamma=0.3, eigen_solver="auto").fit(MANY[:200]).completeness_
    assert proven.status == "proven"
    assert model.check_completeness().status == "probable"
    assert model.completeness_ is proven


def test_a_factor_proves_what_is_below_a_limit_and_nothing_else() -> None:
    for seed in range(PROBLEMS):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(1, 60))
        A = rng.normal(size=(n, n)) * 10.0 ** rng.uniform(-9, 9)
        A = A + A.T if seed % 3 else A @ A.T
        values = np.linalg.eigvalsh(A)
        size = float(abs(values).max())
        for limit in values[-1] + size * np.array([-1e-2, -1e-12, -1e-15, 1e-11 * n, 1e-2]):
            proven = completeness.is_below(A.copy(), float(limit))
            assert proven == (limit > max(values[-1], 0)) or abs(limit) < 1e-9 * size
    assert not completeness.is_below(np.full((3, 3), np.nan), 1.0)


def test_the_first_bound_below_the_limit_decides() -> None:
    def found() -> object:
        yield Remainder(3.0, "first")
        yield Remainder(1.0, "second")
        raise AssertionError("a bound was computed for nothing")

    assert judge(2.0, found()) == Completeness("proven", 1.0, "second", 0.0)
    undecided = judge(0.5, [Remainder(3.0, "first"), Remainder(1.0, "second", 1e-6)])
    assert undecided == Completeness("open", 1.0, "second", 1e-6)


def test_a_bound_on_the_next_eigenvalue_is_one_on_what_was_missed_only_below_the_last() -> None:
    """λ = 10, 5, 4 with 5 and 4 returned: λ_3 ≤ 4 is true, and 10 is missing."""
    values, worst = np.array([5.0, 4.0]), np.full(2, 1e-9)

    def bound(*bounds: float) -> list[float]:
        remainders = [Remainder(bound, "count") for bound in bounds]
        return [r.bound for r in decomposition._decided(remainders, values, worst)]

    assert bound(10.0, 5.0, 4.0) == [10.0]
    assert bound(10.0, 5.0, 3.0) == [3.0]
    assert bound(10.0, 4.5, 4.0) == [4.5]


def test_a_statement_in_words() -> None:
    probable = Completeness("probable", 2.5, "lanczos", 1e-6)
    undecided = Completeness("open", 2.5, "none", 0.0, remedy="ask again")
    claim = "no eigenvalue above 2.5 is missing"
    assert str(probable) == f"probable: {claim} (lanczos, failing with probability 1e-06)"
    assert str(undecided) == f"open: {claim} (none); ask again"
    assert str(replace(undecided, status="proven")) == f"proven: {claim} (none)"
    source = KernelSource(np.zeros((6000, 10)), "rbf", KernelParameters())
    assert Problem(source, Centering(6000)).check_seconds == pytest.approx(0.54)


@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("solver", ["auto", "arpack", "davidson"])
def test_what_is_open_for_all_components_may_be_decided_for_fewer(
    solver: str, center: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five clusters are far apart, and the tenth component lies in a flat part."""
    monkeypatch.setattr(Problem, "is_decided_when_read", False)
    rng = np.random.default_rng(0)
    points = 4 * rng.normal(size=(5, 10))[rng.integers(0, 5, 600)] + rng.normal(size=(600, 10))
    options = {"kernel": "rbf", "gamma": 0.05, "center": center}
    model = KernelPCA(10, eigen_solver=solver, **options).fit(points)
    exact = KernelPCA(11, eigen_solver="dense", **options).fit(points)
    assert model.completeness_.status == "open"
    assert model.check_completeness(steps=6).status == "open"
    known = model.certified_components_
    if model.completeness_.status == "open":
        assert 4 <= known < 10
        assert np.isinf(model.score_error_bounds_[known:]).all()
    assert np.isfinite(model.score_error_bounds_[: min(known, 4)]).all()
    np.testing.assert_allclose(
        model.eigenvalues_[:known],
        exact.eigenvalues_[:known],
        rtol=0,
        atol=1e-7 * exact.eigenvalues_[0],
    )


@pytest.mark.parametrize("solver", ["auto", "dense", "arpack", "davidson"])
@pytest.mark.parametrize("share", [0.5, 0.9])
def test_a_share_of_the_variance_is_complete_for_its_components(solver: str, share: float) -> None:
    model = KernelPCA(share, kernel="rbf", gamma=0.2, eigen_solver=solver).fit(X)
    following = VALUES[len(model.eigenvalues_)]
    assert model.completeness_.status == "proven"
    assert following * (1 - 1e-9) <= model.completeness_.bound
    assert model.completeness_.bound <= model.eigenvalues_[-1] * (1 + 1e-6)


BROAD = np.random.default_rng(0).normal(size=(500, 30))


def left_open(**options: Any) -> KernelPCA:
    return KernelPCA(10, kernel="rbf", gamma="median", eigen_solver="arpack", **options)


def test_what_a_small_fit_leaves_open_is_decided_when_it_is_read_by_one_thread_or_more() -> None:
    model = left_open().fit(BROAD)
    assert vars(model)["_completeness_"].status == "open"
    with ThreadPoolExecutor(4) as pool:
        (found,) = set(pool.map(lambda _: model.completeness_, range(4)))
    assert found.status == "proven"
    assert vars(model)["_completeness_"] is model.completeness_ is found
    assert not hasattr(KernelPCA(), "completeness_")


@pytest.mark.parametrize("solver", ["auto", "arpack", "davidson"])
def test_completeness_of_a_weighted_fit_of_a_narrow_kernel_can_be_read(solver: str) -> None:
    for seed in range(10):
        narrow = np.random.default_rng(seed).standard_normal((160, 3)) * 1e3
        model = KernelPCA(5, kernel="rbf", gamma=1.0, eigen_solver=solver)
        model.fit(narrow, sample_weight=np.ones(160))
        assert model.completeness_ is model.completeness_


def test_what_was_changed_after_the_fit_is_not_judged() -> None:
    def fitted() -> KernelPCA:
        return left_open().fit(BROAD)

    changed = fitted().set_params(center=False), fitted().set_params(kernel="laplacian")
    weighted = left_open().fit(BROAD, sample_weight=np.ones(len(BROAD)))
    weighted.sample_weight_[0] = 3.0
    given = BROAD.copy()
    other = left_open(copy_X=False).fit(given)
    given[[0, 1]] = given[[1, 0]]
    for model in (*changed, weighted, other):
        assert model.completeness_.status == "open"
        with pytest.raises(ValueError, match="have changed since the fit"):
            model.check_completeness()
    # A kernel that reads no degree is the same, and so are its pairs.
    for same in (fitted(), fitted().set_params(degree=7), fitted().set_params(tol=1e-7)):
        assert same.completeness_.status == "proven"
