"""Kernel values far from one, in single and in double precision."""

import numpy as np
import pytest

from kpca import KernelPCA

PIXELS = np.random.default_rng(0).integers(0, 256, (1200, 30)).astype(float)


@pytest.mark.parametrize("solver", ["davidson", "krylov"])
@pytest.mark.parametrize("degree", [3, 6])
def test_pixels_do_not_overflow_single_precision(solver: str, degree: int) -> None:
    asked = KernelPCA(3, kernel="poly", degree=degree, gamma=1.0)
    found = asked.set_params(eigen_solver=solver).fit(PIXELS)
    K = (PIXELS @ PIXELS.T + 1) ** degree
    K -= K.mean(axis=0)
    expected = np.linalg.eigvalsh(K - K.mean(axis=1)[:, None])[::-1][:3]
    np.testing.assert_allclose(found.eigenvalues_, expected, rtol=1e-6)
    assert found.residuals_.max() <= 1e-8
    whole = asked.set_params(eigen_solver="dense").fit(PIXELS)
    scores = (np.abs(model.transform(PIXELS[:5])) for model in (found, whole))
    np.testing.assert_allclose(*scores, rtol=1e-4)
    ratios = (model.explained_variance_ratio_ for model in (found, whole))
    np.testing.assert_allclose(*ratios, rtol=1e-6)


@pytest.mark.parametrize("scale", [1e-60, 1e-9, 1e9, 1e60])
def test_a_common_factor_of_linear_points_is_a_factor_of_the_eigenvalues(scale: float) -> None:
    X = PIXELS[:300, :4] - 100
    plain, scaled = (KernelPCA(4).fit(points) for points in (X, X * scale))
    np.testing.assert_allclose(scaled.eigenvalues_, plain.eigenvalues_ * scale**2, rtol=1e-9)
    np.testing.assert_allclose(scaled.residuals_, plain.residuals_, atol=1e-12)
    np.testing.assert_allclose(
        scaled.transform(X * scale), plain.transform(X) * scale, rtol=1e-6, atol=1e-9 * scale
    )
