"""The subspace of a model against feature space written out, where that has few dimensions."""

from typing import Any

import numpy as np
import pytest

from kpca import KernelPCA
from kpca.expansion import Expansion

RNG = np.random.default_rng(0)
X, NEW = RNG.normal(size=(60, 5)) + 0.3, RNG.normal(size=(9, 5))
WEIGHTS = RNG.integers(0, 3, 60).astype(float)
MODELS: dict[str, dict[str, Any]] = {
    "exact": {},
    "uncentred": {"center": False},
    "landmarks": {"eigen_solver": "nystrom", "n_landmarks": 20},
}


@pytest.fixture(params=[(name, weighted) for name in MODELS for weighted in (False, True)], ids=str)
def expansion(request: pytest.FixtureRequest) -> Expansion:
    """Of the linear kernel, whose feature space is the input space."""
    name, weighted = request.param
    model = KernelPCA(3, kernel="linear", **MODELS[name])
    return model.fit(X, sample_weight=WEIGHTS if weighted else None).expansion()


def written_out(expansion: Expansion) -> tuple[np.ndarray, np.ndarray]:
    """The axes, one a column, and the mean."""
    return expansion.source.X.T @ expansion.axes, expansion.source.X.T @ expansion.mean


def test_axes_are_orthonormal_and_scores_are_projections_on_them(expansion: Expansion) -> None:
    axes, mean = written_out(expansion)
    np.testing.assert_allclose(axes.T @ axes, np.eye(3), atol=1e-10)
    np.testing.assert_allclose(expansion.scores(NEW), (NEW - mean) @ axes, atol=1e-10)
    points = expansion.source.X
    np.testing.assert_allclose(expansion.point_scores, (points - mean) @ axes, atol=1e-10)
    assert expansion.in_landmarks == (len(points) < len(X))


def test_distances_are_those_of_the_points_in_feature_space(expansion: Expansion) -> None:
    axes, mean = written_out(expansion)
    Z, points = RNG.normal(size=(9, 3)), expansion.source.X
    P = mean + Z @ axes.T
    np.testing.assert_allclose(expansion.coefficients(Z) @ points, P, atol=1e-10)
    np.testing.assert_allclose(expansion.squared_norms(Z), (P**2).sum(axis=1), atol=1e-10)
    apart = np.square(P[:, None] - points).sum(axis=2)
    diagonal = expansion.source.diagonal(points)
    np.testing.assert_allclose(expansion.point_distances(Z, diagonal), apart, atol=1e-10)
    beside = np.square(P - NEW).sum(axis=1)
    np.testing.assert_allclose(expansion.distances(Z, NEW), beside, atol=1e-10)
    left = np.square((NEW - mean) - (NEW - mean) @ axes @ axes.T).sum(axis=1)
    np.testing.assert_allclose(expansion.squared_distances(NEW), left, atol=1e-10)
