"""The old file or the new one, never half of one."""

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import pandas as pd
import pytest

from pipeline.drawing import style
from pipeline.files import remove_abandoned, write_atomically
from pipeline.store import write_table


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt])
def test_a_failure_leaves_the_old_file_alone(tmp_path: Path, failure: type[BaseException]) -> None:
    target = tmp_path / "file"
    target.write_bytes(b"old")

    def write(file: BinaryIO) -> None:
        file.write(b"half")
        raise failure

    with pytest.raises(failure):
        write_atomically(target, write)

    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    def write(_: BinaryIO) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(OSError, match=f"No space left on device: '{tmp_path / 'file'}'"):
        write_atomically(tmp_path / "file", write)


def test_the_old_file_stands_until_the_new_one_is_whole_and_readable(tmp_path: Path) -> None:
    target, seen = tmp_path / "a/b/file", []
    write_atomically(target, lambda file: file.write(b"old"))

    write_atomically(target, lambda file: (file.write(b"new"), seen.append(target.read_bytes())))

    assert seen == [b"old"]
    assert target.read_bytes() == b"new"
    assert target.stat().st_mode & 0o777 == 0o644


KILLED = """
import os, signal, sys
from pipeline.files import write_atomically
write_atomically(sys.argv[1], lambda file: os.kill(os.getpid(), signal.SIGKILL))
"""


def test_what_a_kill_leaves_is_removed_and_what_is_being_written_is_not(tmp_path: Path) -> None:
    target = tmp_path / "figures/file"
    run = subprocess.run([sys.executable, "-c", KILLED, str(target)], check=False)
    (left,) = target.parent.iterdir()
    (target.parent / ".a hidden file").touch()

    write_atomically(target, lambda _: remove_abandoned(tmp_path))

    assert run.returncode == -signal.SIGKILL
    assert left.name.startswith(".file-")
    assert {path.name for path in target.parent.iterdir()} == {"file", ".a hidden file"}


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("a.csv", lambda path: write_table(pd.DataFrame({"a": [1]}), path)),
        ("a.svg", lambda path: style.save(style.figure()[0], [path])),
        ("a.png", lambda path: style.save(style.figure()[0], [path])),
    ],
)
def test_who_reads_a_result_keeps_what_was_there(
    tmp_path: Path, name: str, write: Callable[[Path], None]
) -> None:
    """A new file takes the place of the old one, which whoever has opened it reads to its end."""
    path = tmp_path / name
    path.write_bytes(b"old")
    with path.open("rb") as reader:
        write(path)

        assert reader.read() == b"old"
        assert os.fstat(reader.fileno()).st_ino != path.stat().st_ino
