"""Held-out errors against denoising by the estimator, and what is chosen by them."""

import numpy as np
import pytest

from kpca import KernelPCA, choice
from kpca.folds import shuffled_folds
from tests.kpca.choice.clouds import cloud
from tests.kpca.preimage.clouds import half_circle

X = cloud()
GAMMA = 0.05
GAMMAS = [1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0]


@pytest.mark.parametrize("masks", [False, True])
@pytest.mark.parametrize("m", [1, 4])
def test_errors_are_those_of_the_estimator_that_denoises(m: int, masks: bool) -> None:
    drawn = list(shuffled_folds(len(X), 4, 1))
    folds = [tuple(np.isin(np.arange(40), part) for part in fold) for fold in drawn]
    errors = choice.denoising_errors(X, GAMMA, [1, 4], folds=folds if masks else 4, seed=1)
    noisy = choice.corrupt(X, 0.3, seed=1)
    for kept, rows in drawn:
        alone = KernelPCA(m, kernel="rbf", gamma=GAMMA, preimage="fixed_point").fit(X[kept])
        expected = np.square(alone.denoise(noisy[rows]) - X[rows]).sum(axis=1)
        # Iterations stop at a thousandth of the spread.
        np.testing.assert_allclose(errors[rows, [1, 4].index(m)], expected, rtol=0.02)


def test_corruption_has_the_size_that_is_asked_for() -> None:
    rows = cloud(20_000)
    away = np.square(choice.corrupt(rows, 0.3, seed=0) - rows)
    assert away.sum(axis=1).mean() == pytest.approx(0.09 * rows.var(axis=0).sum(), rel=0.02)
    np.testing.assert_allclose(away.mean(axis=0), away.mean(), rtol=0.05)


def test_a_curve_is_described_by_a_kernel_that_is_neither_wide_nor_narrow() -> None:
    found = choice.choose_by_denoising(half_circle(60, 0.03), GAMMAS, [1, 4, 16])
    assert 0.01 < found.gamma < 100
    assert found.errors.shape == (6, 3)
    g, s = np.unravel_index(found.errors.argmin(), found.errors.shape)
    assert (found.gamma, found.n_components) == (GAMMAS[g], [1, 4, 16][s])


def test_without_corruption_the_identity_wins_and_that_is_a_wide_kernel() -> None:
    found = choice.choose_by_denoising(half_circle(60, 0.03), GAMMAS, [4], noise=0.0)
    assert found.gamma == GAMMAS[0]
    assert found.errors.min() < 1e-4


def test_a_choice_at_the_edge_is_told_and_what_cannot_be_tried_refused() -> None:
    points = half_circle(60, 0.03)
    with pytest.warns(UserWarning, match="gamma and n_components lies at the edge"):
        found = choice.choose_by_denoising(points.tolist(), [1e-4, 1e-3], [1, 2])
    assert found.at_edge == ("gamma", "n_components")
    for gammas, sizes, message in (
        ([], [1], "gammas must be a list .* a positive number"),
        ([-1.0], [1], "gammas must be a list .* a positive number"),
        ([1.0], [60], "sizes must be a list .* an integer from 1 to 59"),
        ([1.0], [0], "sizes must be a list .* an integer from 1 to 59"),
    ):
        with pytest.raises(ValueError, match=message):
            choice.choose_by_denoising(points, gammas, sizes)
