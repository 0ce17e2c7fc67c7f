"""Whatever surrounds a run, it leaves the same bytes: tables, figures, models and pages."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.workflow.pipeline import command, digests, environment, small_config, write_config

pytestmark = pytest.mark.slow

SURROUNDINGS: dict[str, tuple[str, list[str], dict[str, str]]] = {
    "one core": ("run", ["--cores=1"], {}),
    "eight cores": ("run", ["--cores=8"], {}),
    "another order of jobs": (
        "run",
        ["--cores=1", "--scheduler=greedy", "--prioritize", "page"],
        {},
    ),
    "a folder with spaces and other scripts": ("ein Ördner – 文件夹 'q'", [], {}),
    "threads": ("run", [], {"OMP_NUM_THREADS": "4", "OPENBLAS_NUM_THREADS": "4"}),
    "another order of hashes": ("run", [], {"PYTHONHASHSEED": "7"}),
    "another time zone": ("run", [], {"TZ": "Asia/Kolkata"}),
    "a locale with decimal commas": ("run", [], {"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"}),
    "no locale": ("run", [], {"LC_ALL": "C"}),
}
"""Name of the folder, options of Snakemake, variables of the environment."""


def results(folder: Path, options: list[str], variables: dict[str, str]) -> dict[str, str]:
    """Return the checksums of all that a whole run writes."""
    folder.mkdir()
    write_config(folder / "config.yaml", small_config())
    run = subprocess.run(
        command("--configfile=config.yaml", *options),
        cwd=folder,
        env=environment() | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        timeout=900,
    )
    assert run.returncode == 0, os.fsdecode(run.stdout)
    return digests(folder / "results")


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return results(tmp_path_factory.mktemp("usual") / "run", [], {})


@pytest.mark.parametrize("name", SURROUNDINGS)
def test_the_bytes_are_the_same(name: str, usual: dict[str, str], tmp_path: Path) -> None:
    folder, options, variables = SURROUNDINGS[name]
    found = results(tmp_path / folder, options, variables)

    assert len(found) > 30
    assert {path for path in usual | found if usual.get(path) != found.get(path)} == set()
