"""What stands on the page of a run, and what may not stand there."""

import base64
import re
from decimal import Decimal
from html.parser import HTMLParser
from io import BytesIO, StringIO

import numpy as np
import pandas as pd
import pytest
import yaml
from markupsafe import Markup
from matplotlib.colors import to_rgb
from PIL import Image
from sklearn.pipeline import make_pipeline

from kpca import KernelPCA
from kpca.persistence import save
from kpca.study.decision.answer import Answer
from kpca.study.decision.checks import CHECKS
from kpca.study.decision.record import Decision
from kpca.study.seeds import MOST_DRAWN
from tests.columns import TEXT, documented
from tests.kpca.study.decision.test_answer import DECISION
from tests.scores import setting
from tests.scores import table as table_of_scores
from tests.workflow.drawing.test_drawing import contrast
from tests.workflow.page.conftest import FIGURES, HOSTILE, tables, write
from workflow import ROOT
from workflow.drawing import style
from workflow.page.embedding import MOST_CLASSES, RAMP, colours, embedding
from workflow.page.html import (
    DARK,
    MOST_ROWS,
    RAMPS,
    SHADES,
    check_meanings,
    column_meanings,
    documents,
    explained,
    figure,
    glossary,
    table,
    to_html,
)
from workflow.page.questions import (
    QUESTIONS,
    question_of,
    sections,
    when_it_helps,
    which_kernel,
)
from workflow.page.scatter import OVERLAYS
from workflow.page.small import ROOM, SIDE, small
from workflow.page.summary import summary
from workflow.scripts.page.write_lesson import answer, lesson
from workflow.scripts.page.write_page import LEAD, calibrated, compared, latex, methods, page


class Reader(HTMLParser):
    """What a browser makes of a page: ids, links inside it, and all words that are shown."""

    def __init__(self, text):
        super().__init__()
        self.ids = []
        self.links = set()
        self.words = ""
        self.events = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id":
                self.ids.append(str(value))
            elif name == "href":
                self.links.add(str(value))
            elif name.startswith("on"):
                self.events.append(f"{tag} {name}")

    def handle_data(self, data):
        self.words += data


@pytest.fixture(scope="module")
def text(results):
    return (results / "report/index.html").read_text()


def test_what_comes_with_the_data_is_words_and_nothing_else(text):
    read = Reader(text)
    assert "<script>window.broken" not in text
    assert "<img src=x" not in text
    assert read.events == []
    assert read.words.count(HOSTILE) == 19


def test_what_is_decided_left_out_and_odd_stands_sentence_by_sentence(text):
    assert '<p class="meta">a quick look: 3 of 6 kernels</p>' in text.partition("<nav")[0]
    assert '<p class="sentence" id="said">It pays.</p>' in text
    assert '<p class="rest">Look: ' in text
    assert text.count('class="warning">odd</') == 1
    # The first sentence of a caption stands for the image.
    assert 'alt="Differences on the same held-out rows, with 95' in text


def test_the_answer_ranks_options_and_compares_them_once(text):
    part = text.partition('<section id="answer"')[2].partition("</section>")[0]
    rows = [" ".join(re.sub("<[^>]+>", " ", row).split()) for row in part.split("<tr>")[1:]]

    assert rows[1].startswith("raw features (recommended) and the best predictor, chosen in each")
    assert rows[1].endswith("0.950 (95 % CI above 0.999)")
    assert "0.700 (95 % CI above 0.999) 0.02" in rows[2]
    assert rows[5].endswith("✗ worse")
    assert rows[6].startswith("kernel PCA with PCA 8.1 points (95 % CI 6.9 to 9.3) above 0.99 = en")
    assert part.index("It pays.") < part.index("P(better than") < part.index("with chance")
    assert "<h2" not in text.partition('id="datasets-title">')[2].partition("iris")[0]


@pytest.mark.parametrize(
    ("sentence", "lead"),
    [
        ("No signal is shown. The best is b: acc 0.5 on held-out rows; chance 0.5. More.", "0.5."),
        ("No comparison: no label. The model is a.", "label."),
    ],
)
def test_the_lead_ends_with_what_is_recommended(sentence, lead):
    first = LEAD.match(sentence)[0]
    assert first.endswith(lead)
    assert first != sentence


