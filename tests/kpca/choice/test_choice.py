"""Held-out errors of denoising and the relevant dimension, against their definitions."""

import numpy as np
import pytest
from scipy.stats import norm

from kpca import KernelPCA, choice
from kpca.choice import indicators, relevant_dimension
from kpca.folds import shuffled_folds
from tests.kpca.preimage.test_methods import half_circle


def cloud(n=40, d=4, *, seed=0):
    """Gaussian rows whose variables differ in scale."""
    return np.random.default_rng(seed).normal(size=(n, d)) * np.arange(d, 0, -1) + 3.0


X = cloud()
GAMMA = 0.05
GAMMAS = [1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0]
A = KernelPCA(None, kernel="rbf", gamma=0.05).fit(X).eigenvectors_
NOISE = np.random.default_rng(1).normal(size=40)


def test_errors_are_those_of_the_estimator_that_denoises():
    errors = choice.denoising_errors(X, GAMMA, [1, 4], seed=1)
    noisy = choice.corrupt(X, 0.3, 1)
    for train, held_out in shuffled_folds(len(X), 5, 1):
        for m, column in ((1, 0), (4, 1)):
            model = KernelPCA(m, kernel="rbf", gamma=GAMMA, preimage="fixed_point").fit(X[train])
            expected = np.square(model.denoise(noisy[held_out]) - X[held_out]).sum(axis=1)
            # Iterations stop at a thousandth of the spread.
            np.testing.assert_allclose(errors[held_out, column], expected, rtol=0.02)


def test_folds_may_be_masks():
    folds = [(np.arange(40) % 4 != i, np.arange(40) % 4 == i) for i in range(4)]
    indices = [tuple(map(np.flatnonzero, fold)) for fold in folds]
    errors, expected = (choice.denoising_errors(X, GAMMA, [2], folds=f) for f in (folds, indices))
    np.testing.assert_array_equal(errors, expected)


def test_corruption_has_the_size_that_is_asked_for():
    rows = cloud(20_000)
    away = np.square(choice.corrupt(rows, 0.3, seed=0) - rows)
    assert away.sum(axis=1).mean() == pytest.approx(0.09 * rows.var(axis=0).sum(), rel=0.02)
    np.testing.assert_allclose(away.mean(axis=0), away.mean(), rtol=0.05)


def test_only_without_corruption_the_widest_kernel_wins():
    points = half_circle(60, 0.03)
    sizes = [1, 4, 16]
    best = choice.choose_by_denoising(points, GAMMAS, sizes)
    assert 0.01 < best.gamma < 100
    least = best.errors[GAMMAS.index(best.gamma), sizes.index(best.n_components)]
    assert least == best.errors.min()
    widest = choice.choose_by_denoising(points, GAMMAS, [4], noise=0.0)
    assert widest.gamma == GAMMAS[0]
    assert widest.errors.min() < 1e-4


def test_a_choice_at_the_edge_is_told():
    with pytest.warns(UserWarning, match="gamma and n_components lies at the edge"):
        chosen = choice.choose_by_denoising(half_circle(60, 0.03), [1e-4, 1e-3], [1, 2])
    assert chosen.at_edge == ("gamma", "n_components")


@pytest.mark.parametrize("d", [1, 3, 8])
def test_a_target_that_lives_in_d_components_has_relevant_dimension_d(d):
    y = A[:, :d] @ np.linspace(1, 2, d) + 1e-3 * NOISE
    assert relevant_dimension(A, y).dimension == d


def test_likelihood_is_that_of_two_gaussians_for_half_of_the_dimensions():
    y = A[:, 0] + 0.3 * NOISE
    s = A.T @ (y - y.mean())
    likelihood = relevant_dimension(A, y).likelihood
    assert len(likelihood) == 20

    def deviance(d):
        signal = np.sqrt(np.mean(s[:d] ** 2))
        noise = np.sqrt(np.mean(s[d:] ** 2))
        return -2 * float(norm.logpdf(s[:d], 0, signal).sum() + norm.logpdf(s[d:], 0, noise).sum())

    assert len(s) == 39  # K̄ has no component along 1
    expected = np.array([deviance(d) for d in (1, 5, 20)]) / len(s)
    np.testing.assert_allclose(np.diff(likelihood[[0, 4, 19]]), np.diff(expected), rtol=1e-9)


def test_classes_are_pooled_and_their_order_does_not_matter():
    labels = (X[:, 0] > 3).astype(int) + (X[:, 1] > 3)
    likelihood, renamed = (
        relevant_dimension(A, indicators(classes)).likelihood for classes in (labels, 7 - labels)
    )
    np.testing.assert_allclose(likelihood, renamed, rtol=1e-12)
    two, single = (relevant_dimension(A, y) for y in (indicators(labels > 0), labels > 0))
    assert two.dimension == single.dimension  # the second column adds nothing but a factor
