"""Two folders of results, cell by cell."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.compare import compare_folders, compare_tables, key_columns, main, report

SCORES = pd.DataFrame(
    {
        "dataset": ["rings", "rings", "iris", "iris"],
        "cell": ["rbf-median1", "rbf-median1", "rbf-median1", "linear"],
        "gamma": [0.123456789, 0.123456789, 0.7, np.nan],
        "C": [0.1, 1.0, 1.0, 1.0],
        "value": [0.5, 0.75, 1.0, 0.25],
        "verdict": ["holds", "fails", "holds", "holds"],
    }
)


def folder(path: Path, **tables: pd.DataFrame) -> Path:
    for name, table in tables.items():
        target = path / "tables" / f"{name}.csv"
        target.parent.mkdir(parents=True, exist_ok=True)
        table.to_csv(target, index=False)
    return path


def test_a_folder_is_the_same_as_itself_in_any_order(tmp_path: Path) -> None:
    a = folder(tmp_path / "a", scores=SCORES)
    b = folder(tmp_path / "b", scores=SCORES.iloc[::-1])

    found = compare_folders(a, b)

    assert found.equal
    assert found.tables[0].same == SCORES.size
    assert main([str(a), str(b)]) == 0


def test_rows_are_named_without_measured_numbers() -> None:
    moved = SCORES.assign(gamma=SCORES["gamma"] + 1e-5)

    assert key_columns(SCORES, moved) == ["dataset", "cell", "C"]
    assert [change.column for change in compare_tables("t", SCORES, moved).changes] == ["gamma"]


@settings(deadline=None)
@given(st.integers(0, 3), st.floats(-1e6, 1e6).filter(lambda step: abs(step) > 1e-5))
def test_one_moved_number_is_found(row: int, step: float) -> None:
    moved = SCORES.copy()
    moved.loc[row, "value"] += step

    found = compare_tables("scores.csv", SCORES, moved)

    assert [(change.column, change.cells) for change in found.changes] == [("value", 1)]
    assert found.changes[0].largest == pytest.approx(abs(step), rel=1e-6)


def test_rounding_is_within_tolerance() -> None:
    found = compare_tables("t", SCORES, SCORES.assign(value=SCORES["value"] + 1e-9))

    assert found.equal
    assert found.within == len(SCORES)


@pytest.mark.parametrize("missing", [np.nan, np.inf])
def test_a_number_that_is_gone_is_a_change(missing: float) -> None:
    found = compare_tables("t", SCORES, SCORES.assign(value=[missing, 0.75, 1.0, 0.25]))

    assert found.changed == 1
    assert not found.equal


def test_rows_columns_and_tables_without_a_partner(tmp_path: Path) -> None:
    more = pd.concat([SCORES, SCORES.assign(dataset="wine")])
    a = folder(tmp_path / "a", scores=SCORES, old=SCORES)
    b = folder(tmp_path / "b", scores=more.assign(new=1.0), new=SCORES)

    found = compare_folders(a, b)
    text = report(found, a, b)

    assert "4 rows only in B: wine rbf-median1 0.1" in text
    assert "columns only in B: new" in text
    assert "only in A: tables/old.csv" in text
    assert text.endswith("1 of 1 tables differ, 2 have no partner")


def test_text_that_changed_is_shown_with_its_row() -> None:
    found = compare_tables("t", SCORES, SCORES.assign(verdict="holds"))

    assert found.changes[0].examples == ("rings rbf-median1 1: fails -> holds",)


def test_equal_rows_are_told_apart_by_their_number() -> None:
    twice = pd.DataFrame({"kernel": ["rbf", "rbf"]})

    assert compare_tables("t", twice, twice.iloc[:1]).only_a == ("rbf #2",)


def test_what_the_runs_differed_in_is_said_first(tmp_path: Path) -> None:
    columns = ["kind", "name", "value"]
    for name, version in (("a", "2.4.6"), ("b", "2.5.0")):
        rows = [("version", "numpy", version), ("parameter", "seed", "0")]
        folder(tmp_path / name, scores=SCORES)
        pd.DataFrame(rows, columns=columns).to_csv(tmp_path / name / "provenance.csv", index=False)

    found = compare_folders(tmp_path / "a", tmp_path / "b")

    assert found.provenance == ["version numpy: 2.4.6 -> 2.5.0"]
    assert found.equal


def test_times_are_left_out(tmp_path: Path) -> None:
    a, b = (folder(tmp_path / name, scores=SCORES) for name in "ab")
    folder(a / "benchmarks", summary=SCORES)

    assert compare_folders(a, b).equal


def test_the_command_ends_with_one_where_something_changed(tmp_path: Path) -> None:
    a = folder(tmp_path / "a", scores=SCORES)
    b = folder(tmp_path / "b", scores=SCORES.assign(value=0.0))
    command = [sys.executable, "-m", "pipeline.compare", str(a), str(b)]

    run = subprocess.run(command, capture_output=True, text=True, check=False)

    assert run.returncode == 1
    assert "value: 4 changed, by 1 at most" in run.stdout


def test_a_folder_without_tables_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="holds no table"):
        compare_folders(tmp_path, tmp_path)
    with pytest.raises(SystemExit):
        main([str(tmp_path / "none"), str(tmp_path)])
