"""Wrong input ends in one message that names place and remedy, and leaves the results alone."""

from pathlib import Path
from typing import Any

import pytest

from pipeline.messages import GO_ON
from tests.workflow.pipeline import ROOT, digests, small_config, snakemake, write_config

ROWS = [f"{i},{i % 5},{'ab'[i % 2]}" for i in range(20)]

CHOOSY = """\
class Choosy:
    def fit(self, X, y=None):
        raise ValueError("rows by the million only")

    def transform(self, X):
        return X
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with results of earlier."""
    (tmp_path / "results/tables").mkdir(parents=True)
    (tmp_path / "results/tables/scores.csv").write_text("dataset\n")
    return tmp_path


def refusal(folder: Path, *arguments: str) -> str:
    """Return what a run says that has to be refused."""
    before = digests(folder / "results")
    run = snakemake(folder, *arguments)
    assert run.status != 0
    assert "Traceback" not in run.output
    assert not run.jobs
    assert digests(folder / "results") == before
    return run.output


def csv(folder: Path, name: str, rows: list[str]) -> dict[str, Any]:
    (folder / f"{name}.csv").write_text("\n".join(["age,dose,species", *rows]))
    return {"path": f"{name}.csv", "label": "species"}


def test_configuration_data_and_own_code_are_refused_in_one_round(folder: Path) -> None:
    datasets = {
        "nameless": csv(folder, "nameless", ROWS) | {"label": "specis"},
        "holes": csv(folder, "holes", ["nan,1,a", "7,tall,b", *ROWS]),
        "wrong": {"sklearn": "irs"},
    }
    kernels = {"rbf": {"gamma": [0]}, "own": {"callable": "math:sqrt"}}
    methods = {"mine": "sklearn.svm:SVC"}
    usps = str(folder / "nowhere")
    config = small_config(datasets=datasets, kernels=kernels, methods=methods, usps=usps)

    output = refusal(folder, write_config(folder / "config.yaml", config))

    for problem in (
        '"irs" is none of digits',
        "kernels.rbf.gamma[0] (config.yaml, line ",
        "0 must be greater than 0",
        "there is no column 'specis'",
        "line 2, column 'age' (missing); fill them in",
        "column 'dose' holds text (line 3 'tall'); a feature must be numeric",
        "kernel `math:sqrt`",
        "method `sklearn.svm:SVC` (mine): 1 problem",
        "there is no file zip.train.gz (looked in",
        "The Elements of Statistical Learning",
    ):
        assert problem in output


def test_data_that_went_bad_leave_the_results_of_the_good(tmp_path: Path) -> None:
    config = small_config(datasets={"mine": csv(tmp_path, "mine", ROWS)})
    file = write_config(tmp_path / "config.yaml", config)
    assert snakemake(tmp_path, file, "results/datasets/mine.npz").status == 0
    config["evaluation"] |= {"n_components": [50]}
    write_config(tmp_path / "config.yaml", config)
    assert "evaluation.n_components asks for 50" in refusal(tmp_path, file)
    csv(tmp_path, "mine", [",1,a", *ROWS])
    assert "line 2, column 'age'" in refusal(tmp_path, file)


@pytest.mark.parametrize("printed", [[], ["--quiet"]])
def test_a_job_that_refuses_leaves_the_others(tmp_path: Path, printed: list[str]) -> None:
    """A method of one's own is fitted by the jobs alone."""
    (tmp_path / "own_code.py").write_text(CHOOSY)
    config = write_config(
        tmp_path / "config.yaml", small_config(methods={"mine": "own_code:Choosy"})
    )
    targets = [f"results/{kind}/rings.npz" for kind in ("fits", "scores")]

    options = {"packages": [ROOT, tmp_path], "short": True}
    run = snakemake(tmp_path, *targets, config, *printed, **options)

    assert run.status != 0
    assert "method `own_code:Choosy`: 1 problem\n  - ValueError: rows by the" in run.output
    assert run.output.count("ValueError: rows") == 1
    assert run.output.count('own_code.py", line 3, in fit') == 1
    assert "take it out of `methods`" in run.output
    assert run.output.endswith(f"{GO_ON}\n")
    assert "RuleException" not in run.output
    assert not any((tmp_path / target).exists() for target in targets)
    assert [*(tmp_path / "results/entries").iterdir()]
