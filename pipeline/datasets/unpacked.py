"""How much may come out of a packed file: a few kilobytes can stand for more than there is memory.

The Snakefile asks for the header of a text file, hence the standard library only.
"""

import zipfile
from pathlib import Path

_TIMES = 200  # tables of numbers become a tenth to a fiftieth of what they were
_ALWAYS = {"bytes": 50_000_000, "cells": 50_000_000, "letters": 5_000_000}
"""What any file may hold; a letter takes dozens of bytes in a list of rows."""


def refuse_excess(path: Path | str, amount: int, what: str = "bytes") -> None:
    """Refuse what would unpack to more than a file of its size ever holds, a trap and no table.

    Raises
    ------
    ValueError
        Naming both sizes.
    """
    size = Path(path).stat().st_size
    most = max(_ALWAYS[what], _TIMES * size)
    if amount > most:
        raise ValueError(f"its {size} bytes would become more than {most} {what}")


def refuse_large_archive(path: Path | str) -> None:
    """Refuse an archive whose members declare more than that; none gives more than it declares.

    Raises
    ------
    ValueError
        Naming both sizes.
    zipfile.BadZipFile
        Where it is none.
    """
    with zipfile.ZipFile(path) as archive:
        refuse_excess(path, sum(member.file_size for member in archive.infolist()))
