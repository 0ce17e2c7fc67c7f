"""Figures 3 and 4 of Schölkopf, Smola and Müller (1998), cell by cell."""

import numpy as np
import pandas as pd
import pytest

from tests.workflow.pipeline import ROOT
from workflow.scripts.papers.scholkopf1998 import figures

PUBLISHED = pd.read_csv(ROOT / "workflow/scripts/papers/scholkopf1998/published.csv")


@pytest.fixture(scope="module")
def table():
    return figures.table(PUBLISHED, seed=2026, draws=60).set_index("cell")


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
    clouds = (figures.parabola_draw(np.random.default_rng(seed)) for seed in range(60))
    draws = [figures.shares(figures.polynomial(X, 1, center=False))[0] for X in clouds]
    assert np.quantile(draws, 0.975) < 0.709


def test_a_number_out_of_range_is_a_miss():
    published = pd.DataFrame({"cell": ["a"], "published": [0.9], "note": [None]})
    row = figures.compare(published, {"a": [0.1, 0.2, 0.3]}).iloc[0]
    assert not row["inside"]
    assert row["ours"] == pytest.approx(0.2)


def test_clusters_are_separated_then_split_then_split_across():
    X, y = figures.cluster_draw(np.random.default_rng(1))
    Z = figures.gaussian(X).transform(X)
    assert figures.separation(Z[:, :2], y) == 1
    assert figures.between_share(Z[:, :2], y) > 0.95
    assert sorted(figures.owners(Z[:, 2:5], y)) == [0, 1, 2]
    directions = figures.split_directions(X, Z[:, 2:5], y)
    np.testing.assert_allclose(np.linalg.norm(directions, axis=1), 1)
