"""Cross-validation in the training set, and scores of settings and of their baselines."""

import dataclasses
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml
from sklearn.metrics import balanced_accuracy_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import SVC

from kpca import KernelPCA, median_gamma
from pipeline.datasets.dataset import Dataset
from pipeline.datasets.make import make_dataset
from pipeline.evaluation import embeddings
from pipeline.evaluation.downstream import BY_TASK
from pipeline.evaluation.evaluate import (
    Problem,
    Row,
    as_arrays,
    evaluate,
    evaluate_cell,
    make_problem,
    score,
    validate_cell,
)
from pipeline.evaluation.settings import COLUMNS, Cell, Settings, cells
from pipeline.fitted_models import components_for, fit_arrays, stored_model
from pipeline.grid import Point, points
from tests.pipeline.configuration.test_config import GOOD, ROOT

SETTINGS = Settings((1, 2), (0.1, 1.0), 3, ("unit",), 2, 0.9)


def dataset(generator: str, n: int = 30, **options: Any) -> Dataset:
    """Return two draws of a generator, with n rows for training and n for testing."""
    spec = {"generator": generator, "n_train": n, "n_test": n, "noise": 0.1} | options
    return make_dataset(generator, spec, seed=1, replicates=2)


def problem(generator: str, n: int = 30, **options: Any) -> Problem:
    """Return the first replicate of a generator with three inner folds."""
    return make_problem(dataset(generator, n, **options).split(0), 3, seed=0)


def kernel_dataset(n: int = 40) -> Dataset:
    """Return the linear kernel matrix of labelled rows, as a dataset."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(n, 3)), np.arange(n) % 2
    X[:, 0] += 4 * y
    halves = (np.arange(0, n // 2), np.arange(n // 2, n))
    rest = {"y": y, "class_names": ("a", "b"), "precomputed": True}
    return Dataset(name="kernel", X=X @ X.T, splits=(halves, halves[::-1]), **rest)


RBF = embeddings.KernelPCAScores(Point("rbf"), 0.5, SETTINGS)


def values(rows: list[Row], *splits: str) -> dict[tuple[object, ...], float]:
    return {(m, *map(str, o[:4])): o.value for m, o in rows if o.split in splits}


def replaced(given: Problem, **sides: np.ndarray | None) -> Problem:
    return dataclasses.replace(given, split=dataclasses.replace(given.split, **sides))


def of_folds(
    given: Problem, embed: embeddings.Embedding, folds: list[dict[int, embeddings.Scores]]
) -> list[Row]:
    """Score the whole split by its embedding, and the folds by what is known of them."""
    split = given.split
    outer = embed(split.X_train, split.X_test, split.y_train)
    return score(given, [outer, *folds], BY_TASK[given.task], SETTINGS)


def test_test_rows_decide_nothing() -> None:
    rings = problem("rings")
    rng = np.random.default_rng(0)
    corrupted = replaced(
        rings,
        y_test=rng.permutation(rings.split.y_test),
        X_test=rng.normal(size=rings.split.X_test.shape),
    )

    before, after = (evaluate(p, RBF, SETTINGS) for p in (rings, corrupted))

    assert values(after, "cv", "train") == values(before, "cv", "train")
    assert values(after, "test") != values(before, "test")


def test_an_embedding_sees_the_rows_of_its_fold_alone() -> None:
    rings, seen = problem("rings"), []

    def embed(
        X: np.ndarray, other: np.ndarray, labels: np.ndarray | None
    ) -> dict[int, embeddings.Scores]:
        seen.append((X, other))
        return RBF(X, other, labels)

    evaluate(rings, embed, SETTINGS)

    X = rings.split.X_train
    assert seen[0][0] is X
    for (train, held_out), (fitted, scored) in zip(rings.folds, seen[1:], strict=True):
        np.testing.assert_array_equal(fitted, X[train])
        np.testing.assert_array_equal(scored, X[held_out])


def test_cross_validation_is_a_refit_per_fold_in_a_pipeline() -> None:
    """Equal with γ fixed, and with the scale fixed, here by each fold's own rows."""
    rings, m, C = problem("rings"), 2, 1.0

    def scaled(Z: np.ndarray) -> np.ndarray:
        return Z / scale

    by_hand = []
    for train, held_out in rings.folds:
        X, y = rings.split.X_train, rings.split.y_train
        kpca = KernelPCA(m, kernel="rbf", gamma=0.5)
        scale = np.sqrt((kpca.fit_transform(X[train]) ** 2).sum(axis=1).mean())
        model = make_pipeline(kpca, FunctionTransformer(scaled), SVC(kernel="linear", C=C))
        predicted = model.fit(X[train], y[train]).predict(X[held_out])
        by_hand.append(balanced_accuracy_score(y[held_out], predicted))

    found = values(of_folds(rings, RBF, RBF.of_folds(rings.split.X_train, rings.folds)), "cv")
    at = (m, "linear_svm", "1.0", "balanced_accuracy", "cv")
    assert found[at] == pytest.approx(np.mean(by_hand))


