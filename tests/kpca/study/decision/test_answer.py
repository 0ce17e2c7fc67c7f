"""What a decision says: its sentence, what limits it, and the answer as an object."""

import json
import re
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.datasets import load_diabetes

from kpca.reading.errors import InputError
from kpca.study.decision.answer import answers, as_json
from kpca.study.decision.checks import CHECKS, caveats, lone_columns, results
from kpca.study.decision.decision import Difference, ReasonedDecision
from kpca.study.decision.dependence import Dependence, Memory, Resemblance
from kpca.study.decision.sentence import components_sentence, predict_sentence, sentence
from kpca.study.evidence.statistics import verdict
from kpca.study.fitting.grid import Point
from kpca.study.notebook import _table
from kpca.study.notebook import answer as answer_for
from tests.datasets import dataset_of
from tests.decisions import decision_of
from tests.kpca.study.decision.test_dependence import COIN, MOUSE, mice

CASES = yaml.safe_load(Path(__file__).with_name("cases.yaml").read_text())
OPTIONS = CASES["options"]
RAW = OPTIONS["raw features"]
OPEN_GAIN = OPTIONS["open gain"]
MICE = Dependence(Resemblance("mouse", 0.958, 0.057, 0.005), 0.996, 0.579, 0.084)
WRITERS = replace(MICE, resemblance=replace(MICE.resemblance, column=""))
WINE = replace(WRITERS, by_rows=0.981, by_groups=0.991)
UNSHOWN = Dependence(Resemblance("", 0.04, 0.04, 0.5))
DEPENDENT = {"mice": MICE, "writers": WRITERS, "wine": WINE, "unshown": UNSHOWN}
BASIS = {"point": Point("rbf", {"median": 1}), "classes": {"a": 70, "b": 80}}
BEHIND = ("next_gain", "next_low", "next_high", "next_probability")
OVER_DEFAULT = ("default_gain", "default_low", "default_high", "default_probability")
SCORED = "balanced accuracy 0.962 (95 % CI 0.951 to 0.973) on held-out rows"


def decided(changes=None):
    """Return the decision on flowers, with other values of some fields."""
    values = CASES["decision"] | (changes or {})
    others = {*BEHIND, *OVER_DEFAULT, "next", "default"}
    return decision_of(**{name: values[name] for name in values.keys() - others})


def reasoned(changes=None, **basis):
    """Return the decision with what it rests on."""
    values = CASES["decision"] | (changes or {})
    compared = {name: values[name] for name in ("next", "default")}
    compared["behind"] = Difference(*(values[name] for name in BEHIND))
    compared["over_default"] = Difference(*(values[name] for name in OVER_DEFAULT))
    return ReasonedDecision(**vars(decided(changes)), **(BASIS | compared | basis))


def sentence_of(changes=None, **basis):
    return sentence(reasoned(changes, **basis))


def test_kernel_pca_is_shown_to_be_better():
    assert sentence_of() == (
        "As components, use kernel PCA with a Gaussian kernel, γ = 0.31 (median heuristic), "
        "12 components: kernel PCA is better than PCA by 8.1 points (95 % CI 6.9 to 9.3). To "
        f"predict, use kernel PCA: {SCORED}; chance gives 0.500. It is "
        "better than raw features by 2.2 points (95 % CI 1.2 to 3.2). Kernel, parameters and "
        "number of components are chosen in each split. Exported: kernel PCA with a Gaussian "
        "kernel and a linear SVM (0.971, chosen on these rows; 8 of 10 splits chose this kernel)."
    )


def test_raw_features_are_the_default_that_nothing_overturns():
    behind = {"next_low": -0.032, "next_high": 0.002, "next_probability": 0.04}
    assert sentence_of(RAW | behind | OPEN_GAIN) == (
        "As components, use PCA with 12 components: kernel PCA is not shown to be better, and "
        "differs by 0.6 points (95 % CI −2.4 to 3.5; P(better) = 0.66). To predict, use raw "
        f"features: {SCORED}; chance gives 0.500. No option is shown to be better, and raw "
        "features are the simplest: kernel PCA differs by −2.2 points (95 % CI −3.2 to 0.2; "
        "P(better) = 0.04). The predictor is chosen in each split, most often a random forest. "
        "Exported: a Gaussian SVM on the raw features (0.971, chosen on these rows; 8 of 10 splits "
        "chose this predictor)."
    )
    assert "Kernel PCA is shown to be worse: it differs by −2.2 points" in sentence_of(RAW)


