"""Files of arrays, which tell when they are damaged, and of tables.

The last member of a file of arrays is a digest of the others. Members are written one after the
other, in order and without time stamps, so that equal contents give equal bytes.
"""

import hashlib
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from shlex import quote
from typing import Any, BinaryIO

import numpy as np
import pandas as pd

from pipeline.errors import InputError, input_error
from pipeline.files import write_atomically
from pipeline.grid import Point

Arrays = dict[str, np.ndarray]
_DIGEST = "digest"


class DamagedError(InputError):
    """A file that is corrupt."""


def by_dataset(paths: Iterable[Path | str]) -> dict[str, str]:
    """Return dataset → its file, of files that are named after their datasets."""
    return {Path(path).stem: str(path) for path in paths}


def entry_name(point: Point, replicate: int) -> str:
    """Return the name under which a fit is stored."""
    return f"{point.id}/{replicate}"


def write_arrays(path: Path | str, arrays: Iterable[tuple[str, np.ndarray]]) -> None:
    """Write an NPZ file with a digest; the arrays, by name, are taken one at a time."""

    def write(file: BinaryIO) -> None:
        state = hashlib.sha256()
        with zipfile.ZipFile(file, "w") as archive:
            for name, array in arrays:
                data = _bytes(array)
                state.update(_part(name, data))
                archive.writestr(zipfile.ZipInfo(f"{name}.npy"), data)
            digest = _bytes(np.array(state.hexdigest()))
            archive.writestr(zipfile.ZipInfo(f"{_DIGEST}.npy"), digest)

    write_atomically(path, write)


def read_arrays(path: Path | str) -> Arrays:
    """Return the arrays that `write_arrays` wrote, by name.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    DamagedError
        If it is corrupt, with the command that lets the next run make it again.
    """
    state = hashlib.sha256()
    with _opened(path) as archive:
        arrays = {}
        for name in _names(archive):
            data = archive.read(f"{name}.npy")
            arrays[name] = _array(data)
            if name != _DIGEST:
                state.update(_part(name, data))
        if str(arrays.pop(_DIGEST, "")) != state.hexdigest():
            raise ValueError("its contents have another digest")
    return arrays


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


def read_entry(path: Path | str, name: str) -> Arrays:
    """Return one entry of a store, and read no other; errors are those of `read_arrays`."""
    with _opened(path) as archive:
        prefix = f"{name}/"
        members = [member for member in _names(archive) if member.startswith(prefix)]
        return {m.removeprefix(prefix): _array(archive.read(f"{m}.npy")) for m in members}


def entry_names(path: Path | str) -> list[str]:
    """Return the names of the entries of a store; errors are those of `read_arrays`."""
    with _opened(path) as archive:
        return list(dict.fromkeys(m.rpartition("/")[0] for m in _names(archive) if "/" in m))


@contextmanager
def _opened(path: Path | str) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except FileNotFoundError:
        raise
    except Exception as error:  # a damaged file makes its reader raise whatever there is
        why = f"is corrupt ({error}): run `rm {quote(str(path))}`, then the same command again"
        raise DamagedError(str(input_error(str(path), [why]))) from error


def _names(archive: zipfile.ZipFile) -> list[str]:
    return [member.removesuffix(".npy") for member in archive.namelist()]


def _array(data: bytes) -> np.ndarray:
    return np.asarray(np.lib.format.read_array(BytesIO(data), allow_pickle=False))


def _part(name: str, data: bytes) -> bytes:
    return f"{name} {len(data)}\n".encode() + data


def _bytes(array: np.ndarray) -> bytes:
    buffer = BytesIO()
    np.lib.format.write_array(buffer, np.asanyarray(array), allow_pickle=False)
    return buffer.getvalue()


def read_table(path: Path | str, **options: Any) -> pd.DataFrame:
    """Return a table as `write_table` wrote it: what is called NA or None is so called."""
    return pd.read_csv(path, keep_default_na=False, na_values=[""], **options)


def write_table(table: pd.DataFrame, path: Path | str) -> None:
    """Write a CSV whose bytes depend on the numbers only."""
    text = table.to_csv(index=False, float_format="%.12g", lineterminator="\n")
    write_atomically(path, lambda file: file.write(text.encode()))
