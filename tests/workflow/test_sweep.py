"""config/test.yaml as a whole, and what an edit of it or of the code would run again."""

import re

import pandas as pd
import pytest
import yaml

from tests.scripts.claims import STATEMENTS
from tests.workflow.pipeline import ROOT, succeeded
from workflow.populations import batches
from workflow.scripts.claims import sweep
from workflow.scripts.claims.claim import joined

CONFIG = ROOT / "config/test.yaml"
SETTINGS = yaml.safe_load(CONFIG.read_text())
DATASETS = set(SETTINGS["datasets"])
KERNELS = set(SETTINGS["kernels"])
FAMILIES = {(dataset, kernel) for dataset in DATASETS for kernel in KERNELS}


def table(swept, name):
    return pd.read_csv(swept / f"results/tables/{name}.csv")


def test_every_family_is_scored_selected_and_compared(swept):
    scores, selected, compared = (
        table(swept, name) for name in ("scores", "selected", "comparisons")
    )
    by_cv = selected[(selected["criterion"] == "cv") & (selected["split"] == "test")]
    for rows in (scores, by_cv):
        assert set(zip(rows["dataset"], rows["kernel"], strict=True)) >= FAMILIES
    rows = compared[compared["kernel"].isin(KERNELS)].dropna(subset=["gain"])
    assert set(rows["kernel"]) == set(KERNELS) - {"linear"}  # it equals PCA


def test_a_run_ends_with_what_came_out(swept):
    output = (swept / "said.txt").read_text()
    for part in ("\nResults are in results: ", "\nLook first at ", ": of_an_earlier_run.svg.\n"):
        assert part in output
    steps = re.findall(r"^(\d+) of (\d+) steps \(\d+%\) done", output, flags=re.M)
    assert [int(done) for done, _ in steps] == [*range(1, int(steps[0][1]) + 1)]


def test_a_finished_run_leaves_nothing_to_do(swept):
    run = succeeded(swept, f"--configfile={CONFIG}", "--dry-run")
    assert "Nothing to be done" in run.output
    assert "Results are in" not in run.output


@pytest.mark.parametrize("name", ["config", "full"])
def test_a_shipped_configuration_can_be_planned(name, tmp_path, planned):
    file = ROOT / f"config/{name}.yaml"
    full = name == "full"
    run = succeeded(tmp_path, "--dry-run", f"--configfile={file}") if full else planned
    assert (
        run.jobs["fit"] == run.jobs["classify"] == len(yaml.safe_load(file.read_text())["datasets"])
    )
    assert not {"benchmark", "scaling_table"} & set(run.jobs)
    captions = {path.stem for path in (ROOT / "workflow/scripts").rglob("*.rst")}
    # Small versions have the captions of the whole ones.
    assert run.figures - {"calibration_effects", "embeddings_small"} <= captions


def test_the_tables_of_a_small_run_make_statements_on_the_sweep(swept):
    names = ("scores", "selected", "variance_rule", "datasets", "comparisons", "label_free")
    tables = {name: table(swept, name) for name in names}
    judged = joined(STATEMENTS, sweep=sweep.measure(**tables)["claims"])
    assert {"7-cost", "8-svm-tuned-pca", "8-kmeans-tuned-raw", "9-sensitive"} <= {
        *judged["claims"]["claim"]
    }
    assert set(judged["claims_cases"]["case"]) == {"rings", "digits"}


def test_more_sets_keep_the_batches_that_are_done(tmp_path):
    few, more = (
        succeeded(tmp_path, "calibration", "--dry-run", "--config", f"calibration_sets={sets}")
        for sets in (50, 120)
    )
    assert few.jobs["simulated_sets"] == len([*batches(50)])
    assert more.jobs["simulated_sets"] == len([*batches(120)])
    done = {path for path in few.outputs if "/answers/" in path}
    assert done < more.outputs
    assert "results/calibration/answers/ring-60-213-223.csv" in more.outputs
