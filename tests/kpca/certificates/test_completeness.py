"""Every bound holds and is the number of its formula, and a missed eigenvalue is seen."""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from kpca import KernelPCA
from kpca.certificates import completeness, decomposition
from kpca.certificates.completeness import (
    Completeness,
    RandomVectors,
    Remainder,
    bound_by_random_vectors,
    judge,
    spectrum_left,
)
from kpca.certificates.decomposition import Problem
from kpca.kernels.registry import KernelParameters
from kpca.operators.grams import Centering, CentredGram, FullGram
from kpca.operators.sources import KernelSource
from tests.kpca.certificates.test_no_certificate_says_too_much import matrix
from tests.kpca.naive import assert_close

EPS = float(np.finfo(float).eps)
PROBLEMS = int(os.environ.get("KPCA_PROBLEMS", "120"))
N = 150
K = 4
X = np.random.default_rng(0).normal(size=(N, 3))
SOURCE = KernelSource(X, "rbf", KernelParameters(0.2))
OPERATOR = CentredGram(SOURCE.full(), Centering(N))
VALUES = np.linalg.eigvalsh(OPERATOR.matmul(np.eye(N)))[::-1]
TOP = slice(0, K)
GAPPED = [0, 1, 3, 4]  # the third eigenvalue is left out


def diagonal(*values):
    return CentredGram(FullGram(np.diag(values)), Centering(len(values), center=False))


def test_the_spectrum_of_what_is_left_decides(monkeypatch):
    operator = CentredGram(SOURCE.full(), Centering(N, weights=np.linspace(0, 2, N)))
    values, vectors = np.linalg.eigh(operator.matmul(np.eye(N)))
    values = values[::-1]
    vectors = vectors[:, ::-1]
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
    slack = operator.backward_error + (K + 2) * EPS * values[TOP].sum()
    remainder = spectrum_left(operator, values[TOP], vectors[:, TOP], limit)
    bound = pytest.approx(values[K] + slack, rel=1e-12)
    assert remainder == Remainder(bound, "spectrum of the remainder")


@pytest.mark.parametrize("share", [0.5, 0.995, 0.99999, 1.0])
def test_factors_are_tried_up_to_the_limit(share, monkeypatch):
    """Where the spectrum is not computed, a tie is decided by a factor at the limit."""
    monkeypatch.setattr(completeness, "SPECTRUM", 0)
    operator = diagonal(5.0, 3.0, 2.0, *share * np.full(57, 2.0))
    limit = 2.0 + 1e-8
    remainder = spectrum_left(operator, np.array([5.0, 3, 2]), np.eye(60)[:, :3], limit)
    expected = next(b for b in (1.98, 1.9998, limit) if 2 * share < b)
    assert remainder == Remainder(pytest.approx(expected, rel=1e-12), "Cholesky factor")


class Noisy(CentredGram):
    """K̄ whose products have errors as large as `error` says."""

    error = 0.0
    rng = np.random.default_rng(5)

    def matmul(self, V):
        noise = self.rng.normal(size=V.shape)
        return super().matmul(V) + self.error * noise / np.linalg.norm(noise, axis=0)


