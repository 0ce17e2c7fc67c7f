"""Metrics of held-out rows by class, and what the rows of each class are taken for."""

from dataclasses import replace

import numpy as np
import pytest

from kpca.study.datasets.dataset import Dataset
from kpca.study.evidence.held_out import Predictions, confusion_table, metrics_table

TRUTH = np.array([0, 0, 1, 1])
SPLIT = np.array([4, 5]), np.arange(4)
CLASSES = Dataset(
    name="own",
    X=np.zeros((6, 1)),
    y=np.array([*TRUTH, 0, 1]),
    class_names=("no", "yes"),
    splits=(SPLIT, SPLIT),
)
# In the first split, a row of the first class is between those of the second.
TESTED = [
    Predictions(TRUTH, np.array([0, 1, 1, 1]), np.array([-1.0, 0.5, 0.2, 2.0])),
    Predictions(TRUTH, TRUTH, np.array([-1.0, -0.5, 0.2, 2.0])),
]


def measured(dataset, tested):
    return metrics_table(dataset, {"PCA": tested}, 0.5).set_index(["metric", "class"])


def test_recalls_and_areas_are_means_over_the_splits():
    table = measured(CLASSES, TESTED)
    expected = {("roc_auc", ""): 0.875, ("recall", "no"): 0.75, ("recall", "yes"): 1.0}
    assert table["mean"].to_dict() == pytest.approx(expected)
    assert table.loc[("recall", "yes"), "high"] == 1
    without_decision = [tested._replace(decision=None) for tested in TESTED]
    for tested in (without_decision, [TESTED[0], without_decision[1]]):
        assert [*measured(CLASSES, tested).index] == [*expected][1:]
    assert confusion_table(CLASSES, {"PCA": TESTED})["rows"].tolist() == [3, 1, 0, 4]


def test_a_target_has_errors_in_its_unit():
    target = np.arange(6.0)
    tested = [Predictions(target[:4], target[:4] + error, None) for error in (1, 3)]
    dataset = replace(CLASSES, y=None, class_names=(), target=target)
    assert measured(dataset, tested).loc[("rmse", ""), "mean"] == 2
    assert confusion_table(dataset, {"PCA": tested}).empty
