"""Read and write NPZ files. Writes are atomic, and reads validate every member."""

import math
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.lib import format as npy

from kpca.files import replacing
from kpca.types import Array


def write(path: str | Path, arrays: Mapping[str, Array]) -> None:
    """Write arrays to a file; a failure or a kill leaves the former file at `path`, or none."""
    with replacing(path) as file:
        np.savez(file, allow_pickle=False, **arrays)


def read(path: str | Path) -> dict[str, Array]:
    """Return the arrays of a file that `write` wrote.

    Nothing is unpickled, and no more memory is allocated than the size of the file.

    Raises
    ------
    OSError
        If the file cannot be opened.
    ValueError
        If the file is of another kind, or damaged.
    """
    path = Path(path)
    if path.exists() and not path.is_file() and not path.is_dir():
        raise ValueError("it is a pipe or a device, not a file")  # Reading a pipe might never end.
    with path.open("rb") as file:
        try:
            with zipfile.ZipFile(file) as archive:
                return _arrays(archive, path.stat().st_size)
        # Don't report a damaged file: reading allocates at most the size of the file.
        except MemoryError:
            raise
        except Exception as error:  # a damaged file makes zipfile and NumPy raise nearly anything
            problem = " ".join(str(error).split())  # Names of members may have line breaks.
            raise ValueError(f"not a model file of kpca, or a damaged one ({problem})") from error


def _arrays(archive: zipfile.ZipFile, size: int) -> dict[str, Array]:
    for member in archive.infolist():
        if member.compress_type != zipfile.ZIP_STORED or member.file_size != member.compress_size:
            raise ValueError(f"{member.filename} is compressed, as `save` never leaves it")
    if sum(member.file_size for member in archive.infolist()) > size:
        raise ValueError(f"it declares more than its {size} bytes")
    return {m.filename.removesuffix(".npy"): _array(archive, m) for m in archive.infolist()}


def _array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Array:
    """Return the array of a member, after a check that its header declares the member's size."""
    with archive.open(member) as file:
        if npy.read_magic(file) != (1, 0):
            raise ValueError(f"{member.filename} has another version of NumPy's format")
        shape, _, dtype = npy.read_array_header_1_0(file)
        held = member.file_size - file.tell()
    if dtype.hasobject or math.prod(shape) * dtype.itemsize != held:
        raise ValueError(f"{member.filename} declares shape {shape} of {dtype}, not {held} bytes")
    with archive.open(member) as file:  # At the end of the member, zipfile compares the checksum.
        return npy.read_array(file, allow_pickle=False)
