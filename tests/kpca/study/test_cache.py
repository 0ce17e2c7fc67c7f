"""The cache of fits and scores: what is new is computed, and nothing that is damaged is used."""

import logging
import multiprocessing
import os
import re
import shutil
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
import yaml
from joblib.externals.loky.process_executor import TerminatedWorkerError

from kpca.reading.errors import InputError
from kpca.study import cache
from kpca.study.cache import Cache
from kpca.study.datasets.make import make_dataset
from kpca.study.scoring.scores import scores_table
from kpca.study.store import DamagedError, read_fit, read_index
from tests.kpca.study.sweep import sweep
from tests.workflow.configuration.test_config import changed
from tests.workflow.pipeline import small_config

CONFIG = small_config(kernels={"rbf": {"gamma": [1, 2]}}, methods={})
CONFIG["evaluation"] |= {"n_components": [1, 3], "C": [1, 10]}
varied = partial(changed, of=CONFIG)


def drawn(config, **changes):
    spec = config["datasets"]["rings"] | changes
    return make_dataset("rings", spec, seed=config["seed"], replicates=config["replicates"])


def swept(folder, config=CONFIG, *, rows=None, code=(), processes=1):
    cache = Cache(folder / "cache", code)
    return sweep(folder, config, rows or drawn(config), cache, processes=processes)


def contents(folder):
    files = [path for path in folder.rglob("*") if path.is_file() and "cache" not in path.parts]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def new(caplog):
    """Return how many fits, classifications and clusterings were new."""
    numbers = [int(n) for n in re.findall(r"(\d+) of \d+ \w+ are new", caplog.text)]
    caplog.clear()
    return numbers


@pytest.fixture(scope="module")
def swept_once(tmp_path_factory):
    folder = tmp_path_factory.mktemp("once")
    swept(folder)
    return folder


@pytest.fixture
def folder(swept_once, tmp_path, caplog):
    """A folder in which the sweep has run."""
    caplog.set_level(logging.INFO)
    return shutil.copytree(swept_once, tmp_path / "swept")


# An edit, and how many fits, classifications and clusterings are new. There are two kernels, PCA,
# raw rows, and two Gaussian kernels on them; two replicates.
EDITS = """
- [seed, 1, [0, 0, 0]]
- [evaluation.C, [1, 10, 100], [0, 12, 0]]
- [evaluation.kmeans_starts, 2, [0, 0, 12]]
- [evaluation.n_components, [1, 2, 3], [0, 12, 12]]
- [evaluation.n_components, [1, 4], [4, 12, 12]]
- [kernels.rbf, {gamma: [2, 4]}, [2, 4, 4]]
- [replicates, 3, [2, 6, 6]]
"""


@pytest.mark.parametrize(("key_path", "value", "expected"), yaml.safe_load(EDITS))
def test_only_what_is_new_is_computed(folder, caplog, key_path, value, expected):
    swept(folder, varied(key_path, value))
    assert new(caplog) == expected


def test_an_increment_gives_the_bytes_of_a_run_from_scratch(folder, tmp_path):
    config = varied("evaluation.C", [1, 100]) | {"kernels": {"rbf": {"gamma": [2, 4]}}}
    swept(folder, config)
    swept(tmp_path / "scratch", config, processes=2)
    assert contents(folder) == contents(tmp_path / "scratch")


def test_other_code_libraries_or_data_are_computed_again(folder, tmp_path, caplog, monkeypatch):
    every = [4, 12, 12]
    swept(folder, rows=drawn(CONFIG, noise=0.3))
    assert new(caplog) == every
    module = tmp_path / "module.py"
    for text in ("a = 1\n", "a = 2\n"):
        module.write_text(text)
        swept(folder, code=(module,))
        assert new(caplog) == every
    monkeypatch.setattr(cache, "version", lambda name: "999")
    swept(folder)
    assert new(caplog) == every


def test_real_data_of_another_name_share_their_results(tmp_path, caplog):
    caplog.set_level(logging.INFO)
    for name in ("wine", "my"):
        swept(tmp_path, rows=make_dataset(name, {"sklearn": "wine"}, seed=1, replicates=1))
    assert new(caplog)[3:] == [0, 0, 0]


def flip(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))


