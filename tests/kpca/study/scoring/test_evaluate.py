"""Cross-validation in the training set, and scores of settings and of their baselines."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import balanced_accuracy_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from kpca import KernelPCA
from kpca.study.datasets.dataset import Dataset
from kpca.study.datasets.make import make_dataset
from kpca.study.evidence.selection import best_setting
from kpca.study.fitting.fitted_models import components_for, fit_arrays, stored_model
from kpca.study.fitting.grid import Point, points
from kpca.study.scoring.evaluate import evaluate_cell, make_problem, validate_cell
from kpca.study.scoring.scores import scores_table
from kpca.study.scoring.settings import Cell, Outcome, Settings, cells
from kpca.study.store import write_store
from tests.datasets import dataset_of
from tests.kpca.study.fitting.test_kernels import OWN, overlap
from tests.workflow.configuration.test_config import GOOD

SETTINGS = Settings((1, 2), (0.1, 1.0), 3, ("unit",), 2, 0.9)
GRID = points("rbf", {"median": [0.3, 3]})
FACTORS = "sklearn.decomposition:FactorAnalysis"
FAST = {"class": FACTORS, "parameters": {"tol": [0.1, 0.01]}}
LISTED = cells(GRID, {"fa": FACTORS, "fast": FAST}, task="classification", precomputed=False)
CELLS = {cell.id: cell for cell in LISTED}


def dataset(generator, n=30):
    spec = {"generator": generator, "n_train": n, "n_test": n, "noise": 0.1}
    return make_dataset(generator, spec, seed=1, replicates=2)


def problem(generator, n=30):
    return make_problem(dataset(generator, n).split(0), 3, seed=0)


HALVES = np.arange(30), np.arange(30, 60)


def blobs(*, precomputed):
    y = np.arange(60) % 2
    X = np.random.default_rng(0).normal(size=(60, 3)) + np.outer(y, [4, 0, 0])
    X = X @ X.T if precomputed else X
    return Dataset(X=X, y=y, splits=(HALVES,), class_names=("a", "b"), precomputed=precomputed)


def evaluated(rows, cell, settings=SETTINGS, **options):
    fit = None
    if cell.kind == "kernel":
        sizes = {"n_components": settings.largest, "variance_share": settings.variance_share}
        fit = fit_arrays(cell.point, rows.split.X_train, **sizes)
    return parted(evaluate_cell(rows, cell, settings, fit, **options))


def parted(arrays):
    facts = {name: float(value) for name, value in arrays.items() if name not in Outcome._fields}
    return facts, pd.DataFrame({name: arrays[name] for name in Outcome._fields})


def sizes(rows, split):
    return set(rows.loc[rows["split"] == split, "n_components"])


def test_test_rows_decide_nothing():
    rings = problem("rings")
    rng = np.random.default_rng(0)
    y_test = rng.permutation(rings.split.y_test)
    X_test = rng.normal(size=rings.split.X_test.shape)
    corrupted = replace(rings, split=replace(rings.split, y_test=y_test, X_test=X_test))
    before, after = (evaluated(rows, CELLS["rbf-median3"])[1] for rows in (rings, corrupted))
    tested = before["split"] == "test"
    pd.testing.assert_frame_equal(after[~tested], before[~tested])
    assert (after["value"] != before["value"])[tested].any()


@pytest.mark.parametrize(
    "point", [Point("rbf", {"gamma": 0.5}), Point("sigmoid", {"gamma": 0.1}), OWN]
)
@pytest.mark.filterwarnings("ignore::kpca.certificates.definiteness.IndefiniteKernelWarning")
def test_cross_validation_is_a_refit_per_fold(point):
    """Equal with γ fixed, and with scores whose mean squared norm is 1 in each fold."""
    options = {"kernel": point.kernel} | point.parameters
    if point.callable:
        options = {"kernel": overlap, "kernel_params": point.parameters}
    rings = problem("rings")
    X = rings.split.X_train
    y = rings.split.y_train
    accuracies = []
    for train, held_out in rings.folds:
        kpca = KernelPCA(2, **options).fit(X[train])
        C = 1 / (kpca.transform(X[train]) ** 2).sum(axis=1).mean()
        model = make_pipeline(kpca, SVC(kernel="linear", C=C)).fit(X[train], y[train])
        accuracies.append(balanced_accuracy_score(y[held_out], model.predict(X[held_out])))

    _, rows = evaluated(rings, Cell("kernel", point))
    rows = rows.query("n_components == 2 and method == 'linear_svm' and C == 1")
    rows = rows[rows["metric"] == "balanced_accuracy"]
    validated = rows.set_index("split").loc["cv"]
    assert validated["value"] == pytest.approx(np.mean(accuracies))
    assert validated["error"] == pytest.approx(np.std(accuracies, ddof=1) / 3**0.5)


class Picky:
    """The first columns: two of them, and one without a certain row among those to fit."""

    def __init__(self, n_components=1):
        self.n_components = n_components

    def fit(self, X, y=None):
        self.seen.append(X)
        if self.n_components > 1 + (self.wanted == X).all(axis=1).any():
            raise ValueError("too many components")
        return self

    def transform(self, X):
        return X[:, : self.n_components]


def test_a_custom_method_sees_its_fold_alone_and_gives_there_what_it_can():
    rings = problem("rings")
    cell = Cell("method", Point("mine", {}, f"{__name__}:Picky"))
    X = rings.split.X_train
    Picky.seen = []
    Picky.wanted = X[0]
    _, rows = evaluated(rings, cell, replace(SETTINGS, n_components=(1, 2, 5)))
    assert sizes(rows, "test") == sizes(rows, "cv") == {1, 2}
    fitted = [X, *(X[train] for train, _ in rings.folds)]
    assert all(any(np.array_equal(one, other) for other in fitted) for one in Picky.seen)
    with pytest.raises(ValueError, match="too many components"):
        evaluated(rings, cell, replace(SETTINGS, n_components=(5,)))


def test_a_kernel_matrix_is_evaluated_as_its_rows_are():
    matrix, rows = (
        make_problem(blobs(precomputed=precomputed).split(0), 3, seed=0)
        for precomputed in (True, False)
    )
    facts, scores = evaluated(matrix, Cell("kernel", Point("precomputed")))
    _, expected = evaluated(rows, Cell("kernel", Point("linear")))
    pd.testing.assert_frame_equal(scores, expected)
    assert "gamma" not in facts


def test_folds_keep_groups_together_and_classes_apart_and_follow_the_seed():
    split = problem("rings", 60).split
    groups = np.arange(60) // 4
    grouped = make_problem(replace(split, groups_train=groups), 3, seed=0)
    for train, held_out in grouped.folds:
        assert not set(groups[train]) & set(groups[held_out])
        assert set(split.y_train[held_out]) == {0, 1}
    one, same, other = (make_problem(split, 3, seed=seed).folds[0][1] for seed in (0, 0, 1))
    assert one.tolist() == same.tolist() != other.tolist()


def test_lists_come_in_ascending_order():
    section = GOOD["evaluation"] | {"n_components": [8, 1, 2], "C": [10, 1]}
    settings = Settings.from_config(section)
    assert (settings.n_components, settings.C) == ((1, 2, 8), (1.0, 10.0))


def test_baselines_and_custom_methods_are_scored_too():
    names = ["raw", "pca", "raw-median0.3", "raw-median3", "fa", "fast-tol0.1", "fast-tol0.01"]
    assert list(CELLS) == [*(point.id for point in GRID), *names]
    assert list(cells(GRID, {}, task="none", precomputed=True)) == [
        Cell("kernel", point) for point in GRID
    ]
    rings = problem("rings")
    raw = {"logistic_regression", "random_forest", "gradient_boosting"}
    expected = {name: {"linear_svm", "kmeans"} for name in CELLS}
    expected["raw"] = expected["raw"] | raw | {"most_frequent", "pca_rbf_svm"}
    expected["raw-median3"] = expected["raw-median0.3"] = {"rbf_svm", "spectral"}
    scores = {name: evaluated(rings, cell)[1] for name, cell in CELLS.items()}
    assert {name: set(rows["method"]) for name, rows in scores.items()} == expected
    budget = ["n_components", "method", "C", "metric", "split"]  # a custom method has that of PCA
    pd.testing.assert_frame_equal(scores["fa"][budget], scores["pca"][budget])


def test_a_numeric_target_has_its_own_baselines():
    roll = problem("swiss_roll")
    listed = {cell.id: cell for cell in cells([], {}, task=roll.rows.task, precomputed=False)}
    methods = {name: set(evaluated(roll, cell)[1]["method"]) for name, cell in listed.items()}
    raw = {"least_squares", "ridge", "random_forest_regressor", "mean"}
    raw |= {"gradient_boosting_regressor", "pca_svr"}
    assert methods == {"raw": raw, "pca": {"least_squares", "embedding"}, "raw-median1": {"svr"}}


def test_fits_that_stop_early_are_counted(monkeypatch):
    rings = problem("rings")
    assert evaluated(rings, CELLS["pca"])[0]["unconverged"] == 0
    monkeypatch.setattr("kpca.study.scoring.methods.SVM_STEPS", 1)
    facts, _ = evaluated(rings, CELLS["pca"])
    assert facts["unconverged"] == 2 * 2 * 4  # sizes, C, three folds and the whole


def label_free(name):
    """Evaluate a representation of rows of rank 3 in four columns, two of which are of a text."""
    X = np.random.default_rng(0).normal(size=(60, 3)) * [3, 2, 1]
    X = np.column_stack([X[:, :2], 3 * (X[:, 2] > 0), 3 * (X[:, 2] <= 0)])
    grid = [Point("linear"), *GRID]
    methods = {"ica": "sklearn.decomposition:FastICA"}
    listed = {cell.id: cell for cell in cells(grid, methods, task="none", precomputed=False)}
    rows = make_problem(Dataset(X=X, splits=(HALVES,)).split(0), 2, seed=0)
    return evaluated(rows, listed[name], replace(SETTINGS, n_components=(1, 3, 7)))


@pytest.mark.parametrize("name", ["linear", "pca", "ica"])
def test_without_labels_pca_has_fewer_components_than_the_rank(name):
    """With as many, the linear kernel would keep every neighbourhood by construction."""
    _, rows = label_free(name)
    assert sizes(rows, "test") == {1, 2}
    assert set(rows["method"]) == {"embedding"}
    assert rows["value"].max() < 1


@pytest.mark.parametrize("name", ["rbf-median0.3", "rbf-median3"])
def test_without_labels_kernel_pca_has_any_number_of_components(name):
    facts, rows = label_free(name)
    assert sizes(rows, "test") == {1, 3, 7, int(facts["components_for_share"])}
    assert sizes(rows, "cv") == {1, 3, 7}


def test_without_labels_raw_features_have_no_score():
    assert label_free("raw")[1].empty


def test_the_variance_rule_is_stored_and_scored():
    rings = problem("rings", 20)
    facts, rows = evaluated(rings, CELLS["rbf-median3"])
    fit = fit_arrays(GRID[1], rings.split.X_train, n_components=2, variance_share=0.9)
    model = stored_model(fit, rings.split.X_train)
    share = components_for(0.9, model.explained_variance_ratio_)
    rank = len(model.eigenvalues_)
    expected = {"gamma": model.gamma_, "components_for_share": share, "rank": rank}
    assert facts == expected | {"unconverged": 0}
    assert share > 2
    assert sizes(rows, "test") == {1, 2, share}
    assert sizes(rows, "cv") == {1, 2}  # Numbers that are not tuned need no folds.
    facts, _ = evaluated(rings, Cell("gaussian", Point("rbf")))
    # The estimator without a bandwidth has these facts.
    assert facts == {"gamma": 0.5, "unconverged": 0}


@pytest.mark.parametrize(
    ("source", "cell"),
    [
        ("rings", Cell("kernel", Point("rbf", {"median": 1}))),
        ("swiss_roll", Cell("kernel", Point("rbf", {"median": 1}))),
        ("matrix", Cell("kernel", Point("precomputed"))),
        ("rings", Cell("pca", Point("pca"))),
    ],
)
def test_all_rows_are_validated_as_the_training_rows_of_a_replicate_are(source, cell):
    whole = blobs(precomputed=True) if source == "matrix" else dataset(source)
    training = make_problem(whole.take(whole.splits[0][0]).whole(), 3, seed=0)
    facts, rows = evaluated(make_problem(whole.split(0), 3, seed=0), cell)
    parameters, validated = parted(validate_cell(training, cell, SETTINGS))
    assert parameters.items() <= facts.items()
    same = (rows["split"] == "cv") & rows["method"].isin(validated["method"])
    pd.testing.assert_frame_equal(validated, rows[same].reset_index(drop=True))
    assert not math.isnan(validated["error"].max())


def mixed_problem(seed):
    """Return a table of a random shape: signal in numbers, rare categories, missing values."""
    rng = np.random.default_rng(seed)
    n, classes, n_numbers, n_categories = rng.integers([90, 2, 0, 1], [160, 7, 15, 6])
    y = np.arange(n) % classes
    numbers = rng.normal(size=(n, n_numbers)) + (y[:, None] == np.arange(n_numbers) % classes)
    numbers[rng.random(numbers.shape) < 0.03] = np.nan
    levels = rng.geometric(0.5, size=(n, n_categories)).clip(max=10) - 1.0
    X = np.hstack([numbers, levels])
    names = tuple(f"x{column}" for column in range(X.shape[1]))
    coded = {name: [*"abcdefghij"] for name in names[n_numbers:]}
    facts = {"class_names": tuple("abcdefg"[:classes]), "feature_names": names}
    rows = dataset_of(X, y=y, categories=coded, fill_missing=True, **facts)
    return make_problem(rows.split(0), 3, seed=seed)


MIXED = Settings((2, 5, 12, 32), (1.0,), 3, ("unit",), 1, 0.9)
CURVED = [Cell("kernel", p) for p in (Point("linear"), Point("poly", {"degree": 2, "scale": 1}))]


@pytest.mark.parametrize("seed", range(8))
def test_every_tested_setting_has_a_validation_score(seed, tmp_path):
    """Also if the rank of the folds differs, as that of categories does: each can win."""
    mixed = mixed_problem(seed)
    entries = {}
    for cell in (*CURVED, CELLS["pca"], CELLS["raw"]):
        facts, rows = evaluated(mixed, cell, MIXED, only=["linear_svm"])
        entries[f"{cell.id}/0"] = {name: np.array([*rows[name]]) for name in rows}
        # This number is not tuned.
        rows = rows[rows["n_components"] != facts.get("components_for_share")]
        assert sizes(rows, "test") == sizes(rows, "train") == sizes(rows, "cv")
    write_store(tmp_path / "own.npz", entries.items())
    scores = scores_table([tmp_path / "own.npz"])
    best = best_setting(scores, ["cell"]).set_index("cell")["value"]
    assert best["pca"] == pytest.approx(best["linear"], abs=0.02)
