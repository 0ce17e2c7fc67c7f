from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from kpca import KernelPCA
from pipeline.datasets.dataset import Dataset
from pipeline.datasets.make import make_dataset
from pipeline.drawing import shown
from pipeline.fits import fit_arrays
from pipeline.grid import Point, points
from pipeline.seeds import sample
from pipeline.store import entry_name, write_store
from tests.scores import score

RBF = points("rbf", {"median": [0.3, 1, 3]})


SETTINGS = [
    {"value": 0.8, "cell": "rbf-median0.3"},
    {"value": 0.9, "cell": "rbf-median1"},
    {"value": 1.0, "cell": "rbf-median3", "n_components": 8},
    {"value": 0.95, "cell": "rbf-median3", "replicate": 1},
    {"value": 1.0, "cell": "rbf-median3", "method": "kmeans"},
    {"value": 0.6, "kernel": "linear", "cell": "linear", "n_components": 1},
    {"value": 0.9, "kernel": "cosine", "cell": "cosine"},
]
SCORES = pd.DataFrame([score(**row, split=split) for row in SETTINGS for split in ("cv", "test")])


def test_the_cell_shown_is_the_best_of_as_many_components_as_are_drawn() -> None:
    found = shown.best_cells(SCORES, components=2).set_index("kernel")
    assert found["cell"].to_dict() == {"rbf": "rbf-median1", "linear": "linear", "cosine": "cosine"}
    assert found["n_components"].to_dict() == {"rbf": 2, "linear": 1, "cosine": 2}


def test_components_of_the_variance_rule_alone_are_not_validated() -> None:
    """It asks for two components here, of which the grid has none."""
    grid = {"cell": "linear", "kernel": "linear", "n_components": 1}
    rule = score(1.0, **(grid | {"n_components": 2}))
    scores = pd.DataFrame([score(0.5, **grid), score(0.5, **grid, split="cv"), rule])
    assert shown.best_cells(scores, components=2)["n_components"].tolist() == [1]


def test_ties_between_families_go_to_the_simplest() -> None:
    cells = shown.best_cells(SCORES, components=2)
    grid = {"linear": points("linear", {}), "rbf": RBF, "cosine": points("cosine", {})}
    by_id = {kernel: {point.id: point for point in listed} for kernel, listed in grid.items()}
    assert shown.best_point(cells, "rings", by_id).id == "cosine"
    assert shown.best_point(cells, "rings", dict(reversed(by_id.items()))).id == "cosine"


@pytest.mark.parametrize(
    ("family", "cells", "expected"),
    [
        (RBF, ["poly-degree2", "rbf-median3"], "rbf-median3"),
        (RBF, [], "rbf-median1"),
        (points("rbf", {"gamma": [2, 4]}), [], "rbf-gamma2"),
    ],
)
def test_without_a_choice_the_median_heuristic_is_shown_else_the_first(
    family: list[Point], cells: list[str], expected: str
) -> None:
    assert shown.shown_point({point.id: point for point in family}, cells).id == expected


def test_a_label_leaves_out_what_the_whole_grid_shares() -> None:
    assert shown.constants(points("poly", {"degree": [2, 3], "coef0": [1]})) == ["coef0"]
    assert shown.constants(points("rbf", {"median": [1, 3], "gamma": [0.5]})) == []


@pytest.fixture(scope="module")
def rings() -> Dataset:
    spec = {"generator": "rings", "n_train": 20, "n_test": 30}
    return make_dataset("rings", spec, seed=0, replicates=2)


def test_scores_are_those_of_the_estimator(rings: Dataset, tmp_path: Path) -> None:
    options = {"n_components": 3, "variance_share": 0.5}
    fit = fit_arrays(RBF[1], rings.split(0).X_train, **options)
    write_store(tmp_path / "rbf.npz", [(entry_name(RBF[1], 0), fit)])

    model = shown.model_of(rings, tmp_path / "rbf.npz", RBF[1])
    found = shown.embed(rings, model, components=2, test_rows=10)

    split = rings.split(0)
    expected = KernelPCA(2, kernel="rbf", gamma=model.gamma_).fit(split.X_train)
    np.testing.assert_allclose(found.train, expected.transform(split.X_train), atol=1e-10)
    rows = sample(30, 10)
    np.testing.assert_allclose(found.test, expected.transform(split.X_test[rows]), atol=1e-10)
    np.testing.assert_array_equal(found.test_index, rings.splits[0][1][rows])


def test_a_component_that_is_missing_is_zero(rings: Dataset) -> None:
    model = KernelPCA(1, kernel="linear").fit(rings.split(0).X_train)
    found = shown.embed(rings, model, components=2, test_rows=5)
    assert found.train.shape == (20, 2)
    assert not found.test[:, 1].any()
