"""Which column serves as what."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipeline.datasets.dataset import Dataset, load_dataset
from pipeline.datasets.make import make_dataset
from tests.pipeline.datasets.conftest import Refusal, write

HEADER = "name,width,colour,day,length,species"
ROWS = [
    f"row {i},{i * 5 % 7},{['red', 'blue', ''][i % 3]},{i // 4},{i / 8},{'ab'[i % 2]}"
    for i in range(24)
]
SPEC: dict[str, Any] = {"path": "my.csv", "label": "species"}


def _read(**spec: object) -> Dataset:
    return make_dataset("mine", SPEC | spec, seed=0, replicates=2)


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
    ],
)
def test_rows_keep_their_numbers_and_names(
    folder: Path, spec: dict[str, Any], numbers: Sequence[int]
) -> None:
    write("my.csv", [HEADER, *ROWS])
    dataset = _read(id="name", **spec)

    assert dataset.file_rows[: len(numbers)].tolist() == [*numbers]
    assert dataset.ids.tolist() == [f"row {number - 1}" for number in dataset.file_rows]
    assert len(dataset.ids) == len(dataset.X)
    assert _read(**spec).ids is None


def test_rows_keep_their_names_in_a_subsample(folder: Path) -> None:
    write("my.csv", [HEADER, *ROWS])
    dataset = _read(drop=["colour"], id="name", max_rows=12)

    names = [f"row {i}" for i in np.rint(8 * dataset.X[:, -1]).astype(int)]
    assert dataset.ids.tolist() == names


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"drop": ["colr"]}, "'colr', which `drop` names; did you mean 'colour'?"),
        ({"id": "nme"}, "'nme', which `id` names; did you mean 'name'?"),
        ({"categorical": ["Colour"]}, "which `categorical` names; did you mean 'colour'?"),
        ({"drop": ["species"]}, "column 'species' is named by `label`, `drop`; give it one role"),
        ({"id": "name", "features": ["name"]}, "named by `id`, `features`; give it one role"),
        ({"drop": ["day"], "features": ["day"]}, "named by `features`, `drop`; give it one role"),
        (
            {"features": ["day"], "categorical": ["colour"]},
            "column 'colour' is named by `categorical` alone; add it to `features`",
        ),
        (
            {"drop": ["width", "colour", "day", "length"]},
            "no column is left as a feature; there must be at least one; column 'name' holds "
            "another text in every row ('row 0', 'row 1' and 22 more), and is left out",
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
