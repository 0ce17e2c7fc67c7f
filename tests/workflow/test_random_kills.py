"""Kills at random moments: whatever dies, a plain rerun ends in the bytes of an undisturbed run."""

import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import psutil
import pytest

from pipeline.outcome import GO_ON
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

KILLS = max(1, int(os.environ.get("KPCA_PROBLEMS", "300")) // 400)  # of each start
MOST_IN_A_ROW = 4
# All that is made on the way is asked for, as it is by default.
TARGETS = (
    *("results/datasets/rings.npz", "results/fits/rings.npz", "results/scores/rings.npz"),
    *("results/tables/scores.csv", "results/tables/decisions.csv", "results/models/rings.csv"),
    "results/figures/spectrum.svg",
)
CONFIG = "--configfile=config.yaml"
EDITED = small_config()
EDITED["evaluation"] |= {"C": [1, 10]}


class Undisturbed(NamedTuple):
    """A folder with the run before an edit, and what the edited one comes to by itself."""

    before: Path
    results: dict[str, str]
    seconds: dict[str, float]  # of a run from each start


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    before, edited = tmp_path_factory.mktemp("before"), tmp_path_factory.mktemp("runs") / "edited"
    seconds, begun = {}, time.monotonic()
    succeeded(before, *TARGETS, write_config(before / "config.yaml", small_config()))
    seconds["nothing"] = time.monotonic() - begun
    shutil.copytree(before, edited)
    begun = time.monotonic()
    succeeded(edited, *TARGETS, write_config(edited / "config.yaml", EDITED))
    seconds["an edit"] = time.monotonic() - begun
    return Undisturbed(before, digests(edited / "results"), seconds)


def all_of(snakemake_run: psutil.Process) -> None:
    os.killpg(snakemake_run.pid, signal.SIGKILL)


def one_worker(snakemake_run: psutil.Process) -> None:
    """Kill a job, or one of its processes; Snakemake itself where it has none yet."""
    below = snakemake_run.children(recursive=True)
    random.Random(len(below)).choice(below or [snakemake_run]).kill()


BLOWS: dict[str, Callable[[psutil.Process], None]] = {
    "Snakemake": psutil.Process.kill,  # its jobs go on as orphans
    "a worker": one_worker,
    "all processes": all_of,
    "Ctrl-C": lambda process: os.killpg(process.pid, signal.SIGINT),
    "a polite end": psutil.Process.terminate,
}


def struck(folder: Path, blow: str, moment: float) -> Run | None:
    """Run Snakemake, and strike after so many seconds; None where it was faster."""
    said = folder / "said.txt"
    with said.open("w") as file:
        run = subprocess.Popen(
            command(CONFIG, *TARGETS),
            cwd=folder,
            env=environment(),
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        assert run.wait(moment) == 0, said.read_text()
        return None
    except subprocess.TimeoutExpired:
        BLOWS[blow](psutil.Process(run.pid))
    return Run(run.wait(300), said.read_text())


@pytest.mark.parametrize("start", ["nothing", "an edit"])
def test_kills_cost_what_was_under_way(
    start: str, undisturbed: Undisturbed, tmp_path: Path
) -> None:
    rng, left, row = random.Random(start), KILLS, 0
    while left:
        row += 1
        folder, said = tmp_path / str(row), []
        if start == "an edit":
            shutil.copytree(undisturbed.before, folder)
        folder.mkdir(exist_ok=True)
        write_config(folder / "config.yaml", EDITED)
        for _ in range(min(left, rng.randint(1, MOST_IN_A_ROW))):
            blow, moment = rng.choice(list(BLOWS)), rng.uniform(0, undisturbed.seconds[start])
            found = struck(folder, blow, moment)
            if found is None:
                break
            left -= 1
            said.append(f"{blow} after {moment:.2f} s: {found.status}")
            if blow == "a worker" and found.status > 0:
                assert GO_ON in found.output
            unlock(folder, *TARGETS, CONFIG)

        succeeded(folder, *TARGETS, CONFIG)

        assert digests(folder / "results") == undisturbed.results, "\n".join(said)
        shutil.rmtree(folder)
