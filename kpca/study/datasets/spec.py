"""What the configuration says of a dataset. Standard library only: the Snakefile imports it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

LARGE = 200_000_000  # bytes of a file that is not read as a whole when the Snakefile is
SAMPLE = 20_000  # its rows that are


def is_large(spec: Mapping[str, Any]) -> bool:
    """Return whether a dataset is a file of which the Snakefile reads only the first rows."""
    path = Path(spec.get("path", ""))
    whole = path.suffix.lower() in (".npz", ".xlsx") or not path.is_file()
    return not whole and path.stat().st_size > LARGE
