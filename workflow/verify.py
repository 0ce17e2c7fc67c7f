"""Run a workflow again from its crate: ``python -m workflow.verify CRATE``.

CRATE is a folder of results with ``ro-crate-metadata.json``. Its configuration runs in an empty
folder with the code of this checkout, or with ``--rerun`` that of the crate. The exit code is 1 if
a table differs or is missing, if a file of the crate was changed after the run, or if its
configuration is another one. It is 2 if code or data are not those of the crate, or if the run
fails. Other versions do not count.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from kpca.reading.errors import InputError, input_error
from kpca.reading.files import sha256
from kpca.study.compare import PROVENANCE, compare_folders, compare_tables
from kpca.study.fingerprint import ROOT
from kpca.study.store import read_table
from workflow.crate import CONFIGURATION, METADATA, RUN, SOURCE, code

TOLERANCE = 1e-9


class Crate(NamedTuple):
    """What a rerun needs: the configuration, digests of code and files by name."""

    folder: Path
    config: dict[str, Any]
    code: dict[str, str]
    inputs: dict[str, str]
    outputs: dict[str, str]


def read_crate(folder: Path) -> Crate:
    """Return what the metadata in a folder say; raise `InputError` if it has no run."""
    try:
        graph = json.loads((folder / METADATA).read_text(encoding="utf-8"))["@graph"]
        entities = {entity["@id"]: entity for entity in graph}
        config = json.loads(entities[CONFIGURATION]["value"])
        own = {e["name"]: e["version"] for key, e in entities.items() if key[:6] == "#code/"}
        sides = ([entities[e["@id"]] for e in entities[RUN][side]] for side in ("object", "result"))
        files = [{e["name"]: e["sha256"] for e in side if "sha256" in e} for side in sides]
        return Crate(folder, config, own, *files)
    except (OSError, ValueError, KeyError, TypeError) as error:
        problem = f"{METADATA} describes no run ({type(error).__name__}: {error})"
        raise input_error(f"crate {folder}", [f"{problem}; name a folder of results"]) from error


def found_inputs(crate: Crate) -> dict[str, Path]:
    """Return where the files are that the run read: in the checkout, or where it was started.

    An `InputError` says what of the code and the files is missing or not that of the crate.
    """
    own = code()
    other = [name for name in own | crate.code if own.get(name) != crate.code.get(name)]
    problems = [f"the code of {n} is not that of the crate; check out its commit" for n in other]
    found: dict[str, Path] = {}
    for name, digest in crate.inputs.items():
        for place in (ROOT / name, Path(name).absolute()):
            if place.is_file() and sha256(place) == digest:
                found.setdefault(name, place)
        if name not in found:
            problems.append(f"the file {name} is missing or has changed; start this where it is")
    if problems:
        raise input_error(f"crate {crate.folder}", problems)
    return found


def rerun(crate: Crate, inputs: Mapping[str, Path], above: Path, cores: str = "all") -> Path:
    """Run the configuration of a crate below an empty folder; return the folder of its results."""
    relative = [name for name in inputs if not Path(name).is_absolute()]
    ups = max((Path(name).parts.count("..") for name in relative), default=0)
    folder = above.joinpath(*["run"] * (ups + 1))
    folder.mkdir(parents=True)
    for name in relative:
        link = Path(os.path.normpath(folder / name))
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(inputs[name])
    config = crate.config | {"results": "results"}
    (folder / "config.yaml").write_text(yaml.safe_dump(config, sort_keys=False))
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile")]
    command += ["--configfile", "config.yaml", "--cores", cores]
    paths = (str(Path.cwd()), str(ROOT), os.environ.get("PYTHONPATH", ""))  # of custom kernels
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
    done = subprocess.run(command, cwd=folder, env=environment, stdout=2, check=False)
    made = [path.parent for path in folder.rglob(METADATA)]
    if done.returncode or len(made) != 1:
        raise input_error(f"crate {crate.folder}", ["its run failed; the reason is above"])
    return made[0]


def judge(crate: Crate, again: Path, tolerance: float = TOLERANCE) -> tuple[bool, str]:
    """Return whether a rerun gave the tables of a crate, and what became of each in words."""
    equal, report = compare_folders(crate.folder, again, tolerance, crate.outputs)
    lines = [report.replace(": the same", ": reproduced")]
    for name, digest in crate.outputs.items():
        file = crate.folder / name
        if not file.is_file():
            lines.append(f"{name}: is missing")
        elif sha256(file) != digest:
            lines.append(f"{name}: was changed after the run")
    tables = (read_table(folder / PROVENANCE) for folder in (crate.folder, again))
    a, b = (t[(t["kind"] == "parameter") & (t["name"] != "results")] for t in tables)
    if compare_tables(a, b):
        lines.append(f"the configuration of the crate is not the one of {PROVENANCE}")
    good = equal and len(lines) == 1
    return good, "\n".join([*lines, f"{'Every' if good else 'Not every'} table was reproduced."])


def with_its_code(crate: Path, *options: str) -> int:
    """Run this module of the archive that a crate holds, and return how it ended."""
    if not (crate / SOURCE).is_file():
        raise input_error(f"crate {crate}", [f"there is no {SOURCE}; leave out `--rerun`"])
    with tempfile.TemporaryDirectory() as folder:
        shutil.unpack_archive(crate / SOURCE, folder)
        command = [sys.executable, "-P", "-m", "workflow.verify", str(crate), *options]
        environment = os.environ | {"PYTHONPATH": f"{folder}/kpca"}
        return subprocess.run(command, env=environment, check=False).returncode


def main(arguments: Sequence[str] | None = None) -> int:
    """Rerun the crate that the command line names; return 1 if a table was not reproduced."""
    parser = argparse.ArgumentParser(prog="python -m workflow.verify", description=__doc__)
    parser.add_argument("crate", type=Path, help="folder of results")
    parser.add_argument("--tolerance", type=float, default=TOLERANCE, help="default: %(default)g")
    parser.add_argument("--cores", default="all", help="as for snakemake; default: all")
    parser.add_argument("--rerun", action="store_true", help="use the code that the crate holds")
    given = parser.parse_args(arguments)
    try:
        if given.rerun:
            options = f"--tolerance={given.tolerance}", f"--cores={given.cores}"
            return with_its_code(given.crate, *options)
        crate = read_crate(given.crate)
        inputs = found_inputs(crate)
        with tempfile.TemporaryDirectory() as above:
            again = rerun(crate, inputs, Path(above), given.cores)
            good, report = judge(crate, again, given.tolerance)
    except InputError as error:
        parser.exit(2, f"{error}\n")
    print(report)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
