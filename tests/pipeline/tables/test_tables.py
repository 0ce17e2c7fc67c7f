"""From stores of scores to tidy tables."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pipeline.evaluation.evaluate import as_arrays
from pipeline.evaluation.settings import Outcome
from pipeline.store import Arrays, write_store, write_table
from pipeline.tables.scores import SCORE_COLUMNS, scores_table, variance_rule_table

ROWS = [
    Outcome(2, "linear_svm", 10.0, "accuracy", "test", 0.75),
    Outcome(2, "kmeans", np.nan, "ami", "cv", 0.5),
]


@pytest.fixture
def stores(tmp_path: Path) -> dict[str, Path]:
    fits = {"gamma": np.array(0.5)}
    rule = {"components_for_share": np.array(4), "rank": np.array(7)}
    entries: dict[str, Arrays] = {
        "rbf-median1/0": as_arrays(ROWS) | fits | rule,
        "raw/11": as_arrays(ROWS[:1]),
        "empty/0": as_arrays([]),
    }
    write_store(tmp_path / "s.npz", sorted(entries.items()))
    return {"rings": tmp_path / "s.npz"}


def test_every_score_is_one_row(stores: dict[str, Path]) -> None:
    table = scores_table(stores)

    assert table.columns.tolist() == SCORE_COLUMNS
    keys = table[["kernel", "cell", "replicate"]].drop_duplicates().to_numpy().tolist()
    assert keys == [["raw", "raw", 11], ["rbf", "rbf-median1", 0]]
    assert table["gamma"].isna().tolist() == [True, False, False]
    svm = table[(table["kernel"] == "rbf") & (table["method"] == "linear_svm")].iloc[0]
    assert (svm["n_components"], svm["C"], svm["split"], svm["value"]) == (2, 10, "test", 0.75)


def test_the_variance_rule_is_one_row_a_fit(stores: dict[str, Path]) -> None:
    table = variance_rule_table(stores)

    columns = ["dataset", "replicate", "kernel", "cell", "components_for_share", "rank"]
    assert table.columns.tolist() == columns
    assert table.to_numpy().tolist() == [["rings", 0, "rbf", "rbf-median1", 4, 7]]


def test_the_bytes_of_a_table_depend_on_the_numbers_alone(tmp_path: Path) -> None:
    table = pd.DataFrame({"a": [0.1 + 0.2, np.nan], "b": [1, 2]})
    write_table(table, tmp_path / "deep/one.csv")
    write_table(table.set_index(pd.Index([5, 6])), tmp_path / "two.csv")

    assert (tmp_path / "deep/one.csv").read_bytes() == b"a,b\n0.3,1\n,2\n"
    assert (tmp_path / "two.csv").read_bytes() == (tmp_path / "deep/one.csv").read_bytes()
