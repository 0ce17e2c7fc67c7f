"""Which column serves as what, and cells that are missing."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipeline.datasets.dataset import Dataset, load_dataset
from tests.pipeline.datasets.conftest import Refusal, read, write

HEADER = "name,width,colour,day,length,species"
ROWS = [
    f"row {i},{i * 5 % 7},{['red', 'blue', ''][i % 3]},{i // 4},{i / 8},{'ab'[i % 2]}"
    for i in range(24)
]
SPEC: dict[str, Any] = {"path": "my.csv", "label": "species"}


def _read(**spec: object) -> Dataset:
    return read(**SPEC | spec)


@pytest.mark.parametrize(
    ("spec", "features"),
    [
        ({"drop": ["colour", "day"]}, ("width", "length")),
        ({"features": ["length", "width"]}, ("length", "width")),
        ({"features": ["length"], "drop": ["width"]}, ("length",)),
        ({"id": "name", "drop": ["colour"]}, ("width", "day", "length")),
        ({"id": "day", "group": "day", "features": ["width"]}, ("width",)),
        ({"categorical": ["colour", "day"]}, ("width", "colour", "day", "length")),
        ({"features": ["colour", "day"], "categorical": ["colour"]}, ("colour", "day")),
    ],
)
def test_features_are_what_is_left(folder: Path, spec: dict, features: tuple[str, ...]) -> None:
    write("my.csv", [HEADER, *ROWS])
    assert _read(missing="median", **spec).feature_names == features


def test_categories_are_codes_with_names_and_nan_where_there_is_none(folder: Path) -> None:
    write("my.csv", [HEADER, *ROWS])
    _read(features=["day", "colour"], categorical=["day", "colour"], missing="median").save("d.npz")
    dataset = load_dataset("d.npz")
    assert dataset.categories == {"day": [*"012345"], "colour": ["blue", "red"]}
    np.testing.assert_array_equal(dataset.X[:3], [[0, 1], [0, 0], [0, np.nan]])


@pytest.mark.parametrize(
    ("spec", "numbers"),
    [
        ({"drop": ["colour"]}, range(1, 25)),
        ({"missing": "drop", "categorical": ["colour"]}, [1, 2, 4, 5]),
        ({"drop": ["colour"], "max_rows": 12}, []),
    ],
)
def test_rows_keep_their_numbers_and_names(
    folder: Path, spec: dict[str, Any], numbers: Sequence[int]
) -> None:
    write("my.csv", [HEADER, *ROWS])
    dataset = _read(id="name", **spec)
    assert dataset.file_rows[: len(numbers)].tolist() == [*numbers]
    assert dataset.ids.tolist() == [f"row {number - 1}" for number in dataset.file_rows]
    np.testing.assert_array_equal(dataset.file_rows - 1, np.rint(8 * dataset.X[:, -1]))
    assert _read(**spec).ids is None


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"drop": ["colr"]}, "'colr', which `drop` names; did you mean 'colour'?"),
        ({"drop": ["species"]}, "column 'species' is named by `label`, `drop`; give it one role"),
        ({"id": "name", "features": ["name"]}, "named by `id`, `features`; give it one role"),
        (
            {"features": ["day"], "categorical": ["colour"]},
            "column 'colour' is named by `categorical` alone; add it to `features`",
        ),
        (
            {"drop": ["width", "colour", "day", "length"]},
            "no column is left as a feature; there must be at least one; column 'name' holds "
            "a different text in every row ('row 0', 'row 1' and 22 more), and is left out",
        ),
        ({"log": ["colour"]}, "column 'colour' is named by `log`, but is no number"),
        ({"log": ["width"]}, "'width' holds numbers that are not positive (line 2, line 9, line "),
        ({"categorical": ["colour"]}, "or say `missing: drop` (leave out rows with missing cells)"),
    ],
)
def test_columns_that_do_not_fit_are_refused(
    refusal: Refusal, spec: dict[str, Any], expected: str
) -> None:
    write("my.csv", [HEADER, *ROWS])
    assert expected in refusal(**SPEC, **spec)


def test_every_column_that_is_not_there_is_named_at_once(refusal: Refusal) -> None:
    write("my.csv", [HEADER, *ROWS])
    spec = {"id": "a", "features": ["b"], "drop": ["c"], "categorical": ["d"], "label": "e"}
    message = refusal(path="my.csv", **spec)
    assert all(f"there is no column {name!r}" in message for name in "abcde")


HOLED = [f"{i % 7},{i * i % 11},{'ab'[i % 2]},g{i // 2},{i % 5}" for i in range(40)]
HOLED[3], HOLED[8], HOLED[9] = ",1,b,g1,1", "1,NA,a,g4,", "5,6,,g4,6"
ROLES = {"label": "species", "group": "patient"}


def _read_holed(missing: str, **spec: Any) -> Dataset:
    write("my.csv", ["width,length,species,patient,dose", *HOLED])
    return read(missing=missing, **spec)


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
    dataset = _read_holed(missing, **spec)
    assert dataset.file_rows.tolist() == [i + 1 for i in range(40) if i not in gone]
    assert sentence in dataset.warnings[0]


def test_a_place_stays_that_of_the_file(refusal: Refusal) -> None:
    write("my.csv", ["x,y", *(["1,"] * 3), "1,red", *(["3,2"] * 20)])
    assert "(line 5 'red')" in refusal(path="my.csv", missing="drop")
    np.savez("my.npz", X=np.array([[1, np.nan], [1, np.inf], *[[1, 2], [2, 2]] * 9]))
    assert "row 2, column 'x2' (infinite)" in refusal(path="my.npz", missing="drop")


def test_medians_are_those_of_the_training_rows(folder: Path) -> None:
    dataset = _read_holed("median", features=["width", "length"])
    train, test = dataset.splits[0]
    split = dataset.split(0)
    medians = np.nanmedian(dataset.X[train], axis=0)
    for rows, X in ((train, split.X_train), (test, split.X_test)):
        raw = dataset.X[rows]
        np.testing.assert_array_equal(X, np.where(np.isnan(raw), medians, raw))
    assert np.isnan(dataset.X).sum() == 2
    np.savez("my.npz", X=dataset.X)
    assert [len(read("my.npz", missing=m).X) for m in ("drop", "median")] == [38, 40]


@pytest.mark.parametrize(
    ("lines", "spec", "expected"),
    [
        (
            *(["x,y", *["1,"] * 20], {"missing": "drop"}),
            "every row has a missing cell, in column 'y' (20), so that `missing: drop` l",
        ),
        (["x,y", "1,inf", *["1,2", "3,"] * 20], {"missing": "median"}, "column 'y' (infinite)"),
    ],
)
def test_what_cannot_be_settled_is_refused(
    refusal: Refusal, lines: list[str], spec: dict[str, Any], expected: str
) -> None:
    write("my.csv", lines)
    assert expected in refusal(path="my.csv", **spec)
