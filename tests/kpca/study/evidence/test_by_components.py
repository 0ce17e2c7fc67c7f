"""Scores by the number of components."""

import numpy as np
import pandas as pd
import pytest

from kpca.study.evidence.comparison import Design, by_components
from tests.scores import setting

DESCRIBED = {"dataset": "a", "draws": "independent", "test_over_train": 1.0, "groups": 0}
DESCRIBED |= {"held_out": "500 500"}
CELLS = ("rbf-median1", "rbf-gamma2")


@pytest.fixture
def scores():
    """A different cell is the best in each replicate, and PCA has rank 2."""
    rows = []
    for replicate, best in enumerate(CELLS):
        for m, gain in ((2, 0.1), (5, 0.3)):
            for cell in CELLS:
                right = 0.2 * (cell == best)
                of = {"kernel": "rbf", "cell": cell, "n_components": m, "replicate": replicate}
                rows += setting(0.5 + right, 0.4 + gain + right, **of)
        rows += setting(0.5, 0.6, kernel="pca", cell="pca", replicate=replicate)
    return pd.DataFrame(rows).assign(dataset="a")


def test_both_take_their_best_setting_at_each_number(scores):
    rule = pd.DataFrame({"kernel": ["rbf"], "cell": ["rbf-median1"]})
    rule = rule.assign(dataset="a", replicate=0, components_for_share=2)
    table = by_components(scores, rule, DESCRIBED, "linear_svm", (2, 5, 9))
    rows = table.set_index(["model", "n_components"])
    assert rows.loc["kernel PCA", "mean"].tolist() == pytest.approx([0.7, 0.9])
    assert rows.loc["kernel PCA", "gain"].tolist() == pytest.approx([0.1, 0.3])
    assert rows.loc["PCA", "mean"].tolist() == pytest.approx([0.6, 0.6])
    design = Design("balanced_accuracy", None, rows["high"].iloc[0] - 0.6, 0.007)
    expected = design.difference(np.array([0.7, 0.7]), np.array([0.6, 0.6]))
    few = by_components(scores, rule, DESCRIBED, "linear_svm", (5, 9))
    assert set(few["n_components"]) == {5}
    gain = rows.loc[("kernel PCA", 2)]
    assert (gain["gain_low"], gain["gain_high"]) == pytest.approx(expected[1:3], abs=1e-9)
