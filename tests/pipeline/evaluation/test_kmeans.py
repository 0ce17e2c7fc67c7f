"""k-means is scikit-learn's, start for start."""

import numpy as np
import pytest
from sklearn.cluster import KMeans

from kpca.pipeline.evaluation.kmeans import kmeans


def blobs(k: int, n: int = 120, m: int = 5, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return 3 * rng.normal(size=(k, m))[rng.integers(0, k, n)] + rng.normal(size=(n, m)) + 7


@pytest.mark.parametrize("k", [1, 2, 3, 10])
@pytest.mark.parametrize("starts", [1, 8])
@pytest.mark.parametrize("seed", range(3))
def test_the_same_seed_gives_scikit_learns_clusters(k: int, starts: int, seed: int) -> None:
    rows, new = blobs(k, seed=seed), blobs(k, seed=seed + 100)

    found = kmeans(rows, k, starts=starts, seed=seed)

    theirs = KMeans(k, n_init=starts, random_state=seed).fit(rows)
    np.testing.assert_array_equal(found.labels, theirs.labels_)
    np.testing.assert_allclose(found.centres, theirs.cluster_centers_, rtol=1e-9)
    assert found.inertia == pytest.approx(theirs.inertia_, rel=1e-9)
    np.testing.assert_array_equal(found.predict(new), theirs.predict(new))


def test_inertia_is_the_sum_of_squared_distances_to_the_centres() -> None:
    rows = blobs(4)
    found = kmeans(rows, 4, starts=3, seed=0)

    assert found.inertia == pytest.approx(((rows - found.centres[found.labels]) ** 2).sum())


def test_more_starts_are_never_worse() -> None:
    rows = blobs(12, m=2)
    inertias = [kmeans(rows, 12, starts=starts, seed=0).inertia for starts in (1, 4, 16)]

    assert inertias == sorted(inertias, reverse=True)


def test_coinciding_rows_leave_no_cluster_without_a_centre() -> None:
    rows = np.repeat([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]], 10, axis=0)
    found = kmeans(rows, 3, starts=4, seed=0)

    assert found.inertia == pytest.approx(0)
    assert np.isfinite(kmeans(rows, 5, starts=2, seed=0).centres).all()
