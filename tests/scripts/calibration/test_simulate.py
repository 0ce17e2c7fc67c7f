"""Simulated datasets: their scores, their intervals, and what the truth is."""

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest

from pipeline.tables.scores import scores_table, variance_rule_table
from pipeline.tables.selection import MODELS, select
from tests.columns import differences
from workflow.scripts.calibration import simulate as script
from workflow.scripts.calibration.effects import answered
from workflow.scripts.calibration.populations import ROWS
from workflow.scripts.calibration.simulate import (
    SPLITS,
    Simulated,
    draw,
    judged,
    simulate,
    simulated,
)

REPLICATES = 2


@cache
def tables(population: str, rows: int = 60) -> dict[str, pd.DataFrame]:
    return simulate(population, rows, [0, 4], REPLICATES, seed=0)


def table(population: str, rows: int = 60) -> pd.DataFrame:
    return tables(population, rows)["intervals"]


def chosen(of: Simulated, method: str) -> pd.DataFrame:
    stores = {of.dataset.name: of.entries}
    selected = select(scores_table(stores), variance_rule_table(stores))
    return script._planned(selected, method)


@pytest.mark.parametrize(
    ("population", "method"), [("ring", "linear_svm"), ("roll", "least_squares")]
)
def test_the_truth_is_measured_as_the_sweep_scores_test_rows(population: str, method: str) -> None:
    of = simulated(population, 60, 0, REPLICATES, seed=0)
    rows = chosen(of, method)

    assert set(rows["model"]) == {*script.PLANNED.values(), "kernel PCA", "rbf"}
    for row in rows[rows["model"] != "chance"].to_dict("records"):
        train, test = of.dataset.splits[row["replicate"]]
        own, fresh = of.predicted(train, test, row)
        assert script._score(own, row["method"]) == pytest.approx(row["value"], abs=1e-9)
        assert len(own.truth) == len(test)
        assert len(fresh.truth) == script.FRESH


def test_trustworthiness_is_measured_as_the_sweep_does() -> None:
    of = simulated("roll", 60, 0, REPLICATES, seed=0)
    for row in chosen(of, "embedding").to_dict("records"):
        test = of.dataset.splits[row["replicate"]][1]
        own = of.fresh._replace(X=of.dataset.X[test], target=of.dataset.target[test])
        found = replace(of, fresh=own).unsupervised(row)
        assert found == pytest.approx(row["value"], abs=1e-9)


def test_independent_draws_are_tested_on_fresh_rows() -> None:
    found = table("ring")
    independent = found[found["draws"] != SPLITS]

    assert set(independent["draws"]) == {f"{REPLICATES} independent draws"}  # 5 take more sets
    assert len(independent) == 8 * REPLICATES * (4 // REPLICATES)
    np.testing.assert_allclose(independent["value"], independent["fresh"])
    widths = found["high"] - found["low"]
    assert widths[found["draws"] != SPLITS].mean() < widths.mean()


@pytest.mark.parametrize(
    ("population", "metrics"),
    [
        ("ring", {"roc_auc", "recall", "k-means score"}),
        ("roll", {"r2", "rmse", "trustworthiness score"}),
    ],
)
def test_the_other_intervals_of_the_page_have_a_truth_too(
    population: str, metrics: set[str]
) -> None:
    these = table(population).query("draws == @SPLITS and comparison in @metrics")

    assert set(these["comparison"]) == metrics
    assert (these["low"] <= these["value"]).all()
    assert (these["fresh"] - these["value"]).abs().max() < these["value"].abs().max()


def test_the_truth_of_a_ring_is_known() -> None:
    found = table("ring", 60)
    truths = found.groupby("comparison")["fresh"].mean()
    drawn = found[found["draws"] != SPLITS].groupby("comparison")["fresh"].mean()

    assert truths["score"] > 0.95
    assert truths["chance"] == pytest.approx(truths["score"] - 0.5)
    assert truths["pca"] > 0.2
    assert drawn["k-means pca"] > 0.02  # k-means alone cuts a ring by a line


def test_few_groups_have_no_interval() -> None:
    found = table("groups12", 150)
    splits = found[found["draws"] == SPLITS]

    assert splits["low"].isna().all()
    assert set(splits["verdict"]) <= {"", "inconclusive", *MODELS}


def test_a_batch_does_not_depend_on_the_others() -> None:
    found = simulate("ring", 60, [2, 4], REPLICATES, seed=0)["intervals"]
    same = table("ring").query("draws == @SPLITS and set in ['2', '3']")

    pd.testing.assert_frame_equal(
        found[found["draws"] == SPLITS].reset_index(drop=True), same.reset_index(drop=True)
    )


def test_columns_are_documented() -> None:
    assert (
        differences(
            {f"calibration/{name}/ring-60-0-4.csv": made for name, made in tables("ring").items()}
        )
        == []
    )


@pytest.mark.parametrize("name", ROWS)
def test_a_population_has_rows_that_the_pipeline_accepts(name: str) -> None:
    for rows in ROWS[name]:
        drawn = draw(name, rows, np.random.default_rng(0))
        assert len(drawn.X) == rows
        assert drawn.y is None or np.bincount(drawn.y).min() >= 6  # what three folds need


@pytest.mark.parametrize("population", ["ring", "roll", "ring_groups"])
def test_the_stored_numbers_lead_to_the_same_answer(population: str) -> None:
    of = judged([simulated(population, 60, 0, 5, seed=0)])
    says = answered(script.answers(of).iloc[0])
    best = of.tables["ranking"].query("recommended").iloc[0]
    compared = of.tables["comparisons"].query("kernel == 'best kernel' and baseline == 'pca'")
    gain = compared[compared["main"] & (compared["method"] == of.method)].iloc[0]

    assert script.SHORT[best["model"]] == says["best"]
    found = [says[f"recommended_{end}"] for end in ("low", "high")]
    np.testing.assert_allclose(found, best[["low", "high"]].astype(float), atol=1e-4)
    assert says["pca_odds"] == pytest.approx(gain["probability"], abs=1e-3)
    assert says["pca_verdict"] == gain["verdict"]
