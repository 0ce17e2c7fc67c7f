"""A run in bad surroundings ends with a message, and a plain rerun in the bytes of a good one."""

import os
import resource
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from tests.workflow.pipeline import (
    Run,
    command,
    digests,
    environment,
    small_config,
    succeeded,
    unlock,
    write_config,
)

pytestmark = pytest.mark.slow

TARGETS = ("results/tables/scores.csv", "results/models/rings.csv", "results/figures/spectrum.svg")
CONFIG = "--configfile=config.yaml"


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Checksums of an undisturbed run."""
    folder = tmp_path_factory.mktemp("undisturbed")
    succeeded(folder, *TARGETS, write_config(folder / "config.yaml", small_config()))
    return digests(folder / "results")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_config(tmp_path / "config.yaml", small_config())
    return tmp_path


def started(
    folder: Path, *wrapped: str, limit: tuple[int, int] | None = None
) -> subprocess.Popen[str]:
    """Start a run, of whose processes none gets more than a limit of the system, in bytes."""
    kind, most = limit or (0, 0)
    return subprocess.Popen(
        [*wrapped, *command(CONFIG, *TARGETS)],
        preexec_fn=(lambda: resource.setrlimit(kind, (most, most))) if limit else None,
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def ended(run: subprocess.Popen[str]) -> Run:
    output, _ = run.communicate(timeout=600)
    return Run(run.returncode, output)


@pytest.mark.parametrize("kilobytes", [0, 1, 4, 16])
def test_files_may_not_grow(kilobytes: int, folder: Path, results: dict[str, str]) -> None:
    run = ended(started(folder, limit=(resource.RLIMIT_FSIZE, kilobytes * 2**10)))
    assert run.status != 0
    assert "File too large" in run.output

    succeeded(folder, *TARGETS, CONFIG)
    assert digests(folder / "results") == results


@pytest.mark.parametrize("megabytes", [300, 500, 700, 900])
def test_memory_is_short(megabytes: int, folder: Path, results: dict[str, str]) -> None:
    """Wherever it runs out: at the start, in imports, in a fit, or nowhere."""
    run = ended(started(folder, limit=(resource.RLIMIT_AS, megabytes * 2**20)))
    assert run.output
    unlock(folder, *TARGETS, CONFIG)  # Snakemake may have ended as by a kill

    succeeded(folder, *TARGETS, CONFIG)
    assert digests(folder / "results") == results


MOUNTS = ("unshare", "--mount", "sh", "-ec")
ALLOWED = (
    not os.geteuid()
    and shutil.which("unshare")
    and not subprocess.run(
        [*MOUNTS, "mount -t tmpfs none /mnt"], capture_output=True, check=False
    ).returncode
)
needs_mounts = pytest.mark.skipif(not ALLOWED, reason="nobody but root may mount, if at all")
READ_ONLY = 'mount --bind results results; mount -o remount,bind,ro results; exec "$@"'
FULL = """
mkdir disk; mount -t tmpfs -o size=$0 full disk
cp config.yaml disk; cd disk
if "$@"; then exit 0; fi
mount -o remount,size=1g full .
"$@"
cp -r results ..
exit 28
"""


@needs_mounts
@pytest.mark.parametrize("room", ["16k", "64k", "160k", "300k"])
def test_a_disk_is_full(room: str, folder: Path, results: dict[str, str]) -> None:
    """That of the whole folder, and hence of what Snakemake itself writes there."""
    run = ended(started(folder, *MOUNTS, FULL, room))

    assert run.status == 28, run.output  # of the rerun with more room
    assert "No space left on device" in run.output
    assert digests(folder / "results") == results


@needs_mounts
def test_results_may_not_be_written(folder: Path, results: dict[str, str]) -> None:
    (folder / "results").mkdir()
    run = ended(started(folder, *MOUNTS, READ_ONLY, "sh"))
    assert run.status != 0
    assert "Read-only file system" in run.output

    succeeded(folder, *TARGETS, CONFIG)
    assert digests(folder / "results") == results


@pytest.mark.parametrize("apart", [0, 2])
def test_of_two_runs_at_once_one_is_refused(
    apart: float, folder: Path, results: dict[str, str]
) -> None:
    """Snakemake looks for a lock before it writes its own: in one instant both may go on."""
    first = started(folder)
    time.sleep(apart)
    runs = [ended(run) for run in [started(folder), first]]

    refused = [run for run in runs if "cannot be locked" in run.output]
    assert len(refused) == 1 or not apart
    assert all(run.status == 1 for run in refused)
    assert apart == 0 or runs[1].status == 0

    succeeded(folder, *TARGETS, CONFIG)
    assert digests(folder / "results") == results


def test_data_that_change_meanwhile_are_read_anew(tmp_path: Path) -> None:
    """The run that saw the change ends in old results or an error, and the next one in new ones."""
    found = {}
    for name, changed in (("new", False), ("meanwhile", True)):
        folder = tmp_path / name
        folder.mkdir()
        own = small_config(datasets={"rings": {"path": "own.csv", "label": "kind"}})
        write_config(folder / "config.yaml", own)
        write_rows(folder, offset=0 if changed else 1)
        if changed:
            run = started(folder)
            wait_for(folder / "results/datasets/rings.npz")
            write_rows(folder, offset=1)
            ended(run)
        succeeded(folder, *TARGETS, CONFIG)
        found[name] = digests(folder / "results")
    assert found["meanwhile"] == found["new"]


def write_rows(folder: Path, offset: int) -> None:
    rows = [f"{i % 7 + offset * (i % 3)},{i % 5},{'uv'[i % 2]}" for i in range(60)]
    (folder / "own.csv").write_text("\n".join(["a,b,kind", *rows]))


def wait_for(path: Path) -> None:
    deadline = time.monotonic() + 300
    while not path.exists():
        assert time.monotonic() < deadline, f"no {path.name}"
        time.sleep(0.02)
