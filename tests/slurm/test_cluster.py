"""Runs on a cluster: the sweep of one machine, and what no job or Snakemake survives goes on."""

import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.workflow.pipeline import (
    ROOT,
    Run,
    digests,
    environment,
    succeeded,
    write_small_config,
)
from workflow.messages import GO_ON_CLUSTER

TINY = f"--configfile={ROOT / 'config/test.yaml'}"
# Seconds after which a test gives up: each job starts Snakemake twice, and may have to queue.
PATIENCE = 3600


@pytest.fixture(scope="session", autouse=True)
def controller():
    """Skip without the plugin, which `make test` does not install, or without a Slurm."""
    if importlib.util.find_spec("snakemake_executor_plugin_slurm") is None:
        pytest.skip("the extra `slurm` is not installed: `make test-slurm`")
    if not shutil.which("scontrol") or subprocess.run(["scontrol", "ping"], check=False).returncode:
        pytest.skip("no Slurm controller answers: `make test-slurm`")


def start(folder, *arguments):
    """Start Snakemake on the cluster, in a folder whose modules its jobs find."""
    command = [sys.executable, "-m", "snakemake", f"--snakefile={ROOT / 'Snakefile'}"]
    return subprocess.Popen(
        [*command, f"--profile={ROOT / 'profiles/slurm'}", *arguments],
        cwd=folder,
        env=environment(ROOT, folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def ended(run):
    output, _ = run.communicate(timeout=PATIENCE)
    return Run(run.returncode, output)


def snakemake(folder, *arguments):
    """Run Snakemake on the cluster, and wait for its end."""
    return ended(start(folder, *arguments))


def done(folder, *arguments):
    """Run Snakemake on the cluster, which has to succeed."""
    run = snakemake(folder, *arguments)
    assert run.status == 0, run.output
    return run


def refused(folder, *arguments):
    """Run Snakemake on the cluster, which has to fail, and return what it wrote."""
    run = snakemake(folder, STORE, CONFIG, *arguments)
    assert run.status == 1
    return run.output


def jobs_of(folder):
    """Return the Slurm jobs of a folder that wait or run."""
    listed = subprocess.check_output(["squeue", "--me", "--noheader", "--format=%i %Z"], text=True)
    lines = (line.split(maxsplit=1) for line in listed.splitlines())
    return [job for job, directory in lines if Path(directory) == folder]


def wait_until(true, event):
    """Wait for something that jobs do."""
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline, f"not within {PATIENCE} seconds: {event}"
        time.sleep(0.5)


def test_the_tiny_sweep_has_the_bytes_of_a_local_run(swept, tmp_path):
    folder = tmp_path / "a folder with spaces"
    folder.mkdir()
    run = done(folder, TINY)
    submitted = run.output.count("has been submitted with SLURM jobid")
    assert submitted == run.jobs.total()
    local = digests(swept / "results")
    del local["figures/of_an_earlier_run.svg"]
    assert digests(folder / "results") == local
    assert not succeeded(folder, TINY, "--dry-run").jobs


def test_a_dry_run_needs_no_further_flag(tmp_path):
    assert done(tmp_path, TINY, "--dry-run").jobs["tables"] == 1


CONFIG = "--configfile=config.yaml"
ONCE = "--retries=0"
# One processor: two such jobs run side by side on a node of two, and each has its memory alone.
NARROW = "--set-threads=fit=1"
DATASET = "results/datasets/rings.npz"
STORE = "results/fits/rings"

# Kernels of one's own, which a run tries before it asks for jobs: each acts up in a job only.
RAISES = """\
import os

calls = 0

def kernel(x, y, width):
    global calls
    calls += 1
    if "SLURM_JOB_ID" in os.environ and calls > 50:  # a trial on three rows takes fewer
        raise ValueError("a kernel of no use")
    return float(x @ y) / width
"""
# Waits in the middle of a fit for a sign of the test.
WAITS = """\
import os, pathlib, time

def kernel(x, y, width):
    job = os.environ.get("SLURM_JOB_ID")
    if job and not pathlib.Path("go_on").exists():
        pathlib.Path(f"waiting-{job}").touch()
        while not pathlib.Path("go_on").exists():
            time.sleep(0.1)
    return float(x @ y) / width
"""
# Takes more than a job has at first, for longer than Slurm needs to notice.
GROWS = """\
import os, time

hog = None

def kernel(x, y, width):
    global hog
    if "SLURM_JOB_ID" in os.environ and hog is None:
        hog = bytearray(1_500_000_000)
        time.sleep(10)
    return float(x @ y) / width
"""


@pytest.fixture
def folder(tmp_path):
    """A folder with a configuration of one kernel of its own, and the dataset made."""
    (tmp_path / "own_code.py").write_text(WAITS)
    kernel = {"callable": "own_code:kernel", "parameters": {"width": [1]}}
    write_small_config(tmp_path, kernels={"own": kernel})
    locally(tmp_path, DATASET)
    return tmp_path


def locally(folder, *arguments):
    """Run Snakemake on this machine, which has to succeed."""
    return succeeded(folder, CONFIG, *arguments, packages=[ROOT, folder])


def repaired(folder):
    """Run the same once more with a kernel that works, and find nothing left to do."""
    (folder / "own_code.py").write_text(WAITS)
    (folder / "go_on").touch()
    done(folder, STORE, CONFIG)
    assert not locally(folder, STORE, "--dry-run").jobs


def test_a_job_that_fails_shows_its_log(folder):
    (folder / "own_code.py").write_text(RAISES)
    output = refused(folder, ONCE)
    assert "a kernel of no use" in output
    assert GO_ON_CLUSTER in output
    assert not (folder / STORE).exists()
    repaired(folder)


def test_a_cancelled_job_is_named(folder):
    process = start(folder, STORE, CONFIG, ONCE)
    wait_until(lambda: any(folder.glob("waiting-*")), "the fit has begun")
    subprocess.run(["scancel", *jobs_of(folder)], check=True)
    run = ended(process)
    assert run.status == 1
    assert "SLURM status is: 'CANCELLED'" in run.output
    assert GO_ON_CLUSTER in run.output
    repaired(folder)


def test_a_job_that_no_node_can_hold_is_refused_at_once(folder):
    output = refused(folder, ONCE, "--set-resources", "fit:mem_mb=1000000000")
    assert "Memory specification can not be satisfied" in output
    assert "--set-resources RULE:mem_mb=" in output
    repaired(folder)


def test_a_job_killed_for_its_memory_gets_more(folder):
    (folder / "own_code.py").write_text(GROWS)
    run = done(folder, STORE, CONFIG, NARROW, "--set-resources=fit:mem_mb=1200 * attempt")
    assert "Trying to restart job" in run.output
    assert re.search(r"mem_mb=1200\b.*mem_mb=2400\b", run.output, flags=re.DOTALL)


def test_a_killed_snakemake_leaves_a_lock_and_jobs_that_do_no_harm(folder):
    first = start(folder, STORE, CONFIG, NARROW)
    wait_until(lambda: any(folder.glob("waiting-*")), "the fit has begun")
    os.kill(first.pid, signal.SIGKILL)
    ended(first)

    assert "It can be removed with the --unlock argument" in " ".join(refused(folder).split())
    done(folder, "--unlock", CONFIG)

    second = start(folder, STORE, CONFIG, NARROW)
    wait_until(
        lambda: len([*folder.glob("waiting-*")]) == 2, "the successor of the orphan has begun"
    )
    (folder / "go_on").touch()
    run = ended(second)
    wait_until(lambda: not jobs_of(folder), "the orphan has ended")

    assert run.status == 0, run.output
    assert not locally(folder, STORE, "--dry-run").jobs
    whole = digests(folder / "results/fits")
    shutil.rmtree(folder / STORE)
    shutil.rmtree(folder / "results/cache")
    locally(folder, STORE)
    assert digests(folder / "results/fits") == whole