def cut(path):
    path.write_bytes(path.read_bytes()[:200])


@pytest.mark.parametrize("spoil", [Path.unlink, cut, flip])
def test_a_damaged_file_is_named_and_computed_again(folder, caplog, spoil):
    before = contents(folder)
    path = min((folder / "cache").iterdir())
    spoil(path)
    swept(folder)
    for message in ("computed again", path.name):
        assert (message in caplog.text) == (spoil is not Path.unlink)
    assert sum(new(caplog)) == 1
    assert contents(folder) == before
    swept(folder)
    assert new(caplog) == [0, 0, 0]


def test_a_damaged_fit_is_named_with_its_remedy(folder):
    name, key = min(read_index(folder / "fits").items())
    flip(folder / f"fits/{key}.npz")
    with pytest.raises(DamagedError, match=r"run `rm -r .*/fits`, then the same command again"):
        read_fit(folder / "fits", name)


def test_fits_take_no_room_beside_the_cache(tmp_path):
    swept(tmp_path)
    for key in read_index(tmp_path / "fits").values():
        assert (tmp_path / f"fits/{key}.npz").samefile(tmp_path / f"cache/{key}.npz")


def test_without_links_fits_are_copied(tmp_path, monkeypatch):
    swept(tmp_path / "linked")

    def refuse(*_):
        raise OSError("Invalid cross-device link")

    monkeypatch.setattr(os, "link", refuse)
    swept(tmp_path / "copied")
    assert contents(tmp_path / "copied") == contents(tmp_path / "linked")


def test_two_runs_fill_a_cache_and_a_third_takes_all_of_it(tmp_path, caplog):
    """They write the same files at once."""
    caplog.set_level(logging.INFO)
    fork = multiprocessing.get_context("fork")
    config = CONFIG | {"replicates": 1}
    arguments = config, drawn(config), Cache(tmp_path / "cache", ())
    folders = tmp_path / "a", tmp_path / "b"
    runs = [fork.Process(target=sweep, args=(folder, *arguments)) for folder in folders]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    swept(tmp_path, config)
    assert new(caplog) == [0, 0, 0]
    one, other = map(contents, folders)
    assert one == other


def test_what_nobody_used_is_pruned(folder):
    cached = folder / "cache"
    for path in cached.iterdir():
        os.utime(path, (0, 0))
    newest = min(cached.iterdir())
    assert Cache(cached).read(newest.stem)
    subprocess.run([sys.executable, "-m", "kpca.study.cache", str(cached)], check=True)
    assert [*cached.iterdir()] == [newest]


def fatal(x, y, first):
    """Kill the process, once."""
    if not Path(first).exists():
        Path(first).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return float(x @ y)


def test_a_killed_process_ends_the_sweep_and_the_next_one_goes_on(folder, caplog):
    kernel = {"callable": f"{__name__}:fatal", "parameters": {"first": [str(folder / "first")]}}
    config = varied("kernels.own", kernel)
    with pytest.raises(TerminatedWorkerError):
        swept(folder, config, processes=2)
    caplog.clear()
    swept(folder, config)
    assert new(caplog)[0] in (1, 2)


def test_an_error_in_one_kernel_names_it_and_keeps_what_is_cached(folder, caplog):
    config = varied("kernels.own", {"callable": "operator:add"})
    with pytest.raises(InputError, match=r"'rings'(.|\n)*gave an array of shape"):
        swept(folder, config, processes=2)
    caplog.clear()
    swept(folder)
    assert new(caplog) == [0, 0, 0]


def test_all_rows_of_real_data_are_validated_and_stand_apart(tmp_path):
    config = varied("evaluation.scaling", ["unit", "whiten"])
    iris = make_dataset("iris", {"sklearn": "iris"}, seed=1, replicates=2)
    stores = swept(tmp_path, config, rows=iris)
    assert set(scores_table(stores)["replicate"]) == {0, 1}
    validated = scores_table(stores, whole=True)
    assert set(validated["split"]) == {"cv"}
    raw = validated["kernel"] == "raw"
    assert set(validated.loc[~raw, "method"]) == {"linear_svm"}
    assert {"linear_svm", "rbf_svm", "random_forest"} < set(validated.loc[raw, "method"])
    assert (~raw).sum() == 3 * 2 * 2