@pytest.mark.parametrize("share", [0.0, 1e-3])
def test_random_vectors_bound_what_is_beyond_a_subspace(share):
    """No bound is below the truth, and after eight products most are within a fifth of it."""
    tight = []
    for seed in range(PROBLEMS // 2):
        rng = np.random.default_rng(seed)
        n = 60
        width = int(rng.integers(3, 9))
        K = matrix(rng, n)
        values, vectors = np.linalg.eigh(K)
        start = vectors[:, -width:] + 10.0 ** rng.uniform(-6, 0) * rng.normal(size=(n, width))
        Q = np.linalg.qr(start)[0]
        operator = Noisy(FullGram(K), Centering(n, center=False))
        operator.error = share * abs(values).max()
        beside = RandomVectors(operator, Q, seed)
        P = np.eye(n) - Q @ Q.T
        outside = np.linalg.eigvalsh(P @ K @ P)[-1]
        for _ in range(8):
            beside.advance()
            bound = beside.largest()
            assert bound >= outside - 1e-12
        tight.append(bound <= 1.2 * max(outside, 0.1 * values[-1]))
    assert np.mean(tight) > 0.7


def test_random_vectors_fail_no_more_often_than_they_may():
    """Eigenvectors that all vectors are nearly orthogonal to are missed with that probability."""
    rng = np.random.default_rng(0)
    vectors = completeness.PROBES
    drawn = abs(rng.normal(size=(10**6, vectors))).max(axis=1)
    for chance in (1e-4, 1e-3, 1e-2):
        least = completeness.SEEN * (chance / completeness.FAILURE) ** (1 / vectors)
        assert 0.2 * chance < (drawn < least).mean() < chance


def test_further_products_are_made_as_long_as_they_may_decide():
    values = np.r_[5.0, 4.0, 3.0, np.full(57, 2.5)]
    operator = diagonal(*values)

    def products_and_bound(columns, steps):
        beside = RandomVectors(operator, np.eye(60)[:, columns], 0)
        limit = values[columns].min(initial=5.0) + 1e-8
        remainder = bound_by_random_vectors(beside, values[columns], limit, steps)
        return len(beside._alphas), remainder.bound

    products, decided = products_and_bound([0, 1, 2], 50)
    assert 2.5 <= decided <= 3 + 1e-8
    assert products < 10
    products, missed = products_and_bound([0, 1, 3], 50)  # 3 is seen beyond them
    assert products < 50
    assert missed >= 3
    assert products_and_bound([0, 1, 2], 1)[0] == 1
    assert products_and_bound([], 3)[1] >= 5
    nothing = diagonal(*np.zeros(9))
    assert (
        bound_by_random_vectors(
            RandomVectors(nothing, np.eye(9)[:, :1], 0), np.zeros(1), 0.0, 3
        ).bound
        == 0
    )


MANY = np.random.default_rng(1).normal(size=(1200, 3))
# A fit with these options decides nothing.
FLAT = {"kernel": "rbf", "gamma": 2.0, "eigen_solver": "davidson"}


def test_random_vectors_decide_more_points_when_it_is_read_or_on_request(
    monkeypatch,
):
    """When it is read only as long as it takes a second; and a check weakens no status."""
    for module in ("certificates.decomposition", "kernel_pca"):
        monkeypatch.setattr(f"kpca.{module}.READ", 0)
    state = np.random.RandomState(0)
    model = KernelPCA(6, random_state=state, **FLAT).fit(MANY)
    assert vars(model)["_completeness_"].status == "open"
    assert model.completeness_.status == "probable"
    assert model.completeness_.method == "random vectors"
    monkeypatch.setattr(decomposition, "READ_SECONDS", 0.0)
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


def test_a_factor_proves_what_is_below_a_limit_and_nothing_else():
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


def test_the_first_bound_below_the_limit_decides():
    def bounds():
        yield Remainder(3.0, "first")
        yield Remainder(1.0, "second")
        raise AssertionError("a bound was computed for nothing")

    assert judge(2.0, bounds()) == Completeness("proven", 1.0, "second", 0.0)
    undecided = judge(0.5, [Remainder(3.0, "first"), Remainder(1.0, "second", 1e-6)])
    assert undecided == Completeness("open", 1.0, "second", 1e-6)


def test_a_bound_on_the_next_eigenvalue_is_one_on_what_was_missed_only_below_the_last():
    """λ = 10, 5, 4 with 5 and 4 returned: λ_3 ≤ 4 is true, and 10 is missing."""
    values = np.array([5.0, 4.0])
    worst = np.full(2, 1e-9)

    def bound(*bounds):
        remainders = [Remainder(bound, "count") for bound in bounds]
        return [r.bound for r in decomposition._decided(remainders, values, worst)]

    assert bound(10.0, 5.0, 4.0) == [10.0]
    assert bound(10.0, 5.0, 3.0) == [3.0]
    assert bound(10.0, 4.5, 4.0) == [4.5]


def test_a_statement_in_words():
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
def test_what_is_open_for_all_components_may_be_decided_for_fewer(solver, center, monkeypatch):
    """Five clusters are far apart, and the tenth component lies in a flat part."""
    monkeypatch.setattr(Problem, "is_decided_when_read", False)
    rng = np.random.default_rng(0)
    points = 4 * rng.normal(size=(5, 10))[rng.integers(0, 5, 600)] + rng.normal(size=(600, 10))
    options = {"kernel": "rbf", "gamma": 0.05, "center": center}
    model = KernelPCA(10, eigen_solver=solver, **options).fit(points)
    exact = KernelPCA(11, eigen_solver="dense", **options).fit(points)
    assert model.completeness_.status == "open"
    assert model.check_completeness(steps=6).status == "open"
    number = model.certified_components_
    assert 4 <= number < 10
    assert np.isfinite(model.score_error_bounds_[:4]).all()
    assert np.isinf(model.score_error_bounds_[number:]).all()
    assert_close(model.eigenvalues_[:number], exact.eigenvalues_[:number], 1e-7)


@pytest.mark.parametrize("solver", ["auto", "dense", "arpack", "randomized", "davidson"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_share_of_the_variance_is_complete_for_its_components(solver, share):
    model = KernelPCA(share, kernel="rbf", gamma=0.2, eigen_solver=solver).fit(X)
    number = int(np.argmax(VALUES.cumsum() >= share * VALUES.sum())) + 1
    assert model.eigenvectors_.shape == (N, number)
    for values in (model.eigenvalues_, model.residuals_, model.score_error_bounds_):
        assert values.shape == (number,)
    assert model.certified_components_ == number
    following = VALUES[number]
    assert model.completeness_.status == "proven"
    assert following * (1 - 1e-9) <= model.completeness_.bound
    assert model.completeness_.bound <= model.eigenvalues_[-1] * (1 + 1e-6)


BROAD = np.random.default_rng(0).normal(size=(500, 30))


def left_open(**options):
    return KernelPCA(10, kernel="rbf", gamma="median", eigen_solver="arpack", **options)


def test_what_a_small_fit_leaves_open_is_decided_when_it_is_read_by_one_thread_or_more():
    model = left_open().fit(BROAD)
    assert vars(model)["_completeness_"].status == "open"
    with ThreadPoolExecutor(4) as pool:
        (claim,) = set(pool.map(lambda _: model.completeness_, range(4)))
    assert claim.status == "proven"
    assert vars(model)["_completeness_"] is model.completeness_ is claim
    assert not hasattr(KernelPCA(), "completeness_")


def test_what_was_changed_after_the_fit_is_not_judged():
    def fitted():
        return left_open().fit(BROAD)

    changed = fitted().set_params(center=False), fitted().set_params(kernel="laplacian")
    weighted = left_open().fit(BROAD, sample_weight=np.ones(len(BROAD)))
    weighted.sample_weight_[0] = 3.0
    samples = BROAD.copy()
    other = left_open(copy_X=False).fit(samples)
    samples[[0, 1]] = samples[[1, 0]]
    for model in (*changed, weighted, other):
        assert model.completeness_.status == "open"
        with pytest.raises(ValueError, match="have changed since the fit"):
            model.check_completeness()
    # A kernel that reads no degree is the same, and so are its pairs.
    for same in (fitted(), fitted().set_params(degree=7), fitted().set_params(tol=1e-7)):
        assert same.completeness_.status == "proven"
