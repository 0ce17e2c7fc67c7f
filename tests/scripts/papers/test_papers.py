"""Published tables as the pipeline makes them: what runs with and without the images."""

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pipeline.datasets.usps import usps_files
from pipeline.errors import InputError
from tests.scripts.drawing import assert_drawn_twice_the_same
from tests.workflow.pipeline import ROOT, small_config, succeeded, write_config
from workflow.scripts.papers import figure_published
from workflow.scripts.papers.overview import cells, overview
from workflow.scripts.papers.scholkopf1998 import table1, usps_errors
from workflow.scripts.papers.zou2006 import table as study

FOLDER = os.environ.get("KPCA_USPS", "")
IMAGES = pytest.mark.skipif(not FOLDER, reason="KPCA_USPS names no folder with the images")
FOLDERS = ROOT / "workflow/scripts/papers"
PAPERS = {
    "mika1998": "Mika et al. 1998",
    "scholkopf1998": "Schölkopf et al. 1998",
    "zou2006": "Zou et al. 2006",
}
COLUMNS = ["cell", "published", "ours", "low", "high", "inside", "note"]


@pytest.fixture(scope="module")
def without(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder where the overview was made without the images."""
    folder = tmp_path_factory.mktemp("without")
    config = write_config(folder / "c.yaml", small_config(studies=["papers"]))
    succeeded(folder, config, "results/papers/overview.csv")
    return folder / "results/papers"


def test_the_overview_counts_the_papers_and_says_what_was_not_run(without: Path) -> None:
    overview = pd.read_csv(without / "overview.csv")

    assert [*overview] == ["paper", "table", "cells", "inside", "not_reproduced", "note"]
    assert set(overview["paper"]) == {*PAPERS.values(), "Schölkopf et al. 1997"}
    for paper in PAPERS:
        assert pd.read_csv(without / paper / "table.csv").columns.tolist() == COLUMNS
    counts = overview.set_index("table")
    found = counts[["cells", "inside", "not_reproduced"]].T.to_dict("list")
    assert found["Pitprops"] == [42, 41, 1]
    assert found["Synthetic example"] == [14, 14, 0]
    assert found["Figure 3"] == [12, 12, 0]
    assert all((FOLDERS / paper / "protocol.md").stat().st_size > 0 for paper in PAPERS)
    of_usps = counts[counts["paper"] == PAPERS["scholkopf1998"]]
    table_1 = of_usps[of_usps.index.str.startswith("Table 1")]
    assert table_1["cells"].sum() == 46
    assert table_1[["inside", "not_reproduced"]].isna().all(axis=None)
    assert table_1["note"].str.startswith("not run").all()


def test_what_is_not_reproduced_is_a_variance_that_was_cut_off_in_print(without: Path) -> None:
    table = pd.read_csv(without / "zou2006/table.csv").set_index("cell")
    assert table.index[~table["inside"]].tolist() == ["pitprops PCA variance % PC1"]
    first = table.loc["pitprops PCA variance % PC1"]
    assert np.floor(10 * first["ours"]) / 10 == first["published"]


def test_words_about_the_clusters_hold_and_are_not_counted(without: Path) -> None:
    words = pd.read_csv(without / "scholkopf1998/figures.csv").query("published.isna()")
    assert words["inside"].isna().all()
    assert words["note"].str.contains("not counted").all()
    assert words["ours"].iloc[0] > 0.99
    assert (words["ours"].iloc[2:4] > 0.6).all()
    assert words["ours"].iloc[4] < 0.2


def test_the_figure_of_all_tables_is_drawn_twice_the_same(without: Path, tmp_path: Path) -> None:
    known = pd.read_csv(without / "cells.csv")
    assert_drawn_twice_the_same(figure_published.draw, tmp_path, cells=known)


def test_a_bound_is_at_one_and_an_interval_of_no_width_is_hit_or_missed() -> None:
    cells = pd.DataFrame(
        {
            "published": [2.0, 4.0, 7.0, 7.0, 100.0],
            "ours": [3.0, 3.0, 7.0, 6.0, 0.0],
            "low": [2.0, 2.0, 7.0, 6.0, -1.0],
            "high": [5.0, 5.0, 7.0, 6.0, 1.0],
        }
    )

    places = figure_published.positions(cells)

    assert places.tolist() == [-1, 0.5, 0, 6, 6]


def plan(folder: Path, *arguments: str) -> dict[str, int]:
    config = write_config(folder / "c.yaml", small_config(studies=["papers"], usps=FOLDER or None))
    return succeeded(folder, config, "--dry-run", *arguments).jobs


@IMAGES
def test_the_default_is_quick_and_papers_are_whole(tmp_path: Path) -> None:
    assert plan(tmp_path)["paper_scholkopf1998_errors"] == 6
    assert plan(tmp_path, "papers")["paper_scholkopf1998_errors"] == 80
    assert plan(tmp_path, "papers")["paper_scholkopf1998"] == 2


def errors(degree: int, images: str = "smoothed") -> pd.DataFrame:
    rows = [
        (images, degree, subset, components, 5.0 + 0.2 * subset)
        for subset in range(3)
        for components in (32, 64)
    ]
    return pd.DataFrame(rows, columns=["images", "degree", "subset", "components", "error"])


def test_table_1_is_judged_by_the_interval_between_subsets() -> None:
    published = pd.DataFrame(
        {
            "cell": [
                *("table 1 d=3 m=32", "table 1 d=3 m=64", "table 1 d=4 m=32"),
                "table 1 without smoothing d=3 m=32",
            ],
            "published": [5.6, 5.7, 5.2, 5.2],
            "note": ["inferred", None, None, "documented negative: not counted"],
        }
    )
    both = pd.concat([errors(3), errors(3, "plain")])

    table = table1.compare(published, both)

    assert table.columns.tolist() == COLUMNS
    assert table["cell"].tolist() == [name for name in published["cell"] if "d=4" not in name]
    # Standard deviation .2 of three subsets: 1.96 · .2 · √(4/3) = .4526 around 5.2.
    assert table["high"].tolist() == pytest.approx([5.6526] * 3, abs=1e-4)
    assert table["inside"].tolist() == [True, False, True]
    assert table["note"][0] == "inferred; 3 subsets; binomial interval 4.7 to 6.7 decides nothing"


def test_errors_of_1997_are_averaged_over_the_degrees_of_a_statement() -> None:
    rows = [
        (images, degree, subset, m, degree + subset / 10 + (images == "plain"))
        for images in ("smoothed", "plain")
        for degree in (1, 3, 5)
        for subset in (0, 1)
        for m in (128, 256, 2048)
    ]
    known = pd.DataFrame(rows, columns=[*table1.CELL[:2], "subset", "components", "error"])
    found = table1.errors_of_1997(known).groupby("cell")["error"].agg(list).to_dict()
    assert found == {
        "1997 linear SVM": [1.0, 1.1],
        "1997 PCA m=128": [1.0, 1.1],
        "1997 degrees 2 to 6 m=128": [4.0, 4.1],
        "1997 degrees above 2 m=2048": [4.0, 4.1],
    }
    quick = table1.ours(known[known["degree"] > 1]).index
    assert "1997 degrees 2 to 6 m=128" in quick
    assert "1997 linear SVM" not in quick


@IMAGES
def test_one_job_of_table_1_runs_on_the_images(tmp_path: Path) -> None:
    """Fewer images than in the table, whose job takes a quarter of a minute."""
    files = [*usps_files(FOLDER).values()]
    found = usps_errors.errors(files, seed=0, images="smoothed", degree=1, subset=0, n_fit=300)
    assert found["components"].tolist() == [32, 64, 128, 256]
    assert found["error"].between(7, 12).all()


TABLES = pd.DataFrame(
    [("A", "a ", None), ("B", "b ", "images"), ("words", "w ", "not counted")],
    columns=["table", "cells", "note"],
).assign(paper="Somebody 1990")
PUBLISHED = pd.DataFrame(
    {
        "cell": ["a 1", "a 2", "a 3", "b 1", "b 2", "w 1"],
        "published": [1.0, 2.0, 3.0, 4.0, 5.0, None],
        "note": [None, "", "derived: not counted", None, None, "shown in words; not counted"],
    }
)


def ours(**inside: bool | None) -> pd.DataFrame:
    names = [name.replace("_", " ") for name in inside]
    return pd.DataFrame(
        {"cell": names, "ours": 0.0, "low": -1.0, "high": 1.0, "inside": inside.values()}
    ).merge(PUBLISHED, on="cell")


def lines(table: pd.DataFrame) -> dict[str, list]:
    known = cells(TABLES, PUBLISHED, table)
    counted = overview(known, TABLES)
    assert (counted["paper"] == "Somebody 1990").all()
    return {row[1]: list(row[2:]) for row in counted.itertuples(index=False)}


def test_what_is_inside_not_reproduced_and_not_run_is_counted_apart() -> None:
    found = lines(ours(a_1=True, a_2=False, a_3=True, b_1=True, b_2=True, w_1=None))
    assert found["A"] == [2, 1, 1, ""]
    assert found["B"] == [2, 2, 0, "images"]
    assert found["words"] == [0, 0, 0, "not counted"]
    found = lines(ours(a_1=True, a_2=True, a_3=True, w_1=None))
    assert [*map(str, found["B"])] == ["2", "<NA>", "<NA>", "not run; images"]
    found = lines(ours(a_1=True, a_2=True, a_3=True, b_2=False, w_1=None))
    assert found["B"] == [2, 0, 1, "1 cells not run; images"]


@pytest.mark.parametrize("pattern", ["c ", "[ab] "])
def test_a_cell_of_no_table_or_of_two_is_refused(pattern: str) -> None:
    tables = TABLES.assign(cells=["a ", pattern, "w "])
    with pytest.raises(InputError, match=r"Somebody 1990(.|\n)*unlike '?[ab] 1"):
        cells(tables, PUBLISHED, ours(a_1=True))


def drawn(cells: int, subsets: int, spread: float) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    rows = [
        (cell, subset, 5 + cell % 3 + spread * rng.standard_normal())
        for cell in range(cells)
        for subset in range(subsets)
    ]
    return pd.DataFrame(rows, columns=["cell", "subset", "error"])


def test_a_further_subset_lies_inside_nineteen_times_of_twenty() -> None:
    errors = drawn(cells=2000, subsets=4, spread=0.2)
    seen, new = errors[errors["subset"] < 3], errors[errors["subset"] == 3].set_index("cell")
    bounds = table1.prediction_intervals(seen, ["cell"])
    inside = new["error"].between(bounds["low"], bounds["high"])
    assert inside.mean() == pytest.approx(0.95, abs=0.02)
    assert (bounds["subsets"] == 3).all()


def test_all_cells_share_the_spread_and_keep_their_mean() -> None:
    errors = pd.DataFrame(
        {"cell": ["a", "a", "b", "b"], "error": [1.0, 1.0, 4.0, 6.0], "subset": [0, 1, 0, 1]}
    )
    bounds = table1.prediction_intervals(errors, ["cell"])
    assert bounds["ours"].tolist() == [1, 5]
    # Variances 0 and 2, whose mean is 1.
    np.testing.assert_allclose((bounds["high"] - bounds["low"]) / 2, 1.96 * np.sqrt(1.5))


def test_turning_a_component_turns_all_its_loadings():
    names = [f"example SPCA loading PC1 {name}" for name in "ab"]
    known = {"cell": names, "published": [-0.8, 0.6], "tolerance": 0.01, "note": None}
    for ours, inside in (([0.8, -0.6], [True, True]), ([0.8, 0.6], [True, False])):
        found = study.compare(pd.DataFrame(known), dict(zip(names, ours, strict=True)))
        assert found["inside"].tolist() == inside
