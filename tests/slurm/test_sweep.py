"""A sweep on the cluster is the sweep of one machine."""

from pathlib import Path

from tests.slurm.cluster import snakemake
from tests.workflow.pipeline import ROOT, digests, succeeded

CONFIG = f"--configfile={ROOT / 'config/test.yaml'}"


def test_the_tiny_sweep_has_the_bytes_of_a_local_run(swept: Path, tmp_path: Path) -> None:
    folder = tmp_path / "a folder with spaces"
    folder.mkdir()
    run = snakemake(folder, CONFIG)

    assert run.status == 0, run.output
    assert run.output.count("has been submitted with SLURM jobid") == run.jobs.total()
    local = digests(swept / "results")
    del local["figures/of_an_earlier_run.svg"]
    assert digests(folder / "results") == local
    assert not succeeded(folder, CONFIG, "--dry-run").jobs


def test_a_dry_run_needs_no_further_flag(tmp_path: Path) -> None:
    run = snakemake(tmp_path, CONFIG, "--dry-run")
    assert run.status == 0, run.output
    assert run.jobs["tables"] == 1
