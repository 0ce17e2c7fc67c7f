"""Choosing without labels in a run of the workflow: its tables, its figures, what it asks for."""

from pathlib import Path

import numpy as np
import pandas as pd

from workflow.scripts.choice import figure_scores
from workflow.scripts.choice.scored import COLUMNS, USE_LABELS


def test_every_replicate_has_every_choice_beside_the_supervised_one(swept: Path) -> None:
    table = pd.read_csv(swept / "results/tables/label_free.csv")

    assert table.columns.tolist() == COLUMNS
    svm = table[(table["dataset"] == "rings") & (table["method"] == "linear_svm")]
    assert svm.groupby("replicate")["criterion"].nunique().tolist() == [5, 5]
    assert set(svm.loc[svm["uses_labels"], "criterion"]) == set(USE_LABELS)
    assert (svm["hindsight"] >= svm[["value", "cv"]].max(axis=1)).all()


def test_the_supervised_choice_is_the_one_of_the_sweep(swept: Path) -> None:
    found = pd.read_csv(swept / "results/tables/label_free.csv")
    selected = pd.read_csv(swept / "results/tables/selected.csv")
    keys = ["dataset", "replicate", "method", "metric"]
    by_cv = selected.query("criterion == 'cv' and kernel == 'rbf' and split == 'test'")

    both = found[found["criterion"] == "cv"].merge(by_cv, on=keys, suffixes=("", "_sweep"))

    assert len(both) == (found["criterion"] == "cv").sum()
    assert (both["cell"] == both["cell_sweep"]).all()
    np.testing.assert_allclose(both["value"], both["value_sweep"])


def test_a_criterion_that_chose_in_one_replicate_has_no_interval(swept: Path) -> None:
    table = pd.read_csv(swept / "results/tables/label_free.csv")
    datasets = pd.read_csv(swept / "results/tables/datasets.csv")
    lost = (table["criterion"] == "input_denoising") & (table["replicate"] == 1)
    everywhere, partly = (
        figure_scores.differences(rows, datasets) for rows in (table, table[~lost])
    )

    expected = everywhere[everywhere["criterion"] != "input_denoising"].reset_index(drop=True)
    pd.testing.assert_frame_equal(partly, expected)
