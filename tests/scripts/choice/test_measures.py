"""What is measured on the training rows, and that nothing but them is looked at."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from pipeline.datasets.dataset import Dataset
from pipeline.datasets.make import make_dataset
from workflow.scripts.choice import measures as module
from workflow.scripts.choice.measures import measures

RINGS = {"generator": "rings", "n_train": 40, "n_test": 20}
MULTIPLES = [0.1, 1, 10]


def measured(dataset: Dataset) -> pd.DataFrame:
    return measures(dataset, multiples=MULTIPLES, sizes=[1, 4], folds=3, seed=0)


@pytest.fixture(scope="module")
def rings() -> Dataset:
    return make_dataset("rings", RINGS, seed=0, replicates=2)


@pytest.fixture(scope="module")
def table(rings: Dataset) -> pd.DataFrame:
    return measured(rings)


def test_every_measure_is_taken_where_it_means_something(table: pd.DataFrame) -> None:
    counts = table.groupby(["replicate", "measure"]).size().loc[0].to_dict()
    assert counts == {"input": 3 * 2, "likelihood": 3}


def test_gamma_is_the_one_of_the_grid(rings: Dataset, table: pd.DataFrame) -> None:
    X = rings.split(1).X_train
    i, j = np.triu_indices(len(X), 1)
    median = np.median(np.square(X[i] - X[j]).sum(axis=1))
    gamma = table[table["replicate"] == 1].groupby("multiple")["gamma"].first()
    np.testing.assert_allclose(gamma, np.array(MULTIPLES) / median)


def test_test_rows_and_order_of_labels_mean_nothing(rings: Dataset, table: pd.DataFrame) -> None:
    X = rings.X.copy()
    for _, test in rings.splits:
        X[test] = 1e3
    pd.testing.assert_frame_equal(measured(replace(rings, X=X)), table)
    swapped = measured(replace(rings, y=1 - rings.y))
    pd.testing.assert_frame_equal(swapped, table, rtol=1e-9)


def test_without_labels_only_the_relevant_dimension_is_missing(
    rings: Dataset, table: pd.DataFrame
) -> None:
    found = measured(replace(rings, y=None))
    label_free = table[table["measure"] == "input"]
    pd.testing.assert_frame_equal(found, label_free.reset_index(drop=True))


def test_groups_stay_together() -> None:
    dataset = make_dataset("rings", RINGS, seed=0, replicates=1)
    split = replace(dataset.split(0), groups_train=np.arange(40) // 8)
    for kept, left_out in module._folds(split, 3, 0):
        assert not set(kept // 8) & set(left_out // 8)


def test_large_training_sets_are_sampled(monkeypatch: pytest.MonkeyPatch, rings: Dataset) -> None:
    monkeypatch.setattr(module, "MOST_ROWS", 10)
    sampled = module._sampled(rings.split(0))
    assert len(sampled.X_train) == len(sampled.y_train) == 10
