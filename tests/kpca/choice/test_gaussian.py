"""Choosing γ by de-noising: what it finds, and why rows have to be corrupted."""

import numpy as np

from kpca.choice import GaussianSweep, choose_by_denoising
from kpca.folds import shuffled_folds
from tests.kpca.choice.clouds import half_circle

GAMMAS = [1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0]


def test_a_curve_is_described_by_a_kernel_that_is_neither_wide_nor_narrow() -> None:
    found = choose_by_denoising(half_circle(), GAMMAS, [1, 4, 16])

    assert 0.01 < found.gamma < 100
    assert found.errors.shape == (6, 3)
    g, s = np.unravel_index(found.errors.argmin(), found.errors.shape)
    assert (found.gamma, found.n_components) == (GAMMAS[g], [1, 4, 16][s])


def test_without_corruption_the_identity_wins_and_that_is_a_wide_kernel() -> None:
    found = choose_by_denoising(half_circle(), GAMMAS, [4], noise=0.0)

    assert found.gamma == GAMMAS[0]
    assert found.errors.min() < 1e-4


def test_folds_can_be_given() -> None:
    X = half_circle()
    folds = list(shuffled_folds(len(X), 5, 7))

    by_number = GaussianSweep(X, [2], folds=5, seed=7).errors(1.0)
    given = GaussianSweep(X, [2], folds=folds, seed=7).errors(1.0)

    np.testing.assert_array_equal(by_number.input, given.input)
    np.testing.assert_array_equal(by_number.feature, given.feature)
