"""The influence of rows against leaving rows out, and intervals that rest on it."""

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score

from pipeline.datasets.dataset import Dataset
from pipeline.tables.row_influence import mean_influence, row_influence
from pipeline.tables.statistics import interval

RNG = np.random.default_rng(0)
N = 400


def correlation(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.corrcoef(a, b)[0, 1])


def classified() -> tuple[np.ndarray, np.ndarray]:
    truth = RNG.choice(3, N, p=[0.6, 0.3, 0.1])
    return truth, np.where(RNG.random(N) < 0.7, truth, RNG.choice(3, N))


def regressed() -> tuple[np.ndarray, np.ndarray]:
    truth = RNG.standard_normal(N)
    return truth, truth + 0.5 * RNG.standard_normal(N)


CASES = {
    "balanced_accuracy": (classified, balanced_accuracy_score),
    "correlation": (regressed, correlation),
}


@pytest.mark.parametrize("metric", CASES)
def test_influence_is_what_leaving_a_row_out_changes(metric: str) -> None:
    draw, score = CASES[metric]
    truth, predicted = draw()
    left_out = [
        score(np.delete(truth, i), np.delete(predicted, i)) - score(truth, predicted)
        for i in range(N)
    ]
    found = row_influence(metric, truth, predicted)

    assert found.sum() == pytest.approx(0, abs=1e-12)
    np.testing.assert_allclose(found, -np.array(left_out), atol=0.05 * np.abs(found).max())


@pytest.mark.parametrize("metric", CASES)
def test_the_squares_of_influences_are_the_variance_over_samples(metric: str) -> None:
    draw, score = CASES[metric]
    samples = [draw() for _ in range(400)]
    expected = np.var([score(*sample) for sample in samples])
    squares = np.mean([np.sum(row_influence(metric, *sample) ** 2) for sample in samples])

    assert squares == pytest.approx(expected, rel=0.25)


def test_constant_predictions_move_nothing() -> None:
    truth, _ = regressed()
    assert not row_influence("correlation", truth, np.zeros(N)).any()
    classes, _ = classified()
    assert row_influence("balanced_accuracy", classes, 0 * classes) == pytest.approx(0)


def grouped() -> tuple[Dataset, list[np.ndarray]]:
    y = np.array([0, 0, 1, 1, 0, 1])
    splits = ((np.array([4, 5]), np.arange(4)), (np.array([0, 1]), np.arange(2, 6)))
    groups = np.array([7, 7, 9, 9, 8, 8])
    data = Dataset(name="", X=np.zeros((6, 1)), y=y, groups=groups, splits=splits)
    return data, [np.array([0, 1, 1, 1]), np.array([1, 1, 0, 0])]


def test_the_mean_over_splits_counts_each_row_or_group_once() -> None:
    dataset, predicted = grouped()
    apart = [
        row_influence("balanced_accuracy", dataset.y[t], p)
        for (_, t), p in zip(dataset.splits, predicted, strict=True)
    ]
    rows = np.zeros(6)
    rows[:4] += apart[0] / 2
    rows[2:] += apart[1] / 2

    found = mean_influence(dataset, "balanced_accuracy", predicted)
    assert found == pytest.approx([rows[:2].sum(), rows[4:].sum(), rows[2:4].sum()])


def test_an_interval_adds_the_spread_of_rows_and_of_splits() -> None:
    influence = np.array([0.01, -0.01, 0.02, -0.02, 0.0])
    found = interval([0.7, 0.8, 0.9], test_over_train=0.4, influence=influence)

    assert found.error**2 == pytest.approx(0.01 / 3 + 5 / 4 * 0.001)
    few_groups = interval([0.7, 0.8], test_over_train=np.nan, influence=influence)
    assert np.isnan(few_groups.error)
