"""Rows that depend on each other: simulated tables, of which it is known."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from kpca.study.decision.dependence import dependence
from kpca.study.fitting.grid import Point
from tests.datasets import dataset_of
from tests.decisions import decision_of

MICE = 30
ROWS = 8
MOUSE = np.repeat(np.arange(MICE), ROWS)
RBF = Point("rbf", {"median": 1})
RAW = decision_of(
    recommended="raw features",
    predictor="rbf_svm",
    C=10.0,
    predictor_parameters='{"gamma": 0.2}',
    measure="balanced_accuracy",
    n_components=5,
)
LINEAR = {"predictor": "linear_svm", "predictor_parameters": "{}"}
COIN = np.random.default_rng(1).permutation(MICE) % 2  # the class of each mouse


def table(X, answer):
    """Return rows with a label of integers, or a target of fractions."""
    answers = {"y": answer, "class_names": ("a", "b")}
    if answer.dtype.kind == "f":
        answers = {"target": answer}
    return dataset_of(X.to_numpy(dtype=float), feature_names=tuple(X.columns), **answers)


def mice(seed=0, noise=0.3):
    """Return five features that resemble each other within a mouse."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(MICE, 5))[MOUSE] + noise * rng.normal(size=(len(MOUSE), 5))
    return pd.DataFrame(X, columns=[*"abcde"])


def judged(X, answer, **decision):
    return dependence(table(X, answer), replace(RAW, **decision), RBF, "balanced")


@pytest.mark.parametrize(
    "option",
    [
        {},
        {"recommended": "kernel PCA", "n_components": 60} | LINEAR,
        {"predictor": "random_forest"},
    ],
)
def test_the_column_of_subjects_is_named_with_both_scores(option):
    """The class is a coin per mouse, so that nothing can be learned for a new one."""
    dependent = judged(mice().assign(mouse=MOUSE), COIN[MOUSE], **option)
    assert dependent.harmful
    assert dependent.resemblance.column == "mouse"
    assert dependent.resemblance.share > 0.8 > 0.1 > dependent.resemblance.chance
    assert dependent.by_rows > 0.9
    assert dependent.by_groups < 0.75


def test_subjects_are_found_in_any_order_and_under_any_number():
    order = np.random.default_rng(2).permutation(len(MOUSE))
    nr = np.random.default_rng(3).permutation(900)[MOUSE]
    X = mice().assign(nr=nr).iloc[order]
    dependent = judged(X, COIN[MOUSE][order])
    assert (dependent.harmful, dependent.resemblance.column) == (True, "nr")


def test_rows_that_only_stand_side_by_side_are_found_by_blocks():
    dependent = judged(mice(), COIN[MOUSE])
    assert (dependent.harmful, dependent.resemblance.column) == (True, "")
    target = np.random.default_rng(4).normal(size=MICE)[MOUSE]
    square = {"predictor": "random_forest_regressor", "measure": "correlation"}
    assert judged(mice(), target, **square).harmful


def test_the_column_of_subjects_comes_before_what_it_determines():
    age = np.random.default_rng(5).integers(1, 12, MICE)[MOUSE]
    assert judged(mice().assign(age=age, mouse=MOUSE), COIN[MOUSE]).resemblance.column == "mouse"


def test_subjects_are_found_among_many_columns():
    rng = np.random.default_rng(7)
    counts = pd.DataFrame(rng.integers(0, 20, (len(MOUSE), 60)), columns=[*map(str, range(60))])
    X = pd.concat([counts / 1e3, mice(), pd.DataFrame({"mouse": MOUSE})], axis=1)
    rows = replace(table(X, COIN[MOUSE]), standardize=False)
    dependent = dependence(rows, RAW, RBF, "balanced")
    assert (dependent.harmful, dependent.resemblance.column) == (True, "mouse")


def test_resemblance_without_a_fall_of_the_score_does_no_harm():
    """The classes are so far apart that a new mouse is as easy as an old one."""
    X = mice().assign(e=6 * COIN[MOUSE])
    dependent = judged(X, COIN[MOUSE])
    assert dependent.resemblance.shown
    assert not dependent.harmful
    assert dependent.by_groups > 0.95


def test_of_several_resemblances_without_harm_the_first_is_told():
    """The column of subjects comes before the order of the rows."""
    dependent = judged(mice().assign(e=6 * COIN[MOUSE], mouse=MOUSE), COIN[MOUSE])
    assert not dependent.harmful
    assert dependent.resemblance.column == "mouse"