@pytest.mark.parametrize("generator", ["rings", "moons"])
def test_one_median_for_all_folds_chooses_as_well_as_one_each(generator: str) -> None:
    """The outer score of what is chosen differs by less than a point of balanced accuracy."""
    drawn = problem(generator, 150)
    X, multiples, at = drawn.split.X_train, (0.1, 1.0, 10.0), (2, "linear_svm", "1.0")
    shared, own, outer = [], [], []
    for multiple in multiples:
        embed = embeddings.KernelPCAScores(Point("rbf"), multiple * median_gamma(X), SETTINGS)
        rows = of_folds(drawn, embed, embed.of_folds(X, drawn.folds))
        shared.append(values(rows, "cv")[*at, "balanced_accuracy", "cv"])
        outer.append(values(rows, "test")[*at, "balanced_accuracy", "test"])
        refits = [
            embeddings.KernelPCAScores(Point("rbf"), multiple * median_gamma(X[train]), SETTINGS)(
                X[train], X[held_out], None
            )
            for train, held_out in drawn.folds
        ]
        rows = of_folds(drawn, embed, refits)
        own.append(values(rows, "cv")[*at, "balanced_accuracy", "cv"])

    assert outer[np.argmax(shared)] == pytest.approx(outer[np.argmax(own)], abs=0.01)


def test_a_kernel_matrix_is_cut_into_its_blocks() -> None:
    kernel = make_problem(kernel_dataset().split(0), 3, seed=0)
    embed = embeddings.KernelPCAScores(Point("precomputed"), None, SETTINGS)

    found = values(evaluate(kernel, embed, SETTINGS), "cv", "test")

    rows = np.linalg.cholesky(kernel.split.X_train + 1e-10 * np.eye(20))
    X_test = np.linalg.lstsq(rows, kernel.split.X_test.T, rcond=None)[0].T
    same = replaced(kernel, X_train=rows, X_test=X_test)
    same = dataclasses.replace(same, split=dataclasses.replace(same.split, precomputed=False))
    linear = embeddings.KernelPCAScores(Point("linear"), None, SETTINGS)
    assert found == pytest.approx(values(evaluate(same, linear, SETTINGS), "cv", "test"))


@pytest.mark.parametrize(
    ("generator", "task", "methods"),
    [
        ("rings", "classification", {"linear_svm", "kmeans"}),
        ("swiss_roll", "regression", {"least_squares", "embedding"}),
        ("unlabelled", "none", {"embedding"}),
    ],
)
def test_the_task_follows_from_what_is_known(generator: str, task: str, methods: set[str]) -> None:
    if generator == "unlabelled":
        given = replaced(problem("rings", 60), y_train=None, y_test=None)
    else:
        given = problem(generator, 60)
    assert given.task == task
    assert {outcome.method for _, outcome in evaluate(given, RBF, SETTINGS)} == methods


def test_folds_keep_groups_together_and_classes_apart() -> None:
    split = problem("rings", 60).split
    groups = np.arange(60) // 4
    grouped = make_problem(dataclasses.replace(split, groups_train=groups), 3, seed=0)
    for train, held_out in grouped.folds:
        assert not set(groups[train]) & set(groups[held_out])
        assert set(split.y_train[held_out]) == {0, 1}


