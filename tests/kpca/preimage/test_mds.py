"""Pre-images from distances: exact where distances are, the printed construction elsewhere."""

import numpy as np
import pytest

from kpca import KernelPCA
from kpca.preimage import PreImageWarning, mds
from tests.kpca.naive import kernel_matrix
from tests.kpca.preimage.clouds import cloud, half_circle, naive_coefficients


def kwok_tsang(X: np.ndarray, K: np.ndarray, c: np.ndarray, gamma: float, count: int) -> np.ndarray:
    """The Gaussian case of the paper for one point, with its singular value decomposition."""
    squared = np.diag(K) - 2 * K @ c + c @ K @ c
    near = np.argsort(squared)[:count]
    wanted = -np.log(1 - squared[near] / 2) / gamma
    mean = X[near].mean(axis=0)
    U, singular, Vt = np.linalg.svd((X[near] - mean).T, full_matrices=False)
    kept = singular > 1e-5 * singular[0]
    U, singular, Vt = U[:, kept], singular[kept], Vt[kept]
    coordinates = singular[:, None] * Vt
    own = np.square(coordinates).sum(axis=0)
    return mean + U @ (0.5 * (Vt @ (own - wanted)) / singular)


@pytest.mark.parametrize("components", [1, 4, 30])
def test_gaussian_is_the_printed_construction(components: int) -> None:
    X, noisy = cloud(), cloud(12, seed=1)
    model = KernelPCA(components, kernel="rbf", gamma=0.2, preimage="mds").fit(X)
    Z = model.transform(noisy)
    K = kernel_matrix(X, X, "rbf", gamma=0.2)
    expected = [kwok_tsang(X, K, c, 0.2, mds.NEIGHBOURS) for c in naive_coefficients(model, Z)]
    np.testing.assert_allclose(model.inverse_transform(Z), expected, atol=1e-7)


def test_equal_points_are_their_own_and_scores_too_far_give_the_nearest_with_a_flag() -> None:
    same = np.full((12, 3), 2.0)
    model = KernelPCA(2, kernel="rbf", gamma=1.0, preimage="mds").fit(same)
    np.testing.assert_allclose(model.denoise(same), same)
    X = half_circle(30, 0.01)
    model = KernelPCA(2, kernel="rbf", gamma=1.0, preimage="mds").fit(X)
    found = model.find_preimages(np.array([[50.0, 0.0]]))
    assert not found.converged[0]
    assert np.abs(X - found.points[0]).sum(axis=1).min() == 0


@pytest.mark.parametrize("degree", [2, 4])
def test_even_degrees_are_warned_about(degree: int) -> None:
    model = KernelPCA(2, kernel="poly", degree=degree, preimage="mds").fit(cloud())
    with pytest.warns(PreImageWarning, match="but for a sign"):
        model.denoise(cloud(5, seed=1))
