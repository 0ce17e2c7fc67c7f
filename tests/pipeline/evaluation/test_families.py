"""The stores of scores: families of fits, and what they are compared with."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipeline.datasets.dataset import Dataset
from pipeline.evaluation.families import evaluate_dataset
from pipeline.evaluation.settings import Settings
from pipeline.fits import components_for, fit_grid, stored_model
from pipeline.grid import Point, points
from pipeline.store import read_store
from tests.pipeline.evaluation.problems import SETTINGS, dataset, kernel_dataset

GRID = points("rbf", {"median": [0.3, 3]})
OPTIONS: dict[str, Any] = {"seed": 1, "code": "1"}


@pytest.fixture(scope="module")
def rings() -> Dataset:
    return dataset("rings", 20)


@pytest.fixture(scope="module")
def fits(rings: Dataset, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("fits") / "rbf.npz"
    fit_grid(path, rings, GRID, n_components=2, variance_share=0.9, code="1")
    return path


@pytest.mark.parametrize(
    ("change", "counts"), [({}, (0, 12)), ({"code": "2"}, (12, 0)), ({"seed": 2}, (12, 0))]
)
def test_every_fit_is_evaluated_once_for_what_decides_its_scores(
    rings: Dataset, fits: Path, tmp_path: Path, change: dict[str, Any], counts: tuple[int, int]
) -> None:
    path = tmp_path / "s.npz"

    assert evaluate_dataset(path, rings, fits, GRID, SETTINGS, **OPTIONS) == (12, 0)
    assert evaluate_dataset(path, rings, fits, GRID, SETTINGS, **OPTIONS | change) == counts
    assert set(read_store(path)) > set(read_store(fits))


def test_the_variance_rule_is_stored_and_scored(rings: Dataset, fits: Path, tmp_path: Path) -> None:
    evaluate_dataset(tmp_path / "s.npz", rings, fits, GRID, SETTINGS, **OPTIONS)

    scores = read_store(tmp_path / "s.npz")
    for name, fit in read_store(fits).items():
        entry, model = scores[name], stored_model(fit, rings.split(int(name[-1])))
        share = int(entry["components_for_share"])
        assert share == components_for(0.9, model.explained_variance_ratio_)
        tested = entry["n_components"][entry["split"] == "test"]
        assert set(tested) == {1, 2, share}
        assert float(entry["gamma"]) == model.gamma_
        assert np.isnan(float(entry["degree"]))


def test_without_labels_there_are_fewer_components_than_columns(tmp_path: Path) -> None:
    """With as many, the linear kernel would keep every neighbourhood by construction."""
    X = np.random.default_rng(0).normal(size=(60, 3)) * [3, 2, 1]
    halves = np.arange(30), np.arange(30, 60)
    plain, grid = Dataset(name="plain", X=X, splits=(halves,)), [Point("linear"), *GRID]
    settings = Settings((1, 3, 8), (1.0,), 3, ("unit",), 2, 0.9)
    fit_grid(tmp_path / "f.npz", plain, grid, n_components=8, variance_share=0.9, code="1")
    methods = {"ica": "sklearn.decomposition:FastICA"}

    evaluate_dataset(
        *(tmp_path / "s.npz", plain, tmp_path / "f.npz", grid, settings), **OPTIONS, methods=methods
    )

    scores = read_store(tmp_path / "s.npz")
    for cell in ("linear/0", "rbf-median0.3/0", "rbf-median3/0", "pca/0", "ica/0"):
        entry = scores[cell]
        assert set(entry["n_components"]) == {1, 2}
        assert entry["value"].max() < 1
    assert scores["rbf-median0.3/0"]["components_for_share"] > 3
    assert len(scores["raw/0"]["value"]) == 0


def test_baselines_and_own_methods_stand_beside(rings: Dataset, fits: Path, tmp_path: Path) -> None:
    factors = "sklearn.decomposition:FactorAnalysis"
    methods = {"fa": factors, "fast": {"class": factors, "parameters": {"tol": [0.1, 0.01]}}}

    path, options = tmp_path / "s.npz", OPTIONS | {"methods": methods}
    assert evaluate_dataset(path, rings, fits, GRID, SETTINGS, **options) == (18, 0)
    # Another version of the code behind a method invalidates that method alone.
    options |= {"own_code": {"fast": "2"}}
    assert evaluate_dataset(path, rings, fits, GRID, SETTINGS, **options) == (4, 14)

    stored = read_store(path)
    names = ["raw", "raw-median0.3", "raw-median3", "pca", "fa", "fast-tol0.1", "fast-tol0.01"]
    names += [point.id for point in GRID]
    assert set(stored) == {f"{name}/{replicate}" for name in names for replicate in (0, 1)}
    assert set(stored["raw-median3/0"]["method"]) == {"rbf_svm", "spectral"}
    assert set(stored["fa/0"]["method"]) == {"linear_svm", "kmeans"}


def test_a_kernel_matrix_is_evaluated_like_any_kernel_and_has_no_baselines(tmp_path: Path) -> None:
    kernel, grid = kernel_dataset(), [Point("precomputed")]
    fit_grid(tmp_path / "f.npz", kernel, grid, n_components=2, variance_share=0.9, code="1")

    settings = Settings((1, 2), (1.0,), 2, ("unit",), 1, 0.9)
    options = OPTIONS | {"methods": {"fa": "sklearn:X"}}
    evaluate_dataset(tmp_path / "s.npz", kernel, tmp_path / "f.npz", grid, settings, **options)

    stored = read_store(tmp_path / "s.npz")
    assert {name.split("/")[0] for name in stored} == {"precomputed"}
    entry = stored["precomputed/0"]
    svm = (entry["method"] == "linear_svm") & (entry["split"] == "test")
    assert entry["value"][svm].max() > 0.9
