"""What an edit runs again is for Snakemake to say: of the configuration, of the code, of files."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.workflow.pipeline import ROOT, copy_of_the_project, succeeded, write_config

CONFIG = ROOT / "config/test.yaml"
CHAIN = {"dataset", "fit", "classify", "cluster"}


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project in which the chain of two datasets has run, as a user would."""
    folder = copy_of_the_project(tmp_path_factory.mktemp("project"))
    config = yaml.safe_load(CONFIG.read_text())
    config["datasets"] = {name: config["datasets"][name] for name in ("rings", "parabola")}
    write_config(folder / "config/test.yaml", config)
    succeeded(folder, "tables", "--configfile=config/test.yaml", **options(folder))
    return folder


def options(folder: Path) -> dict[str, Any]:
    return {"snakefile": folder / "Snakefile", "packages": [folder]}


def planned(folder: Path, *arguments: str) -> dict[str, int]:
    given = arguments or ("--configfile=config/test.yaml",)
    run = succeeded(folder, "tables", *given, "--dry-run", **options(folder))
    return {rule: count for rule, count in run.jobs.items() if rule in CHAIN}


def set_penalties(config: dict[str, Any]) -> None:
    config["evaluation"]["C"] = [1, 100]


def set_starts(config: dict[str, Any]) -> None:
    config["evaluation"]["kmeans_starts"] = 4


def add_gamma(config: dict[str, Any]) -> None:
    config["kernels"]["rbf"]["median"].append(10)


def raise_components(config: dict[str, Any]) -> None:
    config["evaluation"]["n_components"].append(9)


def lower_components(config: dict[str, Any]) -> None:
    config["evaluation"]["n_components"] = [2, 8]


def change_noise(config: dict[str, Any]) -> None:
    config["datasets"]["rings"]["noise"] = 0.2


def remove_dataset(config: dict[str, Any]) -> None:
    del config["datasets"]["parabola"]


EVERY = {"fit": 2, "classify": 2, "cluster": 1}
EDITS: dict[Callable[[dict[str, Any]], None], dict[str, int]] = {
    set_penalties: {"classify": 2},
    set_starts: {"cluster": 1},
    add_gamma: EVERY,
    raise_components: EVERY,
    lower_components: {"classify": 2, "cluster": 1},
    change_noise: dict.fromkeys(("dataset", "fit", "classify", "cluster"), 1),
    remove_dataset: {},
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_of_the_configuration_plans_what_uses_it(
    finished: Path, tmp_path: Path, edit: Callable[[dict[str, Any]], None]
) -> None:
    config = yaml.safe_load((finished / "config/test.yaml").read_text())
    edit(config)
    assert planned(finished, write_config(tmp_path / "c.yaml", config)) == EDITS[edit]


# Module: what an edit of it plans.
MODULES = {
    "kpca/eigensolvers/dense.py": EVERY,
    "kpca/study/scoring/methods.py": {"classify": 2, "cluster": 1},
    "kpca/study/evidence/selection.py": {},
    "kpca/command/match.py": {},
    "kpca/study/datasets/generators.py": {"dataset": 2} | EVERY,
}


@pytest.mark.parametrize("module", MODULES)
def test_an_edit_of_a_module_plans_the_steps_that_it_is_an_input_of(
    finished: Path, module: str
) -> None:
    file = finished / module
    file.write_text(file.read_text() + "\nEDITED = 1\n")
    try:
        assert planned(finished) == MODULES[module]
    finally:
        shutil.copy2(ROOT / module, file)


def test_times_of_modules_plan_nothing(finished: Path) -> None:
    """A clone or another branch changes them; Snakemake compares contents."""
    for file in finished.glob("kpca/**/*.py"):
        os.utime(file)
    assert planned(finished) == {}


def test_a_copy_of_the_folder_with_its_results_plans_nothing(
    finished: Path, tmp_path: Path
) -> None:
    copy = shutil.copytree(finished, tmp_path / "another folder")
    run = succeeded(copy, "tables", "--configfile=config/test.yaml", "--dry-run", **options(copy))
    assert "Nothing to be done" in run.output


def test_the_log_says_how_many_fits_are_new(finished: Path) -> None:
    log = (finished / "results/logs/fit/rings.log").read_text()
    assert "INFO 12 of 12 fits are new" in log
