"""Two folders of results, cell by cell."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.compare import compare_folders, compare_tables, key_columns, main

SCORES = pd.DataFrame(
    {
        "dataset": ["rings", "rings", "iris", "iris"],
        "cell": ["rbf-median1", "rbf-median1", "rbf-median1", "linear"],
        "gamma": [0.123456789, 0.123456789, 0.7, np.nan],
        "C": [0.1, 1.0, 1.0, 1.0],
        "value": [0.5, 0.75, 1.0, 0.25],
        "verdict": ["gain shown", "no gain shown", "gain shown", "gain shown"],
    }
)


def folder(path: Path, **tables: pd.DataFrame) -> Path:
    for name, table in tables.items():
        target = path / "tables" / f"{name}.csv"
        target.parent.mkdir(parents=True, exist_ok=True)
        table.to_csv(target, index=False)
    return path


def test_a_folder_is_the_same_as_itself_in_any_order_whatever_its_times(tmp_path: Path) -> None:
    a = folder(tmp_path / "a", scores=SCORES)
    b = folder(tmp_path / "b", scores=SCORES.iloc[::-1])
    folder(a / "benchmarks", summary=SCORES)
    folder(a / "of_another_file", scores=SCORES)
    (a / "of_another_file/provenance.csv").write_text("kind,name,value\n")

    equal, report = compare_folders(a, b)

    assert equal
    assert f"scores.csv: {SCORES.size} cells same, 0 within tolerance, 0 changed" in report
    assert main([str(a), str(b)]) == 0


def test_rows_are_named_without_measured_numbers() -> None:
    moved = SCORES.assign(gamma=SCORES["gamma"] + 1e-5)

    assert key_columns(SCORES, moved) == ["dataset", "cell", "C"]
    assert compare_tables(SCORES, moved).lines[0] == "gamma: 3 changed, by 1e-05 at most"


@settings(deadline=None)
@given(st.integers(0, 3), st.floats(-1e6, 1e6).filter(lambda step: abs(step) > 1e-5))
def test_one_moved_number_is_found(row: int, step: float) -> None:
    moved = SCORES.copy()
    moved.loc[row, "value"] += step

    found = compare_tables(SCORES, moved)

    before, largest = found.lines[0].removesuffix(" at most").split("by ")
    assert (before, found.changed, len(found.lines)) == ("value: 1 changed, ", 1, 2)
    assert float(largest) == pytest.approx(abs(step), rel=0.01)


def test_rounding_is_within_tolerance() -> None:
    found = compare_tables(SCORES, SCORES.assign(value=SCORES["value"] + 1e-9))

    assert (found.within, found.lines) == (len(SCORES), [])


@pytest.mark.parametrize(
    ("changed", "line"),
    [
        ({"value": [np.nan, 0.75, 1.0, 0.25]}, "  rings rbf-median1 0.1: 0.5 -> nan"),
        ({"value": [np.inf, 0.75, 1.0, 0.25]}, "  rings rbf-median1 0.1: 0.5 -> inf"),
        ({"verdict": "gain shown"}, "  rings rbf-median1 1: no gain shown -> gain shown"),
    ],
)
def test_what_is_gone_or_another_text_is_shown_with_its_row(changed: dict, line: str) -> None:
    [column] = changed

    assert compare_tables(SCORES, SCORES.assign(**changed)).lines == [f"{column}: 1 changed", line]


def test_rows_columns_and_tables_without_a_partner(tmp_path: Path) -> None:
    more = pd.concat([SCORES, SCORES.assign(dataset="wine")])
    a = folder(tmp_path / "a", scores=SCORES, old=SCORES)
    b = folder(tmp_path / "b", scores=more.assign(new=1.0), new=SCORES)

    equal, report = compare_folders(a, b)

    assert not equal
    assert "4 rows only in B: wine rbf-median1 0.1" in report
    assert "columns only in B: new" in report
    assert "only in A: tables/old.csv" in report
    assert report.endswith("1 of 1 tables differ, 2 have no partner")


def test_equal_rows_are_told_apart_by_their_number() -> None:
    twice = pd.DataFrame({"kernel": ["rbf", "rbf"]})

    assert compare_tables(twice, twice.iloc[:1]).lines == ["1 rows only in A: rbf #2"]


def test_what_the_runs_differed_in_is_said_first(tmp_path: Path) -> None:
    columns = ["kind", "name", "value"]
    for name, version in (("a", "2.4.6"), ("b", "2.5.0")):
        rows = [("version", "numpy", version), ("parameter", "seed", "0")]
        folder(tmp_path / name, scores=SCORES)
        pd.DataFrame(rows, columns=columns).to_csv(tmp_path / name / "provenance.csv", index=False)

    equal, report = compare_folders(tmp_path / "a", tmp_path / "b")

    assert report.splitlines()[2] == "version numpy: 2.4.6 -> 2.5.0"
    assert report.splitlines()[3].startswith("tables/scores.csv")
    assert equal


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
