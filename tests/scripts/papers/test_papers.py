"""Published tables as the pipeline makes them without images; Zou et al. and Mika et al."""

from unittest import mock

import numpy as np
import pandas as pd
import pytest

from kpca import PCA
from tests.columns import differences
from tests.workflow.pipeline import ROOT
from workflow.scripts.papers import overview as summary
from workflow.scripts.papers.mika1998 import table as mika
from workflow.scripts.papers.overview import cells, overview
from workflow.scripts.papers.scholkopf1998 import table as scholkopf
from workflow.scripts.papers.zou2006 import table as zou

FOLDERS = ROOT / "workflow/scripts/papers"
PAPERS = ("mika1998", "scholkopf1998", "zou2006")
KINDS = ("tables", "published")
PRINTED = [pd.read_csv(FOLDERS / name / "published.csv") for name in PAPERS]
RATIOS = PRINTED[0]["published"][:45].to_numpy().reshape(5, 9)


def fake_ratios(std, sizes, rng):
    """Return what is printed, under twice the deviations, with little noise but in one row."""
    row = RATIOS[np.isclose(2 * np.array(mika.SIGMAS), std)]
    spread = 2.0 if np.isclose(std, 0.2) else 0.01
    exact = row[0] if len(row) else np.full(len(sizes), 1e9)
    return list(exact * np.exp(spread * rng.standard_normal(len(sizes))))


@pytest.fixture(scope="module")
def without(tmp_path_factory):
    """The tables of the papers without images, and the overview of them, as their jobs write it."""
    folder = tmp_path_factory.mktemp("without")
    published = dict(zip(PAPERS, PRINTED, strict=True))
    with mock.patch.object(mika, "toy_ratios", fake_ratios):
        tables = {"mika1998": mika.table(published["mika1998"], [], seed=1, draws=20)}
    tables["scholkopf1998"] = scholkopf.table(published["scholkopf1998"], [], seed=1)
    correlations = pd.read_csv(FOLDERS / "zou2006/pitprops.csv")
    tables["zou2006"] = zou.table(published["zou2006"], correlations)
    for name, table in tables.items():
        table.to_csv(folder / f"{name}.csv", index=False)
    files = [[str(FOLDERS / name / f"{kind}.csv") for name in PAPERS] for kind in KINDS]
    summaries = summary.tables(*files, [str(folder / f"{name}.csv") for name in PAPERS])
    return {f"{name}/table": table for name, table in tables.items()} | summaries


def test_the_overview_counts_the_papers_and_says_what_was_not_run(without):
    assert differences({f"papers/{name}.csv": table for name, table in without.items()}) == []
    counts = without["overview"].set_index("table")
    of_table = counts[["cells", "inside", "not_reproduced"]].T.to_dict("list")
    assert of_table["Pitprops"] == [42, 41, 1]
    assert of_table["Synthetic example"] == [14, 14, 0]
    assert of_table["Figure 3"] == [12, 12, 0]
    assert of_table["Table 1, deviations doubled"] == [0, 0, 0]  # These cells are not counted.
    assert all((FOLDERS / paper / "protocol.md").stat().st_size > 0 for paper in PAPERS)
    of_usps = counts[counts["paper"] == "Schölkopf et al. 1998"]
    table_1 = of_usps[of_usps.index.str.startswith("Table 1")]
    assert table_1["cells"].sum() == 46
    assert table_1[["inside", "not_reproduced"]].isna().all(axis=None)
    assert table_1["note"].str.startswith("not run").all()


def test_what_is_not_reproduced_was_cut_off_in_print(without):
    table = without["zou2006/table"].set_index("cell")
    assert table.index[~table["inside"]].tolist() == ["pitprops PCA variance % PC1"]
    first = table.loc["pitprops PCA variance % PC1"]
    assert np.floor(10 * first["ours"]) / 10 == first["published"]


def test_every_number_of_the_table_is_compared_under_both_readings(without):
    table = without["mika1998/table"]
    assert len(table) == 90
    doubled = table["cell"].str.startswith("table 1 doubled")
    assert table.loc[doubled, "inside"].all()
    assert table.loc[doubled, "note"].str.contains("inferred.*not counted").all()
    wide = table["cell"].str.contains("doubled sigma=0.1 |stated sigma=0.2 ")
    assert (table["note"].str.contains("span more than") == wide).all()
    assert (table["note"].str.contains("not counted") == (wide | doubled)).all()