def test_checks_are_listed_by_weight_and_explained(text):
    [checks] = re.findall('<details class="checks".*?</ul></details>\n</details>', text, re.S)
    plain = " ".join(re.sub("<[^>]+>", " ", checks).split())
    assert "Checks: 1 warning, 1 note, 1 passed, 1 not applicable" in plain
    assert re.findall("<b>(KP...)</b>", checks) == ["KP002", "KP007"]
    assert "docs/checks.md#kp002" in checks
    assert "all splits share the few rows of this class" in plain


def test_every_check_has_a_section_in_the_documents():
    text = (ROOT / "docs/checks.md").read_text()
    listed = re.findall(r"\| \[(KP\d+)\]\(#(kp\d+)\) \| (.+) \| (\w+) \|", text)
    expected = {(check.code, check.code.lower(), check.title, check.severity) for check in CHECKS}
    assert set(listed) == expected
    parts = ["Applies", "Issue", "Meaning", "What to do"]
    meanings = check_meanings(documents(ROOT, "checks.md"))
    assert {code: re.findall("<b>(.+?)</b>", " ".join(of)) for code, of in meanings.items()} == {
        check.code: parts for check in CHECKS
    }


def test_each_metric_has_its_own_scale(several):
    """An improvement of 0.1 is in the middle of a scale to 0.2, whatever correlations there are."""
    summaries = re.findall(r"<summary><h3>.*?</summary>", several, re.S)
    dots = re.findall(r'class="dot" d="M([\d.]+) ', "".join(summaries))
    assert [float(dot) for dot in dots] == [50, 10]


MANY = """dataset,vs_pca,recommended,model
a,enough,raw features,PCA
b,enough,raw features,PCA
c,enough,raw features,PCA
d,enough,raw features,PCA
e,enough,raw features,PCA
f,better,raw features,kernel PCA
g,better,PCA,kernel PCA
h,inconclusive,raw features,PCA
i,enough,,
"""


def test_a_summary_counts_many_datasets_and_names_few():
    decisions = pd.read_csv(StringIO(MANY))
    assert summary(decisions) == (
        "Of 8 datasets, kernel PCA is recommended as components for f and g, and PCA for 6. To "
        "predict, the recommendation is raw features for 7, PCA for g and kernel PCA for none. "
        "Compared with PCA, kernel PCA is better on f and g, not needed on 5, and inconclusive on "
        "h."
    )
    assert summary(decisions[8:]) == ""


def test_a_term_is_explained_where_it_is_first_used():
    terms = glossary((ROOT / "docs/glossary.md").read_text())
    linked = explained(Markup('<b class="margin">Margins</b>, a margin & scores'), terms)
    assert linked.startswith('<b class="margin"><a class="term" href="#margin" title="The smallest')
    assert linked.count("<a") == 1
    assert "<a" not in explained("kernel PCA", terms)
    assert explained("<b> & a", terms) == "&lt;b&gt; &amp; a"


def test_meanings_of_terms_are_plain_text():
    markdown = "term\n  A *word*, `code`, and\n  [a\n  link](page.md#part).\n"
    assert glossary(markdown) == {"term": "A word, code, and a link."}


POINTS = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 3)), columns=[*"abc"])
INNER = {"label": (np.linalg.norm(POINTS[["a", "b"]], axis=1) < 1).astype(int)}
FIRST = {"target": POINTS["a"]}


def rows_and_pictures(folder, m, answer, features="abc"):
    """Return the rows of an embedding, and its small pictures for a decision with m components."""
    X = POINTS[[*features]]
    model = make_pipeline(KernelPCA(12, kernel="rbf", gamma=1.0)).fit(X)
    save(model, folder / "m.npz")
    rows = pd.DataFrame({"row": 1, **answer}).join(X)
    rows[["component_1", "component_2"]] = model.transform(X)[:, :2]
    rows[["pca_1", "pca_2"]] = X[["a", "b"]].to_numpy() @ [[0.6, -0.8], [0.8, 0.6]]
    rows.to_csv(folder / "e.csv", index=False)
    decision = {"model": "kernel PCA" if m else "PCA", "n_components": m or 12, "gain": 0.2}
    decision |= {"vs_pca": "better", "view_score": 0.6, "view_pca": 0.55}
    return rows, small(embedding(folder / "e.csv", {}), decision, folder / "m.npz")


