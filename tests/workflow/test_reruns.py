"""What an edit runs again is for Snakemake to say: of the configuration, of the code, of files."""

import os
import shutil

import pytest
import yaml

from tests.workflow.configuration.test_config import GOOD, changed
from tests.workflow.pipeline import ROOT, copy_of_the_project, succeeded, write_config

TWO = changed("datasets", {name: GOOD["datasets"][name] for name in ("rings", "parabola")})
CHAIN = ("dataset", "fit", "classify", "cluster")
# What is edited, and the jobs of the chain that the next run would have.
EDITS = yaml.safe_load("""
configuration:
- [evaluation.C, [1, 100], {classify: 2}]
- [evaluation.kmeans_starts, 4, {cluster: 1}]
- [kernels.rbf.median, [0.3, 1, 3, 10], &fits {fit: 2, classify: 2, cluster: 1}]
- [evaluation.n_components, [1, 2, 8, 9], *fits]
- [evaluation.n_components, [2, 8], {classify: 2, cluster: 1}]
- [datasets.rings.noise, 0.2, {dataset: 1, fit: 1, classify: 1, cluster: 1}]
module:
- [kpca/eigensolvers/dense.py, *fits]
- [kpca/study/scoring/methods.py, {classify: 2, cluster: 1}]
- [kpca/study/evidence/selection.py, {}]
- [kpca/command/rows.py, {}]
- [kpca/study/datasets/generators.py, {<<: *fits, dataset: 2}]
""")


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A copy of the project in which the chain of two datasets has run, as a user would."""
    folder = copy_of_the_project(tmp_path_factory.mktemp("project"))
    write_config(folder / "config/test.yaml", TWO)
    run(folder)
    return folder


def run(folder, *options, config="--configfile=config/test.yaml"):
    """Run the tables of a copy of the project, whose modules it takes."""
    of_the_copy = {"snakefile": folder / "Snakefile", "packages": [folder]}
    return succeeded(folder, "tables", config, *options, **of_the_copy)


def planned(folder, **options):
    """Return the jobs of the chain that the next run would have."""
    jobs = run(folder, "--dry-run", **options).jobs
    return {rule: count for rule, count in jobs.items() if rule in CHAIN}


@pytest.mark.parametrize(
    ("key_path", "value", "jobs"),
    [*EDITS["configuration"], ("datasets", {"rings": TWO["datasets"]["rings"]}, {})],
)
def test_an_edit_of_the_configuration_plans_what_uses_it(finished, tmp_path, key_path, value, jobs):
    config = write_config(tmp_path / "c.yaml", changed(key_path, value, TWO))
    assert planned(finished, config=config) == jobs


@pytest.mark.parametrize(("module", "jobs"), EDITS["module"])
def test_an_edit_of_a_module_plans_the_steps_that_it_is_an_input_of(finished, module, jobs):
    file = finished / module
    file.write_text(file.read_text() + "\nEDITED = 1\n")
    try:
        assert planned(finished) == jobs
    finally:
        shutil.copy2(ROOT / module, file)


def test_times_of_modules_plan_nothing(finished):
    """A clone or another branch changes them; Snakemake compares contents."""
    for file in finished.glob("kpca/**/*.py"):
        os.utime(file)
    assert planned(finished) == {}


def test_a_copy_of_the_folder_with_its_results_plans_nothing(finished, tmp_path):
    copy = shutil.copytree(finished, tmp_path / "another folder")
    assert "Nothing to be done" in run(copy, "--dry-run").output


def test_the_log_says_how_many_fits_are_new(finished):
    log = (finished / "results/logs/fit/rings.log").read_text()
    assert "INFO 12 of 12 fits are new" in log
