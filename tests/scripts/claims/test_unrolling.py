"""What unrolls the Swiss roll: geodesic kernels do, kernels of distances in space do not."""

import numpy as np
import pytest
from sklearn.manifold import Isomap

from tests.scripts.claims import verdicts
from workflow.scripts.claims import unrolling


def test_geodesic_distances_go_along_a_circle():
    angles = np.linspace(0, 2 * np.pi, 41)[:-1]
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    step = np.linalg.norm(circle[1] - circle[0])
    D = unrolling.geodesic_distances(circle, 2)
    assert D[0, 20] == pytest.approx(20 * step)
    assert D[0, 30] == pytest.approx(10 * step)


@pytest.mark.filterwarnings("ignore:The number of connected components")
def test_parts_of_the_graph_are_joined_by_the_shortest_edge():
    X = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]])
    assert unrolling.geodesic_distances(X, 1)[0, 5] == pytest.approx(12)


def test_axis_correlation_is_that_of_the_best_axis():
    t = np.linspace(0, 1, 50)
    Z = np.column_stack([np.random.default_rng(0).standard_normal(50), -3 * t + 1])
    assert unrolling.axis_correlation(Z, t) == pytest.approx(1)
    assert unrolling.axis_correlation(Z[:, :1], t) < 0.5


def test_the_geodesic_kernel_gives_the_coordinates_of_isomap():
    X, _ = unrolling.draw_sheet(0, 0, 300)
    theirs = Isomap(n_neighbors=8, n_components=2).fit_transform(X)
    assert np.abs(unrolling.embed(X, "geodesic", 8)) == pytest.approx(np.abs(theirs), abs=1e-8)


def test_what_unrolls_and_what_does_not():
    grid = {"linear": [1], "poly": [2], "rbf": [0.01, 1], "geodesic": [6, 20]}
    tables = unrolling.measure(seed=0, replicates=2, n=600, grid=grid)
    assert verdicts(tables["claims"]) == {
        ("5-roll-two", ""): "fails",
        ("5-roll-geodesic", ""): "holds",
    }
    values = tables["embeddings"].groupby(["kernel", "parameter"])["value"].mean()
    assert values["geodesic", 20] < 0.9  # paths jump from turn to turn
