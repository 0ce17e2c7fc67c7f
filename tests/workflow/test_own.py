"""What a user brings: files, a kernel matrix, a kernel, a method, a workflow around this one."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from tests.workflow.pipeline import ROOT, small_config, snakemake, succeeded

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
FLOWERS = ["width,length,species", *(f"{i % 7},{(i * i) % 11},{'ab'[i % 2]}" for i in range(30))]


@pytest.fixture(scope="module")
def around(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of a workflow that has this one as a module with a prefix.

    The user's files are not below the prefix, as the configuration names them.
    """
    folder = tmp_path_factory.mktemp("around")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3))
    (folder / "own_code.py").write_text(CODE)
    np.savetxt(folder / "plain.csv", X, delimiter=",", header="a,b,c", comments="")
    np.savez(folder / "kernel.npz", K=X @ X.T, y=np.arange(40) % 2)
    (folder / "flowers.csv").write_text("\n".join(FLOWERS))
    config = small_config(
        datasets={
            "plain": {"path": "plain.csv"},
            "kernel": {"path": "kernel.npz", "kernel_matrix": True},
            "flowers": {"path": "flowers.csv", "label": "species"},
        },
        kernels={"own": {"callable": "own_code:overlap", "parameters": {"width": [1, 2]}}},
        methods={"mine": "own_code:Leading"},
    )
    (folder / "config.yaml").write_text(yaml.safe_dump(config))
    (folder / "Snakefile").write_text(AROUND)
    succeeded(folder, snakefile=folder / "Snakefile")
    return folder


@pytest.fixture(scope="module")
def scores(around: Path) -> pd.DataFrame:
    return pd.read_csv(around / "sub/results/tables/scores.csv")


def test_a_workflow_around_this_one_is_done_below_its_prefix(around: Path) -> None:
    run = snakemake(around, "--dry-run", snakefile=around / "Snakefile")
    assert "Nothing to be done" in run.output
    assert (around / "sub/results/report/index.html").is_file()
    assert (around / "sub/results/entries").is_dir()
    assert not (around / "results").exists()


def test_a_module_needs_no_prefix(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(small_config()))
    (tmp_path / "Snakefile").write_text(AROUND.replace('    prefix: "sub"\n', ""))
    run = succeeded(tmp_path, "--dry-run", snakefile=tmp_path / "Snakefile")
    assert run.jobs["kernel_pca_page"] == 1
    assert "results/report/index.html" in run.outputs


def test_an_edit_of_ones_own_kernel_runs_its_fits_again(around: Path) -> None:
    (around / "own_code.py").write_text(CODE.replace("/ width", "/ (2 * width)"))
    run = snakemake(around, "--dry-run", snakefile=around / "Snakefile")
    (around / "own_code.py").write_text(CODE)
    fits = {path for path in run.outputs if "/fits/" in path}
    assert fits == {f"sub/results/fits/{dataset}.npz" for dataset in ("plain", "flowers")}


@pytest.mark.parametrize(
    ("dataset", "cells", "methods"),
    [
        ("plain", {"pca", "own-width1", "own-width2", "mine"}, {"embedding"}),
        ("kernel", {"precomputed"}, {"linear_svm", "kmeans"}),
        (
            *("flowers", {"raw", "raw-median1", "pca", "own-width1", "own-width2", "mine"}),
            {"linear_svm", "kmeans", "rbf_svm", "spectral"}
            | {"logistic_regression", "random_forest", "most_frequent"},
        ),
    ],
    ids=["no labels", "a kernel matrix", "labels"],
)
def test_every_dataset_has_the_cells_and_methods_that_suit_it(
    scores: pd.DataFrame, dataset: str, cells: set[str], methods: set[str]
) -> None:
    found = scores[scores["dataset"] == dataset]
    assert (set(found["cell"]), set(found["method"])) == (cells, methods)


def test_a_method_of_ones_own_gets_the_budget_of_the_others(scores: pd.DataFrame) -> None:
    flowers = scores[scores["dataset"] == "flowers"].fillna({"C": 0}).set_index("kernel")
    columns = ["replicate", "n_components", "method", "C", "metric", "split"]
    mine, pca = (flowers.loc[kernel, columns] for kernel in ("mine", "pca"))
    assert {*mine.itertuples(index=False)} == {*pca.itertuples(index=False)}


def test_where_kernels_are_ones_own_there_is_an_embedding_and_no_model(around: Path) -> None:
    models = {path.name for path in (around / "sub/results/models").iterdir()}
    assert models == {
        *(
            f"{dataset}.{kind}"
            for dataset in ("plain", "kernel", "flowers")
            for kind in ("csv", "py")
        ),
        *("kernel.npz", "kernel-predictor.npz", "kernel-predictor.py", "flowers-predictor.py"),
    }
    decisions = pd.read_csv(around / "sub/results/tables/decisions.csv").set_index("dataset")
    assert "has no raw features and no PCA" in decisions.loc["kernel", "sentence"]
    assert "neither a label nor a target" in decisions.loc["plain", "sentence"]
