"""Input that is damaged, or made to do harm, is read rightly or refused with a remedy."""

import io
import os
import pickle
import re
from functools import partial
from html import escape
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from kpca.reading.errors import LONGEST, InputError
from kpca.study.datasets.make import check_dataset
from kpca.study.store import read_table, write_table
from tests.damage import BYTES, splice
from tests.workflow.page.conftest import FIGURES, write
from tests.workflow.page.test_page import Reader
from tests.workflow.pipeline import ROOT
from workflow.configuration.config import check_config
from workflow.configuration.explain import read_yaml
from workflow.drawing import style
from workflow.page.embedding import embedding
from workflow.scripts.own_data import figures
from workflow.scripts.page.write_page import page

PROBLEMS = int(os.environ.get("KPCA_PROBLEMS", "60"))
"""Of each kind that takes no time; `make test-all` has 10 000."""

NAMES = (
    *("$x^2$", "$x", r"\alpha", "a_b", "_a", "<script>alert(1)</script>", "R&D", "'", '"'),
    *("two\nlines", "a" * 300, "../../up", "αβγ", "特征", "ميزة", "🙂", "=1+1", "%s{0}{x!r}"),
    *("@row", "a\x00b", "\x1b[31mred", "None", "true", "1e5", "~root", "a | b", "$HOME"),
)
"""Names of columns, classes and rows that some part of the way may take for more than a name."""

TEXTS = [name for name in NAMES if not re.search(r"[\x00-\x08\x1b]", name)]
"""Names that the readers let pass."""

ROW = np.arange(30)
FRAME = pd.DataFrame(
    {"age": ROW % 7 + 0.5, "dose": ROW**2 / 4, "kind": np.where(ROW % 2, "a", "b"), "who": ROW // 2}
)


def saved(save):
    file = io.BytesIO()
    save(file)
    return file.getvalue()


FILES = {
    "my.yaml": (ROOT / "config/test.yaml").read_bytes(),
    "my.csv": FRAME.to_csv(index=False).encode(),
    "my.parquet": saved(FRAME.to_parquet),
    "my.npz": saved(lambda file: np.savez(file, X=FRAME[["age", "dose"]], kind=ROW % 2)),
}


# Up to four of them are done to a file.
DAMAGES = BYTES | {"repeat": splice(lambda old, rng: old * int(rng.integers(2, 40)))}


def survived(work):
    """Return the message that refuses, of text that a terminal can show, or None if it went well.

    Whatever else is raised passes through and fails the test.
    """
    try:
        work()
    except InputError as error:
        message = str(error)
        assert all(line.isprintable() and len(line) <= LONGEST + 5 for line in message.split("\n"))
        return message
    return None


def check(path, **spec):
    """Look at a file as a run does before any job."""
    check_dataset("mine", {"path": str(path), **spec}, seed=0, replicates=2)


def check_configuration(path):
    """Check a file as a run does, which has made sure that it holds keys."""
    config = read_yaml(path)
    if isinstance(config, dict):
        check_config(config, [path])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", FILES)
def test_a_damaged_file(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    read = check_configuration if name == "my.yaml" else partial(check, label="kind")

    def work(data):
        Path(name).write_bytes(data)
        return survived(partial(read, Path(name)))

    assert work(FILES[name]) is None
    for seed in range(PROBLEMS):
        rng = np.random.default_rng(seed)
        data = FILES[name]
        for kind in rng.choice([*DAMAGES], rng.integers(1, 5)):
            data = DAMAGES[kind](data or b" ", rng)
        work(data)


class Harm:
    """What a pickle runs when it is loaded."""

    def __reduce__(self):
        return os.mkdir, ("harm",)


def test_tags_build_nothing_and_pickles_are_never_loaded(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("c.yaml").write_text("seed: !!python/object/apply:pathlib.Path.touch [harm]\n")
    assert "could not determine a constructor" in str(survived(partial(read_yaml, Path("c.yaml"))))
    np.savez("my.npz", X=FRAME[["age", "dose"]], y=np.array([Harm()] * 30, dtype=object))
    assert "pickles are never loaded" in str(survived(partial(check, Path("my.npz"))))
    for name in ("my.npz", "my.csv", "my.parquet", "my.feather", "my.xlsx"):
        Path(name).write_bytes(pickle.dumps(Harm()))
        assert survived(partial(check, Path(name)))
    assert not Path("harm").exists()


@pytest.mark.filterwarnings("ignore:Glyph .* missing")
def test_figures_have_names_as_text(tmp_path, monkeypatch):
    monkeypatch.setattr(figures, "EXPLAINED", len(TEXTS))
    legend, axes = style.figure(width=20, height=8)
    axes[0, 0].legend(handles=style.class_handles(TEXTS))
    table = pd.DataFrame({"dataset": "mine", "row": range(len(TEXTS)), "variable_1": TEXTS})
    novelty = figures.own_novelty(table.assign(novelty=1.0, threshold=2.0, novel=False))
    for drawing, longest in ((legend, 40), (novelty, figures.LONGEST)):
        style.save(drawing, [tmp_path / "f.svg"])
        svg = (tmp_path / "f.svg").read_text()
        ElementTree.fromstring(svg)
        for name in TEXTS:
            plain = style.plain(name, longest).replace(r"\$", "$")
            assert escape(plain, quote=False) in svg
        assert "Oblique" not in svg  # Formulas are set in oblique letters.
        assert "<script" not in svg


def test_tables_and_the_page_have_names_as_text(tmp_path):
    write(tmp_path)
    table = pd.DataFrame({"row": range(len(TEXTS)), "id": TEXTS, "label": TEXTS[::-1]})
    table = table.assign(component_1=np.arange(len(TEXTS)), component_2=0.5)
    write_table(table, tmp_path / "models/iris.csv")
    names = [*TEXTS, "NA", "nan", "null", "n/a"]
    write_table(pd.DataFrame({"name": names, "value": np.nan}), tmp_path / "t.csv")
    table = read_table(tmp_path / "t.csv")
    assert list(table["name"]) == names
    assert table["value"].isna().all()
    (tmp_path / "t.csv").unlink()
    text = page(tmp_path, [str(path) for path in tmp_path.rglob("*.*")], FIGURES)
    view = embedding(tmp_path / "models/iris.csv", {})
    assert {*view.colours["label"].keys} < {*TEXTS}
    assert [*view.script_data["tips"]] == ["row", "id", "label"]
    assert "<script>alert" not in text
    assert Reader(text).events == []


@pytest.mark.parametrize("where", ["column", "label"])
@pytest.mark.parametrize("name", NAMES)
def test_names_in_a_file_pass_or_are_refused(name, where, tmp_path):
    rows = np.arange(40)
    kind = np.where(rows % 2, name if where == "label" else "x", "y")
    frame = pd.DataFrame({"a": rows % 7 / 2, "b": rows % 5 / 2, "kind": kind})
    frame = frame.rename(columns={"b": name} if where == "column" else {})
    frame.to_parquet(tmp_path / "my.parquet")
    refusal = survived(partial(check, tmp_path / "my.parquet", label="kind"))
    assert (refusal is None) == (name in TEXTS)
    assert refusal is None or "holds a control character" in refusal
