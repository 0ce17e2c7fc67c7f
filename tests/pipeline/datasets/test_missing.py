"""Missing cells: rows left out, or medians of the training rows."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipeline.datasets.dataset import Dataset
from pipeline.datasets.make import make_dataset
from tests.pipeline.datasets.conftest import Refusal, write

ROWS = [f"{i % 7},{i * i % 11},{'ab'[i % 2]},g{i // 2},{i % 5}" for i in range(40)]
ROWS[3], ROWS[8], ROWS[9] = ",1,b,g1,1", "1,NA,a,g4,", "5,6,,g4,6"
ROLES = {"label": "species", "group": "patient"}


def _read(missing: str, **spec: Any) -> Dataset:
    write("my.csv", ["width,length,species,patient,dose", *ROWS])
    spec = {"path": "my.csv", "missing": missing, **spec}
    return make_dataset("mine", spec, seed=0, replicates=2)


@pytest.mark.parametrize(
    ("missing", "spec", "gone", "sentence"),
    [
        ("drop", ROLES, [3, 8, 9], "3 of 40 rows have missing cells, in column 'width' (1), 'leng"),
        ("drop", ROLES | {"drop": ["width"]}, [8, 9], "2 of 40 rows have missing cells"),
        ("median", ROLES, [9], "in column 'species' (1), and are left out"),
        (
            *("median", {"target": "dose", "features": ["width"]}, [8]),
            "in column 'dose' (1), and are left out",
        ),
    ],
)
def test_rows_that_cannot_be_used_are_left_out_and_counted(
    folder: Path, missing: str, spec: dict[str, Any], gone: list[int], sentence: str
) -> None:
    dataset = _read(missing, **spec)

    assert dataset.file_rows.tolist() == [i + 1 for i in range(40) if i not in gone]
    assert sentence in dataset.warnings[0]


def test_a_place_stays_that_of_the_file(refusal: Refusal) -> None:
    write("my.csv", ["x,y", *(["1,"] * 3), "1,red", *(["3,2"] * 20)])

    assert "(line 5 'red')" in refusal(path="my.csv", missing="drop")


def test_a_row_keeps_its_number_where_there_are_no_lines(refusal: Refusal) -> None:
    np.savez("my.npz", X=np.array([[1, np.nan], [1, np.inf], *[[1, 2], [2, 2]] * 9]))

    assert "row 2, column 'x2' (infinite)" in refusal(path="my.npz", missing="drop")


def test_medians_are_those_of_the_training_rows(folder: Path) -> None:
    dataset = _read("median", features=["width", "length"])
    train, test = dataset.splits[0]

    split = dataset.split(0)
    medians = np.nanmedian(dataset.X[train], axis=0)
    for rows, X in ((train, split.X_train), (test, split.X_test)):
        raw = dataset.X[rows]
        np.testing.assert_array_equal(X, np.where(np.isnan(raw), medians, raw))
    assert np.isnan(dataset.X).sum() == 2


def test_arrays_may_have_missing_cells_too(folder: Path) -> None:
    X = np.random.default_rng(0).normal(size=(30, 2))
    X[4, 1] = np.nan
    np.savez("my.npz", X=X)

    for missing, rows in (("drop", 29), ("median", 30)):
        spec = {"path": "my.npz", "missing": missing}
        assert len(make_dataset("mine", spec, seed=0, replicates=1).X) == rows


@pytest.mark.parametrize(
    ("lines", "spec", "expected"),
    [
        (
            *(["x,y", *["1,"] * 20], {"missing": "drop"}),
            "every row has a missing cell, in column 'y' (20), so that `missing: drop` l",
        ),
        (["x,y", "1,inf", *["1,2", "3,"] * 20], {"missing": "median"}, "column 'y' (infinite)"),
        (["x,y", *["1,2", "3,"] * 20], {}, "`missing: median` (medians of the training rows)"),
    ],
)
def test_what_cannot_be_settled_is_refused(
    refusal: Refusal, lines: list[str], spec: dict[str, Any], expected: str
) -> None:
    write("my.csv", lines)

    assert expected in refusal(path="my.csv", **spec)


def test_cells_of_a_kernel_matrix_are_not_filled_in(refusal: Refusal) -> None:
    np.savez("k.npz", K=np.eye(12))

    message = refusal(path="k.npz", kernel_matrix=True, missing="median")
    assert "cells of a kernel matrix cannot be filled in; leave out `missing`" in message
