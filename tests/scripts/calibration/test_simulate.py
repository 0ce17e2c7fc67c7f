"""Simulated datasets: their scores, what the truth is, and what their answers rest on."""

from functools import cache

import numpy as np
import pandas as pd
import pytest

from kpca.study.evidence.comparison import compare
from kpca.study.evidence.recommendation import ranking
from kpca.study.store import read_table
from tests.columns import differences
from workflow import ROOT
from workflow.populations import ROWS
from workflow.scripts.calibration import simulate as script
from workflow.scripts.calibration.effects import answered
from workflow.scripts.calibration.simulate import Judged, draw, judged, simulate, simulated

SETS = {"ring": 2, "roll": 1, "ring_groups": 1}  # datasets of a population


@cache
def found(population: str) -> Judged:
    sets = range(SETS[population])
    return judged([simulated(population, 60, number, 4, seed=0) for number in sets])


@pytest.mark.parametrize("population", ["ring", "roll"])
def test_the_truth_is_measured_as_the_sweep_scores_test_rows(population: str) -> None:
    of = found(population)
    datasets = {each.dataset.name: each for each in of.found}
    for row in of.models.to_dict("records")[::4]:
        of_row = datasets[row["dataset"]]
        train, test = of_row.dataset.splits[row["replicate"]]
        own, fresh = of_row.predicted(train, test, row)
        assert script.score(own, row["method"]) == pytest.approx(row["value"], abs=1e-9)
        assert script.score(fresh, row["method"]) == row["fresh"]
        assert len(own.truth) == len(test)
        assert len(fresh.truth) == script.FRESH


def test_the_truth_of_a_ring_is_known_and_few_groups_have_no_interval() -> None:
    means = script.answers(found("ring")).mean(numeric_only=True)
    assert means["truth_kernel"] > max(0.95, means["truth_pca"] + 0.2)
    of = judged([simulated("groups12", 150, 0, 2, seed=0)])
    assert np.isnan(script.answers(of)["test_over_train"]).all()


def test_a_batch_does_not_depend_on_the_others() -> None:
    whole, part = (simulate("ring", 60, sets, 2, seed=0) for sets in ([0, 3], [2, 3]))

    pd.testing.assert_frame_equal(whole[2:].reset_index(drop=True), part)
    assert differences({"calibration/answers/ring-60-0-3.csv": whole}) == []


@pytest.mark.parametrize(("population", "rows"), [("ring", 60), ("outliers", 100)])
def test_the_shipped_answers_are_those_of_this_code(population: str, rows: int) -> None:
    shipped = read_table(ROOT / "workflow/scripts/calibration/answers.csv")
    cell = shipped[(shipped["population"] == population) & (shipped["rows"] == rows)]
    again = simulate(population, rows, [0, 1], 10, seed=2026)

    numbers = again.select_dtypes(float).columns
    stored = cell[cell["set"] == 0][numbers].to_numpy()
    np.testing.assert_allclose(stored, again[numbers], rtol=6e-3, atol=1e-9)  # as it is rounded


@pytest.mark.parametrize("name", ROWS)
def test_a_population_has_rows_that_the_pipeline_accepts(name: str) -> None:
    for rows in ROWS[name]:
        drawn = draw(name, rows, np.random.default_rng(0))
        assert len(drawn.X) == rows
        assert drawn.y is None or np.bincount(drawn.y).min() >= 6  # what three folds need


@pytest.mark.parametrize("population", SETS)
def test_the_stored_numbers_lead_to_the_same_answer(population: str) -> None:
    of = found(population)
    says = answered(script.answers(of).iloc[0].to_dict())
    given = of.selected, of.described, dict.fromkeys(of.influences, of.method), of.influences
    best = ranking(*given).query("dataset == '0' and recommended").iloc[0]
    compared = compare(*given).query("dataset == '0' and kernel == 'best kernel' and main")
    gain = compared[(compared["method"] == of.method) & (compared["baseline"] == "pca")].iloc[0]

    assert script.SHORT[best["model"]] == says["best"]
    ends = [says[f"recommended_{end}"] for end in ("low", "high")]
    np.testing.assert_allclose(ends, best[["low", "high"]].astype(float), atol=1e-4)
    assert says["pca_odds"] == pytest.approx(gain["probability"], abs=1e-3)
    assert says["pca_verdict"] == gain["verdict"]
