"""Simulated datasets: their scores, what the truth is, and what their answers rest on."""

import numpy as np
import pandas as pd
import pytest

from kpca.study.evidence.comparison import compare
from kpca.study.evidence.described import describe
from kpca.study.evidence.held_out import mean_influence
from kpca.study.evidence.recommendation import ranking
from kpca.study.evidence.selection import MODELS, select, selected_models
from kpca.study.scoring.methods import METHODS
from kpca.study.scoring.metrics import METRICS
from kpca.study.scoring.scores import scores_table, variance_rule_table
from kpca.study.seeds import seed_for
from tests.columns import differences
from workflow.populations import ROWS
from workflow.scripts.calibration.draws import DRAWS, draw
from workflow.scripts.calibration.effects import SHORT, answered
from workflow.scripts.calibration.simulate import Simulated, answer, simulate, simulated


def test_the_truth_of_a_ring_is_known(ring: pd.DataFrame) -> None:
    means = ring.mean(numeric_only=True)
    assert means["truth_kernel"] > max(0.95, means["truth_pca"] + 0.2)
    assert means["exported_kernel"] > max(0.95, means["exported_pca"] + 0.2)


def test_few_groups_have_no_interval() -> None:
    assert np.isnan(answer(simulated("groups12", 150, 0, 2, seed=0))["test_over_train"])


def test_a_batch_does_not_depend_on_the_others(ring: pd.DataFrame) -> None:
    part = simulate("ring", 60, [1, 2], 4, seed=0)
    pd.testing.assert_frame_equal(ring[1:].reset_index(drop=True), part)
    assert differences({"calibration/answers/ring-60-0-2.csv": ring}) == []


@pytest.mark.parametrize("name", DRAWS)
def test_a_population_has_rows_that_the_pipeline_accepts(name: str) -> None:
    for rows in ROWS[name]:
        drawn = draw(name, rows, np.random.default_rng(0))
        assert len(drawn.X) == rows
        assert drawn.y is None or np.bincount(drawn.y).min() >= 6  # what three folds need


def tables(of: Simulated) -> tuple[pd.DataFrame, pd.DataFrame, dict[str, np.ndarray]]:
    """Return the tables of a run, and influences of its models, by the splits of a dataset."""
    dataset, entries = of.dataset, {}
    for replicate in range(dataset.replicates):
        for name, scores in of.score(dataset.split(replicate), seed_for(of.seed, replicate)):
            entries[f"{name}/{replicate}"] = scores
    stores = {dataset.name: [entries]}
    selected = select(scores_table(stores), variance_rule_table(stores))
    chosen, moved = selected_models(selected, of.method), {}
    metric = METHODS[of.method].metric
    for model in MODELS:
        parts = []
        for row in chosen[chosen["model"] == model].to_dict("records"):
            train, held_out = dataset.splits[row["replicate"]]
            predicted, _ = of.tested(train, held_out, row)
            value = METRICS[metric].measure(predicted.truth, predicted.predicted)
            assert value == pytest.approx(row["value"], abs=1e-9)  # as the sweep scores it
            parts.append(predicted)
        moved[model] = mean_influence(dataset, metric, parts)
    return selected, pd.DataFrame([describe(dataset)]), moved


@pytest.mark.parametrize("population", ["ring", "roll", "ring_groups"])
def test_the_stored_numbers_lead_to_the_answer_of_a_run(population: str) -> None:
    of = simulated(population, 60, 0, 4, seed=0)
    found = answered(answer(of))
    said = {one.comparison: one for one in found.statements}
    selected, described, moved = tables(of)
    given = selected, described, {"0": of.method}, {"0": moved}
    best = ranking(*given).query("recommended").iloc[0]
    assert MODELS.index(best["model"]) == found.best
    ends = [said["recommended"].low, said["recommended"].high]
    np.testing.assert_allclose(ends, best[["low", "high"]].astype(float), atol=1e-4)
    compared = compare(*given).query("kernel == 'best kernel' and main and baseline == 'pca'")
    gain = compared[compared["method"] == of.method].iloc[0]
    pca = said[SHORT[1]]
    assert (pca.probability, pca.verdict) == (
        pytest.approx(gain["probability"], abs=1e-3),
        gain["verdict"],
    )