@pytest.mark.parametrize(
    ("m", "titles"),
    [
        (0, ["PCA"]),
        (2, ["PCA", "2 components"]),
        (12, ["PCA", "12 components; two do not show it"]),
    ],
)
def test_small_pictures_show_all_rows_by_pca_and_by_what_decides(tmp_path, m, titles):
    """No components stand for PCA, which is drawn once."""
    _, pictures = rows_and_pictures(tmp_path, m, INNER)
    assert [*pictures] == titles
    assert all(picture.count("<use ") == 60 for picture in pictures.values())


@pytest.mark.parametrize(("m", "answer"), [(12, INNER), (12, FIRST), (2, FIRST)])
def test_what_two_axes_do_not_decide_has_no_shades(tmp_path, m, answer):
    _, pictures = rows_and_pictures(tmp_path, m, answer)
    assert not any("<image" in picture for picture in pictures.values())


def heights_at(axes, picture):
    """Return the heights that the shades of a picture show where rows are, by their two axes."""
    [image] = re.findall(r'<image href="data:image/png;base64,([^"]+)"', picture)
    pixels = np.asarray(Image.open(BytesIO(base64.b64decode(image))), dtype=float)[::-1]
    is_above = (pixels[..., :3] == OVERLAYS[1][:3]).all(axis=2)
    heights = np.where(is_above, pixels[..., 3], -pixels[..., 3])
    parts = ((axes - axes.min()) / (axes.max() - axes.min()) + ROOM) / (1 + 2 * ROOM)
    columns, rows = (parts * (SIDE - 1)).round().astype(int).to_numpy().T
    return heights[rows, columns]


@pytest.mark.parametrize(
    ("m", "features", "axes", "accuracy"),
    [(12, "ab", ["a", "b"], 0.9), (2, "abc", ["component_1", "component_2"], 0.75)],
)
def test_shades_are_what_a_classifier_decides(tmp_path, m, features, axes, accuracy):
    rows, pictures = rows_and_pictures(tmp_path, m, INNER, features)
    heights = heights_at(rows[axes], [*pictures.values()][1])
    assert ((heights > 0) == INNER["label"]).mean() > accuracy


@pytest.mark.parametrize("m", [0, 12])
def test_shades_without_two_classes_are_the_first_component(tmp_path, m):
    rows, pictures = rows_and_pictures(tmp_path, m, FIRST, "ab")
    heights = heights_at(rows[["a", "b"]], pictures["PCA"])
    assert abs(np.corrcoef(heights, rows["pca_1"])[0, 1]) > 0.9


def test_the_lesson_ends_with_the_answer_of_the_run():
    decisions = tables()["tables/decisions.csv"]
    assert answer(decisions) == f"iris: It pays. Look: {HOSTILE}"
    assert HOSTILE not in lesson(decisions)
    several = pd.DataFrame({"dataset": ["a", "b", "c"], "recommended": "PCA", "vs_pca": "better"})
    several["model"] = "PCA"
    assert answer(several).endswith("Compared with PCA, kernel PCA is better on a, b and c.")
    assert "Your data" not in lesson()


def test_links_lead_somewhere(text, results):
    read = Reader(text)
    inside = {link[1:] for link in read.links if link.startswith("#")}
    outside = {link for link in read.links if not link.startswith("#")}
    assert len(read.ids) == len(set(read.ids))
    assert inside <= set(read.ids)
    assert {
        "../figures/rings.svg",
        "../models/iris-predictor.npz",
        "../tables/claims.csv",
    } <= outside
    assert all((results / "report" / link).exists() for link in outside)


def test_what_was_not_made_is_left_out(results):
    """The figure is one that an earlier run has left."""
    files = [str(path) for path in results.rglob("*.*") if path.parent.name != "report"]
    fewer = [path for path in files if not path.endswith(("claims.csv", "gain.svg"))]
    read = Reader(page(results, fewer, FIGURES))
    assert not {"claim-1-a", "figure-gain"} & {*read.ids}
    assert "figure-rings" in read.ids
    assert "explorer.html" not in read.links
    files.append(str(results / "report/explorer.html"))
    assert "explorer.html" in Reader(page(results, files, FIGURES)).links


def test_a_file_of_ones_own_has_its_embedding_by_its_plain_name(tmp_path):
    write(tmp_path)
    (tmp_path / "models/iris.csv").rename(tmp_path / "embedding.csv")
    (tmp_path / "models/iris-predictor.npz").rename(tmp_path / "predictor.npz")
    read = Reader(page(tmp_path, [str(path) for path in tmp_path.rglob("*.*")], FIGURES))
    assert "plot-iris-view" in read.ids
    assert {"../embedding.csv", "../predictor.npz"} <= read.links


