import numpy as np
import pytest

from kpca import KernelPCA
from kpca.eigensolvers.primal import features
from kpca.kernels import KernelParameters, kernel_matrix
from kpca.operators.sources import KernelSource

X = np.random.default_rng(0).normal(size=(80, 3))


@pytest.mark.parametrize("degree", [1, 2, 3, 4])
@pytest.mark.parametrize("coef0", [0.0, 1.0, 0.5])
def test_monomials_are_the_features_of_the_kernel(degree: int, coef0: float) -> None:
    source = KernelSource(X, "poly", KernelParameters(0.3, degree, coef0))
    F = features(source)
    K = kernel_matrix(X, kernel="poly", gamma=0.3, degree=degree, coef0=coef0)
    np.testing.assert_allclose(F @ F.T, K, rtol=1e-11, atol=1e-12)
    assert F.shape[1] == source.feature_count


def test_which_kernels_have_features() -> None:
    def count(name: str, **values: float) -> int | None:
        return KernelSource(X, name, KernelParameters(**values)).feature_count

    assert count("linear") == 3
    assert count("poly", degree=2, coef0=1) == 10
    assert count("poly", degree=2, coef0=0) == 6
    assert count("poly", degree=2.5) is None
    assert count("poly", coef0=-1) is None
    assert count("rbf") is None


def test_more_components_than_features_are_padded_with_zeros() -> None:
    model = KernelPCA(5, eigen_solver="primal").fit(X)
    np.testing.assert_array_equal(model.eigenvalues_[3:], 0)
    np.testing.assert_allclose(model.eigenvectors_.T @ model.eigenvectors_, np.eye(5), atol=1e-12)
    assert model.residuals_.max() < 1e-12
    assert KernelPCA(eigen_solver="primal").fit(X).eigenvalues_.shape == (3,)
    assert model.completeness_.status == "proven"


def test_too_many_features_are_refused() -> None:
    wide = np.random.default_rng(1).normal(size=(60, 40))
    with pytest.raises(ValueError, match=r"at most 2000 explicit features, not 12341"):
        KernelPCA(2, kernel="poly", eigen_solver="primal").fit(wide)


def test_all_components_of_many_points_take_the_memory_of_those_there_are() -> None:
    many = np.random.default_rng(0).normal(size=(4000, 5))
    assert len(KernelPCA(memory_budget=4e6).fit(many).eigenvalues_) == 5
