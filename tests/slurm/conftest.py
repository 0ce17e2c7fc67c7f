"""Skips what needs a cluster where there is none."""

import importlib.util
import shutil
import subprocess

import pytest


@pytest.fixture(scope="session", autouse=True)
def controller() -> None:
    """Skip without the plugin, which `make test` does not install, or without a Slurm."""
    if importlib.util.find_spec("snakemake_executor_plugin_slurm") is None:
        pytest.skip("the extra `slurm` is not installed: `make test-slurm`")
    if not shutil.which("scontrol") or subprocess.run(["scontrol", "ping"], check=False).returncode:
        pytest.skip("no Slurm controller answers: `make test-slurm`")