def test_a_figure_stays_a_file_beside_the_page(results):
    drawn = figure(results / "figures/rings.svg", "a title", ROOT / FIGURES[0]["caption"])
    assert drawn["width"] == pytest.approx(style.COLUMN * 120, abs=1)
    assert drawn["alt"].startswith("Differences on the same held-out rows")


def test_a_figure_that_belongs_to_no_question_is_refused(results):
    with pytest.raises(ValueError, match="'new' belongs to no question: add it to templates"):
        sections({}, [{"name": "new"}], [])


def test_every_claim_belongs_to_one_question():
    statements = pd.read_csv(ROOT / "workflow/scripts/claims/statements.csv")
    titles = [question_of(claim).title for claim in statements["claim"]]
    assert {*titles} == {question.title for question in QUESTIONS if question.claims}


def test_answers_are_computed_from_the_tables():
    decisions = pd.DataFrame(
        [
            ("rings", "balanced_accuracy", 0.3, "better", "enough"),
            ("moons", "balanced_accuracy", 0.0, "inconclusive", "enough"),
            ("wine", "correlation", 0.25, "better", "better"),
        ],
        columns=["dataset", "measure", "gain", "vs_pca", "vs_raw"],
    )
    assert when_it_helps({"tables/decisions.csv": decisions}) == (
        "Kernel PCA improves on PCA on 2 of 3 datasets: rings (30.0 points) and wine (0.250 of "
        "correlation). It is better than raw features, too, on wine."
    )
    none = decisions.assign(vs_pca="enough")
    assert when_it_helps({"tables/decisions.csv": none}).endswith("on none of 3 datasets.")
    words = {"enough": "does as well on each", "inconclusive": "is not shown to be better than a"}
    for verdict, beginning in words.items():
        of_raw = {"tables/decisions.csv": decisions.assign(vs_raw=verdict)}
        assert beginning in when_it_helps(of_raw)
    unlabelled = decisions.assign(vs_pca="no comparison")
    assert when_it_helps({"tables/decisions.csv": unlabelled}) == ""
    values = {(0.1, 2): (0.5, 0.6), (1, 2): (0.8, 0.9), (1, 5): (0.7, 1.0), (3, 2): (0.8, 0.95)}
    scores = table_of_scores(
        *(
            setting(*both, cell=f"rbf-median{multiple}", n_components=m)
            for (multiple, m), both in values.items()
        )
    )
    assert "within 5.0 points of the best γ. At 0.1 times" in which_kernel(
        {"tables/scores.csv": scores}
    )


NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]\d+)?")
SHOWN_TABLE = r'href="\.\./([^"]+\.csv)">The file with.*?(<table.*?</table>)'


def test_every_number_of_a_page_is_that_of_its_table(swept):
    """The page shows as many digits of a number as it has room for."""
    results = swept / "results"
    text = (results / "report/index.html").read_text()
    for path, html in re.findall(SHOWN_TABLE, text, re.S):
        stored = pd.read_csv(results / path, dtype=str)
        names = re.findall("<th>(.*?)</th>", html)
        cells = np.array(re.findall("<td>(.*?)</td>", html)).reshape(-1, len(names))
        for (row, column), cell in np.ndenumerate(cells):
            if NUMBER.fullmatch(cell):
                last_digit = Decimal(10) ** Decimal(cell).as_tuple().exponent
                difference = Decimal(cell) - Decimal(stored[names[column]][row])
                assert abs(difference) <= last_digit / 2, (path, cell)


def test_a_caption_is_text_with_marks_and_no_door():
    assert "<em>one</em>" in to_html("*one* and ``two``")
    assert "<b>" not in to_html("<b>bold</b>")
    assert "secret" not in to_html(".. raw:: html\n\n   <p>secret</p>")


def test_every_documented_column_has_a_meaning():
    meanings = column_meanings(TEXT)
    assert {path: [*meanings[path]] for path in documented()} == documented()
    assert "<code>balanced_accuracy</code>" in meanings[""]["metric"]


