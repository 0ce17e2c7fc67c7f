import numpy as np
import pytest

from kpca import KernelPCA
from workflow.scripts.claims import feature_space
from workflow.scripts.claims.feature_space import affine, bracket, curvature


def test_an_affine_function_is_found_and_has_no_curvature():
    X = np.random.default_rng(0).standard_normal((30, 2))
    plane, bowl = 2 * X[:, 0] - X[:, 1] + 3, (X**2).sum(axis=1)
    scores = np.column_stack([plane, bowl])
    weights, offsets = affine(X, scores)
    assert weights[:, 0] == pytest.approx([2, -1])
    assert offsets[0] == pytest.approx(3)
    straight, curved = curvature(X, scores)
    assert straight < 1e-24
    assert curved > 0.5


def test_the_axis_through_the_image_of_a_point_meets_it_and_differs_in_length_beyond():
    single = KernelPCA(1, kernel="rbf", gamma=0.5, center=False).fit(np.array([[1.0, 2.0]]))
    found, z = feature_space.nearest(single, 1.0, (np.array([0.5, 1.5]), np.array([2.0, 3.0])))
    assert found == pytest.approx(0, abs=1e-6)
    assert z == pytest.approx([1, 2], abs=1e-4)
    assert feature_space.distance(single, 3.0, np.array([[1.0, 2.0]]))[0] == pytest.approx(2)


def test_the_bracket_holds_the_maximum_and_closes():
    X = np.random.default_rng(0).standard_normal((15, 2))
    model = KernelPCA(1, kernel="rbf", gamma=0.7, center=False).fit(X)
    coarse, fine = bracket(model, 3), bracket(model, 10)
    dense = np.abs(model.transform(np.random.default_rng(1).uniform(-3, 3, (4000, 2)))).max()
    assert coarse[0] <= fine[0] <= fine[1] <= coarse[1]
    assert dense <= fine[1]
    assert fine[1] - fine[0] < 0.01
