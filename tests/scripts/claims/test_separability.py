"""Where planes separate rings and spirals, and the statements about it."""

import numpy as np
import pandas as pd
import pytest

from pipeline.datasets.generators import Draw
from tests.scripts.claims import STATEMENTS
from workflow.scripts.claims.separability import at_best, at_median, measure
from workflow.scripts.claims.separable import LEAST, fresh_bound, labelled


@pytest.fixture(scope="module")
def measured():
    grid = {"multiples": [0.3, 1, 3, 10], "n_components": [2, 3, 24], "ratios": [0.3]}
    return measure(STATEMENTS, seed=0, replicates=2, **grid)


def test_a_plane_that_generalises_passes_and_one_that_does_not_exist_fails():
    line = np.linspace(-1, 1, 400)[:, None]
    y = (line[:, 0] > 0).astype(int)
    assert fresh_bound((line[::2], y[::2]), (line, y)) > LEAST
    assert fresh_bound((line, np.arange(400) % 2), (line, y)) == 0


def test_draws_without_classes_are_refused():
    with pytest.raises(ValueError, match="no classes"):
        labelled(Draw(np.zeros((2, 2))))


def test_values_at_the_median_and_at_the_best_width():
    rows = pd.DataFrame({"multiple": [0.1, 1.1, 10.0] * 2, "value": [1, 2, 3, 4, 5, 9]})
    assert at_median(rows).tolist() == [2, 5]
    assert at_best(rows).tolist() == [3, 9]


def test_what_separates_and_what_does_not(measured):
    claims, tables = measured
    verdicts = {(claim.claim, claim.case): claim.verdict for claim in claims}
    for holds in (
        ("5-before", "rings"),
        ("5-before", "spirals"),
        ("5-rings-two", "best γ of the grid"),
    ):
        assert verdicts[holds] == "holds"
    for fails in (
        ("5-rings-two", "median γ"),
        ("5-spirals-two", "best γ of the grid"),
    ):
        assert verdicts[fails] == "fails"
    planes = tables["planes"]
    three = planes[(planes["dataset"] == "rings") & (planes["n_components"] == 3)]
    assert (three["bound"] >= LEAST).all()
