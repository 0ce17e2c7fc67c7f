"""What a fit says of its eigenpairs: values, residuals, and warnings where they miss `tol`."""

import warnings

import numpy as np
import pytest

from kpca import KernelPCA
from kpca.certificates.decomposition import ToleranceWarning
from kpca.operators.grams import CentredGram

RNG = np.random.default_rng(0)
CLUSTERS = np.random.default_rng(0).normal(size=(200, 3))
CLUSTERS[::2, 0] += 3000.0
FITS = {
    "narrow": ({"kernel": "rbf", "gamma": 200.0}, RNG.normal(size=(900, 3))),
    "clusters": ({"kernel": "rbf", "gamma": 0.3}, CLUSTERS),
    "plain": ({"kernel": "rbf", "gamma": 0.3}, RNG.normal(size=(300, 3))),
}


def test_zero_is_relative_to_the_largest_value_and_a_clipped_one_has_the_residual_of_zero():
    Q = np.linalg.qr(RNG.normal(size=(8, 8)))[0]
    K = (Q * [5.0, 3.0, 1.0, 1e-13, 0, 0, 0, 0]) @ Q.T
    for unit in (1, 1e-30):
        model = KernelPCA(4, kernel="precomputed", center=False).fit(K * unit)
        np.testing.assert_allclose(model.eigenvalues_[:3] / unit, [5, 3, 1])
        assert model.eigenvalues_[3] == 0
    K = (Q * [5.0, -3.0, 0, 0, 0, 0, 0, 0]) @ Q.T
    clipped = KernelPCA(8, kernel="precomputed", center=False, indefinite="clip", tol=0.3)
    with pytest.warns(ToleranceWarning, match=r"of 6.0e-01, 2.0 times the tol.*Ask for fewer"):
        clipped.fit(K)
    np.testing.assert_allclose(clipped.residuals_[[0, -1]], [0, 0.6], atol=1e-14)


@pytest.mark.parametrize("solver", ["auto", "dense", "arpack"])
@pytest.mark.parametrize(("kernel", "gamma"), [("rbf", 1e-13), ("sigmoid", 0.17)])
def test_constant_kernels_are_told_of_rounding(solver, kernel, gamma):
    X = np.random.default_rng(0).normal(size=(200, 4)) + 5
    model = KernelPCA(2, kernel=kernel, gamma=gamma, eigen_solver=solver)
    with pytest.warns(ToleranceWarning, match="rounding alone may be"):
        model.fit(X)


@pytest.mark.parametrize("tol", [1e-14, 1e-12, 1e-8, 1e-4])
@pytest.mark.parametrize(("options", "X"), FITS.values(), ids=FITS)
def test_misses_of_tol_are_warned_of(options, X, tol):
    for solver in ("auto", "dense", "arpack"):
        with warnings.catch_warnings(record=True, action="always") as caught:
            model = KernelPCA(5, tol=tol, eigen_solver=solver, **options).fit(X)
        warned = any(issubclass(warning.category, ToleranceWarning) for warning in caught)
        assert warned == (model.residuals_.max() > tol), solver


@pytest.mark.parametrize("solver", ["randomized", "davidson"])
@pytest.mark.parametrize("most", [1, 3])
def test_all_products_are_counted(solver, most, monkeypatch):
    products = list[int]()
    matmul = CentredGram.matmul
    monkeypatch.setattr(CentredGram, "matmul", lambda *of: products.append(1) or matmul(*of))
    X = np.random.default_rng(0).normal(size=(1500, 8))
    model = KernelPCA(5, kernel="rbf", gamma=5.0, eigen_solver=solver, max_iter=most)
    with pytest.warns(ToleranceWarning, match="raise (max_iter|iterated_power)"):
        model.fit(X)
    assert len(products) <= most + 1
