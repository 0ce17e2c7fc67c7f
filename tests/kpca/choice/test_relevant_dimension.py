"""The relevant dimension where it is known, and the likelihood against its definition."""

import numpy as np
import pytest
from scipy.stats import norm

from kpca import KernelPCA
from kpca.choice import indicators, relevant_dimension
from tests.kpca.choice.clouds import cloud

X = cloud(40, 4)
A = KernelPCA(None, kernel="rbf", gamma=0.05).fit(X).eigenvectors_
NOISE = np.random.default_rng(1).normal(size=40)


@pytest.mark.parametrize("d", [1, 3, 8])
def test_a_target_that_lives_in_d_components_has_relevant_dimension_d(d: int) -> None:
    y = A[:, :d] @ np.linspace(1, 2, d) + 1e-3 * NOISE
    found = relevant_dimension(A, y)
    assert found.dimension == d


def test_likelihood_is_that_of_two_gaussians() -> None:
    y = A[:, 0] + 0.3 * NOISE
    s = A.T @ (y - y.mean())
    found = relevant_dimension(A, y).likelihood

    def deviance(d: int) -> float:
        signal, noise = np.sqrt(np.mean(s[:d] ** 2)), np.sqrt(np.mean(s[d:] ** 2))
        return -2 * float(norm.logpdf(s[:d], 0, signal).sum() + norm.logpdf(s[d:], 0, noise).sum())

    assert len(s) == 39  # K̄ has no component along 1
    expected = np.array([deviance(d) for d in (1, 5, 20)]) / len(s)
    np.testing.assert_allclose(np.diff(found[[0, 4, 19]]), np.diff(expected), rtol=1e-9)


def test_classes_are_pooled_and_their_order_does_not_matter() -> None:
    labels = (X[:, 0] > 3).astype(int) + (X[:, 1] > 3)
    found = relevant_dimension(A, indicators(labels)).likelihood
    renamed = relevant_dimension(A, indicators(7 - labels)).likelihood
    two = relevant_dimension(A, indicators(labels > 0))
    single = relevant_dimension(A, labels > 0)
    np.testing.assert_allclose(found, renamed, rtol=1e-12)
    assert two.dimension == single.dimension  # the second column adds nothing but a factor


def test_at_most_half_of_the_rows_are_components_of_the_signal_and_one_is_needed() -> None:
    assert len(relevant_dimension(A, NOISE).likelihood) == 20
    with pytest.raises(ValueError, match=r"at least one component .* shape \(40, 0\)"):
        relevant_dimension(A[:, :0], NOISE)
