"""Rows in the order of time, dates as features, and cells and columns that only look odd."""

import re
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from kpca.reading.errors import InputError
from kpca.reading.notation import read_dates
from kpca.study.scoring.evaluate import make_problem
from tests.kpca.reading.conftest import read
from tests.workflow.pipeline import ROOT
from workflow.configuration.config import RESULTS
from workflow.configuration.explain import read_yaml
from workflow.configuration.load import load

ROWS = 120
CONFIG = Path(ROOT, "config/config.yaml")


def series(**columns):
    """Return days in disorder, with two features and two classes."""
    rng = np.random.default_rng(0)
    days = pd.date_range("2024-01-30", periods=ROWS)[rng.permutation(ROWS)]
    values = {"day": days.strftime("%d.%m.%Y"), "a": rng.normal(size=ROWS)}
    return pd.DataFrame(values | {"b": rng.normal(size=ROWS), "s": [*"xy"] * 60} | columns)


def write(table):
    table.to_csv("my.csv", index=False)


read_label = partial(read, label="s")


def test_later_rows_are_tested_and_earlier_ones_train(folder):
    table = series()
    write(table)
    rows = read_label(replicates=5, time="day", gap=3)
    days = read_dates([*table["day"]], day_first=True).iloc[rows.file_rows - 1]
    assert days.is_monotonic_increasing
    assert rows.time_is_date
    assert rows.feature_names == ("a", "b")
    tested = np.concatenate([test for _, test in rows.splits])
    assert tested.tolist() == [*range(ROWS // 2, ROWS)]  # once each, in windows
    for train, test in rows.splits:
        assert train.tolist() == [*range(test[0] - 3)]
    problem = make_problem(rows.split(4), 3, seed=0)
    for train, test in problem.folds:
        assert train.tolist() == [*range(test[0] - 3)]
    assert make_problem(rows.whole(), 2, seed=0).folds[-1][1][-1] == ROWS - 1


def test_rows_of_one_time_are_not_on_both_sides(folder):
    write(series(year=np.arange(ROWS) // 7))
    rows = read_label(replicates=4, time="year", drop=["day"])
    assert rows.time is not None
    assert all(rows.time[train].max() < rows.time[test].min() for train, test in rows.splits)


def test_later_times_of_new_groups_are_tested(folder):
    """A panel: each window tests a third of the groups, and so do the folds inside it."""
    rng = np.random.default_rng(0)
    number = np.arange(360)
    panel = {"year": number // 12, "land": [f"land {i % 12}" for i in number]}
    write(pd.DataFrame(panel | {"a": rng.normal(size=360), "s": rng.choice(["x", "y"], 360)}))
    rows = read_label(replicates=3, time="year", group="land")
    assert rows.time is not None
    assert rows.groups is not None
    splits = [*rows.splits, *make_problem(rows.split(2), 2, seed=0).folds]
    for fold, (train, test) in enumerate(splits):
        time = rows.time
        groups = rows.groups
        if fold >= 3:  # These folds are training rows of the last window.
            outer = rows.splits[2][0]
            time = time[outer]
            groups = groups[outer]
        assert time[train].max() < time[test].min()
        assert not {*groups[train]} & {*groups[test]}
        assert len(train) > 2 * len(test) > 0


@pytest.mark.parametrize(
    ("columns", "replicates", "words"),
    [
        ({}, 13, "at least 20, 5 and 5 are needed. Rows of the time that a window"),
        ({"day": ["1"] * 80 + ["2"] * 40}, 3, "leave 0 rows to train for the smallest window, 0"),
        ({"day": np.arange(ROWS), "s": ["x"] * 50 + ["y"] * 70}, 3, "hold one class only"),
        ({"day": np.arange(ROWS), "s": ["x", "z"] * 10 + ["x", "y"] * 50}, 3, "class 'z' is not"),
        (
            {"day": ["2024-05-01", "", "2024-05-02"] * 40},
            3,
            "time column 'day' is empty in 40 of 120 rows (line 3, line 6, line 9 and 37 more). A "
            "time cannot be filled in: `missing: median` leaves these rows out",
        ),
        ({"day": ["soon"] * ROWS}, 3, "time column 'day' holds 'soon', 'soon'"),
    ],
)
def test_windows_that_cannot_be_used_are_refused(folder, columns, replicates, words):
    write(series(**columns))
    with pytest.raises(InputError, match=re.escape(words)):
        read_label(replicates=replicates, time="day")


def test_dates_become_features_on_request_and_are_reported_without(folder):
    write(series())
    (warning,) = read_label().warnings
    assert "column 'day' holds dates" in warning
    assert "Random splits ignore their order; `time: day` tests on later rows" in warning
    rows = read_label(dates=["month", "weekday"])
    assert rows.feature_names == ("day_month", "day_weekday", "a", "b")
    assert rows.X[0, 0] == int(series()["day"][0].split(".")[1])


def test_a_title_above_the_header_of_a_sheet_is_guessed(refusal, folder):
    series(c=1).to_excel("my.xlsx", startrow=3, index=False)
    book = pd.read_excel("my.xlsx", header=None)
    book.iloc[0, 0] = "Days of a year"
    book.to_excel("my.xlsx", header=False, index=False)
    message = "1 problem\n  - line 4 looks like the header: add `header: 4`"
    assert refusal(path="my.xlsx").endswith(message)
    assert read_label(path="my.xlsx", header=4).feature_names == ("a", "b", "c")


def test_another_answer_has_its_folder_and_options_set_the_evaluation(folder):
    write(series())
    Path(f"{RESULTS}/my").mkdir(parents=True)
    noted = 'kind,name,value\nparameter,datasets.my.path,"""my.csv"""\n'
    Path(f"{RESULTS}/my/provenance.csv").write_text(noted + 'parameter,datasets.my.label,"""s"""\n')
    options = {"data": "my.csv", "svm_C": "1e-3,2", "folds": 2, "splits": 4, "n_components": "5, 2"}
    runs = {
        answer: load(read_yaml(CONFIG) | options | columns)
        for answer, columns in (("s", {"label": "s"}), ("a", {"target": "a"}), ("none", {}))
    }
    folders = [run.config["results"] for run in runs.values()]
    assert folders == ["results/my", "results/my-a", "results/my-no_answer"]
    run = runs["s"].config
    assert (
        run["evaluation"].items() >= {"C": [0.001, 2], "folds": 2, "n_components": [2, 5]}.items()
    )
    assert (run["replicates"], runs["s"].found["my"].replicates) == (4, 4)
    many = {"data": "my.csv", "label": "s", "time": "day", "splits": 13}
    assert load(read_yaml(CONFIG) | many | {"quick": True}).found["my"].replicates == 3
