"""A negative eigenvalue is bounded, reported alike by every solver, and refused or clipped."""

import math

import numpy as np
import pytest

from kpca import KernelPCA, kernel_matrix
from kpca.certificates import definiteness
from kpca.certificates.definiteness import IndefiniteKernelWarning
from kpca.operators.grams import Centering, CentredGram, FullGram

X = np.random.default_rng(0).normal(size=(120, 4))
Q = np.linalg.qr(np.random.default_rng(1).normal(size=(80, 80)))[0]
SPECTRUM = np.concatenate([[10.0, 6.0, 3.0], np.full(75, 0.01), [-1.0, -4.0]])
K = (Q * SPECTRUM) @ Q.T
SOLVERS = ["dense", "arpack", "randomized"]


def model(k, **options):
    return KernelPCA(k, kernel="precomputed", center=False, **options)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("k", [1, 3, 20])
def test_reported_alike_for_every_solver_and_k(solver, k):
    with pytest.warns(IndefiniteKernelWarning, match="an eigenvalue of -4 or below"):
        fitted = model(k, eigen_solver=solver).fit(K)
    np.testing.assert_allclose(fitted.lambda_min_, -4, rtol=1e-6)
    np.testing.assert_allclose(fitted.eigenvalues_[: min(k, 3)], SPECTRUM[: min(k, 3)], rtol=1e-7)


def with_spectrum(others, lowest):
    n = len(others) + 1
    basis = np.linalg.qr(np.random.default_rng(2).normal(size=(n, n)))[0]
    matrix = (basis * np.append(others, lowest)) @ basis.T
    return (matrix + matrix.T) / 2


FEW, MANY = (np.append(1.5, np.linspace(0, 1, n)) for n in (188, 1000))


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(
    ("others", "lowest"),
    [
        (FEW, -1e-3),
        (MANY, -1e-3),
        (np.geomspace(1, 1e-12, 299), -3e-8),
        (np.exp(-np.arange(299) / 10), -3e-8),
        (MANY, -0.3),
        (MANY, 0.0),
        (FEW, 1e-3),
    ],
)
@pytest.mark.filterwarnings("ignore::kpca.certificates.definiteness.IndefiniteKernelWarning")
def test_the_smallest_eigenvalue_is_bounded_when_it_is_read(solver, others, lowest):
    fitted = model(3, eigen_solver=solver).fit(with_spectrum(others, lowest))
    met = fitted._definiteness_
    proof = fitted.definiteness_
    assert proof.status == "proven"
    assert proof is fitted.definiteness_
    least = min(lowest, float(others.min()))
    assert proof.bound <= fitted.lambda_min_ <= least + 1e-13
    assert least <= proof.smallest + 1e-13
    assert proof.smallest <= met.smallest
    # A search of more than a thousand ends at a residual of 1e-4 λ_1.
    slack = 1e-3 if len(others) >= 1000 else 3e-8
    assert fitted.lambda_min_ > min(least, 0) - slack


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("n", [190, 1100])
def test_a_fit_warns_of_what_its_search_meets(solver, n):
    hollow = np.ones((n, n))
    hollow[0] = hollow[:, 0] = 0  # K̄_11 of the centred matrix is negative
    np.fill_diagonal(hollow, np.append(-0.1, np.full(n - 1, 2.0)))
    with pytest.warns(IndefiniteKernelWarning, match="eigenvalue of -0.1"):
        model(3, eigen_solver=solver).fit(hollow)


def test_a_search_that_ends_elsewhere_proves_nothing(monkeypatch):
    monkeypatch.setattr(definiteness, "_search", lambda *_: (-0.1, 0.0))
    with pytest.warns(IndefiniteKernelWarning):
        fitted = model(3, eigen_solver="arpack").fit(with_spectrum(np.linspace(0, 1, 1005), -0.3))
    assert fitted.definiteness_.status == "open"
    assert fitted.lambda_min_ == -math.inf


def test_a_changed_matrix_is_not_looked_at():
    fitted = KernelPCA(2, kernel="precomputed", eigen_solver="arpack", copy_X=False)
    fitted.fit(matrix := X @ X.T)
    matrix[3, 5] += 1
    assert fitted.definiteness_.status == "open"
    assert fitted.lambda_min_ == -math.inf