def test_what_is_likelier_better_is_not_said_to_be_shown():
    likelier = {"default_gain": 0.012, "default_low": -0.01, "default_probability": 0.81}
    assert (
        "It is likelier better than raw features, but not shown: it differs by 1.2 points "
        "(95 % CI −1.0 to 3.2; P(better) = 0.81). The number of components is chosen in each "
        "split. Exported: PCA with 12 components and a linear SVM (0.971, chosen on these rows)."
    ) in sentence_of(OPTIONS["PCA"] | likelier)
    assert (
        "kernel PCA is likelier better than PCA, but not shown: it differs by 0.6 points "
        "(95 % CI −2.4 to 3.5; P(better) = 0.66)"
    ) in sentence_of(OPEN_GAIN)


@pytest.mark.parametrize(("decision", "basis", "part"), CASES["circumstances"])
def test_every_circumstance_is_told(decision, basis, part):
    text = sentence(reasoned(decision, **basis_of(basis)))
    assert part in text
    assert "nan" not in text


def test_scores_of_rows_that_depend_on_each_other_are_no_advice():
    assert sentence_of(RAW, dependence=MICE) == (
        "The rows depend on each other, so random splits overrate every score. A Gaussian SVM on "
        "the raw features: balanced accuracy 0.996 if rows are held out at random, 0.579 if rows "
        "with equal 'mouse' are held out together."
    )
    blocks = sentence_of(RAW, dependence=WRITERS)
    assert blocks.endswith("0.579 if neighbouring rows of the file are held out together.")
    assert sentence_of(RAW, dependence=WINE) == sentence_of(RAW)


@pytest.mark.parametrize(("decision", "phrase"), CASES["unknown"])
def test_nothing_is_said_that_is_not_known(decision, phrase):
    assert phrase not in sentence_of(decision)


def test_sentences_are_short():
    for name in ("kernel PCA", "PCA", "raw features", "not compared"):
        parts = re.split("[.;:] ", sentence_of(OPTIONS[name]).replace("95 % CI ", ""))
        assert all(len(part.split()) <= 25 for part in parts)


CLEAN = {"lone": (("x", 0.5),)}


def basis_of(facts):
    """Return what a decision rests on, of facts some of which are named or listed."""
    changes = facts.copy()
    if "point" in facts:
        changes["point"] = Point(**facts["point"])
    if "dependence" in facts:
        changes["dependence"] = DEPENDENT[facts["dependence"]]
    if "memory" in facts:
        changes["memory"] = Memory(*facts["memory"])
    return CLEAN | changes


def status(code, decision, basis):
    checks = results(reasoned(decision, **basis_of(basis)))
    return checks.set_index("code").loc[code, "status"]


@pytest.mark.parametrize(("code", "decision", "basis", "part"), CASES["issues"])
def test_an_issue_is_told_with_its_code_before_lesser_ones(code, decision, basis, part):
    first, *_ = caveats(results(reasoned(decision, **basis_of(basis))))
    assert part in first
    assert first.endswith(f"({code})")
    assert status(code, decision, basis) == "issue"
    assert status(code, {}, {}) in ("passed", "not applicable")


@pytest.mark.parametrize(("expected", "code", "decision", "basis"), CASES["statuses"])
def test_a_check_may_pass_or_not_apply(expected, code, decision, basis):
    assert status(code, decision, basis) == expected


def test_a_resemblance_without_harm_is_a_note_behind_the_warnings():
    checks = results(reasoned({"rows": 60}, dependence=WINE, **CLEAN))
    severities = checks.set_index("code")["severity"]
    assert (severities["KP014"], severities["KP003"]) == ("note", "warning")
    codes = [text[-6:-1] for text in caveats(checks)]
    assert codes == ["KP003", "KP014"]


def test_codes_are_unique_and_warnings_come_first():
    assert len({check.code for check in CHECKS}) == len(CHECKS)
    severities = [check.severity for check in CHECKS]
    assert severities == sorted(severities, reverse=True)


