"""Files and the cache of a sweep: what is new is computed, and nothing that is damaged is used."""

import errno
import logging
import multiprocessing
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pandas as pd
import pytest

from kpca.reading.files import remove_abandoned, write_atomically
from kpca.study import cache, store
from kpca.study.datasets.dataset import Dataset
from kpca.study.datasets.make import make_dataset
from kpca.study.evidence.scores import scores_table
from kpca.study.fitting.sweep import Sweep, Task, _cached, _report
from kpca.study.tasks import WHOLE, sweep_of
from tests.workflow.configuration.test_config import changed
from tests.workflow.pipeline import small_config
from workflow.drawing import style

CONFIG = small_config(kernels={"rbf": {"gamma": [1, 2]}}, methods={})
CONFIG["evaluation"] |= {"n_components": [1, 3], "C": [1, 10]}
# Two kernels, PCA, raw rows, and two Gaussian kernels on them; two replicates.
FIRST = "12 of 12 settings are new, with 4 new fits"
NONE = "0 of 12 settings are new, with 0 new fits"


varied = partial(changed, of=CONFIG)


def drawn(config: dict[str, Any], **changes: Any) -> Dataset:
    spec = config["datasets"]["rings"] | changes
    return make_dataset("rings", spec, seed=config["seed"], replicates=config["replicates"])


def sweep(folder: Path, config: dict[str, Any] = CONFIG) -> Sweep:
    return Sweep(drawn(config), sweep_of(config, "rings"), folder / "cache")


def stored(folder: Path, name: str, wanted: Sweep) -> bytes:
    """Gather, and return the bytes of both files."""
    wanted.gather(folder / f"{name}_fits.npz", folder / f"{name}_scores.npz")
    return b"".join((folder / f"{name}_{kind}.npz").read_bytes() for kind in ("fits", "scores"))


@pytest.fixture(scope="module")
def swept_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("once")
    assert sweep(folder).fill() == FIRST
    return folder


@pytest.fixture
def folder(swept_once: Path, tmp_path: Path) -> Path:
    """A folder in which the sweep has run."""
    return shutil.copytree(swept_once, tmp_path / "swept")


@pytest.mark.parametrize(
    ("config", "new"),
    [
        (varied("evaluation.C", [1, 10, 100]), (12, 0)),
        (varied("evaluation.n_components", [1, 2, 3]), (12, 0)),
        (varied("evaluation.n_components", [1, 4]), (12, 4)),
        (varied("evaluation.kmeans_starts", 2), (12, 0)),
        (varied("kernels.rbf", {"gamma": [2, 4]}), (4, 2)),
        (CONFIG | {"replicates": 3}, (6, 2)),
    ],
)
def test_only_what_is_new_is_computed(
    swept_once: Path, monkeypatch: pytest.MonkeyPatch, config: dict[str, Any], new: tuple[int, int]
) -> None:
    computed: list[Task] = []
    monkeypatch.setattr(Sweep, "_compute", lambda _, task: computed.append(task))
    words = re.findall(r"\d+", sweep(swept_once, config).fill())
    assert (int(words[0]), int(words[2])) == (len(computed), new[1]) == new


def test_an_increment_gives_the_bytes_of_a_run_from_scratch(folder: Path, tmp_path: Path) -> None:
    config = varied("evaluation.C", [1, 100]) | {"kernels": {"rbf": {"gamma": [2, 4]}}}
    later, scratch = sweep(folder, config), sweep(tmp_path, config)
    assert later.fill() == "12 of 12 settings are new, with 2 new fits"
    scratch.fill(processes=2)
    assert stored(tmp_path, "later", later) == stored(tmp_path, "scratch", scratch)


