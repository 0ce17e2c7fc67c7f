import numpy as np
import pytest
from scipy import sparse

from kpca.kernels import KernelParameters
from kpca.nystrom.landmarks import LANDMARKS, LandmarkFeatures, choose_landmarks
from kpca.nystrom.sample import draw_sample
from kpca.nystrom.streaming import ArrayRows
from kpca.operators.sources import KernelSource
from tests.kpca.nystrom.clouds import GAMMA, X, nystrom

RBF = ("rbf", KernelParameters(GAMMA))
SAMPLE = draw_sample(ArrayRows(X), 40, None, seed=0)
SOURCE = KernelSource(SAMPLE.points, *RBF)


@pytest.mark.parametrize("how", LANDMARKS)
def test_landmarks_are_as_many_as_asked_for_and_distinct(how: str) -> None:
    points = choose_landmarks(SAMPLE, 40, how, SOURCE, seed=1)
    assert len(np.unique(points, axis=0)) == 40
    np.testing.assert_array_equal(points, choose_landmarks(SAMPLE, 40, how, SOURCE, seed=1))


def test_pivots_and_centres_leave_less_of_the_trace_than_chance() -> None:
    left = {}
    for how in LANDMARKS:
        models = [nystrom(n_landmarks=40, landmarks=how, random_state=seed) for seed in range(5)]
        left[how] = np.mean([model.fit(X).trace_error_ for model in models])
    assert max(left["kmeans"], left["rpcholesky"]) < left["uniform"]


def test_repeated_landmarks_add_nothing() -> None:
    source = KernelSource(np.repeat(X[:20], 3, axis=0), *RBF)
    assert LandmarkFeatures(source, 1e-12).whitening.shape == (60, 20)


@pytest.mark.parametrize("how", LANDMARKS)
def test_indices_of_64_bits_make_no_difference(how: str) -> None:
    wide = sparse.csr_array(np.maximum(X, 0))
    narrow = wide.copy()
    wide.indices, wide.indptr = (part.astype(np.int64) for part in (wide.indices, wide.indptr))
    found, expected = (nystrom(n_landmarks=9, landmarks=how).fit(S) for S in (wide, narrow))
    np.testing.assert_allclose(found.eigenvalues_, expected.eigenvalues_, rtol=1e-9)
