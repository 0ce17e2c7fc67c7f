"""A negative eigenvalue is bounded, reported alike by every solver, and refused or clipped."""

import math
from unittest.mock import Mock

import numpy as np
import pytest

from kpca import KernelPCA
from kpca.certificates import definiteness
from kpca.certificates.completeness import FAILURE
from kpca.certificates.definiteness import Definiteness, IndefiniteKernelWarning
from kpca.kernels import KernelParameters
from kpca.operators import Centering, CentredGram, FullGram
from kpca.operators.sources import KernelSource

X = np.random.default_rng(0).normal(size=(120, 4))
Q = np.linalg.qr(np.random.default_rng(1).normal(size=(80, 80)))[0]
SPECTRUM = np.concatenate([[10.0, 6.0, 3.0], np.full(75, 0.01), [-1.0, -4.0]])
K = (Q * SPECTRUM) @ Q.T
SOLVERS = ["dense", "randomized", "krylov"]


def model(k: int | None, **options: object) -> KernelPCA:
    return KernelPCA(k, kernel="precomputed", center=False, **options)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("k", [1, 3, 20])
def test_reported_alike_for_every_solver_and_k(solver: str, k: int) -> None:
    with pytest.warns(IndefiniteKernelWarning, match="smallest eigenvalue is -4"):
        fitted = model(k, eigen_solver=solver).fit(K)
    np.testing.assert_allclose(fitted.lambda_min_, -4, rtol=1e-6)
    np.testing.assert_allclose(fitted.eigenvalues_[: min(k, 3)], SPECTRUM[: min(k, 3)], rtol=1e-7)


@pytest.mark.parametrize(
    ("others", "lowest"),
    [
        (np.append(1.5, np.linspace(0, 1, 188)), -1e-3),
        (np.append(1.5, np.linspace(0, 1, 1000)), -1e-3),
        # Up to a thousand samples 1e-8 is reported.
        (np.geomspace(1, 1e-12, 299), -3e-8),
        (np.exp(-np.arange(299) / 10), -3e-8),
    ],
)
def test_a_small_negative_value_is_found(others: np.ndarray, lowest: float) -> None:
    n = len(others) + 1
    basis = np.linalg.qr(np.random.default_rng(2).normal(size=(n, n)))[0]
    matrix = (basis * np.append(others, lowest)) @ basis.T
    for solver in SOLVERS:
        with pytest.warns(IndefiniteKernelWarning):
            fitted = model(3, eigen_solver=solver).fit((matrix + matrix.T) / 2)
        known, proven = fitted.definiteness_, n <= 1000 or solver == "dense"
        assert (known.status, known.failure) == (("proven", 0) if proven else ("probable", 1e-6))
        assert known.bound <= fitted.lambda_min_ <= lowest * (1 - 1e-3)
        np.testing.assert_allclose(fitted.lambda_min_, lowest, rtol=1e-3 if proven else 0.3)


def test_components_that_reach_into_it_are_refused_or_clipped() -> None:
    with pytest.raises(ValueError, match=r"significant negative eigenvalues.*at most 78 comp"):
        model(79).fit(K)
    with pytest.raises(ValueError, match="indefinite='clip'"):
        model(None).fit(K)
    with pytest.warns(IndefiniteKernelWarning):
        clipped = model(79, indefinite="clip").fit(K)
    assert clipped.eigenvalues_[-1] == 0
    with pytest.warns(IndefiniteKernelWarning):
        assert len(model(None, indefinite="clip").fit(K).eigenvalues_) == 78


def test_variance_is_of_the_positive_mass_where_it_is_known() -> None:
    with pytest.warns(IndefiniteKernelWarning):
        whole, part = (model(3, eigen_solver=s).fit(K) for s in ("dense", "krylov"))
    for each in (whole, part):
        assert each.variance_denominator_ == "positive mass"
        np.testing.assert_allclose(each.explained_variance_ratio_[0], 10 / 19.75)
    many = KernelPCA(3, kernel="sigmoid", gamma=0.1, eigen_solver="krylov", indefinite="clip")
    with pytest.warns(IndefiniteKernelWarning):
        many.fit(np.random.default_rng(3).normal(size=(1050, 4)))
    assert many.variance_denominator_ == "trace with negative mass"


