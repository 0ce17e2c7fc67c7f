"""A run of config/test.yaml, a plan of config/config.yaml and a Dask cluster, for several tests."""

import os

import pytest
from filelock import FileLock
from hypothesis import settings

from tests.workflow.pipeline import ROOT, Run, succeeded

settings.register_profile("any speed", deadline=None)
settings.load_profile("any speed")


@pytest.fixture(scope="session", autouse=True)
def shared(tmp_path_factory, worker_id):
    """Folder of all workers, which `tests.scripts.claims` finds in the environment."""
    base = tmp_path_factory.getbasetemp()
    folder = base if worker_id == "master" else base.parent
    os.environ["KPCA_SHARED"] = str(folder)
    return folder


@pytest.fixture(scope="session")
def once(shared):
    """Give a folder in which something ran once; what that run said is in `said.txt`.

    The first worker that needs it runs it, with every core; the others wait for it.
    """

    def folder_of(name, work):
        folder = shared / name
        with FileLock(f"{folder}.lock"):
            if not (folder / "said.txt").exists():
                folder.mkdir(exist_ok=True)
                (folder / "said.txt").write_text(work(folder).output)
        return folder

    return folder_of


@pytest.fixture(scope="session")
def swept(once):
    """Folder, with spaces in its name, where config/test.yaml ran as a whole. Not to be changed.

    A figure of an earlier run was there before it.
    """

    def sweep(folder):
        (folder / "results/figures").mkdir(parents=True)
        (folder / "results/figures/of_an_earlier_run.svg").touch()
        return succeeded(folder, f"--configfile={ROOT / 'config/test.yaml'}")

    return once("a folder with spaces", sweep)


@pytest.fixture(scope="session")
def planned(once):
    """Dry run of config/config.yaml, by the Snakefile that the workflow catalog looks for."""
    arguments = (f"--configfile={ROOT / 'config/config.yaml'}", "--dry-run")
    snakefile = ROOT / "workflow/Snakefile"
    folder = once("plan", lambda folder: succeeded(folder, *arguments, snakefile=snakefile))
    return Run(0, (folder / "said.txt").read_text())


@pytest.fixture(scope="module")
def client():
    """A scheduler and two workers, each a process, talking over loopback."""
    dask = pytest.importorskip("dask")
    distributed = pytest.importorskip("distributed")
    options = {"host": "127.0.0.1", "dashboard_address": None, "processes": True}
    # Without any worker, tasks would wait for ever.
    limits = {"distributed.scheduler.no-workers-timeout": "2 minutes"}
    with (
        dask.config.set(limits),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, **options) as cluster,
        distributed.Client(cluster) as connected,
    ):
        yield connected
