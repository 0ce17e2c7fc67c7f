"""Every figure of the linear family is drawn, twice the same, from the tables of its rule."""

from importlib import import_module

import pandas as pd
import pytest

from tests.scripts.drawing import assert_drawn_twice_the_same
from tests.workflow.pipeline import ROOT
from workflow.scripts.linear import agreement, figure_sparse_features, sparse_paths, svd_errors

FEATURES = pd.DataFrame(
    {
        "dataset": "wine",
        "replicate": [0, 0, 1, 1],
        "strength": [0, 0.5, 0, 0.5],
        "nonzeros": [13, 4, 13, 5],
        "value": [0.9, 0.8, 0.95, 0.9],
        "overlap": 0.4,
    }
)


@pytest.fixture(scope="module")
def tables():
    sparse = sparse_paths.tables(
        pd.read_csv(ROOT / "workflow/scripts/papers/zou2006/pitprops.csv"),
        strengths=[0.5, 0.9],
        n_components=dict.fromkeys(["pitprops", "breast_cancer", "digits"], 2),
    )
    routes = agreement.tables(seed=0, n_components=3)
    errors = svd_errors.randomized_errors(seed=0, shape=(40, 30), n_components=3, draws=2)
    return {
        **{f"linear_{name}": table for name, table in routes.items()},
        **{f"sparse_{name}": table for name, table in sparse.items()},
        "linear_svd_errors": errors,
        "sparse_features": FEATURES,
        "seed": 0,
    }


@pytest.mark.parametrize(
    ("figure", "names"),
    [
        ("linear_deflation", ["seed"]),
        ("linear_agreement", ["linear_agreement", "linear_spectra"]),
        ("linear_svd_errors", ["linear_svd_errors"]),
        ("sparse_paths", ["sparse_paths", "sparse_exact_path"]),
        ("sparse_loadings", ["sparse_loadings"]),
        ("sparse_features", ["sparse_features"]),
    ],
)
def test_same_tables_give_the_same_bytes(figure, names, tables, tmp_path):
    script = import_module(f"workflow.scripts.linear.figure_{figure}")
    assert_drawn_twice_the_same(script.draw, tmp_path, **{name: tables[name] for name in names})


def test_gains_are_paired_by_replicate():
    assert figure_sparse_features.gains(FEATURES)["value"].round(10).tolist() == [-10, -5]
