"""Runs by `profiles/slurm`, and the jobs that they leave to Slurm."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.workflow.pipeline import ROOT, Run, environment

PATIENCE = 1200
"""Seconds after which a test gives up: each job starts Snakemake twice, and may have to queue."""


def start(folder: Path, *arguments: str, short: bool = False) -> "subprocess.Popen[str]":
    """Start Snakemake on the cluster, in a folder whose modules its jobs find.

    It prints all that it says itself, unless ``short``: what a user reads.
    """
    printed = [] if short else ["--quiet", "host"]
    command = [sys.executable, "-m", "snakemake", f"--snakefile={ROOT / 'Snakefile'}", *printed]
    return subprocess.Popen(
        [*command, f"--profile={ROOT / 'profiles/slurm'}", *arguments],
        cwd=folder,
        env=environment(ROOT, folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def ended(run: "subprocess.Popen[str]") -> Run:
    output, _ = run.communicate(timeout=PATIENCE)
    return Run(run.returncode, output)


def snakemake(folder: Path, *arguments: str, short: bool = False) -> Run:
    """Run Snakemake on the cluster, and wait for its end."""
    return ended(start(folder, *arguments, short=short))


def jobs_of(folder: Path) -> list[str]:
    """Return the Slurm jobs of a folder that wait or run."""
    listed = subprocess.run(
        ["squeue", "--me", "--noheader", "--format=%i %Z"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    lines = (line.split(maxsplit=1) for line in listed.splitlines())
    return [job for job, place in lines if Path(place) == folder]


def wait_until(true: Callable[[], bool], what: str) -> None:
    """Wait for something that jobs do."""
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline, f"not within {PATIENCE} seconds: {what}"
        time.sleep(0.5)
