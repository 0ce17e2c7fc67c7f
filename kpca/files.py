"""Write files atomically: after a kill, a path holds the complete old file or the complete new one.

A reader never sees a part of a file, even if two jobs of a cluster write the same file.
"""

import hashlib
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

PART = ".part"


@contextmanager
def replacing(path: str | Path) -> Iterator[BinaryIO]:
    """Yield a temporary file next to ``path``, which replaces ``path`` once it is complete."""
    target = Path(path).resolve()
    temporary = target.with_name(f".{target.name}-{secrets.token_hex(4)}{PART}")
    try:
        with temporary.open("xb") as file:
            yield file
        temporary.replace(target)
    except BaseException as error:
        temporary.unlink(missing_ok=True)
        # The error of a full disk does not name the file, so the name is added.
        if isinstance(error, OSError) and error.strerror and not error.filename:
            error.filename = str(target)
        raise


def write_atomically(path: Path | str, write: Callable[[BinaryIO], object]) -> None:
    """Let ``write`` fill a temporary file next to ``path``, then rename it to ``path``."""
    import fcntl  # not at the top, since Windows does not have this module

    Path(path).parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file:
        with suppress(OSError):  # some file systems have no locks
            fcntl.flock(file, fcntl.LOCK_EX)
        write(file)


def write_text(path: Path | str, text: str) -> None:
    """Write a text to a file atomically, in UTF-8."""
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
    """Remove temporary files that killed writers have left below a folder, unless in use."""
    import fcntl

    for part in folder.rglob(f".*{PART}"):
        with suppress(OSError), part.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            part.unlink()
