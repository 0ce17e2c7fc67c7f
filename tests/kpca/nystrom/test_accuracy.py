import numpy as np
import pytest

from kpca import KernelPCA, exact_residuals
from tests.kpca.naive import NaiveKernelPCA, kernel_matrix
from tests.kpca.nystrom.clouds import GAMMA, RNG, nystrom

MANY = RNG.normal(size=(800, 4))
K = kernel_matrix(MANY, MANY, "rbf", gamma=GAMMA)


@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("weighted", [False, True])
def test_probing_every_row_gives_the_residual_itself(center: bool, weighted: bool) -> None:
    points = MANY[:120]
    weights = RNG.gamma(1.0, size=120) if weighted else None
    model = nystrom(n_landmarks=25, center=center).fit(points, sample_weight=weights)
    naive = NaiveKernelPCA(K[:120, :120], weights=weights, center=center)
    true = naive.residuals(model.eigenvalues_, model.eigenvectors_)
    true *= naive.eigenvalues[0] / model.eigenvalues_[0]
    np.testing.assert_allclose(model.residual_estimates_, true, rtol=1e-8)
    np.testing.assert_array_equal(model.residual_estimate_errors_, 0)
    np.testing.assert_allclose(exact_residuals(model, points), true, rtol=1e-8)


@pytest.mark.parametrize("weighted", [False, True])
def test_probing_some_rows_estimates_it_within_its_standard_error(weighted: bool) -> None:
    weights = RNG.gamma(2.0, size=len(MANY)) if weighted else None
    naive = NaiveKernelPCA(K, weights=weights)
    deviations = []
    for seed in range(5):
        model = nystrom(n_landmarks=60, random_state=seed).fit(MANY, sample_weight=weights)
        true = naive.residuals(model.eigenvalues_, model.eigenvectors_)
        true *= naive.eigenvalues[0] / model.eigenvalues_[0]
        deviations.append((model.residual_estimates_ - true) / model.residual_estimate_errors_)
        np.testing.assert_allclose(model.residual_estimates_, true, rtol=0.6)
    assert np.median(np.abs(deviations)) < 1.5


def test_more_landmarks_are_more_accurate_by_every_measure() -> None:
    models = [nystrom(n_landmarks=m).fit(MANY) for m in (30, 100, 300)]
    for measure in ("trace_error_", "residual_estimates_"):
        values = [np.max(getattr(model, measure)) for model in models]
        assert values[0] > 2 * values[1] > 4 * values[2]


@pytest.mark.parametrize("seed", range(6))
def test_estimates_see_errors_that_sit_in_few_rows(seed: int) -> None:
    rng = np.random.default_rng(seed)
    few = rng.normal(size=(4, 2)) * 0.05 + 1.0  # no landmark is near them
    points = np.concatenate([rng.normal(size=(600, 2)) * 0.1, few])
    asked = {"eigen_solver": "nystrom", "n_landmarks": 8, "landmarks": "uniform"}
    model = KernelPCA(3, kernel="rbf", gamma=1.0, random_state=seed, **asked).fit(points)
    off = np.abs(exact_residuals(model, points) - model.residual_estimates_)
    assert (off <= 4 * model.residual_estimate_errors_).all()
