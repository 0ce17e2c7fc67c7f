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
    names = [f"example SPCA loading PC1 {name}" for name in "ab"]
    known = {"cell": names, "published": [-0.8, 0.6], "tolerance": 0.01, "note": None}
    for ours, inside in (([0.8, -0.6], [True, True]), ([0.8, 0.6], [True, False])):
        found = study.compare(pd.DataFrame(known), dict(zip(names, ours, strict=True)))
        assert found["inside"].tolist() == inside