def test_a_fraction_of_the_variance_keeps_positive_components_only():
    X = np.random.default_rng(0).normal(size=(40, 3))
    model = KernelPCA(0.9, kernel="sigmoid", gamma=0.3, coef0=0.5).fit(X)
    clipped = KernelPCA(0.9, kernel="sigmoid", gamma=0.3, coef0=0.5, indefinite="clip").fit(X)
    np.testing.assert_array_equal(model.eigenvalues_, clipped.eigenvalues_)
    assert (model.eigenvalues_ > 0).all()


def test_components_that_reach_into_it_are_refused_or_clipped():
    with pytest.raises(ValueError, match=r"significant negative eigenvalues.*at most 78 comp"):
        model(79).fit(K)
    with pytest.raises(ValueError, match="indefinite='clip'"):
        model(None).fit(K)
    with pytest.warns(IndefiniteKernelWarning):
        assert len(model(None, indefinite="clip").fit(K).eigenvalues_) == 78


def test_variance_is_of_the_positive_mass_where_it_is_known():
    with pytest.warns(IndefiniteKernelWarning):
        whole, part = (model(3, eigen_solver=s).fit(K) for s in ("dense", "arpack"))
    for fitted in (whole, part):
        assert fitted.variance_denominator_ == "positive mass"
        np.testing.assert_allclose(fitted.explained_variance_ratio_[0], 10 / 19.75)
    many = KernelPCA(3, kernel="sigmoid", gamma=0.1, eigen_solver="arpack", indefinite="clip")
    with pytest.warns(IndefiniteKernelWarning):
        many.fit(np.random.default_rng(3).normal(size=(1050, 4)))
    assert many.variance_denominator_ == "trace with negative mass"


@pytest.mark.parametrize("k", [None, 2])
def test_rounding_is_no_negative_value(k, recwarn):
    rng = np.random.default_rng(0)
    wide = KernelPCA(1, kernel="rbf", gamma=1.0)
    near = 1e-9 * rng.normal(size=(30, 2)) + 3
    alike = np.exp(-(((near[:, None] - near) ** 2).sum(-1)))
    for matrix in (np.full((30, 30), 0.1), alike, np.zeros((1010, 1010))):
        fitted = KernelPCA(k, kernel="precomputed").fit(matrix)
        assert (fitted.eigenvalues_ < 1e-12).all()
        assert fitted.definiteness_.status == "proven"
        assert fitted.lambda_min_ == pytest.approx(0, abs=1e-12)
    saturated = KernelPCA(k, kernel="sigmoid", gamma=5.0, coef0=0).fit(rng.normal(size=(45, 6)) + 5)
    assert (saturated.eigenvalues_ < 1e-12).all()
    fitted = wide.fit(near)
    assert (fitted.lambda_min_, fitted.variance_denominator_) == (0, "trace")
    assert abs(KernelPCA(3, kernel="precomputed").fit(X @ X.T).lambda_min_) < 1e-7
    KernelPCA(2, kernel="precomputed").fit(kernel_matrix(X[:30]).astype(np.float32))
    assert not recwarn.list


def test_rounding_of_single_precision_is_no_negative_mass():
    single = np.random.default_rng(1).normal(size=(200, 20)).astype(np.float32)
    with pytest.warns(IndefiniteKernelWarning):
        fitted = KernelPCA(kernel="precomputed").fit((single @ single.T).astype(float))
    assert len(fitted.eigenvalues_) >= 20
    shifted = (Q * np.where(SPECTRUM < 0, -2e-5, SPECTRUM)) @ Q.T
    with pytest.warns(IndefiniteKernelWarning):
        model(3).fit(shifted)
    fitted = model(3).fit(shifted.astype(np.float32))
    assert fitted.variance_denominator_ == "trace"


def test_negative_is_more_than_the_share_and_more_than_rounding():
    operator = CentredGram(FullGram(K), Centering(80, center=False))
    assert not definiteness.is_negative(-0.5, operator, 1.0, 0.5)
    assert definiteness.is_negative(-0.5001, operator, -1.0, 0.5)
    rounding = 80 * np.finfo(float).eps * operator.scale
    assert not definiteness.is_negative(-rounding, operator, 1.0, 0.0)
    assert definiteness.is_negative(-1.001 * rounding, operator, 1.0, 0.0)
