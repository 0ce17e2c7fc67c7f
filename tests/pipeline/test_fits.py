"""What is fitted, and what of it is stored."""

from typing import Any

import numpy as np
import pytest

from pipeline.datasets.dataset import Dataset
from pipeline.datasets.make import make_dataset
from pipeline.fits import components_for, fit_arrays, fit_point, stored_model
from pipeline.grid import Point, points

OPTIONS: dict[str, Any] = {"n_components": 2, "variance_share": 0.9}
GRID = points("rbf", {"median": [0.3, 3]})


def overlap(x: np.ndarray, y: np.ndarray, width: float) -> float:
    return float(np.exp(-np.abs(x - y).max() / width))


OWN = Point("own", {"width": 2.0}, f"{__name__}:overlap")


@pytest.fixture(scope="module")
def dataset() -> Dataset:
    spec = {"generator": "rings", "n_train": 30, "n_test": 20, "noise": 0.1}
    return make_dataset("rings", spec, seed=3, replicates=2)


@pytest.mark.parametrize("point", [*GRID, Point("linear"), Point("poly", {"degree": 2}), OWN])
def test_a_stored_model_is_the_fitted_one(dataset: Dataset, point: Point) -> None:
    split = dataset.split(1)

    entry = fit_arrays(point, split.X_train, **OPTIONS)

    assert "X_fit_" not in entry  # it stands in the dataset already
    model = stored_model(entry, split)
    fitted = fit_point(point, split.X_train, **OPTIONS)
    np.testing.assert_array_equal(model.transform(split.X_test), fitted.transform(split.X_test))


def test_a_fit_is_as_wide_as_the_evaluation_and_the_share_need(dataset: Dataset) -> None:
    X = dataset.split(0).X_train
    narrow, wide = Point("rbf", {"median": 0.1}), Point("rbf", {"median": 30})

    enough = fit_point(narrow, X, n_components=5, variance_share=0.5)
    more = fit_point(wide, X, n_components=5, variance_share=0.9)

    assert len(enough.eigenvalues_) == 5
    assert len(more.eigenvalues_) > 5
    assert more.explained_variance_ratio_[:-1].sum() < 0.9 <= more.explained_variance_ratio_.sum()


@pytest.mark.parametrize(
    ("share", "count"), [(0.5, 1), (0.6, 1), (0.61, 2), (0.9, 2), (0.95, 3), (0.999, 3)]
)
def test_components_reach_a_share(share: float, count: int) -> None:
    # The last is never reached: all there are.
    assert components_for(share, np.array([0.6, 0.3, 0.09])) == count
