"""What unrolls the Swiss roll: geodesic kernels do, kernels of distances in space do not."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from tests.scripts.claims import STATEMENTS
from workflow.scripts.claims import sheets
from workflow.scripts.claims.unrolling import (
    axis_correlation,
    draw_sheet,
    isomap_difference,
    measure,
)


@pytest.fixture(scope="module")
def measured():
    grid = {"linear": [1], "poly": [2], "rbf": [0.01, 1], "geodesic": [6, 20], "lle": [6]}
    return measure(STATEMENTS, seed=0, replicates=2, n=600, grid=grid)


def test_geodesic_distances_go_along_a_circle():
    angles = np.linspace(0, 2 * np.pi, 41)[:-1]
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    step = np.linalg.norm(circle[1] - circle[0])
    D = sheets.geodesic_distances(circle, 2)
    assert D[0, 20] == pytest.approx(20 * step)
    assert D[0, 30] == pytest.approx(10 * step)


def test_parts_of_the_graph_are_joined_by_the_shortest_edge():
    X = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]])
    assert sheets.geodesic_distances(X, 1)[0, 5] == pytest.approx(12)


def test_the_geodesic_kernel_of_a_flat_sheet_gives_the_sheet_back():
    X = np.random.default_rng(0).uniform(size=(60, 2))
    Z = sheets.geodesic_scores(squareform(pdist(X)))
    assert pdist(Z) == pytest.approx(pdist(X))


def test_a_wide_gaussian_of_distances_tends_to_that_kernel():
    X, coordinate = draw_sheet(0, 0, 200)
    D = sheets.geodesic_distances(X, 8)
    Z = sheets.geodesic_gaussian_scores(D, 1e-4)[:, :2]
    wide, limit = (axis_correlation(part, coordinate) for part in (Z, sheets.geodesic_scores(D)))
    assert wide == pytest.approx(limit, abs=1e-3)


def test_isomap_is_kernel_pca():
    assert isomap_difference(draw_sheet(0, 0, 300)[0], 8) < 1e-8


def test_axis_correlation_is_that_of_the_best_axis():
    t = np.linspace(0, 1, 50)
    Z = np.column_stack([np.random.default_rng(0).standard_normal(50), -3 * t + 1])
    assert axis_correlation(Z, t) == pytest.approx(1)
    assert axis_correlation(Z[:, :1], t) < 0.5


def test_what_unrolls_and_what_does_not(measured):
    claims, tables = measured
    found = {claim.claim: claim for claim in claims}
    assert found["5-roll-two"].verdict == "fails"
    assert found["5-roll-geodesic"].verdict == "holds"
    assert found["5-roll-isomap"].verdict == "holds"
    embeddings = tables["embeddings"]
    jumping = embeddings[(embeddings["method"] == "geodesic") & (embeddings["parameter"] == 20)]
    assert jumping["two"].mean() < 0.9
    assert (embeddings["ten"] >= embeddings["two"]).all()
    assert embeddings["trustworthiness"].between(0, 1).all()