def test_folds_follow_the_seed_and_cover_every_row_once() -> None:
    split = problem("rings").split
    one, same, other = (make_problem(split, 3, seed=seed).folds for seed in (0, 0, 1))
    assert sorted(np.concatenate([held_out for _, held_out in one])) == list(range(30))
    for (_, a), (_, b) in zip(one, same, strict=True):
        np.testing.assert_array_equal(a, b)
    assert any((a[1] != b[1]).any() for a, b in zip(one, other, strict=True))


def test_a_size_that_one_fold_lacks_is_not_validated() -> None:
    calls = iter([2, 2, 1, 2])

    def embed(X: np.ndarray, other: np.ndarray, _: object) -> dict[int, embeddings.Scores]:
        return embeddings.leading(X, other, range(1, next(calls) + 1))

    found = values(evaluate(problem("rings"), embed, SETTINGS), "cv")

    assert {key[0] for key in found} == {1}


def test_rows_become_columns() -> None:
    rows = evaluate(problem("rings"), RBF, SETTINGS)
    arrays = as_arrays(rows)
    assert tuple(arrays) == COLUMNS
    assert arrays["value"].tolist() == [outcome.value for _, outcome in rows]
    assert all(len(column) == 0 for column in as_arrays([]).values())


def test_lists_come_in_ascending_order() -> None:
    section = GOOD["evaluation"] | {"n_components": [8, 1, 2], "C": [10, 1]}
    settings = Settings.from_config(section)
    assert (settings.n_components, settings.C) == ((1, 2, 8), (1.0, 10.0))


def test_the_default_section_is_complete() -> None:
    section = yaml.safe_load((ROOT / "config/config.yaml").read_text())["evaluation"]
    assert vars(Settings.from_config(section)).keys() == section.keys()


GRID = points("rbf", {"median": [0.3, 3]})
FACTORS = "sklearn.decomposition:FactorAnalysis"


def found(
    given: Problem, cell: Cell, settings: Settings = SETTINGS
) -> tuple[dict[str, float], pd.DataFrame]:
    """Return the facts and the scores of a setting."""
    fit = None
    if cell.kind == "kernel":
        width, share = max(settings.n_components), settings.variance_share
        fit = fit_arrays(cell.point, given.split.X_train, n_components=width, variance_share=share)
    return parted(evaluate_cell(given, cell, settings, fit))


def parted(arrays: dict[str, np.ndarray]) -> tuple[dict[str, float], pd.DataFrame]:
    facts = {name: float(value) for name, value in arrays.items() if name not in COLUMNS}
    return facts, pd.DataFrame({name: arrays[name] for name in COLUMNS})


def sizes(rows: pd.DataFrame, split: str) -> set[int]:
    return set(rows.loc[rows["split"] == split, "n_components"])


CELLS = {
    cell.id: cell
    for cell in cells(
        GRID, {"fa": FACTORS, "fast": {"class": FACTORS, "parameters": {"tol": [0.1, 0.01]}}},
        task="classification", precomputed=False,
    )
}  # fmt: skip


def test_baselines_and_custom_methods_are_scored_too() -> None:
    names = ["raw", "pca", "raw-median0.3", "raw-median3", "fa", "fast-tol0.1", "fast-tol0.01"]
    assert list(CELLS) == [*(point.id for point in GRID), *names]
    assert list(cells(GRID, {}, task="none", precomputed=True)) == [
        Cell("kernel", point) for point in GRID
    ]
    methods = {
        name: set(found(problem("rings"), cell)[1]["method"]) for name, cell in CELLS.items()
    }
    assert methods.pop("raw-median3") == methods.pop("raw-median0.3") == {"rbf_svm", "spectral"}
    raw = {"logistic_regression", "random_forest", "most_frequent"}
    assert methods.pop("raw") == {"linear_svm", "kmeans"} | raw
    assert all(of == {"linear_svm", "kmeans"} for of in methods.values())


def test_a_numeric_target_has_its_own_baselines() -> None:
    roll = problem("swiss_roll")
    listed = {cell.id: cell for cell in cells([], {}, task="regression", precomputed=False)}
    methods = {name: set(found(roll, cell)[1]["method"]) for name, cell in listed.items()}
    raw = {"least_squares", "ridge", "random_forest_regressor", "mean"}
    assert methods == {"raw": raw, "pca": {"least_squares", "embedding"}, "raw-median1": {"svr"}}


