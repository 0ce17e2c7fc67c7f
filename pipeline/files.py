"""Writing files so that a kill leaves the old one or the new one, never half of one."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, cast

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


def write_table(table: pd.DataFrame, path: Path | str) -> None:
    """Write a CSV whose bytes depend on the numbers only."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    table.to_csv(target, index=False, float_format="%.12g", lineterminator="\n")
