"""A kill, of a job or of Snakemake itself, costs what was under way and nothing else."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.outcome import GO_ON
from pipeline.store import read_store
from tests.workflow.pipeline import (
    ROOT,
    Run,
    command,
    environment,
    small_config,
    snakemake,
    write_config,
)

pytestmark = pytest.mark.slow

STORE = "results/fits/rings.npz"

# Each acts up in its first call only, in the middle of the second point of the grid, and in a job:
# before any job a kernel is tried on three rows.
SUICIDAL = """\
import os, pathlib, signal, sys

def kernel(x, y, width):
    first = pathlib.Path("been_here")
    if width == 2 and sys.argv[0].endswith("fit_and_score.py") and not first.exists():
        first.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return float(x @ y) / width
"""
PATIENT = """\
import os, pathlib, sys, time

def kernel(x, y, width):
    in_job = sys.argv[0].endswith("fit_and_score.py")
    if width == 2 and in_job and not pathlib.Path("go_on").exists():
        pathlib.Path("waiting").write_text(str(os.getpid()))
        while not pathlib.Path("go_on").exists():
            time.sleep(0.01)
    return float(x @ y) / width
"""


def prepare(folder: Path, code: str, widths: list[int]) -> str:
    (folder / "own_code.py").write_text(code)
    own = {"callable": "own_code:kernel", "parameters": {"width": widths}}
    return write_config(folder / "config.yaml", small_config(kernels={"own": own}))


def run(folder: Path, *arguments: str) -> Run:
    return snakemake(folder, STORE, *arguments, packages=[ROOT, folder])


def test_a_killed_job_leaves_what_it_has_stored_and_runs_again(tmp_path: Path) -> None:
    config = prepare(tmp_path, SUICIDAL, [1, 2])

    killed = run(tmp_path, config, "--set-threads=sweep=1")

    assert killed.status != 0
    assert not (tmp_path / STORE).exists()
    assert GO_ON in killed.output

    again = run(tmp_path, config)

    assert again.status == 0, again.output
    assert "INFO 3 of 4 fits" in (tmp_path / "results/logs/sweep/rings.log").read_text()
    assert len(read_store(tmp_path / STORE)) == 4


@pytest.fixture
def killed(tmp_path: Path) -> Iterator[Path]:
    """A folder where Snakemake was killed while a job ran, which goes on as an orphan."""
    config = prepare(tmp_path, PATIENT, [1, 2])
    snakemake_run = subprocess.Popen(
        command(config, STORE),
        cwd=tmp_path,
        env=environment(ROOT, tmp_path),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(tmp_path / "waiting")
        os.kill(snakemake_run.pid, signal.SIGKILL)
        snakemake_run.wait()
        yield tmp_path
    finally:
        (tmp_path / "go_on").touch()
        snakemake_run.kill()
        snakemake_run.wait()


def wait_for(path: Path) -> None:
    deadline = time.monotonic() + 120
    while not path.exists():
        assert time.monotonic() < deadline, f"no {path.name} after two minutes"
        time.sleep(0.05)


def test_after_a_kill_of_snakemake_unlocking_is_all_that_it_takes(killed: Path) -> None:
    config = f"--configfile={killed / 'config.yaml'}"
    assert not (killed / STORE).exists()
    locked = run(killed, config)
    assert locked.status != 0
    assert "--unlock" in locked.output
    (killed / "go_on").touch()

    assert run(killed, config, "--unlock").status == 0
    again = run(killed, config)

    assert again.status == 0, again.output
    assert again.jobs["sweep"] == 1
    assert len(read_store(killed / STORE)) == 4