def test_other_code_libraries_or_data_are_computed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their files have other names, which are the keys; those of fits cover no code that scores."""

    def paths(code: str = "", **changes: Any) -> dict[str, set[Path]]:
        described = sweep_of(CONFIG, "rings")
        described["code"] = described["code"] | ({code: "other"} if code else {})
        tasks = Sweep(drawn(CONFIG, **changes), described, "cache").tasks
        return {
            "scores": {task.path for task in tasks},
            "fits": {task.fit_path for task in tasks if task.fit_path},
        }

    before, others = paths(), [paths("fits"), paths("scores"), paths(noise=0.3)]
    monkeypatch.setattr("kpca.study.fitting.sweep.libraries", lambda: {"numpy": "3"})
    others.append(paths())
    assert (len(before["scores"]), len(before["fits"])) == (12, 4)
    assert not any(before["scores"] & other["scores"] for other in others)
    kept = [len(before["fits"] & other["fits"]) for other in others]
    assert kept == [0, 4, 0, 0]


def test_real_data_of_another_name_have_the_same_keys() -> None:
    keys = []
    for name in ("wine", "my"):
        config = CONFIG | {"datasets": {name: {"sklearn": "wine"}}}
        dataset = make_dataset(name, {"sklearn": "wine"}, seed=1, replicates=2)
        keys.append([task.path for task in Sweep(dataset, sweep_of(config, name), "none").tasks])
    assert keys[0] == keys[1]


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:200])


@pytest.mark.parametrize("spoil", [Path.unlink, cut, flip])
def test_a_damaged_file_is_named_and_computed_again(
    folder: Path, caplog: pytest.LogCaptureFixture, spoil: Callable[[Path], None]
) -> None:
    before = stored(folder, "before", sweep(folder))
    path = min((folder / "cache").iterdir())
    spoil(path)
    again = sweep(folder)
    with caplog.at_level(logging.WARNING):
        assert again.fill().startswith("1 of 12 settings are new")
    assert sweep(folder).fill() == NONE
    said = [words in caplog.text for words in ("computed again", path.name)]
    assert said == [spoil is not Path.unlink] * 2
    assert stored(folder, "after", again) == before


def test_two_runs_fill_a_cache_and_a_third_takes_all_of_it(folder: Path, tmp_path: Path) -> None:
    """They write the same files at once."""
    fork, config = multiprocessing.get_context("fork"), CONFIG | {"replicates": 1}
    runs = [fork.Process(target=lambda: sweep(tmp_path, config).fill()) for _ in range(2)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    third = sweep(tmp_path, config)
    assert third.fill() == "0 of 6 settings are new, with 0 new fits"
    assert stored(tmp_path, "a", third) == stored(tmp_path, "b", sweep(folder, config))


def test_what_nobody_used_is_pruned(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cached = folder / "cache"
    for path in cached.iterdir():
        os.utime(path, (0, 0))
    first = sweep(folder).tasks[0]
    assert first.fit_path is None
    assert _cached(first.path)
    monkeypatch.setenv("KPCA_CACHE", str(cached))
    (cached / "gone.npz").symlink_to("nowhere")  # as a file that another process removes
    assert cache.main(["prune"]) == cache.main(["list"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[1].startswith(f"{cached}: 15 files not used for 30 days, ")
    assert said[2].startswith(f"{cached}: 1 files in all, ")
    assert {*cached.iterdir()} == {first.path, cached / "gone.npz"}


def fatal(x: np.ndarray, y: np.ndarray, first: str) -> float:
    """Kill the process, once."""
    if not Path(first).exists():
        Path(first).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return float(x @ y)


def test_a_killed_process_ends_the_sweep_and_the_next_one_goes_on(folder: Path) -> None:
    own = {"callable": f"{__name__}:fatal", "parameters": {"first": [str(folder / "first")]}}
    config = varied("kernels.own", own)
    with pytest.raises(BrokenProcessPool):
        sweep(folder, config).fill(processes=2)
    assert re.match("[12] of 14 settings are new", sweep(folder, config).fill())


def test_an_error_in_one_kernel_names_it_and_keeps_what_is_cached(folder: Path) -> None:
    config = varied("kernels.own", {"callable": "operator:add"})
    with pytest.raises(ValueError, match=r"'rings'(.|\n)*gave an array of shape"):
        sweep(folder, config).fill(processes=2)
    assert sweep(folder).fill() == NONE


def test_progress_tells_the_time_left(capsys: pytest.CaptureFixture[str]) -> None:
    _report(range(4), "digits", 4, clock=iter([0.0, 4.0, 20.0, 24.0, 40.0]).__next__)
    assert capsys.readouterr().out == "digits: 2 of 4 settings, about 20 s left\n"


def test_all_rows_of_real_data_are_validated_and_stand_apart(tmp_path: Path) -> None:
    config = varied("evaluation.scaling", ["unit", "whiten"])
    config["datasets"] = {"iris": {"sklearn": "iris"}}
    dataset = make_dataset("iris", config["datasets"]["iris"], seed=1, replicates=2)
    wanted = Sweep(dataset, sweep_of(config, "iris"), tmp_path)
    assert sum(task.replicate == WHOLE for task in wanted.tasks) == 6  # two kernels, PCA, raw
    wanted.gather(tmp_path / "fits.npz", tmp_path / "scores.npz")
    stores = {"iris": tmp_path / "scores.npz"}
    assert set(scores_table(stores)["replicate"]) == {0, 1}
    validated = scores_table(stores, whole=True)
    assert set(validated["split"]) == {"cv"}
    raw = validated["kernel"] == "raw"
    assert set(validated.loc[~raw, "method"]) == {"linear_svm"}
    assert {"linear_svm", "rbf_svm", "random_forest"} < set(validated.loc[raw, "method"])
    assert (~raw).sum() == 3 * 2 * 2


FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("failure", [ValueError(), KeyboardInterrupt(), FULL])
def test_a_failure_leaves_the_old_file_alone(tmp_path: Path, failure: BaseException) -> None:
    target = tmp_path / "file"
    target.write_bytes(b"old")

    def write(file: BinaryIO) -> None:
        file.write(b"half")
        raise failure

    with pytest.raises(type(failure)) as caught:
        write_atomically(target, write)
    assert failure is not FULL or f"No space left on device: '{target}'" in str(caught.value)
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


KILLED = """
import os, signal, sys
from kpca.reading.files import write_atomically
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


