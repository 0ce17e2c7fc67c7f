"""Where planes separate rings and spirals, and the statements about it."""

import numpy as np
import pandas as pd
import pytest

from kpca.pipeline.datasets.generators import Draw
from kpca.pipeline.studies.claims.claim import COLUMNS, claims_table
from kpca.pipeline.studies.claims.separability import (
    at_best,
    at_median,
    fewest_components,
    measure,
    widest_range,
)
from kpca.pipeline.studies.claims.separable import LEAST, fresh_bound, labelled


@pytest.fixture(scope="module")
def measured():
    return measure(
        seed=0, replicates=2, multiples=[0.3, 1, 3, 10], n_components=[2, 3, 24], ratios=[0.3]
    )


def test_a_plane_that_generalises_passes_and_one_that_does_not_exist_fails():
    line = np.linspace(-1, 1, 400)[:, None]
    y = (line[:, 0] > 0).astype(int)
    assert fresh_bound((line[::2], y[::2]), (line, y)) > LEAST
    assert fresh_bound((line, np.arange(400) % 2), (line, y)) == 0


def test_draws_without_classes_are_refused():
    with pytest.raises(ValueError, match="no classes"):
        labelled(Draw(np.zeros((2, 2))))


def test_the_widest_range_is_the_longest_run():
    multiples = [1.0, 10.0, 100.0, 1000.0, 10_000.0]
    rows = pd.DataFrame({"multiple": multiples, "bound": [1, 1, 0, 1, 0]})
    assert widest_range(rows) == pytest.approx(1)
    assert widest_range(rows.assign(bound=0)) == 0


def test_the_fewest_components_over_all_widths():
    rows = pd.DataFrame({"n_components": [2, 3, 3, 5], "bound": [0.9, 0.97, 0.985, 1.0]})
    assert fewest_components(rows) == 3
    assert fewest_components(rows.assign(bound=0)) == np.inf


def test_values_at_the_median_and_at_the_best_width():
    rows = pd.DataFrame({"multiple": [0.1, 1.1, 10.0] * 2, "value": [1, 2, 3, 4, 5, 9]})
    assert at_median(rows).tolist() == [2, 5]
    assert at_best(rows).tolist() == [3, 9]


def test_what_separates_and_what_does_not(measured):
    claims, tables = measured
    verdicts = {claim.claim: claim.verdict for claim in claims}
    for name in ("5-rings-before", "5-spirals-before", "5-rings-two-best", "5-rings-range-3"):
        assert verdicts[name] == "holds"
    for name in ("5-rings-two-median", "5-spirals-two-best"):
        assert verdicts[name] == "fails"
    planes = tables["planes"]
    three = planes[(planes["dataset"] == "rings") & (planes["n_components"] == 3)]
    assert (three["bound"] >= LEAST).all()


def test_the_rows_are_those_of_the_table_of_claims(measured):
    table = claims_table(measured[0])
    assert list(table.columns) == COLUMNS
    assert table["claim"].is_unique
    assert (table["figure"] == "claims_separability").all()
