"""One environment, said three times: pyproject.toml, the locks, environment.yml."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.environment import ROOT, environment, locked

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
# Lock: what it pins; what a run needs, and nothing else, stands in the first.
WANTED = {
    "requirements.lock": PROJECT["dependencies"] + EXTRAS["pipeline"],
    "requirements-dev.lock": EXTRAS["dev"] + EXTRAS["dask"],
    "requirements-docs.lock": EXTRAS["docs"],
    "requirements-slurm.lock": EXTRAS["slurm"],
}


def tracked() -> list[Path]:
    """The files of the repository; those of the folder where there is none."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split("\0")
    files = [ROOT / name for name in listed if name] or [*ROOT.glob("*"), *ROOT.glob("kpca/**/*")]
    return [file for file in files if file.is_file()]


def test_environment_yml_is_the_one_written_from_the_lock() -> None:
    assert (ROOT / "environment.yml").read_text() == environment()
    assert yaml.safe_load(environment())["channels"] == ["conda-forge", "bioconda", "nodefaults"]


@pytest.mark.parametrize(
    ("lock", "line"), [(lock, line) for lock, lines in WANTED.items() for line in lines]
)
def test_the_lock_holds_a_version_of_every_dependency(lock: str, line: str) -> None:
    wanted = Requirement(line)
    versions = {canonicalize_name(name): version for name, version in locked(lock).items()}
    assert wanted.specifier.contains(versions[canonicalize_name(wanted.name)])


@pytest.mark.parametrize("name", [*WANTED][1:])
def test_another_lock_only_adds_to_the_one_of_a_run(name: str) -> None:
    assert not locked(name).keys() & locked().keys()


def test_what_the_locks_install_fits_together() -> None:
    command = [sys.executable, "-m", "uv", "pip", "check", "--python", sys.executable]
    check = subprocess.run(command, capture_output=True, text=True, check=False)
    assert check.returncode == 0, check.stderr


@pytest.mark.parametrize(
    "pattern",
    [
        rb"(?i)--(extra-)?index-url|--find-links",
        rb"(?i)https?://[\w.-]*(pypi|pythonhosted|artifactory|nexus)[\w.-]*",
        rb"https?://(?!127\.0\.0\.1)(\d{1,3}\.){3}\d{1,3}",
        rb"(?i)https?://localhost",
        rb"/(home|root|Users)/\w+",
    ],
    ids=["option", "registry", "address", "host", "home"],
)
def test_no_file_names_a_registry_or_a_machine(pattern: bytes) -> None:
    found = [
        f"{file.relative_to(ROOT)}: {hit.group().decode()}"
        for file in tracked()
        if file != Path(__file__)  # where the patterns stand
        for hit in re.finditer(pattern, file.read_bytes())
    ]
    assert found == []


def test_make_takes_a_python_with_pip_also_in_an_activated_environment() -> None:
    make = ["make", "--dry-run", "--always-make", "docs", f"PYTHON={sys.executable}"]
    printed = subprocess.run(make, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert f"{sys._base_executable} -m pip --python .venv-docs/bin/python install" in printed
