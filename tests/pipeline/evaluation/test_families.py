"""Scores of a cell: of fits, of what they are compared with, whole and one at a time."""

import math
from typing import Any

import numpy as np
import pytest

from pipeline.datasets.dataset import Dataset
from pipeline.evaluation.cells import Cell, cells
from pipeline.evaluation.evaluate import UNCONVERGED, Problem, Row, make_problem
from pipeline.evaluation.families import Facts, evaluate_cell
from pipeline.evaluation.settings import Settings
from pipeline.fits import components_for, fit_arrays, stored_model
from pipeline.grid import Point, points
from tests.pipeline.evaluation.problems import SETTINGS, kernel_dataset, problem

GRID = points("rbf", {"median": [0.3, 3]})
FACTORS = "sklearn.decomposition:FactorAnalysis"


def found(
    given: Problem, cell: Cell, settings: Settings = SETTINGS, only: str = ""
) -> tuple[Facts, dict[str, list[Row]]]:
    """Evaluate the scores of a cell whose name ends in some text."""
    fit = None
    if cell.kind == "kernel":
        width, share = max(settings.n_components), settings.variance_share
        fit = fit_arrays(cell.point, given.split.X_train, n_components=width, variance_share=share)
    wanted = cell.scores(given.task, settings)
    chosen = [wanted[name] for name in wanted if name.endswith(only)]
    return evaluate_cell(given, cell, settings, chosen, fit)


def of_split(rows: dict[str, list[Row]], split: str) -> dict[str, set[int]]:
    """Return the numbers of components that each score has on a split."""
    return {n: {m for m, outcome in of if outcome.split == split} for n, of in rows.items()}


CELLS = {
    cell.id: cell
    for cell in cells(
        GRID, {"fa": FACTORS, "fast": {"class": FACTORS, "parameters": {"tol": [0.1, 0.01]}}},
        task="classification", precomputed=False,
    )
}  # fmt: skip


def test_baselines_and_own_methods_stand_beside() -> None:
    names = ["raw", "pca", "raw-median0.3", "raw-median3", "fa", "fast-tol0.1", "fast-tol0.01"]
    assert list(CELLS) == [*(point.id for point in GRID), *names]
    assert list(cells(GRID, {}, task="none", precomputed=True)) == [
        Cell("kernel", point) for point in GRID
    ]
    methods = {
        name: {
            outcome.method
            for rows in found(problem("rings"), cell)[1].values()
            for _, outcome in rows
        }
        for name, cell in CELLS.items()
    }
    assert methods.pop("raw-median3") == methods.pop("raw-median0.3") == {"rbf_svm", "spectral"}
    raw = {"logistic_regression", "random_forest", "most_frequent"}
    assert methods.pop("raw") == {"linear_svm", "kmeans"} | raw
    assert all(of == {"linear_svm", "kmeans"} for of in methods.values())


def test_a_numeric_target_has_its_own_baselines() -> None:
    roll = problem("swiss_roll")
    listed = {cell.id: cell for cell in cells([], {}, task="regression", precomputed=False)}
    methods = {
        name: {outcome.method for rows in found(roll, cell)[1].values() for _, outcome in rows}
        for name, cell in listed.items()
    }
    raw = {"least_squares", "ridge", "random_forest_regressor", "mean"}
    assert methods == {"raw": raw, "pca": {"least_squares", "embedding"}, "raw-median1": {"svr"}}


def test_fits_that_stop_early_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.evaluation.predictors._SVM_STEPS", 1)
    _, rows = found(problem("rings"), CELLS["pca"], only="C=1.0 class_weight=balanced")

    for name, of in rows.items():
        counts = [outcome.value for _, outcome in of if outcome.metric == UNCONVERGED]
        assert counts == ([4.0] if "linear_svm" in name else [])  # three folds and the whole


