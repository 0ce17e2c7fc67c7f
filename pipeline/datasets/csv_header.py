"""The header of a text file: what separates its cells, and the names of its columns.

The Snakefile asks for it, hence the standard library only.
"""

import csv
import gzip
from pathlib import Path
from typing import TextIO

TEXT = (".csv", ".tsv", ".txt")
ENCODING = "utf-8-sig"  # UTF-8 with or without a byte order mark
_SEPARATORS = ",;\t"


def kind_of(path: Path | str) -> str:
    """Return how a name ends, without the mark of a compressed file.

    >>> kind_of("My.CSV.gz"), kind_of("my.parquet")
    ('.csv', '.parquet')
    """
    path = Path(path)
    return Path(path.stem if path.suffix.lower() == ".gz" else path.name).suffix.lower()


def open_text(path: Path | str, encoding: str = ENCODING, errors: str = "strict") -> TextIO:
    """Open a text file, compressed or not; cells keep the line breaks that they hold."""
    if str(path).lower().endswith(".gz"):
        return gzip.open(path, "rt", encoding=encoding, errors=errors, newline="")
    return Path(path).open(newline="", encoding=encoding, errors=errors)


def read_header(path: Path | str, encoding: str = ENCODING) -> tuple[str, list[str]]:
    """Return the separator, comma, semicolon or tab, and the names; none of an empty file.

    The separator is the one that gives the header most cells. Bytes that are no text in the
    encoding are replaced; whoever reads the rows refuses them.

    Raises
    ------
    OSError, EOFError, zlib.error
        When the file cannot be read or unpacked.
    csv.Error
        When a quote of the header has no end.
    LookupError
        For an unknown encoding.
    """
    with open_text(path, encoding, "replace") as stream:
        line = next(filter(str.strip, stream), "")
        separator = max(_SEPARATORS, key=lambda mark: len(next(csv.reader([line], delimiter=mark))))
        stream.seek(0)
        header = next(filter(None, csv.reader(stream, delimiter=separator, strict=True)), [])
    return separator, [cell.strip() for cell in header]
