"""Times of fits follow the store."""

from pathlib import Path

import numpy as np
import pytest

from pipeline.store import update_store
from pipeline.timings import read_timings, update_timings


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "store.npz"
    update_store(path, {"a/0": "1", "b/0": "1"}, lambda name: {"x": np.array(name)})
    return path


def test_new_times_replace_old_ones_and_dropped_entries_go(tmp_path: Path, store: Path) -> None:
    path = tmp_path / "timings.csv"
    path.write_text("entry,seconds\nb/0,1.5\nc/0,2.5\n")

    update_timings(path, store, {"a/0": 0.25})

    assert read_timings(path) == {"a/0": 0.25, "b/0": 1.5}


def test_an_entry_whose_time_was_lost_stands_without_one(tmp_path: Path, store: Path) -> None:
    path = tmp_path / "timings.csv"

    update_timings(path, store, {"a/0": 0.25})

    assert path.read_text() == "entry,seconds\na/0,0.250000\nb/0,\n"
    assert read_timings(path) == {"a/0": 0.25}


def test_no_file_holds_no_times(tmp_path: Path) -> None:
    assert read_timings(tmp_path / "none.csv") == {}