def test_cells_of_a_table_that_were_not_run_are_counted_apart(without):
    tables, published = (pd.read_csv(FOLDERS / f"zou2006/{kind}.csv") for kind in KINDS)
    joined = cells(tables, published, without["zou2006/table"][2:])
    row = overview(joined, tables).set_index("table").loc["Pitprops"]
    assert (row["cells"], row["inside"] + row["not_reproduced"]) == (42, 40)
    assert row["note"].startswith("2 cells not run; ")


def test_turning_a_component_turns_all_its_loadings():
    names = [f"example SPCA loading PC1 {name}" for name in "ab"]
    published = {"cell": names, "published": [-0.8, 0.6], "tolerance": 0.01, "note": None}
    for ours, inside in (([0.8, -0.6], [True, True]), ([0.8, 0.6], [True, False])):
        compared = zou.compare(pd.DataFrame(published), dict(zip(names, ours, strict=True)))
        assert compared["inside"].tolist() == inside


def draws_of(*published):
    names = [f"cell {i}" for i in range(len(published))]
    return pd.DataFrame({"cell": names, "published": published, "rounding": 0.05, "note": None})


def test_one_more_draw_lies_inside_nineteen_times_of_twenty():
    draws = np.exp(np.random.default_rng(0).standard_normal((4000, 6)))
    published = draws_of(*draws[:, 5]).assign(rounding=0)
    compared = mika.compare(published, dict(zip(published["cell"], draws[:, :5], strict=True)))
    assert compared["inside"].mean() == pytest.approx(0.95, abs=0.01)


def test_a_printed_number_may_lie_outside_by_its_rounding_and_no_more():
    published = draws_of(2.04, 2.06, 1.0, 5.0).assign(note=[None, "remark", None, None])
    draws = [[2.0] * 20, [2.0] * 20, [1.0, 100.0] * 10]
    compared = mika.compare(published, {f"cell {i}": drawn for i, drawn in enumerate(draws)})
    assert compared["inside"].tolist() == [True, False, True]
    assert compared["note"].tolist() == ["20 draws", "20 draws; remark", "20 draws"]
    assert compared["ours"].tolist() == pytest.approx([2, 2, 10])
    assert (compared["low"][2] + 0.05) * (compared["high"][2] - 0.05) == pytest.approx(100)


def test_narrow_gaussians_are_denoised_to_their_centres_and_pca_keeps_its_share_of_noise():
    std = 0.01
    X, noisy, truth = mika.gaussians(std, np.random.default_rng(0))
    assert X.shape == (1100, 10)
    assert noisy.shape == truth.shape == (363, 10)
    assert len(np.unique(truth, axis=0)) == 11
    kernel = mika.gaussian_kernel(X, 2 * std**2, 9)
    assert kernel.gamma == pytest.approx(1 / (20 * std**2))
    # The mean of a hundred points is off by 1/10 of a standard deviation in ten coordinates.
    assert mika.kernel_error(kernel, noisy, truth, 9) == pytest.approx(0.1 * std**2, rel=0.5)
    assert mika.pca_error(PCA(10).fit(X), noisy, truth, 10) == pytest.approx(10 * std**2, rel=0.1)
    assert mika.toy_ratios(std, [9], np.random.default_rng(0))[0] > 10


def test_fewer_components_than_were_fitted_are_used():
    X, noisy, truth = mika.gaussians(0.4, np.random.default_rng(0))
    nine, two = (mika.gaussian_kernel(X, 0.32, m) for m in (9, 2))
    error = mika.kernel_error(nine, noisy, truth, 2)
    assert error == pytest.approx(mika.kernel_error(two, noisy, truth, 2), rel=1e-6)
    assert error != pytest.approx(mika.kernel_error(nine, noisy, truth, 9), rel=0.1)


def test_noise_on_digits_has_the_stated_size():
    rng = np.random.default_rng(0)
    grey = np.zeros((500, 256))
    assert mika.noisy_digits(grey, "Gaussian noise", rng).std() == pytest.approx(0.5, rel=0.01)
    values, counts = np.unique(mika.noisy_digits(grey, "speckle noise", rng), return_counts=True)
    assert values.tolist() == [-1, 0, 1]
    assert counts / grey.size == pytest.approx([0.2, 0.6, 0.2], abs=0.01)
    rows = mika.chosen(np.repeat(np.arange(10), 7), 3, rng)
    assert len(set(rows)) == 30
    assert np.bincount(rows // 7).tolist() == [3] * 10
