"""One run of config/test.yaml for all tests that look at its results."""

from pathlib import Path

import pytest
from filelock import FileLock

from tests.workflow.pipeline import ROOT, succeeded


@pytest.fixture(scope="session")
def swept(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """Folder, with spaces in its name, where config/test.yaml ran as a whole. Not to be changed.

    What the run said is in `said.txt`; a figure of an earlier run was there before it.

    The first worker that needs it makes it, with every core; the others wait for it.
    """
    own = tmp_path_factory.getbasetemp()
    shared = own if worker_id == "master" else own.parent
    folder, finished = shared / "a folder with spaces", shared / "swept.finished"
    figures = folder / "results/figures"
    figures.mkdir(parents=True, exist_ok=True)
    with FileLock(shared / "swept.lock"):
        if not finished.exists():
            (figures / "of_an_earlier_run.svg").touch()
            run = succeeded(folder, f"--configfile={ROOT / 'config/test.yaml'}", short=True)
            (folder / "said.txt").write_text(run.output)
            finished.touch()
    return folder