@pytest.mark.parametrize("task", ["label", "target"])
def test_a_column_that_leaks_the_answer_is_found(task):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4))
    y = np.arange(60) % 2
    X[:, 3] = 0.0  # is constant
    X[:, 2] = 5 * y + 0.1 * X[:, 2]
    answer = {"y": y} if task == "label" else {"target": X[:, 2]}
    leaky = dataset_of(X, **answer)
    assert lone_columns(leaky)[0] == ("c", pytest.approx(1.0))
    others = lone_columns(dataset_of(X[:, [0, 1, 3]], **answer))
    assert {*dict(others)} == {"a", "b"}
    assert others[0][1] < 0.8
    assert lone_columns(replace(leaky, y=None, target=None)) == ()
    coded = np.column_stack([X[:, 0], y])
    named = dataset_of(coded, categories={"b": ["no", "yes"]}, **answer)
    assert lone_columns(named)[0][0] == "b"


DECISION = asdict(decided(OPTIONS["answered"]))


@pytest.fixture
def answer():
    tables = {name: pd.DataFrame(rows) for name, rows in CASES["tables"].items()}
    checks = results(reasoned({"rows": 60}))
    left_out = ["a quick look", "one fold"]
    return answers(pd.DataFrame([DECISION]), left_out, {}, checks=checks, **tables)[0]


def test_an_answer_is_plain_values_without_nan(answer):
    plain = json.loads(as_json([answer]))[0]
    assert plain["recommended"] == "kernel PCA"
    assert (plain["components"], plain["predict"]) == ("A.", "B.")
    assert plain["by_components"] == [{"model": "PCA", "gain": None}]
    assert plain["recommended_score"] == 0.962
    assert [row["model"] for row in plain["ranking"]] == ["PCA", "kernel PCA"]
    assert plain["ranking"][1]["low"] is None
    assert plain["predictor"]["C"] is None
    assert [row["verdict"] for row in plain["comparisons"]] == ["better", "inconclusive", "better"]
    assert plain["left_out"] == "a quick look; one fold"
    assert "NaN" not in as_json([answer])
    of_raw = replace(answer, decision=decided(RAW))
    assert of_raw.comparisons["option"].tolist() == ["raw features", "kernel PCA", "kernel PCA"]


def test_an_answer_is_a_text_with_its_numbers(answer):
    text = answer.to_markdown()
    parts = ("Use it.", "A quick look; one fold.", "kernel PCA (recommended)", "| 0.02 |")
    for part in (*parts, "above 0.99", "KP003"):
        assert part in text
        assert part in answer._repr_html_() or part == "| 0.02 |"
    assert "KP005" not in text  # does not apply
    assert "nan" not in text
    assert repr(answer) == text


def test_names_are_shown_as_they_are(answer):
    """A name of a column or class is text, whatever it means in Markdown or HTML."""
    name = "<img src=x onerror=alert(1)>|**b** [link](http://x) `c`\n# title"
    hostile = replace(answer, decision=decided({"sentence": f"Leave out {name!s}."}))
    assert "<img" not in hostile._repr_html_()
    text = hostile.to_markdown()
    plain = r"\<img src=x onerror=alert(1)\>\|\*\*b\*\* \[link\](http://x) \`c\` # title"
    assert f"Leave out {plain}." in text.splitlines()


NAMED = pd.DataFrame({"kind": ["a", "b", "c"], 7: [1, 2, 3]}, index=[5, 6, 7])


def test_arrays_and_frames_become_one_table_with_roles():
    X = np.ones((3, 2))
    y = np.array([0.5, 1.5, 2.0])
    groups = ["a", "b", "a"]
    table, roles = _table(X, y, groups, "auto")
    assert list(table) == ["x1", "x2", "target", "group"]
    assert roles == {"target": "target", "group": "group"}
    table, roles = _table(NAMED, pd.Series([1, 2, 1], name="species"), None, "auto")
    assert (list(table), roles) == (["kind", "7", "species"], {"label": "species"})
    assert table["species"].tolist() == [1, 2, 1]
    assert _table(NAMED, [1, 2, 3], None, "regression")[1] == {"target": "target"}
    assert _table(NAMED, [1, 2, 1], "7", "auto")[1] == {"label": "label", "group": "7"}
    table, roles = _table(X, pd.DataFrame({"name": y}), pd.DataFrame({"mouse": groups}), "auto")
    assert roles == {"target": "target", "group": "group"}
    assert table[["target", "group"]].to_numpy().tolist() == [[0.5, "a"], [1.5, "b"], [2.0, "a"]]
    of_two_levels = NAMED.set_axis([("size", "cm"), ("size", "kg")], axis="columns")
    assert next(iter(_table(of_two_levels, None, None, "auto")[0])) == "('size', 'cm')"


