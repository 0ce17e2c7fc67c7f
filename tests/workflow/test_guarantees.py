"""What a run promises: whatever happened before, the next run ends in the bytes of a good one."""

import shutil
import subprocess
import sys
import time

import pandas as pd
import pytest

from tests.kpca.study.test_cache import flip
from tests.workflow.pipeline import (
    ROOT,
    digests,
    environment,
    forks,
    small_config,
    snakemake,
    succeeded,
    write_config,
    write_small_config,
)

pytestmark = pytest.mark.slow

CONFIG = "--configfile=config.yaml"
TARGETS = ("results/tables/scores.csv", "results/figures/spectrum.svg")
EDITED = small_config()
EDITED["evaluation"] |= {"C": [1, 10, 100]}

ELSEWHERE = {
    "OMP_NUM_THREADS": "4",
    "OPENBLAS_NUM_THREADS": "4",
    "PYTHONHASHSEED": "7",
    "TZ": "Asia/Kolkata",
    "LC_ALL": "de_DE.UTF-8",
    "LANG": "de_DE.UTF-8",
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Folders of a run, and of the edited one from scratch."""
    folders = {}
    for name, config in (("before", small_config()), ("scratch", EDITED)):
        folders[name] = tmp_path_factory.mktemp(name)
        succeeded(folders[name], *TARGETS, write_config(folders[name] / "config.yaml", config))
    return folders


@pytest.fixture
def folder(runs, tmp_path):
    """The first run, its configuration edited."""
    shutil.copytree(runs["before"], tmp_path / "run")
    write_config(tmp_path / "run/config.yaml", EDITED)
    return tmp_path / "run"


def assert_restored(runs, folder):
    """The next run gives the targets the bytes that they have from scratch."""
    succeeded(folder, *TARGETS, CONFIG)
    for target in TARGETS:
        assert (folder / target).read_bytes() == (runs["scratch"] / target).read_bytes()


def test_a_full_disk(runs, folder):
    """What the job in the middle had made is gone then, and the targets stand there as before."""
    room = (folder / "results/classified/rings.npz").stat().st_size  # the edit makes it larger
    full = snakemake(folder, *TARGETS, CONFIG, largest_file=room)
    assert full.status != 0
    assert "File too large" in full.output
    assert_restored(runs, folder)


def test_a_bit_of_a_dataset(runs, folder):
    flip(folder / "results/datasets/rings.npz")
    damaged = snakemake(folder, TARGETS[0], CONFIG)
    assert damaged.status != 0
    assert "Traceback" not in damaged.output
    assert "run `rm results/datasets/rings.npz`" in damaged.output
    (folder / "results/datasets/rings.npz").unlink()
    assert_restored(runs, folder)


def test_a_killed_snakemake(runs, tmp_path):
    """The next start names the remedy, after which the same command goes on."""
    file = write_config(tmp_path / "config.yaml", EDITED)
    command = [sys.executable, "-m", "snakemake", f"--snakefile={ROOT / 'Snakefile'}", "--cores=1"]
    run = subprocess.Popen([*command, *TARGETS, file], cwd=tmp_path, env=environment())
    while not (tmp_path / "results/fits/rings").exists():
        assert run.poll() is None
        time.sleep(0.1)
    run.kill()
    run.wait()
    locked = snakemake(tmp_path, *TARGETS, CONFIG)
    assert locked.status != 0
    assert "removed with the --unlock argument" in locked.output
    succeeded(tmp_path, *TARGETS, CONFIG, "--unlock")
    assert_restored(runs, tmp_path)


def test_whatever_surrounds_a_run_its_bytes_are_the_same(tmp_path, monkeypatch):
    """Cores, order of jobs, name of the folder, threads, hashes, time zone and locale."""
    names = ("run", "ein Ördner – 文件夹 'q'")
    options = (["--cores=1"], ["--cores=8", "--scheduler=greedy", "--prioritize", "page"])
    checksums = []
    for name, arguments in zip(names, options, strict=True):
        (tmp_path / name).mkdir()
        write_small_config(tmp_path / name)
        succeeded(tmp_path / name, CONFIG, *arguments)
        checksums.append(digests(tmp_path / name / "results"))
        for variable, value in ELSEWHERE.items():
            monkeypatch.setenv(variable, value)
        forks.cache_clear()  # The next run then has them from its start.
    usual, other = checksums
    assert len(usual) > 30
    assert {path for path in usual | other if usual.get(path) != other.get(path)} == set()


KERNELS = {"linear": {}, "rbf": {"median": [0.1, 1, 3]}, "cosine": {}}


def test_twenty_rows_without_labels_come_to_an_end(tmp_path):
    rows = [f"{i},{i * i % 7}" for i in range(20)]
    (tmp_path / "few.csv").write_text("\n".join(["u,v", *rows]))
    config = small_config(replicates=3, kernels=KERNELS)
    config["evaluation"] |= {"n_components": [1, 3, 30]}
    file = write_config(tmp_path / "config.yaml", config)

    run = succeeded(tmp_path, file, "--config", "data=few.csv")
    assert "rows allow" not in run.output
    tables = tmp_path / "results/tables"
    assert pd.read_csv(tables / "datasets.csv")["left_out"].isna().all()
    # Half of the seven rows of an inner training fold.
    assert pd.read_csv(tables / "scores.csv")["n_components"].max() == 3
    assert set(pd.read_csv(tables / "label_free.csv")["method"]) == {"embedding"}
    tables_of_rows = {path.stem for path in tables.glob("own_*")}
    assert tables_of_rows == {"own_features", "own_novelty", "own_view"}


def test_whitened_scores_of_one_component_come_to_a_page(tmp_path):
    """Figures of other settings are drawn too, each of two components."""
    few = {"n_train": 20, "n_test": 20}
    datasets = {name: few | {"generator": name} for name in ("rings", "swiss_roll")}
    datasets["digits"] = {"sklearn": "digits", "max_rows": 100}
    config = small_config(datasets=datasets, kernels=KERNELS)
    config["evaluation"] |= {"n_components": [1], "scaling": ["whiten"], "variance_share": 0.2}
    succeeded(tmp_path, write_config(tmp_path / "config.yaml", config))
    drawn = {path.stem for path in (tmp_path / "results/figures").iterdir()}
    assert {"rings", "kernels", "bandwidth"} <= drawn
    assert (tmp_path / "results/report/index.html").is_file()
