"""Jobs that share no disk: a folder stands for a storage, to which the plugin `fs` copies."""

import shutil

import pandas as pd
import pytest
import yaml

from kpca.study.compare import compare_folders
from tests.workflow.pipeline import ROOT, succeeded, write_config

CONFIG = yaml.safe_load((ROOT / "config/test.yaml").read_text())


@pytest.fixture
def storage(tmp_path):
    """Arguments of a run that keeps its results in a storage."""
    there = f"--default-storage-prefix={tmp_path / 'store'}"
    options = ["--default-storage-provider=fs", there, "--shared-fs-usage=none"]
    return [write_config(tmp_path / "config.yaml", CONFIG), *options]


def test_a_storage_is_planned_like_a_folder(tmp_path, storage):
    run = succeeded(tmp_path, *storage, "--dry-run")
    assert run.jobs["fit"] == len(CONFIG["datasets"])


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("rsync"), reason="the plugin `fs` copies with rsync")
def test_a_storage_gets_the_results_of_one_machine(swept, tmp_path, storage):
    succeeded(tmp_path, *storage, "--config", f"cache={tmp_path / 'cache'}")
    stored = tmp_path / "store/results"
    for part in ("tables", "models"):
        equal, report = compare_folders(swept / "results" / part, stored / part)
        assert equal, report
    assert len(pd.read_csv(stored / "tables/scores.csv")) > 100
    for file in ("report/index.html", "figures/rings.svg"):
        assert ".snakemake" not in (stored / file).read_text()