@pytest.mark.parametrize(
    ("name", "groups", "task", "message"),
    [
        ("kind", None, "auto", "'kind': rename one"),
        ("y", "mouse", "auto", "groups='mouse' names no column of X"),
        ("y", None, "both", "task must be"),
    ],
)
def test_roles_that_do_not_fit_are_refused(name, groups, task, message):
    with pytest.raises(ValueError, match=message):
        _table(NAMED, pd.Series([1, 2, 1], name=name), groups, task)


@pytest.mark.parametrize(
    ("X", "y", "groups", "message"),
    [
        (NAMED, np.ones((3, 2)), None, r"y has shape \(3, 2\), and must have one value for each"),
        (NAMED, [1, 2], None, r"y has shape \(2,\), .* of the 3 rows of X"),
        (NAMED, None, ["a"], r"groups has shape \(1,\)"),
        (np.ones(3), None, None, r"X has shape \(3,\), and must have rows and columns"),
    ],
)
def test_shapes_that_do_not_fit_are_refused(X, y, groups, message):
    with pytest.raises(ValueError, match=message):
        _table(X, y, groups, "auto")


def test_masked_cells_are_missing():
    X = np.ma.masked_equal([[1, -9], [2, 3]], -9)
    table, _ = _table(X, np.ma.masked_equal([0.5, -9.0], -9.0), None, "auto")
    assert (table.isna().to_numpy() == [[False, True, False], [False, False, True]]).all()
    assert table["x2"].dtype == float


def test_numbers_without_fractions_can_be_a_target_and_missing_answers_stay():
    X, y = load_diabetes(return_X_y=True)
    assert _table(X, y, None, "auto")[1] == {"target": "target"}
    assert _table(X, y % 7, None, "auto")[1] == {"label": "label"}
    y[3] = np.nan
    table, roles = _table(csr_array(X), y, None, "auto")
    assert roles == {"target": "target"}
    assert table["target"].isna().sum() == 1
    with pytest.raises(InputError, match=r"target column 'target' is empty in 1 of 442 rows"):
        answer_for(X, y)


def test_the_remedy_of_dependent_rows_is_an_option_of_the_answer():
    """The class is a coin per mouse: there is nothing to learn."""
    options = {"quick": True, "kernels": "rbf", "processes": 1}
    table = mice().assign(mouse=MOUSE + 1)
    y = np.where(COIN[MOUSE], "a", "b")
    told = answer_for(table, y, **options).sentence
    assert told.startswith("The rows depend on each other")
    assert told.endswith("Run again with group=mouse (in Python: groups='mouse'). (KP014)")
    grouped = answer_for(table, y, groups="mouse", **options).sentence
    assert grouped.startswith(("The data do not show whether there is any", "No signal"))


def test_two_runs_of_an_answer_have_the_same_texts():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 20)
    X = rng.normal(size=(40, 3)) * np.where(y == 1, 2, 1)[:, None]
    one, other = (
        answer_for(X, y, quick=True, kernels="rbf", processes=processes) for processes in (1, 2)
    )
    assert as_json([one]) == as_json([other])
    assert one.to_markdown() == other.to_markdown()


@given(
    st.floats(-0.2, 0.2),
    st.floats(0.001, 0.2),
    st.sampled_from(["raw features", "PCA", "kernel PCA"]),
)
def test_no_answer_says_more_than_its_interval(gain, half, option):
    """A word such as "better" needs an interval on one side of 0; else it is "not shown"."""
    low = gain - half
    high = gain + half
    probability = 0.75 if gain > 0 else 0.4
    d = CASES["decision"] | OPTIONS[option] | {"gain": gain, "gain_low": low, "gain_high": high}
    d |= {"vs_pca": verdict(low, high, 0.01), "probability_pca": probability}
    d |= {"default_gain": gain, "default_low": low, "default_probability": probability}
    d |= {"next_gain": -abs(gain), "next_low": -high, "next_high": high}
    components = components_sentence(reasoned(d))
    predict = predict_sentence(reasoned(d))
    assert ("is better than PCA" in components) == (low > 0)
    assert ("is worse by" in components) == (high < 0)
    if d["recommended"] != d["default"]:
        assert ("It is better than" in predict) == (low > 0)
        assert ("but not shown" in predict) == (low <= 0)
    else:
        assert ("No option is shown to be better" in predict) == (high >= 0)
