"""How far the planes of the page can be trusted, on the fits of a run."""

from pathlib import Path

import pandas as pd
import pytest

from tests.columns import differences
from workflow.scripts.own_data.view import view


@pytest.mark.parametrize("cell", ["rbf-median1", "linear"])
def test_the_view_is_measured_unless_it_is_that_of_pca(swept: Path, cell: str) -> None:
    folder = swept / "results"
    decisions = pd.read_csv(folder / "tables/decisions.csv").assign(view=cell)
    described = pd.read_csv(folder / "tables/datasets.csv")
    files = [[str(folder / kind / "digits.npz")] for kind in ("datasets", "fits")]

    found = view(*files, decisions, described)

    assert differences({"tables/own_view.csv": found}) == []
    means = found.pivot_table(index="plane", columns="measure", values="mean")
    assert set(means.index) == ({"pca"} if cell == "linear" else {"pca", "view"})
    assert means.loc["pca", "trustworthiness"] > 0.7
    assert (found["low"] <= found["mean"]).all()
    if cell != "linear":
        assert (means.loc["view"] != means.loc["pca"]).all()
