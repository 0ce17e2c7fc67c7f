"""The whole pipeline as a user runs it: `snakemake` in a folder, and what it left there."""

import hashlib
import os
import re
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
SNAKEMAKE = Path(sys.executable).with_name("snakemake")


@dataclass(frozen=True)
class Run:
    """One end of `snakemake`: its exit status and all that it said."""

    status: int
    output: str

    @property
    def jobs(self) -> Counter[str]:
        """Jobs by rule, of the table that Snakemake prints; none where nothing is to be done."""
        table = re.search(r"Job stats:\n.*?\n[- ]+\n(.*?)\ntotal", self.output, flags=re.DOTALL)
        rows = (line.split() for line in table[1].splitlines()) if table else []
        return Counter({rule: int(count) for rule, count in rows if rule != "all"})

    @property
    def figures(self) -> set[str]:
        """Names of the figures that are drawn, which are those of their rules."""
        return {Path(path).stem for path in self.outputs if "/figures/" in path}

    @property
    def outputs(self) -> set[str]:
        """First output of every job."""
        listed = re.findall(r"^    output: ([^,\n]+)", self.output, flags=re.MULTILINE)
        return set(listed)


def environment(*packages: Path) -> dict[str, str]:
    """Return the environment of a run in which some folders are installed, or the repository."""
    path = os.pathsep.join(map(str, packages or [ROOT]))
    return {"OMP_NUM_THREADS": "1"} | os.environ | {"PYTHONPATH": path}


def snakemake(
    folder: Path,
    *arguments: str,
    snakefile: Path = ROOT / "Snakefile",
    packages: Sequence[Path] = (),
    largest_file: int | None = None,
    short: bool = False,
) -> Run:
    """Run Snakemake in a folder, and wait for it; ``short`` prints as for a user.

    ``largest_file`` in bytes makes its jobs fail as a full disk does.
    """

    def limit() -> None:
        if largest_file is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))

    printed = [] if short else ["--quiet", "host"]
    command = [SNAKEMAKE, "--snakefile", snakefile, *printed, "--cores", "2", *arguments]
    done = subprocess.run(
        command,
        preexec_fn=limit,
        cwd=folder,
        env=environment(*packages),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=900,
    )
    return Run(done.returncode, done.stdout)


def succeeded(folder: Path, *arguments: str, **options: Any) -> Run:
    """Run Snakemake in a folder, without an error."""
    run = snakemake(folder, *arguments, **options)
    assert run.status == 0, run.output
    return run


def small_config(**changes: Any) -> dict[str, Any]:
    """Return a configuration of one tiny dataset and one kernel, with sections replaced."""
    return {
        "seed": 1,
        "replicates": 2,
        "results": "results",
        "datasets": {"rings": {"generator": "rings", "n_train": 20, "n_test": 20}},
        "kernels": {"rbf": {"gamma": [1]}},
        "evaluation": {
            "n_components": [1, 2],
            "C": [1],
            "folds": 2,
            "scaling": ["unit"],
            "kmeans_starts": 1,
            "variance_share": 0.9,
        },
    } | changes


def write_config(path: Path, config: dict[str, Any]) -> str:
    """Write a configuration; return the argument that names it."""
    path.write_text(yaml.safe_dump(config))
    return f"--configfile={path}"


def digests(folder: Path) -> dict[str, str]:
    """Return the checksum of every result that has to be the same between runs.

    Logs tell how a run went, and the folder of entries what other ones have left.
    """
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.relative_to(folder).parts[0] not in ("logs", "entries")
    }
