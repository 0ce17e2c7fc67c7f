"""Parquet files."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pipeline.datasets.make import make_dataset
from tests.pipeline.datasets.conftest import Refusal

SPEC = {"path": "my.parquet", "label": "species", "group": "patient", "target": "dose"}


def _frame() -> pd.DataFrame:
    i = np.arange(24)
    return pd.DataFrame(
        {
            "age": i + 0.5,
            "dense": pd.array(i * 0.5, dtype="Float32"),
            "tall": i % 3 == 0,
            "code": (i % 5).astype(str),
            "species": pd.Categorical(np.array(["a", "b"])[i % 2]),
            "patient": i // 2,
            "dose": i / 10,
        }
    )


def test_every_role_is_read(folder: Path) -> None:
    _frame().to_parquet("my.parquet")
    dataset = make_dataset("mine", SPEC, seed=0, replicates=2)

    i = np.arange(24)
    np.testing.assert_array_equal(dataset.X, np.column_stack([i + 0.5, i * 0.5, i % 3 == 0, i % 5]))
    np.testing.assert_array_equal(dataset.y, i % 2)
    np.testing.assert_array_equal(dataset.groups, i // 2)
    np.testing.assert_array_equal(dataset.target, i / 10)


def test_whole_numbers_as_floats_are_the_same_labels(folder: Path) -> None:
    """One missing value elsewhere is enough for pandas to write 1.0 for 1."""
    for dtype in ("float32", "float64", "int8"):
        _frame().assign(species=(np.arange(24) % 2).astype(dtype)).to_parquet("my.parquet")
        spec = {"path": "my.parquet", "label": "species"}
        assert make_dataset("mine", spec, seed=0, replicates=1).class_names == ("0", "1")


@pytest.mark.parametrize(
    ("column", "value", "expected"),
    [
        ("age", np.nan, "row 3, column 'age' (missing)"),
        ("dense", pd.NA, "row 3, column 'dense' (missing)"),
        ("dose", np.inf, "row 3, column 'dose' (infinite)"),
        ("code", None, "row 3, column 'code' (missing)"),
        ("code", "red", "column 'code' holds text (row 3 'red')"),
        ("species", None, "label column 'species' is empty in row 3"),
        ("patient", np.nan, "group column 'patient' is empty in row 3"),
    ],
)
def test_a_bad_cell_is_named_with_its_row(
    refusal: Refusal, column: str, value: object, expected: str
) -> None:
    frame = _frame()
    values = list(frame[column])
    values[2] = value
    kind = "Float32" if column == "dense" else None
    frame.assign(**{column: pd.Series(values, dtype=kind)}).to_parquet("my.parquet")

    assert expected in refusal(**SPEC)


def test_dates_are_no_numbers_and_columns_are_looked_for(refusal: Refusal) -> None:
    _frame().assign(age=pd.Timestamp("2020-01-01")).to_parquet("my.parquet")

    assert "column 'age' holds text (row 1 '2020-01-01" in refusal(path="my.parquet")
    assert "did you mean 'species'?" in refusal(path="my.parquet", label="specis")
