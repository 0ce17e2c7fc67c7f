"""One run of config/test.yaml for all tests that look at its results."""

from pathlib import Path

import pytest
from filelock import FileLock

from tests.workflow.pipeline import ROOT, succeeded


@pytest.fixture(scope="session")
def swept(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """Folder, with spaces in its name, where config/test.yaml ran as a whole. Not to be changed.

    The first worker that needs it makes it, with every core; the others wait for it.
    """
    own = tmp_path_factory.getbasetemp()
    shared = own if worker_id == "master" else own.parent
    folder, finished = shared / "a folder with spaces", shared / "swept.finished"
    folder.mkdir(exist_ok=True)
    with FileLock(shared / "swept.lock"):
        if not finished.exists():
            succeeded(folder, f"--configfile={ROOT / 'config/test.yaml'}")
            finished.touch()
    return folder
