"""What a user brings: files, kernels, methods, options, mistakes, a workflow around this one."""

import json
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

import kpca
from kpca.reading.errors import InputError
from kpca.reading.formats import read_table
from kpca.study import answer
from tests.workflow.pipeline import (
    ROOT,
    digests,
    small_config,
    snakemake,
    succeeded,
    write_small_config,
)
from workflow.messages import GO_ON

CODE = '''\
import numpy as np


def overlap(x, y, width):
    """A kernel of two rows."""
    return float(np.exp(-np.abs(x - y).max() / width))


class Leading:
    """The columns with the largest variance."""

    def __init__(self, n_components=1):
        self.n_components = n_components

    def fit(self, X, y=None):
        self.columns_ = np.argsort(-X.var(axis=0))[: self.n_components]
        return self

    def transform(self, X):
        return X[:, self.columns_]
'''
AROUND = f"""\
configfile: "config.yaml"

module kernel_pca:
    snakefile: "{ROOT}/Snakefile"
    config: config
    prefix: "sub"

use rule * from kernel_pca as kernel_pca_*
"""
TARGETS = ("kernel_pca_tables", "kernel_pca_models")
DATASETS = yaml.safe_load("""
plain: {path: plain.csv}
kernel: {path: kernel.npz, kernel_matrix: true}
flowers: {path: flowers.csv, label: species}
""")
FLOWERS = ["width,length,species", *(f"{i % 7},{(i * i) % 11},{'ab'[i % 2]}" for i in range(30))]


@pytest.fixture(scope="module")
def around(once):
    """Tables and models of a workflow that has this one as a module with a prefix.

    The user's files are not below the prefix, as the configuration names them.
    """

    def run(folder):
        X = np.random.default_rng(0).normal(size=(40, 3))
        (folder / "own_code.py").write_text(CODE)
        np.savetxt(folder / "plain.csv", X, delimiter=",", header="a,b,c", comments="")
        np.savez(folder / "kernel.npz", K=X @ X.T, y=np.arange(40) % 2)
        (folder / "flowers.csv").write_text("\n".join(FLOWERS))
        kernel = {"callable": "own_code:overlap", "parameters": {"width": [1, 2]}}
        methods = {"mine": "own_code:Leading"}
        write_small_config(folder, datasets=DATASETS, kernels={"own": kernel}, methods=methods)
        (folder / "Snakefile").write_text(AROUND)
        return succeeded(folder, *TARGETS, snakefile=folder / "Snakefile")

    return once("around", run)


def test_a_workflow_around_this_one_is_done_below_its_prefix(around):
    run = succeeded(around, "--dry-run", snakefile=around / "Snakefile")
    assert run.jobs["kernel_pca_page"] == run.jobs["kernel_pca_spectrum"] == 1
    assert not {"kernel_pca_fit", *TARGETS} & set(run.jobs)
    assert all(path.startswith("sub/results/") for path in run.outputs)
    assert (around / "sub/results/cache").is_dir()
    assert not (around / "results").exists()


@pytest.mark.slow
def test_ones_own_kernels_come_to_a_page(around, tmp_path):
    folder = shutil.copytree(around, tmp_path / "copy")
    succeeded(folder, snakefile=folder / "Snakefile")
    assert (folder / "sub/results/report/index.html").is_file()
    run = succeeded(folder, "--dry-run", snakefile=folder / "Snakefile")
    assert "Nothing to be done" in run.output


def test_a_module_needs_no_prefix(tmp_path):
    write_small_config(tmp_path)
    (tmp_path / "Snakefile").write_text(AROUND.replace('    prefix: "sub"\n', ""))
    run = succeeded(tmp_path, "--dry-run", snakefile=tmp_path / "Snakefile")
    assert run.jobs["kernel_pca_page"] == 1
    assert "results/report/index.html" in run.outputs


def test_an_edit_of_ones_own_kernel_runs_its_fits_again(around, tmp_path):
    folder = shutil.copytree(around, tmp_path / "copy")
    (folder / "own_code.py").write_text(CODE.replace("/ width", "/ (2 * width)"))
    run = snakemake(folder, "--dry-run", snakefile=folder / "Snakefile")
    fits = {path for path in run.outputs if "/fits/" in path}
    assert fits == {f"sub/results/fits/{dataset}" for dataset in ("plain", "flowers")}


