"""Simulated datasets: what the pipeline says of them, and what the truth is."""

import numpy as np
import pandas as pd
import pytest

from kpca.study.evidence.selection import KERNEL_PCA, ONLY_PCA
from kpca.study.evidence.statistics import verdict
from kpca.study.scoring.metrics import METRICS
from tests.columns import differences
from workflow.populations import POPULATIONS
from workflow.scripts.calibration.draws import draw
from workflow.scripts.calibration.simulate import answer, simulate, simulated


def test_the_truth_of_a_ring_is_known(ring):
    means = ring.groupby("model").mean(numeric_only=True)
    for score in ("mean", "truth", "exported"):
        assert means.loc[KERNEL_PCA, score] > max(0.9, means.loc[ONLY_PCA, score] + 0.2)


def test_words_and_gains_are_those_of_the_scores(ring):
    margin = METRICS["balanced_accuracy"].margin
    for _, options in ring.groupby("set"):
        assert options["recommended"].sum() == 1
        table = options.set_index("model")
        kernel = table.loc[KERNEL_PCA]
        others = table.drop(index=KERNEL_PCA)
        np.testing.assert_allclose(others["gain"], kernel["mean"] - others["mean"])
        for row in others.itertuples():
            assert row.verdict == verdict(row.gain_low, row.gain_high, margin)


def test_few_groups_have_no_interval():
    options = answer(simulated("groups12", 150, 0, 2, seed=0))
    assert options[["low", "high"]].isna().all(axis=None)


def test_a_batch_does_not_depend_on_the_others(ring):
    part = simulate("ring", 60, [1, 2], 3, seed=0)
    pd.testing.assert_frame_equal(ring[ring["set"] == "1"], part)
    assert differences({"calibration/answers/ring-60-0-2.csv": ring}) == []


@pytest.mark.parametrize(
    "name", [name for name, facts in POPULATIONS.items() if "groups" not in facts]
)
def test_a_population_has_rows_that_the_pipeline_accepts(name):
    for rows in POPULATIONS[name]["rows"]:
        drawn = draw(name, rows, np.random.default_rng(0))
        assert len(drawn.X) == rows
        assert drawn.y is None or np.bincount(drawn.y).min() >= 6  # Three folds need so many rows.
