"""The published tables of Zou, Hastie and Tibshirani (2006), cell by cell."""

import numpy as np
import pandas as pd
import pytest

from tests.workflow.pipeline import ROOT
from workflow.scripts.papers.zou2006 import table as study

FOLDER = ROOT / "workflow/scripts/papers/zou2006"
PUBLISHED, CORRELATIONS = (pd.read_csv(FOLDER / f"{n}.csv") for n in ("published", "pitprops"))


@pytest.fixture(scope="module")
def table():
    return study.table(PUBLISHED, CORRELATIONS).set_index("cell")


def test_every_cell_is_the_printed_one_but_for_the_variance_that_was_cut_off(table):
    assert len(table) == 62
    assert table.index[~table["inside"]].tolist() == ["pitprops PCA variance % PC1"]
    first = table.loc["pitprops PCA variance % PC1"]
    assert np.floor(10 * first["ours"]) / 10 == first["published"]


def test_turning_a_component_turns_all_its_loadings():
    published = pd.DataFrame(
        {
            "cell": [f"example SPCA loading PC1 {name}" for name in "ab"],
            "published": [-0.8, 0.6],
            "tolerance": 0.01,
            "note": None,
        }
    )
    turned = study.compare(
        published, {"example SPCA loading PC1 a": 0.8, "example SPCA loading PC1 b": -0.6}
    )
    assert turned["inside"].all()
    wrong = study.compare(
        published, {"example SPCA loading PC1 a": 0.8, "example SPCA loading PC1 b": 0.6}
    )
    assert wrong["inside"].tolist() == [True, False]
