import numpy as np
import pytest

from kpca.large_n import sample as sampling
from kpca.large_n.rows import ArrayRows, BlockRows
from kpca.large_n.sample import draw_sample
from tests.kpca.large_n.clouds import X


def test_few_points_are_all_in_the_sample_in_their_order() -> None:
    weights = np.r_[np.zeros(100), np.ones(500)]
    sample = draw_sample(ArrayRows(X), 50, weights, seed=0)
    np.testing.assert_array_equal(sample.points, X[100:])
    assert (sample.n, sample.n_weighted, sample.whole) == (600, 500, True)
    np.testing.assert_allclose(sample.share.sum(), 1)


def test_a_sample_does_not_depend_on_how_points_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "MOST", 80)
    weights = np.random.default_rng(1).gamma(1.0, size=len(X))
    whole = draw_sample(ArrayRows(X), 10, weights, seed=3)
    parts = draw_sample(BlockRows(lambda: np.split(X, [7, 90, 400])), 10, weights, seed=3)
    np.testing.assert_array_equal(whole.points, parts.points)
    assert len(whole.points) == 80
    assert not whole.whole


def test_points_are_drawn_in_proportion_to_their_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "MOST", 40)
    numbers = np.arange(400.0)[:, None]
    weights = np.where(numbers[:, 0] < 100, 9.0, 1.0)
    heavy = [
        (draw_sample(ArrayRows(numbers), 5, weights, seed).points < 100).mean()
        for seed in range(60)
    ]
    # Without replacement slightly below 900/1200.
    assert 0.68 < np.mean(heavy) < 0.76


def test_the_number_of_weights_must_be_that_of_the_points() -> None:
    for count in (599, 601):
        with pytest.raises(ValueError, match=r"shape \(600,\), got"):
            draw_sample(BlockRows(lambda: [X]), 5, np.ones(count), seed=0)
