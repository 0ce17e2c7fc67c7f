"""Every figure of the linear family is drawn, twice the same, from the tables of its rule."""

import runpy
from pathlib import Path

import pandas as pd
import pytest

from workflow.scripts.linear.deflation_step import deflation_step
from workflow.scripts.linear.svd_errors import randomized_errors

ROOT = Path(__file__).parents[3]


def script(name):
    return runpy.run_path(str(ROOT / "workflow" / "scripts" / f"{name}.py"))


@pytest.fixture(scope="module")
def linear():
    return script("linear_tables")["main"](
        seed=0, n_components=3, shape=(40, 30), n_oversamples=3, n_iters=[0, 1], draws=2
    )


@pytest.fixture(scope="module")
def sparse():
    return script("sparse_tables")["main"](
        str(ROOT / "workflow" / "papers" / "zou2006" / "pitprops.csv"),
        strengths=[0.5, 0.9],
        n_components={"pitprops": 2, "breast_cancer": 2, "digits": 2},
        nonzeros={"pitprops": 3, "digits": 10},
    )


@pytest.fixture(scope="module")
def tables(linear, sparse):
    features = pd.DataFrame(
        {
            "dataset": "wine",
            "replicate": [0, 0, 1, 1],
            "strength": [0, 0.5, 0, 0.5],
            "nonzeros": [13, 4, 13, 5],
            "value": [0.9, 0.8, 0.95, 0.9],
            "overlap": 0.4,
        }
    )
    return {
        "linear_deflation": [deflation_step(0)],
        "linear_agreement": [linear["agreement"], linear["spectra"]],
        "linear_svd_errors": [linear["svd_errors"]],
        "sparse_paths": [sparse[k] for k in ("paths", "exact_path")],
        "sparse_loadings": [sparse["loadings"]],
        "sparse_features": [features],
    }


@pytest.mark.parametrize(
    "name",
    [
        *("linear_deflation", "linear_agreement", "linear_svd_errors"),
        *("sparse_paths", "sparse_loadings", "sparse_features"),
    ],
)
def test_same_tables_give_the_same_bytes(name, tables, tmp_path):
    draw = script(f"figure_{name}")["draw"]
    for turn in ("first", "second"):
        draw(*tables[name], [tmp_path / f"{turn}.svg"])
    assert (tmp_path / "first.svg").read_bytes() == (tmp_path / "second.svg").read_bytes()


def test_gains_are_paired_by_replicate(tables):
    paired = script("figure_sparse_features")["gains"](*tables["sparse_features"])
    assert paired["value"].round(10).tolist() == [-10, -5]


def test_errors_are_relative_to_the_best_of_the_rank():
    table = randomized_errors(
        shape=(40, 30), n_components=3, n_oversamples=27, n_iters=[0], draws=1, seed=0
    )
    assert (table["error"] < 1e-6).all()