def test_where_kernels_are_ones_own_there_is_an_embedding_and_no_model(around):
    """Their settings are scored as those of other kernels and methods are, in the same budget."""
    scores = pd.read_csv(around / "sub/results/tables/scores.csv")
    scored = scores.groupby("dataset")["cell"]
    cells = {"pca", "own-width1", "own-width2", "mine"}
    assert scored.agg(set).to_dict() == {
        "plain": cells,
        "kernel": {"precomputed"},
        "flowers": cells | {"raw", "raw-median1"},
    }
    flowers = scores[scores["dataset"] == "flowers"].fillna({"C": 0}).set_index("kernel")
    columns = ["replicate", "n_components", "method", "C", "metric", "split"]
    mine, pca = (flowers.loc[kernel, columns] for kernel in ("mine", "pca"))
    assert {*mine.itertuples(index=False)} == {*pca.itertuples(index=False)}
    models = {path.name for path in (around / "sub/results/models").iterdir()}
    tables = {f"{dataset}.csv" for dataset in DATASETS}
    assert models == tables | {"kernel.npz", "kernel-predictor.npz"}
    decisions = pd.read_csv(around / "sub/results/tables/decisions.csv").set_index("dataset")
    assert "a kernel matrix has no PCA to compare" in decisions.loc["kernel", "sentence"]
    assert "neither a label nor a target" in decisions.loc["plain", "sentence"]


FIRST = ("data=table.csv", "label=y", "encoding=latin-1", "min_class_size=5")
WRITTEN = {"sep": ";", "decimal": ",", "encoding": "latin-1"}
TWO = {"linear": {}, "rbf": {"median": [0.3, 1]}}


def write_first(folder):
    """Write a file with everything that a first file has, and return its rows."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.lognormal(size=(60, 4)), columns=["größe", "b", "c", "d"])
    columns = {"kind": np.resize(["rot", "weiß"], 60), "patient": np.arange(60) // 2}
    rows = X.assign(**columns, y=["rare"] * 2 + ["a", "b"] * 29)
    rows.to_csv(folder / "table.csv", **WRITTEN)
    return rows


@pytest.fixture(scope="module")
def first(once):
    """Results of that file, by the command line alone."""
    options = [
        *FIRST,
        "kernels=linear,rbf",
        "n_components=2",
        "log=größe,b",
        "standardize=false",
        "group=patient",
        "results=out/",
    ]
    targets = ["out/model.npz", "out/tables/selected.csv", "out/answer.json"]

    def run(folder):
        write_first(folder)
        path = write_small_config(folder, kernels=TWO | {"cosine": {}})
        return succeeded(folder, *targets, path, "--quiet", "--config", *options)

    return once("first", run)


def test_a_first_file_comes_to_a_model_by_the_command_line_alone(first, tmp_path):
    output = (first / "said.txt").read_text()
    for notice in [
        "column 1 has no name, as the index that pandas writes, and is left out",
        "column 'kind' holds text with at most 20 values",
        "2 of 60 rows are of classes with fewer than 5 rows, 'rare' (2), and are left out",
    ]:
        assert notice in output
    assert "double slashes" not in output
    assert "steps" not in output
    assert "\nResults are in out.\n" in output
    assert not (first / "results").exists()
    kernels = {*pd.read_csv(first / "out/tables/selected.csv")["kernel"]}
    assert {"linear", "rbf"} <= kernels
    assert "cosine" not in kernels

    rows = pd.read_csv(first / "table.csv", **WRITTEN).iloc[2:]
    embedding = pd.read_csv(first / "out/embedding.csv")
    names = ["row", "größe", "b", "c", "d", "kind", "patient", "y", "component_1"]
    assert embedding.columns.tolist()[:9] == names
    assert embedding["y"].tolist() == rows["y"].tolist()
    decision = pd.read_csv(first / "out/tables/decisions.csv").iloc[0]
    components = kpca.load(first / "out/model.npz").transform(rows[names[1:6]])
    assert components.shape == (decision["rows"], decision["n_components"])
    np.testing.assert_allclose(components, embedding.filter(like="component_"), atol=1e-10)
    assert decision["rows"] == 58
    predictor = kpca.load(first / "out/predictor.npz")
    predicted = predictor.predict(read_table(first / "table.csv", encoding="latin-1"))
    assert (predicted[2:] == predictor.predict(rows)).all()
    assert {*predicted} == {"a", "b"}
    assert "model = kpca.load('out/predictor.npz')" in (first / "out/answer.md").read_text()


def test_an_answer_in_python_is_that_of_a_run(first, tmp_path):
    rows = write_first(tmp_path)
    options = {
        "n_components": 2,
        "log": "größe,b",
        "standardize": False,
        "min_class_size": 5,
        "config": small_config(kernels=TWO),
        "processes": 1,
    }
    X = rows.drop(columns=["patient", "y"])
    y = rows["y"]
    answered = answer(X, y, rows["patient"], **options)
    (told,) = json.loads((first / "out/answer.json").read_text())
    # A frame has no notation and no index column that a notice could be about.
    assert answered.to_dict() | {"notices": told["notices"]} == told
    assert answered.sentence in (first / "out/answer.md").read_text()
    assert len(answered.importance) == X.shape[1]
    with pytest.raises(InputError, match="missing"):
        answer(X.replace({"b": {X["b"][5]: np.nan}}), y, **options)


def test_a_file_needs_no_configuration(tmp_path):
    write_first(tmp_path)
    run = succeeded(tmp_path, "--dry-run", "--config", *FIRST)
    assert {Path(path).stem for path in run.outputs if "/datasets/" in path} == {"table"}
    assert {Path(path).parts[:2] for path in run.outputs} == {("results", "table")}


CHOOSY = """\
class Choosy:
    def fit(self, X, y=None):
        raise ValueError("rows by the million only")

    def transform(self, X):
        return X
