"""Writing files so that a kill leaves the old one or the new one, never half of one.

Nor does a reader see half of one, where two jobs of a cluster write the same.
"""

import fcntl
import hashlib
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, cast

PART = ".part"


def write_atomically(path: Path | str, write: Callable[[BinaryIO], object]) -> None:
    """Let ``write`` fill a temporary file next to ``path``, then move it there."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}-", suffix=PART)
    try:
        with os.fdopen(handle, "wb") as file:
            with suppress(OSError):  # some file systems have no locks
                fcntl.flock(file, fcntl.LOCK_EX)
            write(cast(BinaryIO, file))
        Path(temporary).chmod(0o644)
        Path(temporary).replace(target)
    except BaseException as error:
        Path(temporary).unlink(missing_ok=True)
        if isinstance(error, OSError) and not error.filename:  # of a full disk nobody else says it
            error.filename = str(target)
        raise


def write_text(path: Path | str, text: str) -> None:
    """Write a text, as `write_atomically` does."""
    write_atomically(path, lambda file: file.write(text.encode()))


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def modules_digest(folder: Path) -> str:
    """Return the SHA-256 of the names and contents of all modules below a folder."""
    state = hashlib.sha256()
    for file in sorted(folder.rglob("*.py")):
        state.update(f"{file.relative_to(folder).as_posix()} {sha256(file)}\n".encode())
    return state.hexdigest()


def remove_abandoned(folder: Path) -> None:
    """Remove below a folder what writers that were killed have left, and nobody writes any more."""
    for part in folder.rglob(f".*{PART}"):
        with suppress(OSError), part.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            part.unlink()
