"""Planes between two classes, and where they separate rings and spirals."""

import numpy as np
import pytest
from scipy.stats import binom

from tests.scripts.claims import verdicts
from workflow.scripts.claims import separability


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
    plane = separability.separating_plane(X, y)
    assert plane.accuracy(X, y) == 1
    assert np.linalg.norm(plane.w) == pytest.approx(1)


def test_columns_of_very_different_size_hide_no_plane():
    X, y = two_clouds(80, 0.1, 3)
    assert separability.separating_plane(X * [1e-9, 1, 1e6], y) is not None


def test_no_plane_is_found_where_there_is_none():
    corners = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    assert separability.separating_plane(corners, np.array([0, 0, 1, 1])) is None
    X, y = two_clouds(80, 0.1, 3)
    y[0] = 1 - y[0]
    X[0] = X[y != y[0]].mean(axis=0)  # inside the convex hull of the other class
    assert separability.separating_plane(X, y) is None


@pytest.mark.parametrize("right", [1, 90, 99, 100])
def test_the_lower_bound_is_where_so_many_successes_become_improbable(right):
    assert binom.sf(right - 1, 100, separability.lower_bound(right, 100)) == pytest.approx(0.05)


def test_a_plane_that_generalises_passes_and_one_that_does_not_exist_fails():
    line = np.linspace(-1, 1, 400)[:, None]
    y = (line[:, 0] > 0).astype(int)
    assert separability.fresh_bound((line[::2], y[::2]), (line, y)) > separability.LEAST
    assert separability.fresh_bound((line, np.arange(400) % 2), (line, y)) == 0


def test_what_separates_and_what_does_not():
    grid = {"multiples": [0.3, 1, 3, 10], "n_components": [2, 3, 24]}
    tables = separability.measure(seed=0, replicates=2, **grid)
    assert verdicts(tables["claims"]) == {
        ("5-before", "rings"): "holds",
        ("5-before", "spirals"): "holds",
        ("5-rings-two", "median γ"): "fails",
        ("5-rings-two", "best γ of the grid"): "holds",
        ("5-spirals-two", "median γ"): "fails",
        ("5-spirals-two", "best γ of the grid"): "fails",
    }
    planes = tables["planes"]
    three = planes[(planes["dataset"] == "rings") & (planes["n_components"] == 3)]
    assert (three["bound"] >= separability.LEAST).all()
