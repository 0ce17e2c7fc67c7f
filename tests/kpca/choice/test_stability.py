"""γ and the number of components by clusters that come back."""

import numpy as np
import pytest

from kpca import median_gamma
from kpca.choice import choose_by_stability, instabilities
from kpca.study.datasets import generators


def test_clusters_that_are_there_come_back_and_those_of_noise_do_not():
    rng = np.random.default_rng(0)
    blobs = rng.normal(size=(60, 2)) + 8 * np.arange(60)[:, None] % 24
    there, noise = (
        instabilities(X, 0.02, [2, 4], 3, draws=4) for X in (blobs, rng.normal(size=(60, 2)))
    )
    assert there == pytest.approx([0, 0], abs=0.05)
    assert (noise > 0.2).all()


def test_the_setting_with_the_most_stable_clusters_is_chosen():
    rings = generators.rings(120, np.random.default_rng(0), noise=0.05).X
    gammas = [multiple * median_gamma(rings) for multiple in (0.1, 3, 30)]
    chosen = choose_by_stability(rings, gammas, [2, 12], 2, draws=4)
    assert chosen.errors.shape == (3, 2)
    least = chosen.errors[gammas.index(chosen.gamma), [2, 12].index(chosen.n_components)]
    assert least == chosen.errors.min()


@pytest.mark.filterwarnings("ignore:Number of distinct clusters")
def test_halves_of_equal_rows_have_one_cluster():
    rows = np.zeros((20, 2))
    rows[0] = 1
    assert 0 <= instabilities(rows, 1.0, [1], 2)[0] <= 1


@pytest.mark.parametrize("n_clusters", [1, 2.5])
def test_a_number_of_clusters_is_refused(n_clusters):
    with pytest.raises((TypeError, ValueError), match="n_clusters"):
        instabilities(np.eye(20), 1.0, [2], n_clusters)
