"""The cache of a sweep: only what is new is computed, and nothing that is damaged is used."""

import logging
import os
import re
import shutil
import signal
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipeline.datasets.dataset import Dataset
from pipeline.datasets.make import make_dataset
from pipeline.sweep import Sweep, _report
from pipeline.tables.scores import scores_table
from pipeline.tasks import WHOLE, sweep_of
from tests.workflow.pipeline import small_config

CONFIG = small_config(kernels={"rbf": {"gamma": [1, 2]}}, methods={})
CONFIG["evaluation"] |= {"n_components": [1, 3], "C": [1, 10]}
# Two kernels, PCA, raw rows, and two Gaussian kernels on them; two replicates.
FIRST = "12 of 12 settings are new, with 4 new fits"
NONE = "0 of 12 settings are new, with 0 new fits"


def changed(section: str, **values: Any) -> dict[str, Any]:
    config = deepcopy(CONFIG)
    config[section] |= values
    return config


def drawn(config: dict[str, Any], **changes: Any) -> Dataset:
    spec = config["datasets"]["rings"] | changes
    return make_dataset("rings", spec, seed=config["seed"], replicates=config["replicates"])


def sweep(folder: Path, config: dict[str, Any] = CONFIG, **changes: Any) -> Sweep:
    return Sweep(drawn(config, **changes), sweep_of(config, "rings"), folder / "cache")


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
        (changed("evaluation", C=[1, 10, 100]), (12, 0)),
        (changed("evaluation", n_components=[1, 2, 3]), (12, 0)),
        (changed("evaluation", n_components=[1, 4]), (12, 4)),
        (changed("evaluation", kmeans_starts=2), (12, 0)),
        (changed("kernels", rbf={"gamma": [2, 4]}), (4, 2)),
        (CONFIG | {"replicates": 3}, (6, 2)),
    ],
)
def test_only_what_is_new_is_computed(
    folder: Path, tmp_path_factory: Any, config: dict[str, Any], new: tuple[int, int]
) -> None:
    later, scratch = sweep(folder, config), sweep(tmp_path_factory.mktemp("scratch"), config)
    words = re.findall(r"\d+", later.fill())
    assert (int(words[0]), int(words[2])) == new
    scratch.fill(processes=2)
    assert stored(folder, "later", later) == stored(folder, "scratch", scratch)


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
    monkeypatch.setattr("pipeline.sweep.libraries", lambda: {"numpy": "3"})
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


def fatal(x: np.ndarray, y: np.ndarray, first: str) -> float:
    """Kill the process, once."""
    if not Path(first).exists():
        Path(first).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return float(x @ y)


def hopeless(x: np.ndarray, y: np.ndarray) -> float:
    raise ValueError("no such kernel")


def test_a_killed_process_ends_the_sweep_and_the_next_one_goes_on(folder: Path) -> None:
    own = {"callable": f"{__name__}:fatal", "parameters": {"first": [str(folder / "first")]}}
    config = changed("kernels", own=own)
    with pytest.raises(BrokenProcessPool):
        sweep(folder, config).fill(processes=2)
    assert re.match("[12] of 14 settings are new", sweep(folder, config).fill())


def test_an_error_in_one_kernel_names_it_and_keeps_what_is_cached(folder: Path) -> None:
    config = changed("kernels", own={"callable": f"{__name__}:hopeless"})
    with pytest.raises(ValueError, match=r"'rings'(.|\n)*no such kernel"):
        sweep(folder, config).fill(processes=2)
    assert sweep(folder).fill() == NONE


def test_progress_tells_the_time_left(capsys: pytest.CaptureFixture[str]) -> None:
    _report(range(4), "digits", 4, clock=iter([0.0, 4.0, 20.0, 24.0, 40.0]).__next__)
    assert capsys.readouterr().out == "digits: 2 of 4 settings, about 20 s left\n"


def test_all_rows_of_real_data_are_validated_and_stand_apart(tmp_path: Path) -> None:
    config = changed("evaluation", scaling=["unit", "whiten"])
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