def test_tables_show_what_fits_and_long_ones_are_files_only(tmp_path):
    frame = pd.DataFrame({"score": [0.91236], "rule": ["word " * 20], "sentence": ["It pays."]})
    frame.to_csv(tmp_path / "t.csv", index=False)
    html = table(tmp_path, "t.csv", {"": {}})["html"]
    assert re.findall("<th[^>]*>([^<]+)</th>", html) == ["score", "rule"]
    assert re.findall("<td>(.{5})", html) == ["0.912", "word "]
    assert ("word " * 20).strip() in html

    for rows in (0, MOST_ROWS, MOST_ROWS + 1):
        pd.DataFrame({"a": range(rows)}).to_csv(tmp_path / "t.csv", index=False)
        assert (table(tmp_path, "t.csv", {"": {}}) is None) == (rows != MOST_ROWS)


ROWS = np.arange(MOST_DRAWN + 500)
NAMES = [f"row {row}" for row in ROWS]
COLUMNS = {"width": ROWS / 3, "few": ROWS % 3, "same": 1, "name": NAMES}


def embedded(folder, columns, roles):
    """Return the plots of many rows."""
    frame = pd.DataFrame({"row": ROWS, **columns, "component_1": ROWS, "novelty": 0.5})
    frame.to_csv(folder / "e.csv", index=False)
    return embedding(folder / "e.csv", roles)


def test_an_embedding_shows_some_rows_and_the_columns_that_tell_them_apart(tmp_path):
    plots = embedded(tmp_path, COLUMNS, {})
    assert (len(plots.table), plots.rows) == (MOST_DRAWN, len(ROWS))
    assert plots.components == ["component_1"]
    assert [*plots.colours] == ["width", "few"]
    assert plots.colours["few"].keys == ["0", "1", "2"]
    assert colours(pd.Series([2.0, np.nan, 4.0]), numeric=True).rows == [0, -1, RAMP]


@pytest.mark.parametrize("role", ["label", "group"])
def test_rows_have_the_colours_of_the_most_frequent_classes(tmp_path, role):
    palettes = embedded(tmp_path, COLUMNS | {"a <b>": ROWS % 30}, {role: "a <b>"}).colours
    assert [*palettes] == ["a <b>", "width", "few"]
    first = palettes["a <b>"]
    assert (len(first.keys), first.ends) == (MOST_CLASSES, None)
    assert first.others > 0
    assert {*first.rows} == {-1, *range(MOST_CLASSES)}


def test_rows_have_the_colours_of_a_target_along_a_ramp(tmp_path):
    palettes = embedded(
        tmp_path, COLUMNS | {"a <b>": ROWS / len(ROWS)}, {"target": "a <b>"}
    ).colours
    assert [*palettes] == ["a <b>", "width", "few"]
    first = palettes["a <b>"]
    assert (first.keys, first.others, first.ends) == ([], 0, (0, ROWS[-1] / len(ROWS)))
    assert (min(first.rows), max(first.rows)) == (0, RAMP)


def test_a_plane_that_is_that_of_pca_is_drawn_once(tmp_path):
    x, y = np.random.default_rng(0).normal(size=(2, 9))
    scores = {"component_1": x, "view_1": x, "view_2": y, "pca_1": -x, "pca_2": y}
    for shift, planes in ((0, ["pca"]), (1, ["view", "pca"]), (2, ["pca", "view"])):
        frame = pd.DataFrame(scores).assign(row=1, pca_2=y + shift)
        frame[["row", *scores]].to_csv(tmp_path / "e.csv", index=False)
        plots = embedding(tmp_path / "e.csv", {}, planes[0])
        assert ([*plots.script_data["axes"]], plots.is_pca) == (planes, not shift)
        assert plots.components == [f"{planes[0]}_1", f"{planes[0]}_2", "component_1"]


RANKING = tables()["tables/ranking.csv"]
[DATA] = tables()["tables/datasets.csv"].to_dict("records")
DATA |= {"title": "a_b & 50 %", "draws": "random splits"}
VERSIONS = {"kpca": "0.1.0", "numpy": "2.4.6", "seed": "2026"}


def test_it_names_rows_scores_differences_model_versions_and_seed():
    text = methods(DATA, Answer(Decision.of(DECISION), RANKING, pd.DataFrame()), VERSIONS)
    assert "4 columns and 2 classes; 5 random splits had 2 training and 1 test rows" in text
    assert "was 0.950 (95 % CI above 0.999) for the best predictor on raw features, 0.700" in text
    assert "for PCA, and 0.500 for chance. The recommendation is kernel PCA: the simplest" in text
    assert "of kernel PCA from the best predictor on raw features is 2.2 points (95 % CI" in text
    assert "is 8.1 points (95 % CI 6.9 to 9.3), with a probability of above 0.99 that it is" in text
    assert "4 degrees of freedom over the 5 random splits; its variance has a part between" in text
    assert "The final model uses a Gaussian kernel with γ = 0.31 and 12 components, fitted" in text
    assert text.endswith("Software: kpca 0.1.0, numpy 2.4.6; seed 2026.")
    assert all(sign in latex(text) for sign in (r"a\_b \& 50 \%", r"$\gamma$ = 0.31"))
    assert "$-$1.0" in latex("−1.0")
    assert latex(text).isascii()


