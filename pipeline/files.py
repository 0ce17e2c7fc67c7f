"""Writing files so that a kill leaves the old one or the new one, never half of one.

Nor does a reader see half of one, where two jobs write the same: a job of a cluster may outlive the
run that asked for it, and finish while its successor runs.
"""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, cast

import pandas as pd


def write_atomically(path: Path | str, write: Callable[[BinaryIO], object]) -> None:
    """Let ``write`` fill a temporary file beside ``path``, then move it there."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}-")
    try:
        with os.fdopen(handle, "wb") as file:
            write(cast(BinaryIO, file))
        Path(temporary).chmod(0o644)
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def read_table(path: Path | str, **options: Any) -> pd.DataFrame:
    """Return a table as `write_table` wrote it: what is called NA or None is so called."""
    return pd.read_csv(path, keep_default_na=False, na_values=[""], **options)


def write_table(table: pd.DataFrame, path: Path | str) -> None:
    """Write a CSV whose bytes depend on the numbers only."""
    text = table.to_csv(index=False, float_format="%.12g", lineterminator="\n")
    write_atomically(path, lambda file: file.write(text.encode()))
