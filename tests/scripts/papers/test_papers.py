"""Published tables as the pipeline makes them: what runs with and without the images."""

import os
from pathlib import Path

import pandas as pd
import pytest

from pipeline.datasets.usps import usps_files
from tests.scripts.drawing import assert_drawn_twice_the_same
from tests.workflow.pipeline import ROOT, small_config, succeeded, write_config
from workflow.scripts.papers import figure_published
from workflow.scripts.papers.scholkopf1998 import figure_scholkopf_table1, table1, usps_errors

FOLDER = os.environ.get("KPCA_USPS", "")
IMAGES = pytest.mark.skipif(not FOLDER, reason="KPCA_USPS names no folder with the images")
FOLDERS = ROOT / "workflow/scripts/papers"
PAPERS = ("scholkopf1998", "zou2006")
COLUMNS = ["cell", "published", "ours", "low", "high", "inside", "note"]


def of_paper(paper: str, name: str) -> Path:
    return FOLDERS / paper / name


@pytest.fixture(scope="module")
def without(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder where the overview was made without the images."""
    folder = tmp_path_factory.mktemp("without")
    config = write_config(folder / "c.yaml", small_config(studies=["papers"]))
    succeeded(folder, config, "results/papers/overview.csv")
    return folder / "results/papers"


def test_every_paper_is_a_folder_of_its_own_kind() -> None:
    folders = [path.parent.name for path in sorted(FOLDERS.glob("*/protocol.md"))]

    assert folders == list(PAPERS)
    for paper in PAPERS:
        for name in ("protocol.md", "published.csv", "tables.csv", "caption.rst"):
            assert of_paper(paper, name).read_text().strip(), name


def test_all_46_cells_of_table_1_are_published_and_the_negative_is_not_counted() -> None:
    published = pd.read_csv(of_paper("scholkopf1998", "published.csv"))
    cells = published[published["cell"].str.startswith("table 1 d=")]
    negative = published[published["cell"].str.startswith("table 1 without smoothing")]

    assert len(cells) == 46
    assert cells["published"].between(4, 11).all()
    assert cells["note"].str.startswith("inferred").all()
    assert len(negative) == 7
    assert negative["note"].str.contains("not counted").all()


def test_the_overview_counts_the_papers_and_says_what_was_not_run(without: Path) -> None:
    overview = pd.read_csv(without / "overview.csv")

    assert [*overview] == ["paper", "table", "cells", "inside", "not_reproduced", "note"]
    assert set(overview["paper"]) == set(PAPERS)
    for paper in PAPERS:
        assert pd.read_csv(without / paper / "table.csv").columns.tolist() == COLUMNS
    counts = overview.set_index("table")
    found = counts[["cells", "inside", "not_reproduced"]].T.to_dict("list")
    assert found["Pitprops"] == [42, 41, 1]
    assert found["Synthetic example"] == [14, 14, 0]
    assert found["Figure 3"] == [12, 12, 0]
    table_1 = counts[counts.index.str.startswith("Table 1")]
    assert table_1["cells"].sum() == 46
    assert table_1[["inside", "not_reproduced"]].isna().all(axis=None)
    assert table_1["note"].str.startswith("not run").all()


def test_the_figure_of_all_tables_is_drawn_twice_the_same(without: Path, tmp_path: Path) -> None:
    tables = {name: pd.read_csv(without / f"{name}.csv") for name in ("overview", "cells")}
    assert_drawn_twice_the_same(figure_published.draw, tmp_path, **tables)


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


@pytest.mark.parametrize("degrees", [[3, 5], range(1, 8)])
def test_the_figure_of_table_1_is_drawn_quick_and_whole(degrees: list[int], tmp_path: Path) -> None:
    published = pd.read_csv(of_paper("scholkopf1998", "published.csv"))
    drawn = pd.concat([*map(errors, degrees), errors(4, "plain")])
    table = table1.compare(published, drawn)

    assert_drawn_twice_the_same(figure_scholkopf_table1.draw, tmp_path, table=table)


@IMAGES
def test_one_job_of_table_1_runs_on_the_images(tmp_path: Path) -> None:
    """Fewer images than in the table, whose job takes a quarter of a minute."""
    files = [*usps_files(FOLDER).values()]
    found = usps_errors.errors(files, seed=0, images="smoothed", degree=1, subset=0, n_fit=300)

    assert found["components"].tolist() == [32, 64, 128, 256]
    assert found["error"].between(7, 12).all()
