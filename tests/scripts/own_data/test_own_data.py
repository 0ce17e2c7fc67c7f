"""Tables of one's own rows: what is planted is found, and whatever rows there are give a table."""

import sys
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.decomposition import PCA

from kpca import kernel_matrix
from kpca.study.datasets.generators import rings
from kpca.study.decision.importance import importance
from kpca.study.evidence.described import describe
from kpca.study.fitting.grid import Point
from tests.columns import differences
from tests.datasets import dataset_of
from tests.kpca.study.decision.test_importance import TARGET
from tests.scripts.drawing import assert_drawn_well
from workflow.scripts.own_data import features, figures, novelty
from workflow.scripts.own_data.view import view

STUDIES = {
    "features": (features.shares, figures.own_features),
    "novelty": (partial(novelty.novelty, seed=0), figures.own_novelty),
}


def circle(rows, columns=2):
    """Return points near a circle, and columns of small noise beside it."""
    rng = np.random.default_rng(0)
    plane = rings(rows, rng, radius_ratio=1.0).X
    return np.hstack([plane, 0.05 * rng.normal(size=(rows, columns))])[:, :columns]


@pytest.mark.parametrize("name", STUDIES)
@pytest.mark.parametrize(("rows", "columns"), [(20, 1), (20, 3), (60, 8)])
def test_few_rows_have_table_and_figure(name, rows, columns, tmp_path):
    measure, draw = STUDIES[name]
    table = measure(dataset_of(circle(rows, columns)))
    assert differences({f"tables/own_{name}.csv": table}) == []
    assert len(table) > 0
    table.to_csv(tmp_path / "table.csv", index=False)
    assert_drawn_well(draw, tmp_path, **{name: pd.read_csv(tmp_path / "table.csv")})


def test_a_feature_without_which_nothing_changes_contributes_little():
    dataset = dataset_of(circle(80, 3), standardize=False)
    table = features.shares(dataset).query("component == 'all'")
    a, b, c = table.groupby("feature")["share"].mean()
    assert a + b + c == pytest.approx(1)
    assert c < 0.2 * min(a, b)


def test_a_row_off_the_circle_is_the_most_novel_one_by_its_feature():
    """Nor does a row raise its own limit: of twenty, one far away would hide in its variance."""
    few = circle(20)
    few[3] = 30.0
    assert [*novelty.novelty(dataset_of(few), seed=0).loc[0, ["row", "novel"]]] == [4, True]
    X = circle(60, 3)
    X[7] = [0.0, 1.0, 1.0]
    file_rows = np.arange(5, 60)
    dataset = dataset_of(X[file_rows], standardize=False, file_rows=file_rows + 1)
    table = novelty.novelty(dataset, seed=0)

    assert [*table.loc[0, ["row", "novel", "variable_1"]]] == [8, True, "c"]
    assert table["novel"].sum() < 5
    assert sorted(table["row"]) == (file_rows + 1).tolist()
    assert table["novelty"].is_monotonic_decreasing
    assert (table["variable_1"] != "").sum() == novelty.EXPLAINED


def test_rows_in_the_order_of_time_are_judged_without_their_neighbours():
    """A random walk stays near its last rows, so that their models would find nothing novel."""
    walk = np.random.default_rng(0).normal(size=(100, 3)).cumsum(axis=0)
    dataset = dataset_of(walk)
    ordered = replace(dataset, time=np.arange(100.0), gap=3)
    for gap, away in ((3, 3), (400, 20)):  # a gap leaves rows
        folds = novelty.blocks_of_time(100, gap)
        assert np.concatenate([out for _, out in folds]).tolist() == [*range(100)]
        assert min(np.abs(fitted[:, None] - out).min() for fitted, out in folds) == away + 1

    apart = novelty.novelty(ordered, seed=0)
    mixed = novelty.novelty(dataset, seed=0)
    assert apart["novelty"].mean() > 2 * mixed["novelty"].mean()
    assert apart["threshold"].min() > mixed["threshold"].max()


@pytest.mark.parametrize("is_date", [True, False])
def test_novelty_is_drawn_along_the_column_of_time(is_date, tmp_path):
    times = 1.7e9 + 60.0 * np.arange(40)
    dataset = dataset_of(circle(40), time=times, time_is_date=is_date)
    path = tmp_path / "table.csv"
    novelty.novelty(dataset, seed=0).to_csv(path, index=False)
    fig = figures.own_monitoring(pd.read_csv(path), {"mine": "minute"})
    expected = times.astype("datetime64[s]") if is_date else times
    np.testing.assert_array_equal(fig.axes[0].lines[0].get_xdata(), expected)
    assert fig.axes[1].get_xlabel() == "minute"


