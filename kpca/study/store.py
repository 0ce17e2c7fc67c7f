"""Files of arrays, which tell when they are damaged, and of tables.

Members are written in order and without time stamps, so that equal contents give equal bytes.
"""

import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from shlex import quote
from typing import Any, BinaryIO

import numpy as np
import pandas as pd

from kpca.reading.errors import InputError, input_error
from kpca.reading.files import write_atomically, write_text

Arrays = dict[str, np.ndarray]


class DamagedError(InputError):
    """A file that is corrupt."""


def by_dataset(paths: Iterable[Path | str]) -> dict[str, str]:
    """Return dataset → its file, of files that are named after their datasets."""
    return {Path(path).stem: str(path) for path in paths}


def entry_name(setting: Any, replicate: int | str) -> str:
    """Return the name under which the fit or the scores of a point or cell are stored."""
    return f"{setting.id}/{replicate}"


def write_arrays(path: Path | str, arrays: Iterable[tuple[str, np.ndarray]]) -> None:
    """Write an NPZ file; the arrays, by name, are taken one at a time."""

    def write(file: BinaryIO) -> None:
        with zipfile.ZipFile(file, "w") as archive:
            for name, array in arrays:
                data = BytesIO()
                np.lib.format.write_array(data, np.asanyarray(array), allow_pickle=False)
                archive.writestr(zipfile.ZipInfo(f"{name}.npy"), data.getvalue())

    write_atomically(path, write)


def read_arrays(path: Path | str, entry: str = "") -> Arrays:
    """Return the arrays that `write_arrays` wrote, by name; of a store those of one entry.

    A missing file raises `FileNotFoundError`, and a corrupt one `DamagedError`, which says how the
    next run makes it again.
    """
    prefix = f"{entry}/" if entry else ""
    with _opened(path) as archive:
        members = [name for name in archive.namelist() if name.startswith(prefix)]
        data = {name[len(prefix) : -len(".npy")]: BytesIO(archive.read(name)) for name in members}
        return {n: np.lib.format.read_array(d, allow_pickle=False) for n, d in data.items()}


def write_store(path: Path | str, entries: Iterable[tuple[str, Mapping[str, np.ndarray]]]) -> None:
    """Write entries, by name, as one file; they are taken one at a time."""
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


def entry_names(path: Path | str) -> list[str]:
    """Return the names of the entries of a store; errors are those of `read_arrays`."""
    with _opened(path) as archive:
        return list(dict.fromkeys(m.rpartition("/")[0] for m in archive.namelist()))


@contextmanager
def _opened(path: Path | str) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(path) as archive:
            if any(member.comment for member in archive.infolist()):
                raise ValueError("its directory is damaged")  # a comment may hide members
            yield archive
    except FileNotFoundError:
        raise
    except Exception as error:  # a damaged file makes its reader raise whatever there is
        why = f"is corrupt ({error}): run `rm {quote(str(path))}`, then the same command again"
        raise DamagedError(str(input_error(str(path), [why]))) from error


def read_table(path: Path | str, **options: Any) -> pd.DataFrame:
    """Return a table as `write_table` wrote it: what is called NA or None is so called."""
    return pd.read_csv(path, keep_default_na=False, na_values=[""], **options)


def write_table(table: pd.DataFrame, path: Path | str) -> None:
    """Write a CSV whose bytes depend on the numbers only."""
    text = table.to_csv(index=False, float_format="%.12g", lineterminator="\n")
    write_text(path, text)