def test_near_values_count_less_if_they_are_no_categories():
    """Batches that follow each other are alike, as near values of a measurement are."""
    rng = np.random.default_rng(0)
    batch = rng.permutation(np.arange(240) // 12)
    X = pd.DataFrame({"a": batch + rng.normal(size=240), "batch": batch})
    rows = table(X, rng.integers(0, 2, 240))
    named = replace(rows, categories={"batch": [*map(str, range(20))]})
    columns = [dependence(of, RAW, RBF, "balanced").resemblance.column for of in (rows, named)]
    assert columns == ["", "batch"]


def independent(seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(240, 5)), columns=[*"abcde"])
    return X, (X["a"] + rng.normal(size=240) > 0).to_numpy(dtype=int)


def test_independent_rows_pass():
    """Sorted by class too, with groups that share nothing, and with a rounded measurement."""
    for seed in range(6):
        X, y = independent(seed)
        code = np.random.default_rng(seed).permutation(np.arange(240) % 30)
        by_class = np.argsort(y, kind="stable")
        rounded = (X[["a"]] * 5 + 20).round().assign(b=X["a"], c=X["c"])
        for rows, answer in ((X, y), (X.iloc[by_class], y[by_class]), (X.assign(code=code), y)):
            assert not judged(rows, answer).resemblance.shown
        assert not judged(rounded, y).harmful


def test_a_class_of_one_row_has_no_neighbours_to_compare():
    X, y = independent(0)
    y[0] = 2
    assert not judged(X, y).resemblance.shown


@pytest.mark.parametrize(
    ("subject", "y", "fewest"),
    [
        # Five classes of four rows, in two subjects each.
        (np.random.default_rng(0).permutation(10).repeat(2), np.repeat(np.arange(5), 4), 2),
        # One class is a single subject, without which nothing can be trained: blocks remain.
        (np.r_[np.repeat(np.arange(9), 6), [9] * 12], np.repeat([0, 1], [54, 12]), 8),
    ],
)
def test_small_and_confined_classes_are_compared_if_folds_can_train(subject, y, fewest):
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(len(y), 3)), columns=[*"abc"])
    X.loc[y == 1, "a"] += 1.5
    rows = replace(table(X.assign(subject=subject), y), class_names=(*"abcde",))
    rows = replace(rows, categories={"subject": [*map(str, np.unique(subject))]})
    dependent = dependence(rows, RAW, RBF, "balanced")
    assert dependent.fewest_groups == fewest
    assert dependent.resemblance.column == ("subject" if fewest == 2 else "")


@pytest.mark.parametrize(
    "change",
    [
        {"groups": MOUSE},
        {"time": np.arange(240.0)},
        {"independent": True},
        {"precomputed": True},
        {"y": None},
    ],
)
def test_other_splits_than_random_ones_are_not_tested(change):
    rows = table(mice(), COIN[MOUSE])
    assert dependence(replace(rows, **change), RAW, RBF, "balanced") is None
    assert dependence(rows, replace(RAW, recommended=""), RBF, "balanced") is None


def test_a_number_that_settles_the_class_is_named_unless_its_size_does():
    """Nothing else resembles: the feature beside the number of the mouse is noise."""
    noise = np.random.default_rng(0).normal(size=len(MOUSE))
    X = pd.DataFrame({"mouse": MOUSE + 1, "x": noise})
    by_mouse = judged(X, COIN[MOUSE], predictor="random_forest")
    assert by_mouse.harmful
    assert by_mouse.resemblance.settles
    assert by_mouse.resemblance.column == "mouse"
    mixed = COIN[MOUSE].copy()
    mixed[0] = 1 - mixed[0]
    assert not judged(X, mixed, predictor="random_forest").resemblance.settles
    in_runs = np.arange(MICE) // 3 % 2  # The class changes less often than by chance.
    assert judged(X, in_runs[MOUSE], predictor="random_forest").resemblance.settles
    # Otherwise the order of rows would tell it.
    mixed = np.random.default_rng(0).permutation(len(X))
    large = (MOUSE > MICE / 2).astype(int)[mixed]
    by_size = judged(X.iloc[mixed], large, predictor="random_forest")
    assert not by_size.harmful