def test_without_labels_there_are_fewer_components_than_columns() -> None:
    """With as many, the linear kernel would keep every neighbourhood by construction."""
    X = np.random.default_rng(0).normal(size=(60, 3)) * [3, 2, 1]
    halves = np.arange(30), np.arange(30, 60)
    plain = make_problem(Dataset(name="plain", X=X, splits=(halves,)).split(0), 2, seed=0)
    settings = Settings((1, 3, 8), (1.0,), 3, ("unit",), 2, 0.9)
    listed = {cell.id: cell for cell in cells(
        [Point("linear"), *GRID], {"ica": "sklearn.decomposition:FastICA"},
        task="none", precomputed=False,
    )}  # fmt: skip

    for name in ("linear", "rbf-median0.3", "rbf-median3", "pca", "ica"):
        facts, rows = found(plain, listed[name], settings)
        assert set.union(*of_split(rows, "test").values()) == {1, 2}
        assert max(outcome.value for of in rows.values() for _, outcome in of) < 1
        if name == "rbf-median0.3":
            assert facts["components_for_share"] > 3
    assert not any(found(plain, listed["raw"], settings)[1].values())


@pytest.mark.parametrize("name", CELLS)
def test_a_score_by_itself_is_the_one_among_all(name: str) -> None:
    _, together = found(problem("rings"), CELLS[name])

    for score, rows in together.items():
        _, alone = found(problem("rings"), CELLS[name], only=score)
        assert str(alone) == str({score: rows})  # NaN is NaN


def test_the_variance_rule_is_stored_and_scored() -> None:
    rings = problem("rings", 20)
    facts, rows = found(rings, CELLS["rbf-median3"])

    fit = fit_arrays(GRID[1], rings.split.X_train, n_components=2, variance_share=0.9)
    model = stored_model(fit, rings.split)
    share = components_for(0.9, model.explained_variance_ratio_)
    assert facts == {
        "gamma": model.gamma_, "components_for_share": share, "rank": len(model.eigenvalues_)
    }  # fmt: skip
    by_name = {"1": {1}, "2": {2}, "share": {share}}
    assert share > 2
    for name, sizes in of_split(rows, "test").items():
        assert sizes == by_name[name.split()[0]]
    # What is not tuned needs no folds.
    assert not any(sizes for n, sizes in of_split(rows, "cv").items() if n.startswith("share"))


def test_components_beyond_the_rank_count_as_the_rank() -> None:
    settings = Settings((1, 8, 32), (1.0,), 3, ("unit",), 1, 0.9)
    for cell in (Cell("kernel", Point("linear")), CELLS["pca"]):
        _, rows = found(problem("rings"), cell, settings)
        for split in ("test", "cv"):
            sizes = {n.split()[0]: m for n, m in of_split(rows, split).items()}
            assert (sizes["1"], sizes["8"], sizes["32"]) == ({1}, {2}, {2})


class Picky:
    """The first columns, of which it has two; learns whether it was asked for the size."""

    def __init__(self, n_components: int = 1) -> None:
        self.n_components = n_components

    def fit(self, X: np.ndarray, y: Any = None) -> "Picky":
        if self.n_components > 2:
            raise ValueError("too many components")
        return self

    def transform(self, X: np.ndarray) -> np.ndarray:
        return X[:, : self.n_components]


def test_a_size_that_ones_own_method_refuses_has_no_scores_and_the_smallest_is_an_error() -> None:
    cell = Cell("method", Point("mine", {}, f"{__name__}:Picky"))

    _, rows = found(problem("rings"), cell, Settings((2, 5), (1.0,), 3, ("unit",), 1, 0.9))
    assert set(map(len, of_split(rows, "test").values())) == {0, 1}
    with pytest.raises(ValueError, match="too many components"):
        found(problem("rings"), cell, Settings((5,), (1.0,), 3, ("unit",), 1, 0.9))


def test_a_gaussian_kernel_without_a_bandwidth_has_that_of_the_estimator() -> None:
    facts, _ = found(problem("rings"), Cell("gaussian", Point("rbf")), only="C=1.0")
    assert facts == {"gamma": 0.5}


def test_a_kernel_matrix_is_evaluated_like_any_kernel() -> None:
    kernel = make_problem(kernel_dataset().split(0), 2, seed=0)

    facts, rows = found(kernel, Cell("kernel", Point("precomputed")))

    assert "gamma" not in facts
    svm = [o.value for name in rows for _, o in rows[name] if o.method == "linear_svm"]
    assert max(svm) > 0.9
    assert not any(math.isnan(value) for value in svm)
