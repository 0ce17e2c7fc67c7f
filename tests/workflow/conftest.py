"""One run of config/test.yaml for all tests that look at its results."""

from pathlib import Path

import pytest

from tests.workflow.pipeline import ROOT, snakemake

SHARED = "swept"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of the shared run on one worker, so that it runs once."""
    for item in items:
        if SHARED in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group(SHARED))


@pytest.fixture(scope="session")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder, with spaces in its name, where config/test.yaml ran as a whole. Not to be changed."""
    folder = tmp_path_factory.mktemp("a folder with spaces")
    run = snakemake(folder, f"--configfile={ROOT / 'config/test.yaml'}")
    assert run.status == 0, run.output
    return folder