def test_fits_that_stop_early_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(problem("rings"), CELLS["pca"])[0]["unconverged"] == 0
    monkeypatch.setattr("pipeline.evaluation.predictors.SVM_STEPS", 1)
    facts, _ = found(problem("rings"), CELLS["pca"])
    assert facts["unconverged"] == 2 * 2 * 4  # sizes, C, three folds and the whole


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
        assert sizes(rows, "test") == {1, 2}
        assert set(rows["method"]) == {"embedding"}
        assert rows["value"].max() < 1
        if name == "rbf-median0.3":
            assert facts["components_for_share"] > 3
    assert found(plain, listed["raw"], settings)[1].empty


def test_the_variance_rule_is_stored_and_scored() -> None:
    rings = problem("rings", 20)
    facts, rows = found(rings, CELLS["rbf-median3"])

    fit = fit_arrays(GRID[1], rings.split.X_train, n_components=2, variance_share=0.9)
    model = stored_model(fit, rings.split)
    share = components_for(0.9, model.explained_variance_ratio_)
    rank = len(model.eigenvalues_)
    expected = {"gamma": model.gamma_, "components_for_share": share, "rank": rank}
    assert facts == expected | {"unconverged": 0}
    assert share > 2
    assert sizes(rows, "test") == {1, 2, share}
    assert sizes(rows, "cv") == {1, 2}  # what is not tuned needs no folds


def test_components_beyond_the_rank_count_as_the_rank() -> None:
    settings = Settings((1, 8, 32), (1.0,), 3, ("unit",), 1, 0.9)
    for cell in (Cell("kernel", Point("linear")), CELLS["pca"]):
        _, rows = found(problem("rings"), cell, settings)
        assert sizes(rows, "test") == sizes(rows, "cv") == {1, 2}


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


def test_a_size_that_a_custom_method_refuses_has_no_scores_and_the_smallest_is_an_error() -> None:
    cell = Cell("method", Point("mine", {}, f"{__name__}:Picky"))
    _, rows = found(problem("rings"), cell, Settings((2, 5), (1.0,), 3, ("unit",), 1, 0.9))
    assert sizes(rows, "test") == {2}
    with pytest.raises(ValueError, match="too many components"):
        found(problem("rings"), cell, Settings((5,), (1.0,), 3, ("unit",), 1, 0.9))


def test_a_gaussian_kernel_without_a_bandwidth_has_that_of_the_estimator() -> None:
    facts, _ = found(problem("rings"), Cell("gaussian", Point("rbf")))
    assert facts == {"gamma": 0.5, "unconverged": 0}


def test_a_kernel_matrix_is_evaluated_like_any_kernel() -> None:
    kernel = make_problem(kernel_dataset().split(0), 2, seed=0)
    facts, rows = found(kernel, Cell("kernel", Point("precomputed")))
    assert "gamma" not in facts
    svm = rows.loc[rows["method"] == "linear_svm", "value"]
    assert svm.max() > 0.9
    assert not svm.isna().any()


@pytest.mark.parametrize("source", ["rings", "swiss_roll", "kernel", "pca"])
def test_all_rows_are_validated_as_the_training_rows_of_a_replicate_are(source: str) -> None:
    drawn = kernel_dataset() if source == "kernel" else dataset(source.replace("pca", "rings"))
    cell = Cell("kernel", Point("rbf", {"median": 1}))
    if source == "kernel":
        cell = Cell("kernel", Point("precomputed"))
    if source == "pca":
        cell = Cell("pca", Point("pca"))
    given = make_problem(drawn.split(0), 3, seed=0)
    alone = make_problem(drawn.take(drawn.splits[0][0]).whole(), 3, seed=0)

    facts, rows = found(given, cell)
    parameters, validated = parted(validate_cell(alone, cell, SETTINGS))

    assert parameters.keys() - {"unconverged"} <= facts.keys()
    assert all(parameters[name] == facts[name] for name in parameters)
    same = (rows["split"] == "cv") & rows["method"].isin(validated["method"])
    pd.testing.assert_frame_equal(validated, rows[same].reset_index(drop=True))
    assert not math.isnan(validated["error"].max())
