"""What stands on the page of a run, and what may not stand there."""

import re
from html.parser import HTMLParser
from pathlib import Path
from shutil import copy
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pipeline.decision.checks import CHECKS
from pipeline.drawing import style
from pipeline.fingerprint import ROOT
from pipeline.page.embedding import MOST_CLASSES, OTHERS, RAMP, colours, embedding
from pipeline.page.html import (
    MOST_ROWS,
    MOST_SVG,
    check_meanings,
    column_meanings,
    documents,
    figure,
    table,
    to_html,
)
from pipeline.seeds import MOST_DRAWN
from tests.columns import TEXT, documented
from tests.pipeline.page.conftest import FIGURES, HOSTILE, write
from workflow.scripts.page.write_page import LEAD, calibrated, latex, methods, page


class Reader(HTMLParser):
    """What a browser makes of a page: ids, links inside it, and all words that are shown."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: set[str] = set()
        self.words = ""
        self.events: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids.append(str(value))
            elif name == "href":
                self.links.add(str(value))
            elif name.startswith("on"):
                self.events.append(f"{tag} {name}")

    def handle_data(self, data: str) -> None:
        self.words += data


@pytest.fixture(scope="module")
def text(results: Path) -> str:
    return (results / "report/index.html").read_text()


def test_what_comes_with_the_data_is_words_and_nothing_else(text: str) -> None:
    read = Reader(text)
    assert "<script>window.broken" not in text
    assert "<img src=x" not in text
    assert read.events == []
    assert read.words.count(HOSTILE) == 19


def test_what_is_decided_left_out_and_odd_stands_sentence_by_sentence(text: str) -> None:
    assert '<p class="meta">a quick look: 3 of 6 kernels</p>' in text.partition("<nav")[0]
    assert '<p class="sentence">It pays.</p>' in text
    assert '<p class="rest">Look: ' in text
    assert text.count('class="warning">odd</') == 1
    # The first sentence of a caption stands for the image.
    assert 'alt="Methods to the right of the grey band improve on PCA' in text


def test_the_answer_ranks_options_and_compares_them_once(text: str) -> None:
    answer = text.partition('<section id="answer"')[2].partition("</section>")[0]
    badges = re.findall(r'aria-hidden="true">(.)</span> ([^<]*)</span>', text)
    rows = [" ".join(re.sub("<[^>]+>", " ", row).split()) for row in answer.split("<tr>")[1:]]

    assert badges == [
        ("✓", "better than chance"),
        ("✗", "worse than raw features"),
        ("=", "PCA is enough"),
    ]
    assert rows[1].startswith("raw features recommended and the best predictor, chosen in each")
    assert rows[1].endswith("0.950 (above 0.999) 0.0 points 6.0 points")
    assert rows[2].startswith("PCA and a linear SVM 0.700 (above 0.999) 25.0 points 6.0 points")
    assert rows[4].startswith("raw features minus chance 45.0 points (95 % CI 40.0 to 50.0) above")
    assert rows[6].startswith("kernel PCA minus PCA 20.0 points (95 % CI 10.0 to 30.0) 0.03 enough")
    assert answer.index("It pays.") < answer.index("expected loss") < answer.index("minus")
    assert "<h2" not in text.partition('id="datasets-title">')[2].partition("iris")[0]


@pytest.mark.parametrize(
    ("sentence", "lead"),
    [
        ("No signal is shown. The best is b: acc 0.5 on held-out rows; chance 0.5. More.", "0.5."),
        ("No comparison: no label. The model is a.", "label."),
    ],
)
def test_the_lead_ends_with_what_is_recommended(sentence: str, lead: str) -> None:
    found = LEAD.match(sentence)
    assert found
    assert found[0].endswith(lead)
    assert not found[0].endswith(sentence)


def test_checks_are_listed_by_weight_and_explained(text: str) -> None:
    checks = text.partition('<details class="checks"')[2].partition("</ul></details>\n</details>")[
        0
    ]
    words = " ".join(re.sub("<[^>]+>", " ", checks).split())
    assert "Checks: 1 warning, 1 note, 1 passed, 1 not applicable" in words
    assert re.findall("<b>(KP...)</b>", checks) == ["KP002", "KP007"]
    assert "docs/checks.md#kp002" in checks
    assert "all splits share the few rows of this class" in words


def test_every_check_has_a_section_in_the_documents() -> None:
    text = (ROOT / "docs/checks.md").read_text()
    listed = re.findall(r"\| \[(KP\d+)\]\(#(kp\d+)\) \| (.+) \| (\w+) \|", text)
    known = {(check.code, check.code.lower(), check.title, check.severity) for check in CHECKS}
    assert set(listed) == known
    parts = ["Applies", "Issue", "Meaning", "What to do"]
    found = check_meanings(documents(ROOT, "checks.md"))
    assert {code: re.findall("<b>(.+?)</b>", " ".join(of)) for code, of in found.items()} == {
        check.code: parts for check in CHECKS
    }


def test_each_metric_has_its_own_scale(tmp_path: Path) -> None:
    """An improvement of 0.1 fills half of a scale to 0.2, whatever correlations there are."""
    made = write(tmp_path)
    path = tmp_path / "tables/decisions.csv"
    first = pd.read_csv(path).assign(gain=0.1, gain_low=0.0, gain_high=0.2)
    second = first.assign(dataset="moons", measure="correlation", gain_high=0.9)
    pd.concat([first, second]).to_csv(path, index=False)
    described = pd.read_csv(tmp_path / "tables/datasets.csv")
    both = pd.concat([described, described.assign(dataset="moons")])
    both.to_csv(tmp_path / "tables/datasets.csv", index=False)
    for kind in ("csv", "py"):
        made.append(str(copy(tmp_path / f"models/iris.{kind}", tmp_path / f"models/moons.{kind}")))
    answer = page(tmp_path, made, FIGURES).partition('<section id="answer"')[2]

    dots = re.findall(r'class="dot" d="M([\d.]+) ', answer.partition("</section>")[0])
    assert [float(dot) for dot in dots] == [pytest.approx(50, abs=0.1), pytest.approx(14, abs=1)]


def test_an_axis_ends_where_the_metric_ends(text: str) -> None:
    scale = r'<span style="left: ([\d.]+)%">([\d.]+)</span>'
    ticks = re.findall(scale, text.partition('class="forest"')[2])
    assert ticks[0][1] == "0.80"
    assert ticks[-1] == ("100.0", "1.00")


def test_links_lead_somewhere(text: str, results: Path) -> None:
    read = Reader(text)
    inside = {link[1:] for link in read.links if link.startswith("#")}
    outside = {link for link in read.links if not link.startswith("#")}
    assert len(read.ids) == len(set(read.ids))
    assert inside <= set(read.ids)
    assert {"../figures/heavy.svg", "../models/iris.py", "../tables/claims.csv"} <= outside
    assert all((results / "report" / link).exists() for link in outside)


def test_what_was_not_made_is_left_out(results: Path) -> None:
    made = [path for path in results.rglob("*.*") if path.parent.name != "report"]
    parts = {
        "claims.csv": "claims",
        "comparison.svg": "figure-comparison",  # which an earlier run has left
    }
    for name, part in parts.items():
        kept = [str(path) for path in made if path.name != name]
        read = Reader(page(results, kept, FIGURES))
        assert part not in read.ids
        assert "figure-heavy" in read.ids
        assert "explorer.html" not in read.links
    made.append(results / "report/explorer.html")
    assert "explorer.html" in Reader(page(results, [*map(str, made)], FIGURES)).links


def test_a_file_of_ones_own_has_its_embedding_by_its_plain_name(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "models/iris.csv").rename(tmp_path / "embedding.csv")
    (tmp_path / "models/iris.py").rename(tmp_path / "model.py")
    read = Reader(page(tmp_path, [str(path) for path in tmp_path.rglob("*.*")], FIGURES))
    assert "plot-iris-view" in read.ids
    assert {"../embedding.csv", "../model.py"} <= read.links


@pytest.mark.parametrize(("name", "kind"), [("comparison", "svg+xml"), ("heavy", "webp")])
def test_a_figure_is_carried_in_its_smaller_form(results: Path, name: str, kind: str) -> None:
    svg = results / f"figures/{name}.svg"
    shown = figure(svg, "a title", ROOT / FIGURES[0]["caption"])
    assert (svg.stat().st_size > MOST_SVG) == (kind == "webp")
    assert shown["source"].startswith(f"data:image/{kind}")
    assert shown["width"] == pytest.approx(style.COLUMN * 120, abs=1)
    assert shown["alt"].startswith("Methods to the right of the grey band")


def test_a_caption_is_text_with_marks_and_no_door() -> None:
    assert "<em>one</em>" in to_html("*one* and ``two``")
    assert "<b>" not in to_html("<b>bold</b>")
    assert "secret" not in to_html(".. raw:: html\n\n   <p>secret</p>")


def test_every_documented_column_has_a_meaning() -> None:
    meanings = column_meanings(TEXT)
    assert {path: [*meanings[path]] for path in documented()} == documented()
    assert "<code>balanced_accuracy</code>" in meanings[""]["metric"]


def test_tables_show_what_fits_and_long_ones_are_files_only(tmp_path: Path) -> None:
    frame = pd.DataFrame({"score": [0.91236], "rule": ["word " * 20], "sentence": ["It pays."]})
    frame.to_csv(tmp_path / "t.csv", index=False)
    found = table(tmp_path, "t.csv", {"": {}})

    assert found
    assert re.findall("<th.*>(.*)</th>", found["html"]) == ["score", "rule"]
    assert re.findall("<td>(.{5})", found["html"]) == ["0.912", "word "]
    assert ("word " * 20).strip() in found["html"]

    for rows in (0, MOST_ROWS, MOST_ROWS + 1):
        pd.DataFrame({"a": range(rows)}).to_csv(tmp_path / "t.csv", index=False)
        assert (table(tmp_path, "t.csv", {"": {}}) is None) == (rows != MOST_ROWS)


@pytest.mark.parametrize("answer", ["label", "target", "group", None])
def test_an_embedding_shows_what_rows_have(tmp_path: Path, answer: str | None) -> None:
    n = MOST_DRAWN + 500
    own = {"width": np.arange(n) / 3, "few": np.arange(n) % 3, "same": 1, "name": "x"}
    own["name"] = [f"row {i}" for i in range(n)]
    if answer:
        own["sp. <b>"] = np.arange(n) % 30 if answer != "target" else np.arange(n) / n
    scores = {"component_1": np.arange(n), "novelty": 0.5}
    pd.DataFrame({"row": range(n), **own, **scores}).to_csv(tmp_path / "e.csv", index=False)
    found = embedding(tmp_path / "e.csv", "iris", {answer: "sp. <b>"} if answer else {})

    assert (found.shown, found.rows, found.components) == (MOST_DRAWN, n, ["component_1"])
    columns = (["sp. <b>"] if answer else []) + ["width", "few"]
    assert [*found.colours] == columns
    first = found.colours[columns[0]]
    assert (first.ends is None) == (answer in ("label", "group"))
    assert len(first.keys) == (MOST_CLASSES + 1 if first.ends is None else 0)
    assert [name for name, _, _ in found.colours["few"].keys] == ["0", "1", "2"]
    assert len({(first.looks or RAMP)[row] for row in first.rows}) >= MOST_CLASSES // 2


def test_a_plane_that_is_that_of_pca_is_drawn_once(tmp_path: Path) -> None:
    x, y = np.random.default_rng(0).normal(size=(2, 9))
    scores = {"component_1": x, "view_1": x, "view_2": y, "pca_1": -x, "pca_2": y}
    for shift, planes in ((0, ["pca"]), (1, ["view", "pca"]), (2, ["pca", "view"])):
        frame = pd.DataFrame(scores).assign(row=1, pca_2=y + shift)
        frame[["row", *scores]].to_csv(tmp_path / "e.csv", index=False)
        found = embedding(tmp_path / "e.csv", "iris", {}, planes[0])
        assert (found.planes, found.is_pca) == (planes, not shift)
        assert found.components == [f"{planes[0]}_1", f"{planes[0]}_2", "component_1"]


def test_a_number_that_is_missing_is_grey() -> None:
    found = colours(pd.Series([2.0, np.nan, 4.0]), numeric=True)
    assert [RAMP[row] for row in found.rows] == [RAMP[0], OTHERS, RAMP[255]]


DATA: dict[str, Any] = {"title": "iris", "columns": 4, "classes": 3.0, "replicates": 6}
DATA |= {"draws": "random splits", "rows": 6, "rows_of_file": 6, "train": 105, "test": 45}
DECISION: dict[str, Any] = {"model": "kernel PCA", "kernel": "rbf", "parameters": '{"gamma": 0.5}'}
DECISION |= {"n_components": 2, "measure": "balanced_accuracy", "score": 0.97, "low": 0.93}
DECISION |= {"high": 1.0, "chance": 1 / 3, "rows": 150, "recommended": "kernel PCA"}
DECISION |= {"recommended_score": 0.97, "predictor": "rbf_svm"}
DECISION |= {"vs_chance": "better", "vs_raw": "inconclusive", "vs_pca": "inconclusive"}
DECISION |= {"chance_gain": 0.6, "chance_low": 0.5, "chance_high": 0.7, "probability_chance": 1}
DECISION |= {"gain": 0.02, "gain_low": -0.01, "gain_high": 0.05, "probability_pca": 0.7}
DECISION |= {"raw_gain": 0.01, "raw_low": -0.02, "raw_high": 0.04, "probability_raw": 0.5}
RANKING = [{"model": "raw features", "mean": 0.96, "low": 0.9, "expected_loss": 0.012}]
RANKING += [{"model": "kernel PCA", "mean": 0.97, "low": 0.93, "expected_loss": 0.002}]
RANKING = [option | {"high": 1.0} for option in RANKING]
PROVENANCE = {"kpca": "0.1.0", "numpy": "2.4.6", "seed": "2026", "replicates": "6"}


def test_it_names_rows_scores_differences_model_versions_and_seed() -> None:
    text = methods(DATA | {"title": "a_b & 50 %"}, DECISION, PROVENANCE, RANKING)
    assert "4 columns and 3 classes; 6 random splits had 105 training and 45 test rows" in text
    assert (
        "was 0.960 (95 % CI 0.900 to 1.000) for the best predictor on raw features, 0.970" in text
    )
    assert "for kernel PCA, and 0.333 for chance. The recommendation is kernel PCA: " in text
    assert "of kernel PCA from the best predictor on raw features is 1 point (95 % CI" in text
    assert "is 2.0 points (95 % CI −1.0 to 5.0), with a probability of 0.70 that it is" in text
    assert "5 degrees of freedom over the 6 random splits; its variance has a part between" in text
    assert "The final model uses a Gaussian kernel with γ = 0.5 and two components, fitted" in text
    assert text.endswith("Software: kpca 0.1.0, numpy 2.4.6; seed 2026.")
    assert all(
        sign in latex(text) for sign in (r"a\_b \& 50 \%", r"$\gamma$ = 0.5", "$-$1.0 to 5.0")
    )
    assert latex(text).isascii()


@pytest.mark.parametrize(
    ("changes", "there", "missing"),
    [
        ({"draws": "independent"}, "over the 6 independent draws. Intervals", "part between"),
        (
            {"model": "PCA", "kernel": "linear", "parameters": "{}"},
            "is PCA with two",
            "equals PCA",
        ),
        (
            {"recommended": "raw features"},
            "predictor is a Gaussian SVM on the raw fea",
            "is kernel",
        ),
        ({"score": None, "gain": None, "raw_gain": None, "n": 0}, "uses a Gaussian", "Confidence"),
    ],
)
def test_it_says_what_is_known(changes: dict[str, Any], there: str, missing: str) -> None:
    text = methods(DATA | changes, DECISION | changes, PROVENANCE, RANKING[: changes.get("n", 2)])
    assert there in text
    assert missing not in text


def test_the_page_says_what_was_simulated_that_resembles_a_dataset() -> None:
    row = {"draws": "random splits", "groups": 30, "classes": 2}
    decision = {"gain": 0.3, "rows": 150, "measure": "balanced_accuracy"}

    assert re.search(
        r"resembles “ring of 30 groups” with 150 rows most\. There, .* score in 78 % of "
        r"200 datasets, the difference from PCA in 9\d %, and that from raw features in \d+ %\.",
        calibrated(row, decision),
    )
    assert calibrated(row | {"groups": 12}, decision | {"gain": 0.0}).endswith("has no 95 % CIs.")
    assert calibrated(row | {"draws": "independent"}, decision) == ""
    assert calibrated(row, decision | {"gain": np.nan}) == ""
    assert calibrated(row | {"classes": 0}, decision | {"measure": "trustworthiness"}) == ""