# Values of the decision and of the dataset; words that are there, and others that are not.
METHODS = """
- [{}, {draws: independent}, over the 5 independent draws. Intervals, part between]
- [{}, {draws: expanding windows}, 5 expanding windows tested on rows, test rows each]
- [{model: PCA, kernel: linear, parameters: "{}"}, {}, is PCA with 12, equals]
- [{recommended: raw features, predictor: rbf_svm}, {}, Gaussian SVM on the, is kernel]
- [{score: null, gain: null, raw_gain: null}, {}, uses a Gaussian, Confidence]
"""


@pytest.mark.parametrize(("decision", "data", "there", "missing"), yaml.safe_load(METHODS))
def test_it_says_what_is_known(decision, data, there, missing):
    ranking = RANKING[: 0 if "score" in decision else 2]
    answered = Answer(Decision.of(DECISION | decision), ranking, pd.DataFrame())
    text = methods(DATA | data, answered, VERSIONS)
    assert there in text
    assert missing not in text


def test_the_table_says_where_labels_tuned_what_finds_clusters(tmp_path):
    """k-means on raw features has no setting to tune."""
    lines = [("kmeans", "rbf", "cv"), ("kmeans", "rbf", "label_free"), ("kmeans", "raw", "cv")]
    lines += [("spectral", "raw", "cv"), ("linear_svm", "rbf", "cv")]
    rows = pd.DataFrame(lines, columns=["method", "kernel", "criterion"])
    (tmp_path / "tables").mkdir()
    rows.to_csv(tmp_path / "tables/comparisons.csv", index=False)
    html = table(tmp_path, "tables/comparisons.csv", {"": {}})["html"]
    criterion = "cv, tuned with labels"
    assert html.count(criterion) == 2
    assert f"<td>kmeans</td><td>rbf</td><td>{criterion}</td>" in html
    assert f"<td>spectral</td><td>raw</td><td>{criterion}</td>" in html


def test_a_dataset_that_is_compared_with_nothing_has_no_comparisons():
    """A kernel matrix has no columns, hence neither raw features nor PCA."""
    nothing = {"gain": None, "raw_gain": None, "chance_gain": None}
    no_checks = pd.DataFrame(columns=["status", "code", "title", "text"])
    assert compared(Answer(Decision.of(DECISION | nothing), RANKING[:0], no_checks)) == []


def test_the_page_says_what_was_simulated_that_resembles_a_dataset():
    row = {"draws": "random splits", "groups": 30, "rows": 150, "smallest_class": 75, "columns": 2}
    decision = {"gain": 0.3, "rows": 150, "measure": "balanced_accuracy"}

    assert re.search(
        r"resembles “ring of 30 groups” with 150 rows most\. There, .* score in 7\d % of "
        r"97 datasets, the difference from PCA in \d\d %, and that from raw features in \d+ %\.",
        calibrated(row, decision, np.nan),
    )
    twelve = calibrated(row | {"groups": 12, "columns": 5}, decision | {"gain": 0.0}, np.nan)
    assert twelve.endswith("has no 95 % CIs.")
    assert calibrated(row | {"columns": 1841}, decision, np.nan) == ""
    assert calibrated(row | {"draws": "independent"}, decision, np.nan) == ""
    assert calibrated(row, decision | {"gain": np.nan}, np.nan) == ""
    assert calibrated(row, decision | {"measure": "trustworthiness"}, np.nan) == ""


GROUND = np.array(to_rgb(SHADES["dark"][1]))
OVER = [GROUND + (np.divide(colour, 255) - GROUND) * part / 255 for *colour, part in OVERLAYS]


@pytest.mark.parametrize("shade", [*SHADES["dark"], *map(tuple, OVER)])
def test_marks_stand_out_from_a_dark_ground_and_its_shades(shade):
    assert min(contrast(mark, shade) for mark in (*DARK, *RAMPS["dark"])) >= 3
