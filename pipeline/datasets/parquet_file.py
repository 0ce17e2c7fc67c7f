"""Parquet files, through pandas."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pipeline.datasets.dataset import FloatArray
from pipeline.datasets.table import Table, TextCells, assign_roles, labels, read_number
from pipeline.errors import input_error

if TYPE_CHECKING:
    import pandas as pd


def read_parquet(path: Path, subject: str, spec: Mapping[str, Any]) -> Table:
    """Read a Parquet file; a column of text that reads as numbers is taken as numbers.

    Raises
    ------
    InputError
        When the file is not Parquet, or its columns do not fit the spec.
    """
    import pandas as pd

    try:
        frame = pd.read_parquet(path)
    except (ValueError, OSError) as error:
        problem = f"cannot be read as Parquet ({error}); write it anew"
        raise input_error(subject, [problem]) from error
    frame.columns = [str(column) for column in frame.columns]
    return frame_table(frame, subject, spec)


def frame_table(frame: "pd.DataFrame", subject: str, spec: Mapping[str, Any]) -> Table:
    """Convert a data frame whose column names are text."""
    roles = assign_roles(subject, spec, list(frame.columns))
    texts: TextCells = {}
    columns = [_numbers(frame[column], texts) for column in roles.numeric]
    return Table(
        roles=roles,
        numeric=np.column_stack(columns),
        label=None if roles.label is None else _labels(frame[roles.label]),
        group=None if roles.group is None else _labels(frame[roles.group]),
        texts=texts,
    )


def _numbers(series: "pd.Series[Any]", texts: TextCells) -> FloatArray:
    if series.dtype.kind in "biuf":
        return series.to_numpy(dtype=np.float64, na_value=np.nan)
    cells = enumerate(_labels(series))
    return np.array([read_number(texts, str(series.name), row, cell) for row, cell in cells])


def _labels(series: "pd.Series[Any]") -> list[str]:
    return labels("" if gone else cell for cell, gone in zip(series, series.isna(), strict=True))
