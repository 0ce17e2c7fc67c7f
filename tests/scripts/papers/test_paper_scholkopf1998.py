"""Figures 3 and 4 of Schölkopf, Smola and Müller (1998), cell by cell."""

import runpy
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from workflow.scripts.input_space.toy import parabola_draw, polynomial, shares

ROOT = Path(__file__).parents[3]
PUBLISHED = ROOT / "workflow" / "papers" / "scholkopf1998" / "published.csv"
SCRIPT = runpy.run_path(str(ROOT / "workflow" / "scripts" / "paper_scholkopf1998_figures.py"))


@pytest.fixture(scope="module")
def table():
    return SCRIPT["main"](str(PUBLISHED), seed=2026, draws=60).set_index("cell")


def test_columns_are_those_that_the_overview_reads(table):
    columns = ["cell", "published", "ours", "low", "high", "inside", "note"]
    assert table.reset_index().columns.tolist() == columns


def test_every_printed_eigenvalue_is_one_that_draws_give(table):
    printed = table[table["published"].notna()]
    assert len(printed) == 12
    assert printed["inside"].all()


def test_words_about_the_clusters_hold_and_are_not_counted(table):
    words = table[table["published"].isna()]
    assert words["inside"].isna().all()
    assert words["note"].str.contains("not counted").all()
    assert words["ours"].iloc[0] > 0.99
    assert (words["ours"].iloc[2:4] > 0.6).all()
    assert words["ours"].iloc[4] < 0.2


def test_without_centring_the_linear_eigenvalues_leave_their_range():
    draws = [
        shares(polynomial(parabola_draw(np.random.default_rng(seed)), 1, center=False))[0]
        for seed in range(60)
    ]
    assert np.quantile(draws, 0.975) < 0.709


def test_a_number_out_of_range_is_a_miss():
    published = pd.DataFrame({"cell": ["a"], "published": [0.9], "note": [None]})
    row = SCRIPT["compare"](published, {"a": [0.1, 0.2, 0.3]}).iloc[0]
    assert not row["inside"]
    assert row["ours"] == pytest.approx(0.2)
