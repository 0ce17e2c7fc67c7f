"""Files of arrays and tables: what is damaged is named, and a failure leaves the old file alone."""

import errno
import os
import signal
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from kpca.files import remove_abandoned, write_atomically
from kpca.study import store
from workflow.drawing import style

FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("failure", [ValueError(), KeyboardInterrupt(), FULL])
def test_a_failure_leaves_the_old_file_alone(tmp_path, failure):
    target = tmp_path / "file"
    target.write_bytes(b"old")

    def write(file):
        file.write(b"half")
        raise failure

    with pytest.raises(type(failure)) as caught:
        write_atomically(target, write)
    assert failure is not FULL or f"No space left on device: '{target}'" in str(caught.value)
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


KILLED = """
import os, signal, sys
from kpca.files import write_atomically
write_atomically(sys.argv[1], lambda file: os.kill(os.getpid(), signal.SIGKILL))
"""


def test_what_a_kill_leaves_is_removed_and_what_is_being_written_is_not(tmp_path):
    target = tmp_path / "figures/file"
    run = subprocess.run([sys.executable, "-c", KILLED, str(target)], check=False)
    (abandoned,) = target.parent.iterdir()
    (target.parent / ".a hidden file").touch()
    write_atomically(target, lambda _: remove_abandoned(tmp_path))
    assert run.returncode == -signal.SIGKILL
    assert abandoned.name.startswith(".file-")
    assert {path.name for path in target.parent.iterdir()} == {"file", ".a hidden file"}


@pytest.mark.parametrize("name", ["a.csv", "a.svg", "a.png"])
def test_readers_keep_what_they_opened(tmp_path, name):
    """A new file takes the place of the old one, which whoever has opened it reads to its end."""
    path = tmp_path / name
    path.write_bytes(b"old")
    with path.open("rb") as reader:
        if name == "a.csv":
            store.write_table(pd.DataFrame({"a": [1]}), path)
        else:
            style.save(style.figure()[0], [path])
        assert reader.read() == b"old"
        assert os.fstat(reader.fileno()).st_ino != path.stat().st_ino
    assert path.stat().st_mode & 0o777 == 0o644


ENTRIES = {
    "x/0": {"b": np.arange(3), "a": np.array("text")},
    "x/01": {"b": np.zeros((2, 2)), "a": np.array("")},
}


@pytest.fixture
def path(tmp_path):
    store.write_store(tmp_path / "deep/a store.npz", ENTRIES.items())
    return tmp_path / "deep/a store.npz"


def test_what_is_stored_comes_back(path, tmp_path):
    stored = store.read_store(path)
    assert list(stored) == list(ENTRIES)
    np.testing.assert_equal(stored, ENTRIES)
    assert repr(stored["x/0"]["a"].dtype) == repr(ENTRIES["x/0"]["a"].dtype)
    # Equal contents have equal bytes.
    turned = {name: dict(reversed(entry.items())) for name, entry in ENTRIES.items()}
    store.write_store(tmp_path / "other.npz", turned.items())
    assert (tmp_path / "other.npz").read_bytes() == path.read_bytes()


def test_damage_is_named_with_its_remedy(path):
    for damaged in (b"", b"not a store", path.read_bytes()[:-30]):
        path.write_bytes(damaged)
        with pytest.raises(store.DamagedError, match=r"a store\.npz: 1 problem\n.*run `rm '/"):
            store.read_store(path)
    with pytest.raises(FileNotFoundError):  # a missing file is no damaged one
        store.read_arrays(path.with_name("missing.npz"))


def test_no_flipped_bit_changes_what_is_read(path):
    store.write_store(path, list(ENTRIES.items())[:1])
    whole = path.read_bytes()
    before = store.read_arrays(path)
    refused = 0
    for position in range(len(whole)):
        content = bytearray(whole)
        content[position] ^= 1 << position % 8
        path.write_bytes(bytes(content))
        try:
            # A date, for example, is not read.
            assert repr(store.read_arrays(path)) == repr(before)
        except store.DamagedError:
            refused += 1
    assert refused > len(whole) / 2


def test_the_bytes_of_a_table_depend_on_the_numbers_alone(tmp_path):
    table = pd.DataFrame({"a": [0.1 + 0.2, np.nan], "b": [1, 2]})
    store.write_table(table, tmp_path / "deep/one.csv")
    store.write_table(table.set_index(pd.Index([5, 6])), tmp_path / "two.csv")
    assert (tmp_path / "deep/one.csv").read_bytes() == b"a,b\n0.3,1\n,2\n"
    assert (tmp_path / "two.csv").read_bytes() == (tmp_path / "deep/one.csv").read_bytes()
