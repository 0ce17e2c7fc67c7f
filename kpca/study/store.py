"""Read and write tables, and files of arrays whose damage is detected.

Arrays are written in order and without time stamps, so that equal contents give equal bytes.
"""

import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO, StringIO
from pathlib import Path
from shlex import quote
from typing import Any, BinaryIO

import numpy as np
import pandas as pd

from kpca.files import write_atomically, write_text
from kpca.reading.errors import InputError, input_error

Arrays = dict[str, np.ndarray]
# File in a folder of results: name of an entry → name of its file, without the ending.
INDEX = "index.json"


class DamagedError(InputError):
    """A file that is corrupt."""


def write_arrays(path: Path | str, arrays: Iterable[tuple[str, np.ndarray]]) -> None:
    """Write named arrays to an NPZ file, taking one at a time from the iterable."""

    def write(file: BinaryIO) -> None:
        with zipfile.ZipFile(file, "w") as archive:
            for name, array in arrays:
                data = BytesIO()
                values = np.asanyarray(array)
                np.lib.format.write_array(data, values, allow_pickle=False)
                # Compression shortens texts and columns of scores, but not computed matrices.
                kind = zipfile.ZIP_STORED if values.ndim > 1 else zipfile.ZIP_DEFLATED
                archive.writestr(zipfile.ZipInfo(f"{name}.npy"), data.getvalue(), kind)

    write_atomically(path, write)


def read_arrays(path: Path | str) -> Arrays:
    """Return the arrays that `write_arrays` wrote, by name.

    A missing file raises `FileNotFoundError`. A corrupt file raises `DamagedError`, whose message
    says how to make the file again.
    """
    arrays = {}
    with _opened(path) as archive:
        for name in archive.namelist():
            data = BytesIO(archive.read(name))
            arrays[name.removesuffix(".npy")] = np.lib.format.read_array(data, allow_pickle=False)
    return arrays


def write_store(path: Path | str, entries: Iterable[tuple[str, Mapping[str, np.ndarray]]]) -> None:
    """Write named entries, which map names to arrays, to one file; they are taken one at a time."""
    write_arrays(
        path,
        ((f"{name}/{array}", entry[array]) for name, entry in entries for array in sorted(entry)),
    )


def read_store(path: Path | str) -> dict[str, Arrays]:
    """Return the entries of a store: name → arrays; errors are those of `read_arrays`."""
    entries: dict[str, Arrays] = {}
    for member, array in read_arrays(path).items():
        name, _, field = member.rpartition("/")
        entries.setdefault(name, {})[field] = array
    return entries


def read_index(folder: Path | str) -> dict[str, str]:
    """Return the index of a folder of fits: name of an entry → name of its file, without ending."""
    index: dict[str, str] = json.loads(Path(folder, INDEX).read_text(encoding="utf-8"))
    return index


def read_fit(folder: Path | str, entry: str) -> Arrays:
    """Return the fit named ``entry`` (setting and replicate) in a folder that `Cache.link` filled.

    Errors are those of `read_arrays`.
    """
    return read_arrays(Path(folder, f"{read_index(folder)[entry]}.npz"))


@contextmanager
def _opened(path: Path | str) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(path) as archive:
            if any(member.comment for member in archive.infolist()):
                raise ValueError("its directory is damaged")  # a comment may hide members
            yield archive
    except FileNotFoundError:
        raise
    except Exception as error:  # reading a damaged file can raise any exception
        indexed = Path(path).with_name(INDEX).exists()
        remedy = f"rm -r {quote(str(Path(path).parent))}" if indexed else f"rm {quote(str(path))}"
        why = f"is corrupt ({error}): run `{remedy}`, then the same command again"
        raise DamagedError(str(input_error(str(path), [why]))) from error


def read_table(path: Path | str | StringIO, **options: Any) -> pd.DataFrame:
    """Return a table as `write_table` wrote it; texts such as NA and None stay texts."""
    return pd.read_csv(path, keep_default_na=False, na_values=[""], **options)


def write_table(table: pd.DataFrame, path: Path | str) -> None:
    """Write a table as a CSV file whose bytes depend on its values only."""
    write_text(path, _as_text(table))


def as_stored(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table as `read_table` returns it after `write_table`, with numbers rounded alike."""
    return read_table(StringIO(_as_text(table)))


def join_tables(paths: Iterable[Path | str]) -> pd.DataFrame:
    """Return the rows of several written tables as one table of texts, which keep their digits."""
    parts = [read_table(path, dtype=str) for path in paths]
    return pd.concat([part for part in parts if len(part)] or parts[:1], ignore_index=True)


def _as_text(table: pd.DataFrame) -> str:
    text: str = table.to_csv(index=False, float_format="%.12g", lineterminator="\n")
    return text
