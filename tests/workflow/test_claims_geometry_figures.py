"""Figures of the claims on separability, unrolling, width and degree."""

import runpy
from pathlib import Path

import pandas as pd
import pytest

from kpca.pipeline.studies.claims import degree, limits, separability, unrolling

ROOT = Path(__file__).parents[2]
FIGURES = ("claims_separability", "claims_unrolling", "claims_limits", "claims_degree")
DRAWN = {"n_train": 20, "n_test": 40}
DATASETS = {
    name: {"generator": name, **DRAWN} for name in ("rings", "moons", "spirals", "linear")
} | {
    "noisy": {"generator": "moons", **DRAWN, "noise": 0.4},
    "iris": {"sklearn": "iris", "max_rows": 30},
}


@pytest.fixture(scope="module")
def tables():
    planes = separability.separable_planes(
        seed=0, replicates=2, multiples=[1, 10], n_components=[2, 3]
    )
    lines = separability.ring_lines(seed=0, replicates=2, ratios=[0.3, 0.6])
    grid = {"multiples": [0.1, 1], "degrees": [2], "neighbours": [6, 8]}
    sheets = unrolling.embeddings(seed=0, replicates=2, n=100, **grid)
    widths = limits.widths_table(seed=0, replicates=2, widths=[0.1, 1, 10])
    draws = {"seed": 0, "replicates": 2, "datasets": DATASETS}
    scores = degree.degree_table(**draws, degrees=[2, 4])
    return {
        "claims_separability": [planes, lines, 0],
        "claims_unrolling": [sheets, 100, 0],
        "claims_limits": [widths, 0],
        "claims_degree": [scores, degree.changes(scores, 2, 4), 2, 4],
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