def test_importances_are_bars_and_those_of_a_spectrum_a_curve(tmp_path):
    rows = np.random.default_rng(0).normal(size=(60, 3))
    dataset = dataset_of(rows, target=rows[:, 1], feature_names=("850.5", "851", "852"))
    table = importance(dataset, replace(TARGET, n_components=3), Point("linear"), None)
    assert differences({"tables/importance.csv": table}) == []
    table.to_csv(tmp_path / "table.csv", index=False)
    table = pd.read_csv(tmp_path / "table.csv")
    (curve,) = figures.own_importance(table, "correlation").axes
    np.testing.assert_allclose(curve.lines[0].get_xdata(), [850.5, 851, 852])
    named = table.assign(column=[*"abc"], last_column=[*"abc"])
    bars = figures.own_importance(named, "correlation").axes[0]
    assert bars.get_yticklabels()[0].get_text() == "b"
    assert bars.patches[0].get_width() == pytest.approx(100 * table["importance"][1])
    assert_drawn_well(
        partial(figures.own_importance, measure="correlation"), tmp_path, importance=named
    )


@pytest.mark.filterwarnings("ignore:The centred kernel matrix is indefinite")
@pytest.mark.parametrize("definite", [True, False])
def test_a_kernel_matrix_has_novel_rows_without_features(definite):
    X = circle(40)
    X[5] = [3.0, 3.0]
    K = kernel_matrix(X, gamma=1.0)
    if not definite:
        K[0, 1] = K[1, 0] = -1.0
    dataset = replace(dataset_of(K), precomputed=True, standardize=False)
    table = novelty.novelty(dataset, seed=0)

    first = 1 if definite else 3
    assert 6 in table["row"][:first].tolist()
    assert (table["novelty"] >= 0).all()
    assert set(table["variable_1"]) == {""}


@pytest.mark.parametrize(
    ("cell", "methods"),
    [("rbf-median1", ["PCA", "kernel PCA"]), ("linear", ["PCA", "UMAP", "t-SNE"])],
)
def test_the_view_is_measured_unless_it_is_that_of_pca(swept, cell, methods, monkeypatch):
    """UMAP is measured if it is installed; here PCA has its name."""
    monkeypatch.setitem(sys.modules, "umap", SimpleNamespace(UMAP=partial(PCA, 2)))
    folder = swept / "results"
    decisions = pd.read_csv(folder / "tables/decisions.csv").assign(view=cell)
    described = pd.read_csv(folder / "tables/datasets.csv")
    files = [[str(folder / "datasets/digits.npz")], [str(folder / "fits/digits")]]

    is_slow = "UMAP" in methods
    table = view(*files, decisions, described, slow=is_slow, seed=0)

    assert differences({"tables/own_view.csv": table}) == []
    means = table.pivot(index="measure", columns="method", values="mean")
    other = methods[-1]
    assert [*means] == methods
    if is_slow:  # it is the same plane
        np.testing.assert_allclose(means["UMAP"].drop("variance"), means["PCA"].drop("variance"))
    assert means["PCA"].drop("variance").min() > 0.2 < means.loc["training", other]
    assert 0.1 < means.loc["variance", "PCA"] < 0.9
    held_out = means.loc[["trustworthiness", "continuity", "distances", "alone"], other]
    assert (held_out.isna() == is_slow).all()
    gains = table[table["method"] == other].set_index("measure")["gain"]
    differing = means[other] - means["PCA"]
    pd.testing.assert_series_equal(gains, differing[gains.index], check_names=False)
    assert (gains.drop(["alone"]) != 0).all()


def test_a_picture_of_all_columns_is_not_measured(tmp_path):
    """Here the third column is the sum of the others."""
    X = np.random.default_rng(0).normal(size=(40, 2))
    dataset_of(np.column_stack([X, X.sum(axis=1)])).save(tmp_path / "mine.npz")
    decisions = pd.DataFrame({"dataset": ["mine"], "view": "", "cell": "rbf-median1"})
    described = pd.DataFrame([describe(dataset_of(X))])
    table = view([str(tmp_path / "mine.npz")], ["none"], decisions, described, slow=True, seed=0)
    assert [*table["measure"]] == ["variance"]
    assert table["mean"].tolist() == pytest.approx([1])
