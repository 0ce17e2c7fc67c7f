"""One run of config/test.yaml for all tests that look at its results."""

from pathlib import Path

import pytest

from tests.workflow.pipeline import ROOT, snakemake

SHARED = "swept"
HERE = Path(__file__).parent


# First, since xdist reads the groups in the same hook.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests that share a run of the workflow on one worker, so that it runs once."""
    for item in items:
        if SHARED in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group(SHARED))
        elif item.path.is_relative_to(HERE) or "studies" in item.path.parts:
            item.add_marker(pytest.mark.xdist_group(item.path.stem))


@pytest.fixture(scope="session")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder, with spaces in its name, where config/test.yaml ran as a whole. Not to be changed."""
    folder = tmp_path_factory.mktemp("a folder with spaces")
    run = snakemake(folder, f"--configfile={ROOT / 'config/test.yaml'}")
    assert run.status == 0, run.output
    return folder
