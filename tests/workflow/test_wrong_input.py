"""Wrong input ends in one message that names place and remedy, and leaves the results alone."""

from pathlib import Path
from typing import Any

import pytest

from pipeline.outcome import GO_ON
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


def with_line(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


def test_every_problem_of_a_configuration_is_listed_at_once(folder: Path) -> None:
    text = (ROOT / "config/test.yaml").read_text()
    text = with_line(text, "n_components: [1, 2, 8]", "n_components: [0, 1]")
    text = with_line(text, "linear: {}", "linaer: {}")
    text = with_line(text, "seed: 1\n", "seed: 1\nseed: 2\n")
    (folder / "wrong.yaml").write_text(text)

    output = refusal(folder, "--configfile=wrong.yaml")

    lines = {line.split(":")[0].strip(): n for n, line in enumerate(text.splitlines(), 1)}
    for place, key, message in (
        ("evaluation.n_components[0]", "n_components", "0 must be at least 1"),
        ("kernels.linaer", "linaer", "unknown kernel; did you mean `linear`?"),
        ("seed", "seed", "the key is there twice, in lines 4 and 5"),
    ):
        assert f"{place} (wrong.yaml, line {lines[key]}): {message}" in output


def csv(folder: Path, name: str, rows: list[str]) -> dict[str, Any]:
    (folder / f"{name}.csv").write_text("\n".join(["age,dose,species", *rows]))
    return {"path": f"{name}.csv", "label": "species"}


def test_every_problem_of_the_data_is_listed_at_once(folder: Path) -> None:
    datasets = {
        "nameless": csv(folder, "nameless", ROWS) | {"label": "specis"},
        "holes": csv(folder, "holes", ["nan,1,a", "7,tall,b", *ROWS]),
        "few": csv(folder, "few", ROWS),
    }
    config = small_config(datasets=datasets)
    config["evaluation"]["n_components"] = [8]

    output = refusal(folder, write_config(folder / "config.yaml", config))

    for name in datasets:
        assert f"dataset '{name}'" in output
    assert "column 'dose' holds text (line 3 'tall'); a feature must be numeric" in output
    assert "line 2, column 'age' (missing); fill them in" in output


def test_data_that_went_bad_leave_the_results_of_the_good(tmp_path: Path) -> None:
    spec = csv(tmp_path, "mine", ROWS)
    config = write_config(tmp_path / "config.yaml", small_config(datasets={"mine": spec}))
    assert snakemake(tmp_path, config, "results/datasets/mine.npz").status == 0
    csv(tmp_path, "mine", [",1,a", *ROWS])

    output = refusal(tmp_path, config)

    assert "line 2, column 'age'" in output


def test_configuration_data_and_own_code_are_refused_in_one_round(folder: Path) -> None:
    datasets = {
        "nameless": csv(folder, "nameless", ROWS) | {"label": "specis"},
        "wrong": {"sklearn": "irs"},
    }
    kernels = {"rbf": {"gamma": [0]}, "own": {"callable": "math:sqrt"}}
    methods = {"mine": "sklearn.svm:SVC"}
    config = small_config(datasets=datasets, kernels=kernels, methods=methods)

    output = refusal(folder, write_config(folder / "config.yaml", config))

    assert '"irs" is none of digits' in output
    assert "0 must be greater than 0" in output
    assert "there is no column 'specis'" in output
    assert "kernel `math:sqrt`" in output
    assert "method `sklearn.svm:SVC` (mine): 1 problem" in output


def test_data_are_looked_at_again_when_more_is_asked_of_them(tmp_path: Path) -> None:
    spec = csv(tmp_path, "mine", ROWS)
    config = small_config(datasets={"mine": spec})
    file = write_config(tmp_path / "config.yaml", config)
    assert snakemake(tmp_path, file, "results/datasets/mine.npz").status == 0
    config["evaluation"] |= {"n_components": [50]}

    output = refusal(tmp_path, write_config(tmp_path / "config.yaml", config))

    assert "evaluation.n_components asks for 50" in output


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


def test_a_folder_without_the_images_is_an_error(folder: Path) -> None:
    config = small_config(usps=str(folder / "nowhere"))

    output = refusal(folder, write_config(folder / "config.yaml", config))

    assert "there is no file zip.train.gz (looked in" in output
    assert "there is no file zip.test.gz" in output
    assert "The Elements of Statistical Learning" in output