"""


def test_configuration_data_and_own_code_are_refused_in_one_round(tmp_path):
    """Before there is a plan, and without words of Snakemake; results stay as they are."""
    (tmp_path / "results/tables").mkdir(parents=True)
    (tmp_path / "results/tables/scores.csv").write_text("dataset\n")
    before = digests(tmp_path / "results")
    write_first(tmp_path)
    kernels = {"rbf": {"gamma": [0]}, "own": {"callable": "math:sqrt"}}
    methods = {"mine": "sklearn.svm:SVC"}
    path = write_small_config(tmp_path, kernels=kernels, methods=methods, usps="nowhere")

    run = snakemake(tmp_path, path, "--dry-run", "--config", *FIRST[:3])

    assert run.status == 1
    assert not run.jobs
    assert digests(tmp_path / "results") == before
    for noise in ("WorkflowError", "common.smk", "Traceback", "Snakefile"):
        assert noise not in run.output
    for problem in (
        "kernels.rbf.gamma[0] (config.yaml, line ",
        "leave such classes out by `min_class_size=4`",
        "kernel `math:sqrt`",
        "method `sklearn.svm:SVC` (mine): 1 problem",
        "there is no file zip.train.gz (looked in",
    ):
        assert problem in run.output


def test_a_job_that_refuses_leaves_the_others(tmp_path):
    """A method of one's own is fitted by the jobs alone."""
    (tmp_path / "own_code.py").write_text(CHOOSY)
    config = write_small_config(tmp_path, methods={"mine": "own_code:Choosy"})
    target = "results/classified/rings.npz"
    run = snakemake(tmp_path, target, config, packages=[ROOT, tmp_path])
    assert run.status != 0
    assert "method `own_code:Choosy`: 1 problem\n  - ValueError: rows by the" in run.output
    assert run.output.count("ValueError: rows") == 1
    assert run.output.count('own_code.py", line 3, in fit') == 1
    assert "take it out of `methods`" in run.output
    assert f"\n{GO_ON}\n" in run.output
    assert not (tmp_path / target).exists()
    assert [*(tmp_path / "results/cache").iterdir()]
