"""Writes environment.yml from pyproject.toml and the lock file: `python -m tests.environment`."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
CONDA_NAMES = {"matplotlib": "matplotlib-base", "snakemake": "snakemake-minimal"}
HEADER = """\
# The same versions as requirements.lock, for conda: conda env create -f environment.yml,
# conda activate kpca, pip install --no-deps --editable . Written by `make lock`.
name: kpca
channels:
  - conda-forge
  - bioconda
  - nodefaults
dependencies:
  - python=3.11
"""


def locked(name: str = "requirements.lock") -> dict[str, str]:
    """Package → version of a lock file."""
    text = (ROOT / name).read_text()
    return dict(re.findall(r"^([\w.-]+)==([\w.]+)", text, flags=re.MULTILINE))


def declared(extra: str | None = None) -> list[str]:
    """Names of the direct dependencies in pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    listed = project["optional-dependencies"][extra] if extra else project["dependencies"]
    return [re.split(r"[<>=!~;\[ ]", entry)[0] for entry in listed]


def environment() -> str:
    """The text of environment.yml."""
    versions = locked()
    lines = [
        f"  - {CONDA_NAMES.get(n, n)}={versions[n]}\n"
        for n in sorted(declared() + declared("pipeline"))
    ]
    return HEADER + "".join(lines)


if __name__ == "__main__":
    print(environment(), end="")
