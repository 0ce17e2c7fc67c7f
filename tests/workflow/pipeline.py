"""The whole pipeline as a user runs it: `snakemake` in a folder, and what it left there."""

import functools
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile

import yaml

ROOT = Path(__file__).parents[2]
FORKS = """
import json, os, resource, signal, sys
import snakemake.cli
import snakemake.report.html_reporter
import kpca.study.datasets.make
from workflow import ROOT

snakemake.cli.get_argument_parser()  # which reads the plugins
for line in sys.stdin:
    folder, environment, largest_file, said, arguments = json.loads(line)
    if child := os.fork():
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        continue
    signal.alarm(900)  # seconds after which a run that hangs ends
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:0] = environment["PYTHONPATH"].split(os.pathsep)
    if sys.path[0] != str(ROOT):
        for name in [name for name in sys.modules if name.startswith(("kpca", "workflow"))]:
            del sys.modules[name]
    for stream in (1, 2):
        os.dup2(os.open(said, os.O_WRONLY | os.O_CREAT | os.O_APPEND), stream)
    if largest_file:
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))
    sys.argv = ["snakemake", *arguments]
    sys.exit(snakemake.cli.main())
"""


SMALL = """
seed: 1
replicates: 2
results: results
datasets: {rings: {generator: rings, n_train: 20, n_test: 20}}
kernels: {rbf: {gamma: [1]}}
evaluation:
  n_components: [1, 2]
  C: [1]
  folds: 2
  scaling: [unit]
  kmeans_starts: 1
  variance_share: 0.9
"""


@dataclass(frozen=True)
class Run:
    """One end of `snakemake`: its exit status and all that it said."""

    status: int
    output: str

    @property
    def jobs(self):
        """Jobs by rule, of the table that Snakemake prints; none where nothing is to be done."""
        table = re.search(r"Job stats:\n.*?\n[- ]+\n(.*?)\ntotal", self.output, flags=re.DOTALL)
        rows = (line.split() for line in table[1].splitlines()) if table else []
        return Counter({rule: int(count) for rule, count in rows if rule != "all"})

    @property
    def figures(self):
        """Names of the figures that are drawn."""
        lines = re.findall(r"^ +output: (.+)", self.output, flags=re.MULTILINE)
        return set(re.findall(r"/figures/(\w+)\.svg", " ".join(lines)))

    @property
    def outputs(self):
        """First output of every job."""
        listed = re.findall(r"^ +output: ([^,\n]+)", self.output, flags=re.MULTILINE)
        return set(listed)


def environment(*packages):
    """Return the environment of a run in which some folders are installed, or the repository."""
    path = os.pathsep.join(map(str, packages or [ROOT]))
    return {"OMP_NUM_THREADS": "1"} | os.environ | {"PYTHONPATH": path}


@functools.cache
def forks():
    """Start the process that runs are forks of."""
    command = [sys.executable, "-P", "-c", FORKS]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    return subprocess.Popen(command, env=environment(), text=True, **pipes)


def snakemake(
    folder,
    *arguments,
    snakefile=ROOT / "Snakefile",
    packages=(),
    largest_file=None,
):
    """Run Snakemake in a folder, and wait for it.

    ``largest_file`` in bytes makes its jobs fail as a full disk does. A run is a fork of a process
    that has imported what it needs.
    """
    command = ["--snakefile", str(snakefile), "--cores", "2", *arguments]
    with NamedTemporaryFile("r") as log:
        request = [str(folder), environment(*packages), largest_file, log.name, command]
        print(json.dumps(request), file=forks().stdin, flush=True)
        return Run(int(forks().stdout.readline()), log.read())


def succeeded(folder, *arguments, **options):
    """Run Snakemake in a folder, without an error."""
    run = snakemake(folder, *arguments, **options)
    assert run.status == 0, run.output
    return run


def small_config(**changes):
    """Return a configuration of one tiny dataset and one kernel, with sections replaced."""
    return yaml.safe_load(SMALL) | changes


def write_config(path, config):
    """Write a configuration; return the argument that names it."""
    path.write_text(yaml.safe_dump(config, sort_keys=False))
    return f"--configfile={path}"


def write_small_config(folder, **changes):
    """Write a small configuration into a folder; return the argument that names it."""
    return write_config(folder / "config.yaml", small_config(**changes))


def finished(command, folder=ROOT, **options):
    """Run a program to its end, and return its exit status and what it wrote."""
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, **options)


def copy_of_the_project(folder):
    """Copy what git tracks and has not lost into a folder, and return it."""
    git = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    for name in filter(None, finished(git, check=True).stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def digests(folder):
    """Return the checksum of every result that has to be the same between runs.

    Logs tell how a run went, and the cache what other ones have left.
    """
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.relative_to(folder).parts[0] not in ("logs", "cache")
    }