@pytest.mark.parametrize("k", [None, 2])
def test_rounding_is_no_negative_value(k: int | None, recwarn: pytest.WarningsRecorder) -> None:
    rng = np.random.default_rng(0)
    wide = KernelPCA(1, kernel="rbf", gamma=1.0)
    near = 1e-9 * rng.normal(size=(30, 2)) + 3
    for matrix in (np.full((30, 30), 0.1), np.exp(-(((near[:, None] - near) ** 2).sum(-1)))):
        assert (KernelPCA(k, kernel="precomputed").fit(matrix).eigenvalues_ < 1e-12).all()
    saturated = KernelPCA(k, kernel="sigmoid", gamma=5.0, coef0=0).fit(rng.normal(size=(45, 6)) + 5)
    assert (saturated.eigenvalues_ < 1e-12).all()
    fitted = wide.fit(near)
    assert (fitted.lambda_min_, fitted.variance_denominator_) == (0, "trace")
    assert abs(KernelPCA(3, kernel="precomputed").fit(X @ X.T).lambda_min_) < 1e-10
    assert not recwarn.list


def test_rounding_of_single_precision_is_no_negative_mass() -> None:
    single = np.random.default_rng(1).normal(size=(200, 20)).astype(np.float32)
    with pytest.warns(IndefiniteKernelWarning):
        fitted = KernelPCA(kernel="precomputed").fit((single @ single.T).astype(float))
    assert len(fitted.eigenvalues_) >= 20
    with pytest.raises(ValueError, match="Set indefinite='clip'"):
        KernelPCA(kernel="precomputed", center=False).fit(-np.eye(20))

    shifted = (Q * np.where(SPECTRUM < 0, -2e-5, SPECTRUM)) @ Q.T
    with pytest.warns(IndefiniteKernelWarning):
        model(3).fit(shifted)
    fitted = model(3).fit(shifted.astype(np.float32))
    assert fitted.variance_denominator_ == "trace"


def test_the_bound_on_the_least_eigenvalue(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is that of λ_1(shift − K̄) ≤ Ritz value + residual + errors of the products."""
    monkeypatch.setattr(definiteness, "SEARCH_TOL", 0.05)
    points = np.random.default_rng(0).normal(size=(200, 3))
    source = KernelSource(points, "sigmoid", KernelParameters(0.3, 3, 0.5))
    exact = CentredGram(source.full(), Centering(200))
    values = np.linalg.eigvalsh(exact.matmul(np.eye(200)))
    start = Mock(wraps=definiteness.kuczynski_wozniakowski_bound)
    monkeypatch.setattr(definiteness, "kuczynski_wozniakowski_bound", start)
    known = definiteness.definiteness(exact, values[-1], 0)
    ((estimate, steps, n), _) = start.call_args
    shift = values[-1] * 1.05
    lost = exact.error(exact.size) * math.sqrt(steps)
    expected = shift - known.smallest + known.residual + lost
    assert (estimate, n) == (pytest.approx(expected, rel=1e-14), 200)
    assert 1e-4 < known.residual <= 0.06 * values[-1]
    assert known.bound == shift - definiteness.kuczynski_wozniakowski_bound(estimate, steps, 200)
    assert (known.status, known.failure) == ("probable", FAILURE)
    assert known.bound <= values[0] <= known.smallest


def test_random_start() -> None:
    """Kuczyński and Woźniakowski, solved for the ε at which the probability is 1e-6."""
    n, steps = 500, 40
    epsilon = 1 - 2.0 / definiteness.kuczynski_wozniakowski_bound(2.0, steps, n)
    chance = 1.648 * math.sqrt(n) * math.exp(-math.sqrt(epsilon) * (2 * steps - 1))
    assert chance == pytest.approx(1e-6, rel=1e-6)
    assert definiteness.kuczynski_wozniakowski_bound(-1.0, steps, n) == 0
    assert definiteness.kuczynski_wozniakowski_bound(2.0, 2, n) == math.inf


def test_spectrum_of_a_small_matrix_and_what_is_negative(monkeypatch: pytest.MonkeyPatch) -> None:
    operator = CentredGram(FullGram(K), Centering(80, center=False))
    monkeypatch.setattr(definiteness, "SMALL", 80)
    np.testing.assert_allclose(definiteness.spectrum(operator), SPECTRUM, rtol=1e-10)
    monkeypatch.setattr(definiteness, "SMALL", 79)
    assert definiteness.spectrum(operator) is None
    # Negative is more than the share, and more than rounding.
    assert not definiteness.is_negative(-0.5, operator, 1.0, 0.5)
    assert definiteness.is_negative(-0.5001, operator, -1.0, 0.5)
    rounding = 80 * np.finfo(float).eps * operator.scale
    assert not definiteness.is_negative(-rounding, operator, 1.0, 0.0)
    assert definiteness.is_negative(-1.001 * rounding, operator, 1.0, 0.0)
    known = Definiteness("probable", -1.0, 0.5, -2.0, 1e-6)
    assert known.times(4.0) == Definiteness("probable", -4.0, 2.0, -8.0, 1e-6)
