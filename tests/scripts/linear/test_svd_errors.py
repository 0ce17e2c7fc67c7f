import numpy as np
import pytest

from workflow.scripts.linear.svd_errors import expected_spectral_error, randomized_errors


def test_bound_does_not_overflow_and_tends_to_the_next_singular_value():
    bound = expected_spectral_error(np.array([3e3, 2e3, 1e3]), 1, n_oversamples=2, n_iter=500)
    assert bound == pytest.approx(2e3, rel=1e-2)


def test_randomized_errors_stay_below_the_bound_where_rounding_is_far():
    table = randomized_errors(
        shape=(90, 60), n_components=8, n_oversamples=4, n_iters=[0, 1, 2], draws=20, seed=0
    )
    safe = table[(table["spectrum"] == "flat") | (table["normalizer"] == "QR")]
    means = safe.groupby(["spectrum", "normalizer", "n_iter"])[["error", "bound"]].mean()
    assert (means["error"] < means["bound"]).all()
    loose = means["bound"] / means["error"]
    assert loose["flat"].max() < 10 < loose["steep"].max() < 30, "a looser bound says nothing"
    assert means["error"].xs(2, level="n_iter").mean() < means["error"].xs(0, level="n_iter").mean()


def test_errors_are_relative_to_the_best_of_the_rank():
    table = randomized_errors(
        shape=(40, 30), n_components=3, n_oversamples=27, n_iters=[0], draws=1, seed=0
    )
    assert (table["error"] < 1e-6).all()


def test_power_iterations_without_a_normaliser_lose_the_small_directions():
    table = randomized_errors(
        shape=(60, 40), n_components=20, n_oversamples=2, n_iters=[6], draws=1, seed=0
    )
    steep = table[table["spectrum"] == "steep"].set_index("normalizer")["error"]
    assert steep["none"] > 1e3 * steep["QR"]
