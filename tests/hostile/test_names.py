"""Names that come with data are drawn and shown as text, whatever they look like."""

import json
import re
from collections.abc import Callable
from functools import partial
from html import escape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
import yaml

from pipeline.configuration.__main__ import SCHEMA
from pipeline.configuration.config import check_config
from pipeline.datasets.make import check_own_file
from pipeline.drawing import style
from pipeline.grid import points
from pipeline.page.embedding import embedding
from pipeline.page.page import page
from pipeline.tables.files import read_table, write_table
from tests.hostile import NAMES, survived
from tests.pipeline.page.conftest import FIGURES, write
from tests.pipeline.page.test_page import Reader
from tests.scores import score
from tests.workflow.pipeline import ROOT
from workflow.scripts.own_data import figure_own_features, figure_own_novelty
from workflow.scripts.sweep import figure_comparison, figure_gallery, figure_heatmap

CONFIG = yaml.safe_load((ROOT / "config/test.yaml").read_text())
CHECKED = partial(check_config, schema=json.loads(SCHEMA.read_text()), files=[])
TEXTS = [name for name in NAMES if not re.search(r"[\x00-\x08\x1b]", name)]
"""Names that the readers let pass."""


def gallery(path: Path) -> None:
    fig, _ = style.figure(width=20, height=4)
    figure_gallery.legend(fig, TEXTS)
    style.save(fig, [path])


def heat_map(path: Path) -> None:
    own = points("own", {"callable": "own_code:kernel", "parameters": {"word": TEXTS}})
    rows = [
        score(number / 100, kernel="own", cell=point.id, split=split)
        for number, point in enumerate(own)
        for split in ("cv", "test")
    ]
    figure_heatmap.draw(
        pd.DataFrame(rows),
        pd.DataFrame(rows).assign(criterion="cv_over_kernels"),
        {"own": [point.as_dict() for point in own]},
        {"linear_svm": "balanced_accuracy"},
        [2],
        [str(path)],
    )


def comparison(path: Path) -> None:
    row = {"dataset": "rings", "method": "linear_svm", "metric": "balanced_accuracy", "main": True}
    row |= {"criterion": "cv", "mean": 0.9, "low": 0.8, "high": 1.0}
    table = pd.DataFrame([row | {"kernel": name} for name in TEXTS if ", " not in name])
    datasets = pd.DataFrame([{"dataset": "rings"}])
    figure_comparison.draw(table, datasets, False, "mean", [str(path)])


def shares(path: Path) -> None:
    rows = [
        {"dataset": "mine", "replicate": 0, "component": "all", "feature": name, "share": 0.1}
        for name in TEXTS
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figure_own_features, "MOST", len(TEXTS))
        figure_own_features.draw(pd.DataFrame(rows), [str(path)])


def novelty(path: Path) -> None:
    table = pd.DataFrame({"dataset": "mine", "row": range(len(TEXTS)), "feature": TEXTS})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figure_own_novelty, "EXPLAINED", len(TEXTS))
        figure_own_novelty.draw(table.assign(score=1.0, limit=2.0, novel=False), [str(path)])


LONGEST = {shares: figure_own_features.LONGEST, novelty: figure_own_novelty.LONGEST}


@pytest.mark.filterwarnings("ignore:Glyph .* missing")
@pytest.mark.parametrize("draw", [gallery, heat_map, comparison, shares, novelty])
def test_figures_have_names_as_text(draw: Callable[[Path], None], tmp_path: Path) -> None:
    draw(tmp_path / "f.svg")
    svg = (tmp_path / "f.svg").read_text()
    ElementTree.fromstring(svg)

    for name in TEXTS:
        drawn = style.plain(name, LONGEST.get(draw, 40)).replace(r"\$", "$")
        assert escape(drawn, quote=False) in svg
    assert "Oblique" not in svg  # as in formulas
    assert "<script" not in svg


def test_the_page_has_names_as_text(tmp_path: Path) -> None:
    write(tmp_path)
    table = pd.DataFrame({"row": range(len(TEXTS)), "id": TEXTS, "label": TEXTS[::-1]})
    table = table.assign(component_1=np.arange(len(TEXTS)), component_2=0.5)
    write_table(table, tmp_path / "models/iris.csv")
    text = page(tmp_path, [str(path) for path in tmp_path.rglob("*.*")], FIGURES)
    read, shown = Reader(text), embedding(tmp_path / "models/iris.csv")

    assert [name for name, _, _ in shown.keys if name in TEXTS]
    assert all(name in read.words for name, _, _ in shown.keys)
    assert all(name for name, _, _ in shown.keys)
    assert "<script>alert" not in text
    assert read.events == []
    hovers = re.findall(r"'tooltips': (\[.*?\]\])", str(shown.item))
    assert hovers == ["[['row', '@row'], ['id', '@id'], ['label', '@label']]"]  # none is {safe}


def test_tables_keep_names(tmp_path: Path) -> None:
    names = [*TEXTS, "NA", "nan", "null", "n/a"]
    write_table(pd.DataFrame({"name": names, "value": np.nan}), tmp_path / "t.csv")
    read = read_table(tmp_path / "t.csv")

    assert list(read["name"]) == names
    assert read["value"].isna().all()


@pytest.mark.parametrize("where", ["column", "label", "id", "categorical"])
@pytest.mark.parametrize("name", NAMES)
def test_names_in_a_file_pass_or_are_refused(name: str, where: str, tmp_path: Path) -> None:
    rows = np.arange(40)
    columns = {
        "a": rows % 7 / 2,
        "b": rows % 5 / 2,
        "who": [f"{name if where == 'id' else ''}{row}" for row in rows],
        "kind": np.where(rows % 2, name if where == "label" else "x", "y"),
        "sort": np.where(rows % 3, name if where == "categorical" else "x", "y"),
    }
    frame = pd.DataFrame(columns).rename(columns={"b": name} if where == "column" else {})
    frame.to_parquet(tmp_path / "my.parquet")
    spec = {"path": str(tmp_path / "my.parquet"), "label": "kind", "id": "who"}
    said = survived(
        partial(check_own_file, "m", spec | {"categorical": ["sort"]}, seed=0, replicates=2)
    )

    assert (said is None) == (name in TEXTS)
    assert said is None or "holds a control character" in said


@pytest.mark.parametrize("name", ["a{b}.csv", "<script>.csv", "a\nb.csv"])
def test_names_of_files_that_snakemake_reads_otherwise(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).touch()

    said = str(survived(partial(CHECKED, CONFIG | {"data": name})))
    assert "no part of a name to Snakemake" in said


@pytest.mark.parametrize("section", ["datasets", "kernels", "methods"])
@pytest.mark.parametrize("name", NAMES)
def test_names_in_a_configuration_pass_or_are_refused(name: str, section: str) -> None:
    entries: dict[str, Any] = {
        "datasets": {"sklearn": "iris"},
        "kernels": {"callable": "own_code:kernel"},
        "methods": "own_code:Method",
    }
    config = CONFIG | {section: {name: entries[section]}}
    said = survived(partial(CHECKED, config))

    fine = re.fullmatch("[A-Za-z][A-Za-z0-9_]{0,39}", name)
    assert (said is None) == bool(fine)
    assert said is None or "begin with a letter" in said or "characters" in said
