"""One environment, said three times: pyproject.toml, the locks, and two files for conda.

`python -m tests.test_environment` writes these two from the others.
"""

import re
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.workflow.pipeline import ROOT, finished

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
# Lock: what it pins; what a run needs, and nothing else, stands in the first.
REQUIRED = {
    "requirements.lock": PROJECT["dependencies"] + EXTRAS["study"] + EXTRAS["pipeline"][1:],
    "requirements-dev.lock": EXTRAS["dev"] + EXTRAS["dask"],
    "requirements-docs.lock": EXTRAS["docs"],
    "requirements-slurm.lock": EXTRAS["slurm"],
}
CONDA_NAMES = {"matplotlib": "matplotlib-base", "snakemake": "snakemake-minimal"}
REPORTS = "pygments"  # Conda does not have Snakemake's extra `reports`, which adds this package.
HEADER = """\
# The same versions as requirements.lock, for conda. Written by `make lock`.
name: kpca
channels:
  - conda-forge
  - bioconda
  - nodefaults
dependencies:
  - python=3.11
"""
PACKAGE = """\
  - pip
  - pip:
      - --editable . # the package of this folder
"""


def locked(name="requirements.lock"):
    """Package → version of a lock file."""
    pins = re.findall(r"^([\w.-]+)==([\w.]+)", (ROOT / name).read_text(), flags=re.MULTILINE)
    return {canonicalize_name(package): version for package, version in pins}


def conda_files():
    """Return what users create an environment from, and what jobs of Snakemake do.

    The latter import the package from this folder, whose path Snakemake's copy does not know.
    """
    versions = locked()
    names = sorted({REPORTS, *(Requirement(line).name for line in REQUIRED["requirements.lock"])})
    pinned = "".join(f"  - {CONDA_NAMES.get(n, n)}={versions[n]}\n" for n in names)
    of_users = ROOT / "environment.yml"
    of_jobs = ROOT / "workflow/envs/kpca.yaml"
    return {of_users: HEADER + pinned + PACKAGE, of_jobs: HEADER + pinned}


@pytest.mark.parametrize("lock", REQUIRED)
def test_the_lock_holds_a_version_of_every_dependency(lock):
    """Another lock only adds to the one of a run."""
    versions = locked(lock)
    for requirement in map(Requirement, REQUIRED[lock]):
        assert requirement.specifier.contains(versions[canonicalize_name(requirement.name)])
    assert lock == "requirements.lock" or not versions.keys() & locked().keys()


def test_what_the_locks_install_fits_together_and_files_for_conda_are_written_from_one():
    command = [sys.executable, "-m", "uv", "pip", "check", "--python", sys.executable]
    check = finished(command)
    assert check.returncode == 0, check.stderr
    for file, text in conda_files().items():
        assert file.read_text() == text


def test_no_file_names_a_registry_or_a_machine():
    """Of the repository, or of the folder where there is none."""
    patterns = (
        rb"(?i)--(extra-)?index-url|--find-links",
        rb"(?i)https?://[\w.-]*(pypi|pythonhosted|artifactory|nexus)[\w.-]*",
        rb"https?://(?!127\.0\.0\.1)(\d{1,3}\.){3}\d{1,3}|(?i:https?://localhost)",
        rb"/(home|root|Users)/\w+",
    )
    git = ["git", "ls-files", "-z"]
    files = {ROOT / name for name in finished(git).stdout.split("\0") if name}
    files = files or {*ROOT.glob("*"), *ROOT.glob("kpca/**/*")}
    hits = [
        f"{file.relative_to(ROOT)}: {hit.group().decode()}"
        for file in files - {Path(__file__)}  # This file holds the patterns.
        if file.is_file()
        for pattern in patterns
        for hit in re.finditer(pattern, file.read_bytes())
    ]
    assert hits == []


def test_make_takes_a_python_with_pip_also_in_an_activated_environment():
    make = ["make", "--dry-run", "--always-make", "docs", f"PYTHON={sys.executable}"]
    printed = finished(make, check=True).stdout
    assert f"{sys._base_executable} -m pip --python .venv-docs/bin/python install" in printed


def test_the_lowest_versions_are_those_that_make_installs():
    make = ["make", "--dry-run", "test-oldest"]
    printed = finished(make, check=True).stdout
    for line in PROJECT["dependencies"]:
        assert f" {line.replace('>=', '==')} " in printed


if __name__ == "__main__":  # `make lock`
    for file, text in conda_files().items():
        file.write_text(text)
