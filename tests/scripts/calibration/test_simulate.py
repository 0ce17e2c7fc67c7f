"""Simulated datasets: their scores, their intervals, and what the truth is."""

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest

from pipeline.datasets.generators import Draw
from pipeline.tables.scores import scores_table, variance_rule_table
from pipeline.tables.selection import select
from pipeline.tables.statistics import interval
from tests.columns import differences
from workflow.scripts.calibration import simulate as script
from workflow.scripts.calibration.populations import POPULATIONS, draw, group_numbers
from workflow.scripts.calibration.simulate import INDEPENDENT, Simulated, simulate, simulated

REPLICATES = 2


@cache
def table(population: str, rows: int = 60) -> pd.DataFrame:
    return simulate(population, rows, [0, 4], REPLICATES, seed=0)


def chosen(of: Simulated, method: str) -> pd.DataFrame:
    stores = {of.dataset.name: of.entries}
    selected = select(scores_table(stores), variance_rule_table(stores))
    return script._planned(selected, method)


@pytest.mark.parametrize(
    ("population", "method"), [("ring", "linear_svm"), ("roll", "least_squares")]
)
def test_the_truth_is_measured_as_the_sweep_scores_test_rows(population: str, method: str) -> None:
    of = simulated(population, 60, 0, REPLICATES, seed=0)
    own, rows = of.dataset, chosen(of, method)

    assert set(rows["model"]) == {"score", "pca", "raw", "chance"}
    for row in rows.to_dict("records"):
        train, test = own.splits[row["replicate"]]
        y = None if own.y is None else own.y[test]
        target = None if own.target is None else own.target[test]
        tested = replace(of, fresh=Draw(own.X[test], y, target))
        again = script.fresh_score(tested, train, row)
        assert again == pytest.approx(row["value"], abs=1e-9)


def test_intervals_are_those_of_the_tables() -> None:
    of = simulated("ring", 60, 1, REPLICATES, seed=0)
    rows = chosen(of, "linear_svm").set_index(["model", "replicate"])["value"]
    gains = (rows["score"] - rows["pca"]).to_numpy()
    splits = of.dataset.splits
    ratio = len(splits[0][1]) / len(splits[0][0])
    expected = interval(gains, test_over_train=ratio)

    found = table("ring")
    [row] = found[
        (found["set"] == "1") & (found["draws"] != INDEPENDENT) & (found["comparison"] == "pca")
    ].to_dict("records")
    assert row["value"] == pytest.approx(expected.mean)
    assert row["low"] <= max(expected.low, -1) + 1e-12


def test_independent_draws_are_tested_on_fresh_rows() -> None:
    found = table("ring")
    independent = found[found["draws"] == INDEPENDENT]

    assert len(independent) == 4 * REPLICATES * (4 // REPLICATES)
    np.testing.assert_allclose(independent["value"], independent["fresh"])
    widths = found["high"] - found["low"]
    assert widths[found["draws"] == INDEPENDENT].mean() < widths.mean()


def test_the_truth_of_a_ring_is_known() -> None:
    truths = table("ring", 60).groupby("comparison")["fresh"].mean()

    assert truths["score"] > 0.95
    assert truths["chance"] == pytest.approx(truths["score"] - 0.5)
    assert truths["pca"] > 0.2


def test_few_groups_have_no_interval() -> None:
    found = table("groups12", 150)
    splits = found[found["draws"] != INDEPENDENT]

    assert splits["low"].isna().all()
    assert set(splits["verdict"]) == {"", "inconclusive", "kernel PCA"}


def test_a_batch_does_not_depend_on_the_others() -> None:
    found = simulate("ring", 60, [2, 4], REPLICATES, seed=0)
    same = table("ring").query("draws != @INDEPENDENT and set in ['2', '3']")

    pd.testing.assert_frame_equal(
        found[found["draws"] != INDEPENDENT].reset_index(drop=True), same.reset_index(drop=True)
    )


def test_columns_are_documented() -> None:
    assert differences({"calibration/whole/ring-60-0-4.csv": table("ring")}) == []


@pytest.mark.parametrize("name", POPULATIONS)
def test_a_population_has_the_rows_that_the_pipeline_accepts(name: str) -> None:
    population, rng = POPULATIONS[name], np.random.default_rng(0)
    for rows in population.rows:
        groups = group_numbers(rows, population.groups) if population.groups else None
        drawn = draw(name, rows, rng, groups)
        assert len(drawn.X) == rows
        if drawn.y is not None:
            assert np.bincount(drawn.y).min() >= 6  # what three folds of a class need


def test_independent_draws_hold_out_the_fresh_rows_of_each_replicate() -> None:
    fresh = Draw(np.zeros((3, 1)), np.array([0, 0, 1]))
    one = pd.Series({"dataset": "x", "draws": "random splits", "held_out": "1 1", "groups": 3})
    [row] = script._described(["a"], one, fresh, 2).to_dict("records")
    assert row == {"dataset": "a", "draws": INDEPENDENT, "held_out": "4 2", "groups": 0}
