"""The old file or the new one, never half of one."""

from pathlib import Path
from typing import BinaryIO

import pytest

from pipeline.files import write_atomically


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


def test_the_old_file_stands_until_the_new_one_is_whole_and_readable(tmp_path: Path) -> None:
    target, seen = tmp_path / "a/b/file", []
    write_atomically(target, lambda file: file.write(b"old"))

    write_atomically(target, lambda file: (file.write(b"new"), seen.append(target.read_bytes())))

    assert seen == [b"old"]
    assert target.read_bytes() == b"new"
    assert target.stat().st_mode & 0o777 == 0o644
