"""Whether a dataset's file is large. Standard library only, because the Snakefile imports it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

LARGE = 200_000_000  # size in bytes above which the Snakefile reads only the first rows of a file
SAMPLE = 20_000  # number of these first rows


def is_large(spec: Mapping[str, Any]) -> bool:
    """Return whether ``spec`` names a file of which the Snakefile reads only the first rows."""
    path = Path(spec.get("path", ""))
    whole = path.suffix.lower() in (".npz", ".xlsx") or not path.is_file()
    return not whole and path.stat().st_size > LARGE
