import numpy as np
import pytest

from kpca.linear.range_finder import range_finder
from tests.kpca.linear.matrices import with_spectrum
from workflow.scripts.linear.svd_errors import expected_spectral_error, randomized_errors


@pytest.mark.parametrize("n_iter", [0, 1, 2])
@pytest.mark.parametrize("decay", [0.99, 0.8], ids=["flat", "steep"])
def test_mean_error_stays_below_the_theoretical_bound(n_iter, decay):
    s = decay ** np.arange(40)
    X = with_spectrum(90, 60, s)
    errors = []
    for seed in range(20):
        Q = range_finder(X, 12, n_iter=n_iter, normalizer="QR", random_state=seed)
        errors.append(np.linalg.norm(X - Q @ (Q.T @ X), 2))
    bound = expected_spectral_error(s, 8, n_oversamples=4, n_iter=n_iter)
    assert np.mean(errors) < bound
    assert bound < 20 * np.mean(errors), "a bound this loose says nothing"


def test_bound_does_not_overflow_and_tends_to_the_next_singular_value():
    bound = expected_spectral_error(np.array([3e3, 2e3, 1e3]), 1, n_oversamples=2, n_iter=500)
    assert bound == pytest.approx(2e3, rel=1e-2)


def test_randomized_errors_stay_below_the_bound_where_rounding_is_far():
    table = randomized_errors(
        shape=(60, 40), n_components=5, n_oversamples=5, n_iters=[0, 2], draws=5, seed=0
    )
    safe = table[(table["spectrum"] == "flat") | (table["normalizer"] == "QR")]
    means = safe.groupby(["spectrum", "normalizer", "n_iter"])[["error", "bound"]].mean()
    assert (means["error"] < means["bound"]).all()
    assert means["error"].xs(2, level="n_iter").mean() < means["error"].xs(0, level="n_iter").mean()


def test_errors_are_relative_to_the_best_of_the_rank():
    table = randomized_errors(
        shape=(40, 30), n_components=3, n_oversamples=27, n_iters=[0], draws=1, seed=0
    )
    assert (table["error"] < 1e-6).all()
