"""A store of fits: what is in it, and when it is computed again."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kpca.pipeline.datasets import make_dataset
from kpca.pipeline.datasets.dataset import Dataset
from kpca.pipeline.fits import components_for, entry_name, fit_family, fit_point, stored_model
from kpca.pipeline.grid import Point, points
from kpca.pipeline.store import read_store

OPTIONS: dict[str, Any] = {"n_components": 2, "variance_share": 0.9, "code": "1"}
GRID = points("rbf", {"median": [0.3, 3]})


def overlap(x: np.ndarray, y: np.ndarray, width: float) -> float:
    return float(np.exp(-np.abs(x - y).max() / width))


OWN = Point("own", {"width": 2.0}, f"{__name__}:overlap")


@pytest.fixture(scope="module")
def dataset() -> Dataset:
    spec = {"generator": "rings", "n_train": 30, "n_test": 20, "noise": 0.1}
    return make_dataset("rings", spec, seed=3, replicates=2)


@pytest.mark.parametrize("point", [*GRID, Point("linear"), Point("poly", {"degree": 2}), OWN])
def test_a_stored_model_is_the_fitted_one(tmp_path: Path, dataset: Dataset, point: Point) -> None:
    fit_family(tmp_path / "s.npz", dataset, [point], **OPTIONS)

    split = dataset.split(1)
    model = stored_model(read_store(tmp_path / "s.npz")[entry_name(point, 1)], split)
    fitted = fit_point(point, split.X_train, n_components=2, variance_share=0.9)
    np.testing.assert_array_equal(model.transform(split.X_test), fitted.transform(split.X_test))


def test_training_rows_are_stored_with_the_dataset_alone(tmp_path: Path, dataset: Dataset) -> None:
    fit_family(tmp_path / "s.npz", dataset, GRID, **OPTIONS)

    assert all("X_fit_" not in entry for entry in read_store(tmp_path / "s.npz").values())


def test_every_replicate_is_fitted_and_timed(tmp_path: Path, dataset: Dataset) -> None:
    seconds, counts = fit_family(tmp_path / "s.npz", dataset, GRID, **OPTIONS)

    names = {entry_name(point, replicate) for point in GRID for replicate in (0, 1)}
    assert counts == (4, 0)
    assert set(seconds) == set(read_store(tmp_path / "s.npz")) == names


def test_nothing_new_is_nothing_to_fit(tmp_path: Path, dataset: Dataset) -> None:
    fit_family(tmp_path / "s.npz", dataset, GRID, **OPTIONS)

    assert fit_family(tmp_path / "s.npz", dataset, GRID, **OPTIONS) == ({}, (0, 4))


@pytest.mark.parametrize(
    "change", [{"code": "2"}, {"n_components": 3}, {"variance_share": 0.8}], ids=str
)
def test_whatever_decides_a_fit_is_in_its_key(
    tmp_path: Path, dataset: Dataset, change: dict[str, Any]
) -> None:
    fit_family(tmp_path / "s.npz", dataset, GRID, **OPTIONS)

    assert fit_family(tmp_path / "s.npz", dataset, GRID, **OPTIONS | change)[1] == (4, 0)


def test_other_data_are_other_fits(tmp_path: Path, dataset: Dataset) -> None:
    spec = {"generator": "rings", "n_train": 30, "n_test": 20, "noise": 0.2}
    fit_family(tmp_path / "s.npz", dataset, GRID, **OPTIONS)

    other = make_dataset("rings", spec, seed=3, replicates=2)
    assert fit_family(tmp_path / "s.npz", other, GRID, **OPTIONS)[1] == (4, 0)


def test_a_further_replicate_is_all_that_is_new(tmp_path: Path, dataset: Dataset) -> None:
    spec = {"generator": "rings", "n_train": 30, "n_test": 20, "noise": 0.1}
    fit_family(tmp_path / "s.npz", dataset, GRID, **OPTIONS)

    larger = make_dataset("rings", spec, seed=3, replicates=3)
    assert fit_family(tmp_path / "s.npz", larger, GRID, **OPTIONS)[1] == (2, 4)


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


@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "poly"])
def test_a_fit_does_not_depend_on_what_else_is_in_the_grid(
    tmp_path: Path, dataset: Dataset, kernel: str
) -> None:
    grid = points(kernel, {"gamma": [0.1, 1, 10]})
    fit_family(tmp_path / "all.npz", dataset, grid, **OPTIONS)
    for point in grid:
        fit_family(tmp_path / "one.npz", dataset, [point], **OPTIONS)
        alone = read_store(tmp_path / "one.npz")
        together = read_store(tmp_path / "all.npz")
        for name, arrays in alone.items():
            assert {k: v.tobytes() for k, v in arrays.items()} == {
                k: v.tobytes() for k, v in together[name].items()
            }
