"""Cross-validation inside the training rows; test rows scored, never looked at."""

import dataclasses

import numpy as np
import pytest
import yaml
from sklearn.metrics import balanced_accuracy_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import SVC

from kpca import KernelPCA
from pipeline.evaluation import embeddings
from pipeline.evaluation.downstream import BY_TASK
from pipeline.evaluation.evaluate import Problem, Row, as_arrays, evaluate, make_problem, score
from pipeline.evaluation.settings import COLUMNS, Settings
from pipeline.grid import Point
from tests.pipeline.configuration.test_config import GOOD, ROOT
from tests.pipeline.evaluation.problems import SETTINGS, kernel_dataset, problem

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