@pytest.mark.parametrize("name", ["a.csv", "a.svg", "a.png"])
def test_readers_keep_what_they_opened(tmp_path: Path, name: str) -> None:
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
def path(tmp_path: Path) -> Path:
    store.write_store(tmp_path / "deep/a store.npz", ENTRIES.items())
    return tmp_path / "deep/a store.npz"


def test_what_is_stored_comes_back(path: Path, tmp_path: Path) -> None:
    stored = store.read_store(path)
    assert list(stored) == store.entry_names(path) == list(ENTRIES)
    for name, entry in ENTRIES.items():
        for found in (stored[name], store.read_arrays(path, name)):
            assert found.keys() == entry.keys()
            for field, array in entry.items():
                np.testing.assert_array_equal(found[field], array)
                assert found[field].dtype == array.dtype
    # Equal contents have equal bytes.
    turned = {name: dict(reversed(entry.items())) for name, entry in ENTRIES.items()}
    store.write_store(tmp_path / "other.npz", turned.items())
    assert (tmp_path / "other.npz").read_bytes() == path.read_bytes()


def test_damage_is_named_with_its_remedy(path: Path) -> None:
    for damaged in (b"", b"not a store", path.read_bytes()[:-30]):
        path.write_bytes(damaged)
        with pytest.raises(store.DamagedError, match=r"a store\.npz: 1 problem\n.*run `rm '/"):
            store.read_store(path)
    with pytest.raises(FileNotFoundError):  # a missing file is no damaged one
        store.read_arrays(path.with_name("missing.npz"))


def test_no_flipped_bit_changes_what_is_read(path: Path) -> None:
    store.write_store(path, list(ENTRIES.items())[:1])
    whole, before = path.read_bytes(), store.read_arrays(path)
    refused = 0
    for place in range(len(whole)):
        content = bytearray(whole)
        content[place] ^= 1 << place % 8
        path.write_bytes(bytes(content))
        try:
            found = store.read_arrays(path)
        except store.DamagedError:
            refused += 1
        else:  # a date, say, which nothing is read from
            assert repr(found) == repr(before)
    assert refused > len(whole) / 2


def test_the_bytes_of_a_table_depend_on_the_numbers_alone(tmp_path: Path) -> None:
    table = pd.DataFrame({"a": [0.1 + 0.2, np.nan], "b": [1, 2]})
    store.write_table(table, tmp_path / "deep/one.csv")
    store.write_table(table.set_index(pd.Index([5, 6])), tmp_path / "two.csv")
    assert (tmp_path / "deep/one.csv").read_bytes() == b"a,b\n0.3,1\n,2\n"
    assert (tmp_path / "two.csv").read_bytes() == (tmp_path / "deep/one.csv").read_bytes()
