"""Figures of the claims on separability, unrolling, width and degree."""

import runpy
from pathlib import Path

import pandas as pd
import pytest

from tests.scripts.claims import STATEMENTS
from workflow.scripts.claims import degree, limits, separability, unrolling

ROOT = Path(__file__).parents[3]
FIGURES = ("claims_separability", "claims_unrolling", "claims_limits", "claims_degree")
DRAWN = {"n_train": 30, "n_test": 40}
DATASETS = {name: {"generator": name, **DRAWN} for name in ("rings", "moons", "spirals")} | {
    "iris": {"sklearn": "iris", "max_rows": 60},
}


@pytest.fixture(scope="module")
def tables():
    few = {"statements": STATEMENTS, "seed": 0, "replicates": 2}
    small = {"multiples": [1, 10], "n_components": [2, 3], "ratios": [0.3, 0.6]}
    planes = separability.measure(**few, **small)[1]
    grid = {method: values[:2] for method, values in unrolling.GRID.items()}
    changes = degree.measure(**few, datasets=DATASETS, degrees=[2, 9])[1]
    return {
        "claims_separability": [planes["planes"], planes["lines"], 0],
        "claims_unrolling": [unrolling.measure(**few, n=100, grid=grid)[1]["embeddings"], 0],
        "claims_limits": [limits.measure(**few, widths=[0.1, 1, 100])[1]["widths"], 0],
        "claims_degree": [changes["scores"], changes["changes"]],
    }


def through_a_file(table, path):
    """Return a table as the figure's script reads it."""
    if not isinstance(table, pd.DataFrame):
        return table
    table.to_csv(path, index=False)
    return pd.read_csv(path)


@pytest.mark.parametrize("name", FIGURES)
def test_same_tables_give_the_same_bytes(name, tables, tmp_path):
    draw = runpy.run_path(str(ROOT / f"workflow/scripts/figure_{name}.py"))["draw"]
    read = [through_a_file(table, tmp_path / "table.csv") for table in tables[name]]
    for turn in ("first", "second"):
        draw(*read, [tmp_path / f"{turn}.svg"])
    assert (tmp_path / "first.svg").read_bytes() == (tmp_path / "second.svg").read_bytes()


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_has_a_caption(name):
    assert (ROOT / f"workflow/report/{name}.rst").read_text().strip()
