"""Writing files so that a kill leaves the old one or the new one, never half of one.

Nor does a reader see half of one, where two jobs of a cluster write the same.
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
    """Yield a file next to ``path``, which replaces it once it is complete."""
    target = Path(path).resolve()
    temporary = target.with_name(f".{target.name}-{secrets.token_hex(4)}{PART}")
    try:
        with temporary.open("xb") as file:
            yield file
        temporary.replace(target)
    except BaseException as error:
        temporary.unlink(missing_ok=True)
        # A full disk raises an error without the name of the file.
        if isinstance(error, OSError) and error.strerror and not error.filename:
            error.filename = str(target)
        raise


def write_atomically(path: Path | str, write: Callable[[BinaryIO], object]) -> None:
    """Let ``write`` fill a temporary file next to ``path``, then move it there."""
    import fcntl  # Windows does not have this module.

    Path(path).parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file:
        with suppress(OSError):  # some file systems have no locks
            fcntl.flock(file, fcntl.LOCK_EX)
        write(file)


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
    import fcntl

    for part in folder.rglob(f".*{PART}"):
        with suppress(OSError), part.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            part.unlink()
