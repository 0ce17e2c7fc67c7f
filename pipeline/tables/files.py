"""Tables as they are stored."""

from pathlib import Path
from typing import Any

import pandas as pd

from pipeline.files import write_atomically


def read_table(path: Path | str, **options: Any) -> pd.DataFrame:
    """Return a table as `write_table` wrote it: what is called NA or None is so called."""
    return pd.read_csv(path, keep_default_na=False, na_values=[""], **options)


def write_table(table: pd.DataFrame, path: Path | str) -> None:
    """Write a CSV whose bytes depend on the numbers only."""
    text = table.to_csv(index=False, float_format="%.12g", lineterminator="\n")
    write_atomically(path, lambda file: file.write(text.encode()))
