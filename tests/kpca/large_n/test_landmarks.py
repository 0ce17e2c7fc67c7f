import numpy as np
import pytest

from kpca.kernels import KernelParameters
from kpca.large_n.landmarks import LANDMARKS, LandmarkFeatures, choose
from kpca.large_n.rows import ArrayRows
from kpca.large_n.sample import draw_sample
from kpca.source import KernelSource
from tests.kpca.large_n.clouds import GAMMA, X
from tests.kpca.naive import kernel_matrix

RBF = ("rbf", KernelParameters(GAMMA))
SAMPLE = draw_sample(ArrayRows(X), 40, None, seed=0)
SOURCE = KernelSource(SAMPLE.points, *RBF)


@pytest.mark.parametrize("how", LANDMARKS)
def test_landmarks_are_as_many_as_asked_for_and_distinct(how: str) -> None:
    points = choose(SAMPLE, 40, how, SOURCE, seed=1)
    assert len(np.unique(points, axis=0)) == 40
    np.testing.assert_array_equal(points, choose(SAMPLE, 40, how, SOURCE, seed=1))


def test_pivots_and_centres_leave_less_of_the_trace_than_chance() -> None:
    left = {}
    for how in LANDMARKS:
        errors = []
        for seed in range(5):
            features = features_of(choose(SAMPLE, 40, how, SOURCE, seed=seed))
            F = features.values(X) @ features.whitening
            errors.append(len(X) - np.square(F).sum())
        left[how] = np.mean(errors)
    assert max(left["kmeans"], left["rpcholesky"]) < left["uniform"]


def test_features_of_landmarks_have_their_kernel_values() -> None:
    landmarks = X[:50]
    features = features_of(landmarks)
    F = features.values(landmarks) @ features.whitening
    own = kernel_matrix(landmarks, landmarks, "rbf", gamma=GAMMA)
    np.testing.assert_allclose(F @ F.T, own, atol=1e-9)
    np.testing.assert_allclose(features.at_landmarks(F[3]), own[3], atol=1e-9)
    Z = np.random.default_rng(0).normal(size=(features.whitening.shape[1], 2))
    np.testing.assert_allclose(features.onto(Z)(landmarks), F @ Z, atol=1e-8)


def test_repeated_landmarks_add_nothing() -> None:
    assert features_of(np.repeat(X[:20], 3, axis=0)).whitening.shape == (60, 20)


def features_of(landmarks: np.ndarray) -> LandmarkFeatures:
    return LandmarkFeatures(KernelSource(landmarks, *RBF), 1e-12)
