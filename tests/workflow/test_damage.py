"""After a full disk or damage the next run ends in the bytes of a run from scratch."""

import shutil
from pathlib import Path

import pytest

from tests.workflow.pipeline import digests, small_config, snakemake, succeeded, write_config

pytestmark = pytest.mark.slow

TARGETS = ("results/tables/scores.csv", "results/figures/spectrum.svg")
EDITED = small_config()
EDITED["evaluation"] |= {"C": [1, 10, 100]}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Folders of a run, and of the edited one from scratch."""
    folders = {}
    for name, config in (("before", small_config()), ("scratch", EDITED)):
        folders[name] = tmp_path_factory.mktemp(name)
        succeeded(folders[name], *TARGETS, write_config(folders[name] / "config.yaml", config))
    return folders


@pytest.fixture
def folder(runs: dict[str, Path], tmp_path: Path) -> Path:
    """The first run, its configuration edited."""
    shutil.copytree(runs["before"], tmp_path / "run")
    write_config(tmp_path / "run/config.yaml", EDITED)
    return tmp_path / "run"


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))


def assert_mended(runs: dict[str, Path], folder: Path, target: str) -> None:
    """The next run gives the target the bytes that it has from scratch."""
    succeeded(folder, target, "--configfile=config.yaml")
    assert (folder / target).read_bytes() == (runs["scratch"] / target).read_bytes()


@pytest.mark.parametrize("target", TARGETS)
def test_a_full_disk(runs: dict[str, Path], folder: Path, target: str) -> None:
    """What the job in the middle had made is gone then, and the targets stand there as before."""
    room = (folder / "results/scores/rings.npz").stat().st_size  # the edit makes it larger

    full = snakemake(folder, target, "--configfile=config.yaml", largest_file=room)
    assert full.status != 0
    assert "File too large" in full.output

    assert_mended(runs, folder, target)


def test_a_bit_of_a_dataset(runs: dict[str, Path], folder: Path) -> None:
    flip(folder / "results/datasets/rings.npz")

    damaged = snakemake(folder, TARGETS[0], "--configfile=config.yaml")
    assert damaged.status != 0
    assert "Traceback" not in damaged.output
    assert "run again after `rm results/datasets/rings.npz`" in damaged.output

    (folder / "results/datasets/rings.npz").unlink()
    assert_mended(runs, folder, TARGETS[0])


def test_a_bit_of_every_entry(runs: dict[str, Path], folder: Path) -> None:
    for path in (folder / "results/entries").glob("*/*"):
        flip(path)

    succeeded(folder, TARGETS[0], "--configfile=config.yaml")
    assert digests(folder / "results/scores") == digests(runs["scratch"] / "results/scores")
    log = (folder / "results/logs/sweep/rings.log").read_text()
    assert "computed again" in log
    assert "INFO 2 of 2 fits" in log
