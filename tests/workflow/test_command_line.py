"""What is typed after `--config`: options of a file, folders, and the errors that come back."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.workflow.pipeline import Run, small_config, snakemake, succeeded, write_config


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files of one's own: one with everything that a first file has, and two tables."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.lognormal(size=(60, 4)), columns=["größe", "b", "c", "d"])
    rows = X.assign(kind=np.resize(["rot", "weiß"], 60), y=["rare"] * 2 + ["a", "b"] * 29)
    rows.to_csv(tmp_path / "first.csv", sep=";", decimal=",", encoding="latin-1")
    X[["b", "c"]].to_parquet(tmp_path / "plane.parquet")
    X.to_parquet(tmp_path / "wide.parquet")
    return tmp_path


def planned(folder: Path, *given: str) -> Run:
    return snakemake(folder, "--dry-run", "--config", *given)


FIRST = ("data=first.csv", "label=y", "encoding=latin-1", "min_class_size=5")


def test_a_first_file_runs_by_the_command_line_alone(folder: Path) -> None:
    options = ["kernels=linear,rbf", "n_components=2", "log=größe,b", "standardize=false"]
    kernels = {"linear": {}, "rbf": {"median": [1]}, "cosine": {}}
    path = write_config(folder / "config.yaml", small_config(kernels=kernels))
    target = "out/tables/selected.csv"

    given = ["--config", *FIRST, *options, "results=out/"]
    run = succeeded(folder, target, path, *given)
    table = pd.read_csv(folder / target)
    assert {"linear", "rbf"} <= set(table["kernel"])
    assert "cosine" not in set(table["kernel"])
    for notice in [
        "column 1 has no name, as the index that pandas writes, and is left out",
        "column 'kind' holds text with at most 20 values",
        "2 of 60 rows are of classes with fewer than 5 rows, 'rare' (2), and are left out",
    ]:
        assert notice in run.output
    assert "double slashes" not in run.output
    assert not (folder / "results").exists()


def test_errors_of_data_are_plain_and_in_the_words_of_the_command_line(folder: Path) -> None:
    run = planned(folder, *FIRST[:3])

    assert run.status == 1
    assert "leave such classes out by `min_class_size=4`" in run.output
    for noise in ("WorkflowError", "common.smk", "Traceback", "Snakefile"):
        assert noise not in run.output


def test_unknown_kernels_and_numbers_are_said_together(folder: Path) -> None:
    run = planned(folder, *FIRST, "kernels=rbf,lineer", "n_components=2x")

    assert "kernels.lineer (command line): unknown kernel; did you mean `linear`?" in run.output
    assert '"2x" must be integers: n_components=2 or n_components=2,5' in run.output


def test_a_tilde_is_the_home_of_results(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(folder / "home"))
    run = planned(folder, *FIRST, "results=~/k")

    assert run.status == 0, run.output
    assert all(path.startswith(str(folder / "home/k/")) for path in run.outputs)
    assert not (folder / "~").exists()


@pytest.mark.parametrize(("file", "drawn"), [("plane", True), ("wide", False)])
def test_level_lines_are_drawn_of_two_columns_only(folder: Path, file: str, drawn: bool) -> None:
    run = planned(folder, f"data={file}.parquet")

    assert run.status == 0, run.output
    assert ("contours" in run.figures) == drawn


def test_openml_has_a_label_by_default(folder: Path) -> None:
    config = small_config(datasets={"flowers": {"openml": 61}})
    run = succeeded(folder, "--dry-run", write_config(folder / "config.yaml", config))

    assert {"grid_accuracy", "grid_ami", "comparison_clustering"} <= run.figures
