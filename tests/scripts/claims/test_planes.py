"""Planes between two classes, against sets with a known answer."""

import numpy as np
import pytest
from scipy.stats import binom

from pipeline.datasets.generators import linear_ceiling
from workflow.scripts.claims.planes import best_line, lower_bound, separating_plane
from workflow.scripts.claims.separability import ring_lines


def two_clouds(n, gap, columns, seed=0):
    """Points on either side of a random plane through the origin, none nearer than gap/2."""
    rng = np.random.default_rng(seed)
    normal = rng.standard_normal(columns)
    normal /= np.linalg.norm(normal)
    X = rng.standard_normal((n, columns))
    side = np.where(X @ normal > 0, 1, -1)
    return X + np.outer(side * gap / 2, normal), (side > 0).astype(int)


@pytest.mark.parametrize("columns", [1, 2, 5])
def test_a_plane_is_found_where_there_is_one(columns):
    X, y = two_clouds(80, 0.1, columns)
    plane = separating_plane(X, y)
    assert plane is not None
    assert plane.accuracy(X, y) == 1
    assert np.linalg.norm(plane.w) == pytest.approx(1)


def test_columns_of_very_different_size_hide_no_plane():
    X, y = two_clouds(80, 0.1, 3)
    assert separating_plane(X * [1e-9, 1, 1e6], y) is not None


def test_no_plane_is_found_where_there_is_none():
    corners = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    assert separating_plane(corners, np.array([0, 0, 1, 1])) is None
    X, y = two_clouds(80, 0.1, 3)
    y[0] = 1 - y[0]
    X[0] = X[y != y[0]].mean(axis=0)  # inside the convex hull of the other class
    assert separating_plane(X, y) is None


@pytest.mark.parametrize("right", [1, 90, 99, 100])
def test_the_lower_bound_is_where_so_many_successes_become_improbable(right):
    assert binom.sf(right - 1, 100, lower_bound(right, 100)) == pytest.approx(0.05)


def test_the_best_line_makes_as_few_errors_as_any():
    rng = np.random.default_rng(1)
    X, y = rng.standard_normal((25, 2)), rng.integers(0, 2, 25)
    found = best_line(X, y, directions=3600).accuracy(X, y)
    # Every line that separates rows differently passes through two of them, or close by.
    best = 0.0
    for i in range(25):
        for j in range(i):
            normal = np.array([[0, -1], [1, 0]]) @ (X[i] - X[j])
            for tilt in (-1e-7, 1e-7):
                turned = normal + tilt * (X[i] - X[j])
                for foot in (X[i] + 1e-9 * normal, X[i] - 1e-9 * normal):
                    share = ((((X - foot) @ turned) > 0) == (y == 1)).mean()
                    best = max(best, share, 1 - share)
    assert found == pytest.approx(best)


def test_no_line_beats_the_ceiling_and_the_best_reaches_it():
    lines = ring_lines(seed=0, replicates=3, ratios=[0.3, 0.8])
    assert lines["ceiling"].unique() == pytest.approx([linear_ceiling(0.3), linear_ceiling(0.8)])
    assert lines["accuracy"].to_numpy() == pytest.approx(lines["ceiling"].to_numpy(), abs=0.01)
