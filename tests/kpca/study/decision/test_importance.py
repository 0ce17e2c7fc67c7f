"""What drives a prediction: the columns that it was made from, as scikit-learn measures it."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.inspection import permutation_importance
from sklearn.svm import SVC

from kpca.study.decision.importance import (
    MOST_COLUMNS,
    REPEATS,
    importance,
    importance_sentence,
    importance_words,
)
from kpca.study.fitting.grid import Point
from kpca.study.scoring.metrics import balanced_accuracy
from tests.datasets import dataset_of
from tests.decisions import decision_of

RNG = np.random.default_rng(0)
LINEAR = Point("linear")
SVM = decision_of(
    dataset="mine",
    recommended="raw features",
    predictor="rbf_svm",
    predictor_parameters='{"gamma": 0.1}',
    C=10.0,
    cell="linear",
    n_components=2,
    measure="balanced_accuracy",
    sentence_predict="Use it.",
)
TARGET = replace(SVM, recommended="PCA", predictor="least_squares", measure="correlation")


def classes(X, y, **fields):
    return dataset_of(X, 4, y=y.astype(np.int64), class_names=("no", "yes"), **fields)


def test_numbers_are_those_of_scikit_learn():
    X = RNG.normal(size=(120, 3))
    dataset = classes(X, X[:, 1] + 0.3 * RNG.normal(size=120) > 0)
    measured = importance(dataset, SVM, LINEAR, "balanced")
    drops = []
    for seed in range(dataset.replicates):
        split = dataset.split(seed)
        model = SVC(C=10, gamma=0.1, class_weight="balanced").fit(split.X_train, split.y_train)
        permuted = permutation_importance(
            model,
            split.X_test,
            split.y_test,
            scoring=lambda model, X, y: balanced_accuracy(y, model.predict(X)),
            n_repeats=REPEATS,
            random_state=seed,
        )
        drops.append(permuted.importances_mean)
    np.testing.assert_allclose(measured["importance"], np.mean(drops, axis=0), atol=1e-12)
    assert measured["importance"].idxmax() == 1
    assert measured.loc[1, "toward"] == "yes"
    assert importance_sentence(measured, SVM).startswith("'b' drives the prediction most: perm")
    assert importance_sentence(measured, replace(SVM, sentence_predict="")) == ""
    noise = measured[measured["low"] <= 0]
    assert importance_sentence(noise, SVM).startswith("No column alone is shown to drive")


def test_a_category_is_permuted_as_a_whole():
    """The answer is whether the category is "b" or "c": no single dummy column tells it."""
    codes = RNG.integers(4, size=160).astype(float)
    X = np.column_stack([RNG.normal(size=160), codes])
    dataset = classes(X, (codes == 1) | (codes == 2), categories={"b": [*"abcd"]})
    noise, category = importance(dataset, SVM, LINEAR, None).to_dict("records")
    assert category["low"] > 0.3
    assert noise["low"] < 0.05
    assert np.isnan(category["direction"])


def test_the_direction_of_a_target_is_that_of_the_prediction():
    X = RNG.normal(size=(100, 3))
    target = 2 * X[:, 0] - X[:, 1]
    point = Point("rbf", {"median": 0.1})
    decision = replace(TARGET, recommended="kernel PCA", cell=point.id, n_components=20)
    measured = importance(dataset_of(X, 4, target=target), decision, point, None)
    assert [*measured["importance"].round(1)] == sorted(measured["importance"].round(1))[::-1]
    assert [*importance_words(measured, "correlation")["direction"][:2]] == [
        "higher values go with higher predictions",
        "higher values go with lower predictions",
    ]


@pytest.mark.parametrize("is_spectrum", [True, False])
def test_of_many_columns_parts_or_the_strongest_are_permuted(is_spectrum):
    columns = 2 * MOST_COLUMNS
    X = RNG.normal(size=(80, columns))
    names = [str(800 + j) if is_spectrum else f"gene {j}" for j in range(columns)]
    dataset = classes(X, X[:, 60] > 0, feature_names=tuple(names))
    measured = importance(
        dataset, replace(SVM, predictor_parameters='{"gamma": 0.01}'), LINEAR, None
    )
    assert len(measured) == MOST_COLUMNS
    first = measured.loc[measured["importance"].idxmax()]
    expected = ("860", "861") if is_spectrum else ("gene 60", "gene 60")
    assert (first["column"], first["last_column"]) == expected
