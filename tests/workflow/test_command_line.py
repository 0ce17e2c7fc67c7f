"""What is typed after `--config`: a first file comes to a model, or to an error in plain words."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import kpca
from tests.workflow.pipeline import environment, small_config, snakemake, succeeded, write_config

FIRST = ("data=first.csv", "label=y", "encoding=latin-1", "min_class_size=5")
WRITTEN = {"sep": ";", "decimal": ",", "encoding": "latin-1"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A file with everything that a first file has."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.lognormal(size=(60, 4)), columns=["größe", "b", "c", "d"])
    rows = X.assign(kind=np.resize(["rot", "weiß"], 60), y=["rare"] * 2 + ["a", "b"] * 29)
    rows.to_csv(tmp_path / "first.csv", **WRITTEN)
    return tmp_path


def test_a_first_file_comes_to_a_model_by_the_command_line_alone(folder: Path) -> None:
    options = ["kernels=linear,rbf", "n_components=2", "log=größe,b", "standardize=false"]
    kernels = {"linear": {}, "rbf": {"median": [1]}, "cosine": {}}
    path = write_config(folder / "config.yaml", small_config(kernels=kernels))
    targets = ("out/model.npz", "out/tables/selected.csv", path, "--quiet")
    run = succeeded(folder, *targets, "--config", *FIRST, *options, "results=out/", short=True)

    for notice in [
        "column 1 has no name, as the index that pandas writes, and is left out",
        "column 'kind' holds text with at most 20 values",
        "2 of 60 rows are of classes with fewer than 5 rows, 'rare' (2), and are left out",
    ]:
        assert notice in run.output
    assert "double slashes" not in run.output
    assert "jobs done" not in run.output
    assert run.output.endswith("Results are in out.\n")
    assert not (folder / "results").exists()
    assert {"linear", "rbf"} <= {*pd.read_csv(folder / "out/tables/selected.csv")["kernel"]}
    assert "cosine" not in (folder / "out/tables/selected.csv").read_text()

    rows = pd.read_csv(folder / "first.csv", **WRITTEN).iloc[2:]
    embedding = pd.read_csv(folder / "out/embedding.csv")
    names = ["row", "größe", "b", "c", "d", "kind", "y", "component_1"]
    assert embedding.columns.tolist()[:8] == names
    assert embedding["y"].tolist() == rows["y"].tolist()
    scores = embedding.filter(like="component_")
    decision = pd.read_csv(folder / "out/tables/decisions.csv").iloc[0]
    assert (decision["rows"], decision["n_components"]) == (58, scores.shape[1])
    found = kpca.load(folder / "out/model.npz").transform(rows[names[1:6]])
    np.testing.assert_allclose(found, scores, atol=1e-10)
    predictor = kpca.load(folder / "out/predictor.npz")
    subprocess.run([sys.executable, "out/predictor.py"], cwd=folder, env=environment(), check=True)
    again = kpca.load(folder / "predictor.npz")  # which the script has written
    assert (again.predict(rows) == predictor.predict(rows)).all()
    assert set(predictor.predict(rows)) == {"a", "b"}
    for name in ("predictor.py", "model.py"):
        assert str(folder) not in (folder / "out" / name).read_text()


def test_a_file_needs_no_configuration(folder: Path) -> None:
    run = succeeded(folder, "--dry-run", "--config", *FIRST)
    assert {Path(path).stem for path in run.outputs if "/datasets/" in path} == {"first"}
    assert {Path(path).parts[:2] for path in run.outputs} == {("results", "first")}


def test_errors_of_data_are_plain_and_in_the_words_of_the_command_line(folder: Path) -> None:
    run = snakemake(folder, "--dry-run", "--config", *FIRST[:3])
    assert run.status == 1
    assert "leave such classes out by `min_class_size=4`" in run.output
    for noise in ("WorkflowError", "common.smk", "Traceback", "Snakefile"):
        assert noise not in run.output
