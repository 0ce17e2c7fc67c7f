"""The header of a CSV file: what separates its cells, and the names of its columns.

The Snakefile asks for it, hence the standard library only.
"""

import csv
from pathlib import Path

ENCODING = "utf-8-sig"  # UTF-8 with or without a byte order mark
_SEPARATORS = ",;\t"


def read_header(path: Path | str) -> tuple[str, list[str]]:
    """Return the separator, comma, semicolon or tab, and the names; none of an empty file.

    Raises
    ------
    UnicodeDecodeError, csv.Error
        When the file is not UTF-8 text, or a quote of the header has no end.
    """
    with Path(path).open(newline="", encoding=ENCODING) as stream:
        line = next(filter(str.strip, stream), "")
        separator = max(_SEPARATORS, key=line.count)
        stream.seek(0)
        header = next(filter(None, csv.reader(stream, delimiter=separator, strict=True)), [])
    return separator, [cell.strip() for cell in header]
