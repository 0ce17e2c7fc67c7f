"""Scores of stores as tables."""

from io import StringIO

import numpy as np
import pandas as pd
import pytest

from kpca.study.scoring.evaluate import as_arrays
from kpca.study.scoring.scores import SCORE_COLUMNS, scores_table, variance_rule_table
from kpca.study.scoring.settings import Outcome
from kpca.study.store import write_store
from tests.kpca.study.evidence.test_selection import RULE_COLUMNS

ROWS = [
    Outcome(2, "linear_svm", 10.0, "accuracy", "test", 0.75),
    Outcome(2, "kmeans", np.nan, "ami", "cv", 0.5),
]


EXPECTED = """kernel,cell,replicate,gamma,method,n_components,split,value
raw,raw,11,,linear_svm,2,test,0.75
rbf,rbf-median1,0,0.5,linear_svm,2,test,0.75
rbf,rbf-median1,0,0.5,kmeans,2,cv,0.5
"""


@pytest.fixture
def stores(tmp_path):
    facts = {"gamma": 0.5, "components_for_share": 4, "rank": 7}
    entries = {
        "empty/0": as_arrays([]),
        "raw/11": as_arrays(ROWS[:1]),
        "rbf-median1/0": as_arrays(ROWS) | {name: np.array(facts[name]) for name in facts},
    }
    path = tmp_path / "rings.npz"
    write_store(path, entries.items())
    return [path]


def test_every_score_is_one_row(stores):
    rows = scores_table(stores)
    assert rows.columns.tolist() == SCORE_COLUMNS
    expected = pd.read_csv(StringIO(EXPECTED))
    pd.testing.assert_frame_equal(rows[[*expected]], expected, check_dtype=False)


def test_the_variance_rule_is_one_row_per_fit(stores):
    table = variance_rule_table(stores)
    assert table.columns.tolist() == RULE_COLUMNS
    assert table.to_numpy().tolist() == [["rings", 0, "rbf", "rbf-median1", 4, 7]]
