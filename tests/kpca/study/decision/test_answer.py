"""What a decision says: its sentence, what limits it, and the answer as an object."""

import json
import math
from dataclasses import asdict, replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.datasets import load_diabetes

from kpca.files import write_text
from kpca.reading.errors import InputError
from kpca.study.datasets.dataset import Dataset
from kpca.study.decision.answer import answers, as_json
from kpca.study.decision.checks import CHECKS, caveats, lone_columns, results
from kpca.study.decision.decision import Difference, ReasonedDecision
from kpca.study.decision.dependence import Dependence, Memory, Resemblance
from kpca.study.decision.sentence import components_sentence, predict_sentence, sentence
from kpca.study.evidence.statistics import verdict
from kpca.study.fitting.grid import Point
from kpca.study.notebook import _table
from kpca.study.notebook import answer as answer_for
from tests.decisions import decision_of

KERNEL = {"dataset": "flowers", "measure": "balanced_accuracy", "agreeing": 8}
KERNEL |= {"recommended": "kernel PCA", "recommended_score": 0.962, "recommended_low": 0.951}
KERNEL |= {"recommended_high": 0.973, "replicates": 10, "rows": 150, "linear_chosen": 0}
KERNEL |= {"next": "raw features", "next_gain": -0.022, "next_low": -0.032, "next_high": -0.012}
KERNEL |= {"next_probability": 0.004, "probability_raw": 0.95, "probability_pca": 0.995}
KERNEL |= {"vs_chance": "better", "vs_raw": "inconclusive", "vs_pca": "better"}
KERNEL |= {"model": "kernel PCA", "kernel": "rbf", "parameters": '{"gamma": 0.31}'}
KERNEL |= {"predictor": "linear_svm", "n_components": 12, "features": 4.0}
BEHIND = ("next_gain", "next_low", "next_high", "next_probability")
OVER_DEFAULT = ("default_gain", "default_low", "default_high", "default_probability")
COMPARED = {*BEHIND, *OVER_DEFAULT, "next", "default"}
KERNEL |= {"predictor_score": 0.971, "default": "raw features", "default_probability": 0.995}
KERNEL |= {"default_gain": 0.022, "default_low": 0.012, "default_high": 0.032}
KERNEL |= {"score": 0.962, "low": 0.951, "high": 0.973, "chance": 0.5, "pca": 0.881}
KERNEL |= {"raw_method": "random_forest", "raw_gain": 0.022, "raw_low": 0.012, "raw_high": 0.032}
KERNEL |= {"gain": 0.081, "gain_low": 0.069, "gain_high": 0.093}
MICE = Dependence(Resemblance("mouse", 0.958, 0.057, 0.005), 0.996, 0.579, 0.074, 0.01)
WRITERS = replace(MICE, resemblance=replace(MICE.resemblance, column=""))
WINE = replace(WRITERS, by_rows=0.981, by_groups=0.991)
BASIS = {"point": Point("rbf", {"median": 1}), "classes": {"a": 70, "b": 80}}
SHORT = "kernel PCA with a Gaussian kernel and a linear SVM"
SCORED = "balanced accuracy 0.962 (95 % CI 0.951 to 0.973) on held-out rows"
MODEL = "kernel PCA with a Gaussian kernel, γ = 0.31 (median heuristic), 12 components"
RAW = {"recommended": "raw features", "predictor": "rbf_svm", "next": "kernel PCA"}
RAW |= {"model": "PCA", "kernel": "linear", "parameters": "{}"}
OPEN_GAIN = {"vs_pca": "inconclusive", "gain": 0.006, "gain_low": -0.024, "gain_high": 0.035}
OPEN_GAIN |= {"probability_pca": 0.66}
PCA = {"recommended": "PCA", "model": "PCA", "kernel": "linear"}
PCA |= {"parameters": "{}", "next": "kernel PCA"}
PCA |= {"next_gain": 0.001, "next_low": -0.002, "next_high": 0.004}
NONE = {"vs_chance": "no comparison", "vs_raw": "no comparison", "vs_pca": "no comparison"}
UNLABELLED = NONE | {"measure": "trustworthiness", "recommended": ""}
UNLABELLED |= {"recommended_score": math.nan}
POLY = UNLABELLED | {"kernel": "poly", "parameters": '{"gamma": 0.5, "degree": 3, "coef0": 1}'}
MINE = UNLABELLED | {"kernel": "mine", "parameters": '{"width": 2}'}
OPEN = dict.fromkeys(("recommended_low", "next_low", "next_high", "gain_low"), math.nan)


def made(changes=None):
    values = KERNEL | (changes or {})
    return decision_of(**{name: values[name] for name in values.keys() - COMPARED})


def reasoned(decision=None, **basis):
    values = KERNEL | (decision or {})
    compared = {
        "behind": Difference(*(values[name] for name in BEHIND)),
        "over_default": Difference(*(values[name] for name in OVER_DEFAULT)),
    }
    compared |= {"next": values["next"], "default": values["default"]}
    return ReasonedDecision(**vars(made(decision)), **(BASIS | compared | basis))


def said(decision=None, **basis):
    return sentence(reasoned(decision, **basis))


def test_kernel_pca_is_shown_to_be_better():
    assert said() == (
        f"As components, use {MODEL}: kernel PCA is better than PCA by 8.1 points "
        f"(95 % CI 6.9 to 9.3). To predict, use kernel PCA: {SCORED}; chance gives 0.500. It is "
        "better than raw features by 2.2 points (95 % CI 1.2 to 3.2). Kernel, parameters and "
        f"number of components are chosen in each split. Exported: {SHORT} (0.971, chosen on "
        "these rows; 8 of 10 splits chose this kernel)."
    )


def test_raw_features_are_the_default_that_nothing_overturns():
    behind = {"next_low": -0.032, "next_high": 0.002, "next_probability": 0.04}
    assert said(RAW | behind | OPEN_GAIN) == (
        "As components, use PCA with 12 components: kernel PCA is not shown to be better, and "
        "differs by 0.6 points (95 % CI −2.4 to 3.5; P(better) = 0.66). To predict, use raw "
        f"features: {SCORED}; chance gives 0.500. No option is shown to be better, and raw "
        "features are the simplest: kernel PCA differs by −2.2 points (95 % CI −3.2 to 0.2; "
        "P(better) = 0.04). The predictor is chosen in each split, most often a random forest. "
        "Exported: a Gaussian SVM on the raw features (0.971, chosen on these rows; 8 of 10 splits "
        "chose this predictor)."
    )
    assert "Kernel PCA is shown to be worse: it differs by −2.2 points" in said(RAW)


def test_what_is_likelier_better_is_not_said_to_be_shown():
    likelier = {"default_gain": 0.012, "default_low": -0.01, "default_probability": 0.81}
    assert (
        "It is likelier better than raw features, but not shown: it differs by 1.2 points "
        "(95 % CI −1.0 to 3.2; P(better) = 0.81). The number of components is chosen in each "
        "split. Exported: PCA with 12 components and a linear SVM (0.971, chosen on these rows)."
    ) in said(PCA | likelier)
    assert "kernel PCA is likelier better than PCA, but not shown: it differs" in said(OPEN_GAIN)


@pytest.mark.parametrize(
    ("decision", "basis", "words"),
    [
        ({"vs_chance": "inconclusive"}, {}, "The data do not show whether there is any signal."),
        ({"vs_chance": "enough"}, {}, "No signal: no option is better than chance."),
        (RAW | {"vs_pca": "worse", "gain": -0.03}, {}, "kernel PCA is worse by 3.0 points"),
        (RAW | {"vs_pca": "enough"}, {}, "PCA is enough, and kernel PCA differs by 8.1 points"),
        (
            {},
            {"gains": {2: 0.1, 5: -0.002, 12: 0.01}},
            "With 2, 5 and 12 components it differs by 10.0, −0.2 and 1.0 points.",
        ),
        ({"linear_chosen": 9}, {}, "In 9 of 10 splits the linear kernel, which equals PCA, would"),
        (UNLABELLED | {"n_components": 1}, {}, ", 1 component."),
        (UNLABELLED, {"point": Point("rbf", {"median": 10})}, "(10 × median heuristic)"),
        (UNLABELLED, {"point": Point("rbf", {"sigma": 2})}, "(σ = 2)"),
        (POLY, {"point": Point("poly")}, "polynomial kernel of degree 3, γ = 0.5, c = 1, 12 comp"),
        (MINE, {}, "custom kernel mine, width = 2, 12"),
        ({"measure": "correlation"}, {}, "better than PCA by 0.081 (95 % CI 0.069 to 0.093)."),
        ({"measure": "correlation"}, {}, "use kernel PCA: correlation 0.962"),
        ({"recommended_low": 0.9999, "recommended_high": 0.99991}, {}, "(95 % CI above 0.999)"),
        (UNLABELLED, {}, "No comparison: neither a label nor a target was given."),
        (UNLABELLED, {}, f"The exported model is {MODEL}. It is a convention, with as many "),
        (UNLABELLED, {"variance_share": 0.8}, "components as keep 80 % of the variance"),
        (NONE | {"features": math.nan}, {}, "a kernel matrix has no PCA to compare with"),
        ({"recommended_score": math.nan}, {}, "No held-out score could be computed."),
        ({}, {"validated": False}, "Inconclusive: there are too few rows for cross-validation."),
        ({}, {"validated": False}, "defaults that were not tested on these data: Gaussian kernel"),
        (OPEN, {"groups": 12}, "12 groups are too few for confidence intervals (20 are needed)."),
        (OPEN | RAW, {"groups": 12}, "To predict, use raw features: balanced accuracy 0.962 on he"),
        (
            {},
            {"independent": True},
            f"in each draw. Exported: {SHORT} (0.971, chosen on the first d",
        ),
    ],
)
def test_every_circumstance_is_told(decision, basis, words):
    assert words in said(decision, **basis)
    assert "nan" not in said(decision, **basis)


def test_scores_of_rows_that_depend_on_each_other_are_no_advice():
    assert said(RAW, dependence=MICE) == (
        "The rows depend on each other, so random splits overrate every score. A Gaussian SVM on "
        "the raw features: balanced accuracy 0.996 if rows are held out at random, 0.579 if rows "
        "with equal 'mouse' are held out together."
    )
    blocks = said(RAW, dependence=WRITERS)
    assert blocks.endswith("0.579 if neighbouring rows of the file are held out together.")
    assert said(RAW, dependence=WINE) == said(RAW)


@pytest.mark.parametrize(
    ("decision", "words"),
    [
        (UNLABELLED, "enough"),
        (UNLABELLED, "chance"),
        (RAW | {"next_probability": math.nan}, "P(better) = )"),
        (RAW | {"next": "", "next_high": math.nan}, "simplest"),
        ({}, "linear kernel"),
    ],
)
def test_nothing_is_said_that_is_not_known(decision, words):
    assert words not in said(decision)


def test_what_is_open_is_followed_by_its_probability():
    for option in (RAW | {"next_high": 0.01}, {}):
        for part in said(option | OPEN_GAIN).split(". "):
            assert ("not shown" not in part) or "; P(better) = 0." in part


def test_sentences_are_short():
    for decision in ({}, PCA, RAW, NONE):
        text = said(decision).replace("95 % CI ", "").replace("; ", ". ").replace(": ", ". ")
        assert all(len(part.split()) <= 25 for part in text.split(". "))


CLEAN = {"lone": (("x", 0.5),)}


LEAKS = (("day", 0.99), ("a, b", 0.97), ("x", 0.5))
TWENTIES = dict.fromkeys("abcdefghij", 20)


def status(decision, **basis):
    found = results(reasoned(decision, **(CLEAN | basis)))
    return dict(zip(found["code"], found["status"], strict=True))


@pytest.mark.parametrize(
    ("code", "decision", "basis", "words"),
    [
        ("KP001", {"vs_chance": "inconclusive"}, {}, "Without a clear signal"),
        ("KP002", {}, {"classes": {"a": 19, "b": 81}}, "Class 'a' has only 19 of 100 rows"),
        ("KP002", {}, {"classes": {"a": 40, "b": 960}}, "Class 'a' has only 40 of 1000 rows"),
        ("KP003", {"rows": 60}, {}, "There are only 60 rows"),
        ("KP003", {}, {"groups": 30}, "There are only 30 groups"),
        (
            "KP004",
            {},
            {"lone": (("day", 0.96),)},
            "The column 'day' (0.960) alone predicts as well",
        ),
        ("KP004", {}, {"lone": LEAKS}, 'run again with \'drop=["day", "a, b"]\'. (KP004)'),
        ("KP003", {"rows": 200}, {"classes": TWENTIES}, "200 rows, and 20 in the smallest class"),
        ("KP005", {}, {"kurtosis": 40.0}, "heavy tails (excess kurtosis 40)"),
        ("KP006", {"agreeing": 5}, {}, "only 5 of 10 random splits chose this kernel"),
        ("KP006", RAW | {"agreeing": 0}, {}, "none of 10 random splits chose this predictor"),
        ("KP007", {}, {"edges": ("32 components",)}, "at the edge of the grid (32 components)"),
        ("KP009", {}, {"unconverged": 1}, "1 fit of SVMs of chosen settings stopped before conver"),
        ("KP010", {}, {"completeness": "open"}, "missed larger eigenvalues is open"),
        ("KP012", {"vs_pca": "inconclusive"}, {}, "over PCA below about 1.2 points cannot be det"),
        ("KP012", {"vs_pca": "inconclusive", "pca": 0.99}, {}, "which scored 0.990, cannot be"),
        (
            "KP014",
            {},
            {"dependence": MICE},
            "the nearest row has an equal 'mouse' (6 %",
        ),
        ("KP014", {}, {"dependence": MICE}, "by chance). Run again with group=mouse (in Python: "),
        ("KP014", {}, {"dependence": WRITERS}, "stands next to it in the file (6 % by chance). If"),
        ("KP014", {}, {"dependence": WINE}, "0.981 if rows are held out at random, 0.991 if they"),
        (
            "KP015",
            {},
            {"memory": Memory(4.2, 500, False)},
            "over about 4 rows. Therefore more ordinary rows may be called novel than asked. If "
            "the rows are in the order of time, run again with time=COLUMN",
        ),
        (
            "KP015",
            {},
            {"memory": Memory(9.0, 500, True)},
            "no rate of false alarms can be promised for novel rows: that takes 20 blocks of 27 "
            "rows, and there",
        ),
        ("KP013", {"n_components": 5}, {"back": 2}, "Only 2 of 5 components are shown to"),
        ("KP013", {"n_components": 1}, {"back": 0}, "Of 1 component, none is shown to"),
    ],
)
def test_an_issue_is_told_with_its_code_before_lesser_ones(code, decision, basis, words):
    first, *_ = caveats(results(reasoned(decision, **(CLEAN | basis))))
    assert words in first
    assert first.endswith(f"({code})")
    assert status(decision, **basis)[code] == "issue"
    assert status({})[code] in ("passed", "not applicable")


@pytest.mark.parametrize(
    ("code", "decision", "basis"),
    [
        ("KP001", UNLABELLED, {}),
        ("KP002", {}, {"classes": {}}),
        ("KP004", {}, {"lone": ()}),
        ("KP005", {}, {}),
        ("KP006", PCA, {}),
        ("KP006", {}, {"families": 1}),
        ("KP010", PCA, {"completeness": ""}),
        ("KP012", {"gain_high": math.nan}, {}),
        ("KP013", {}, {"back": None}),
    ],
)
def test_a_check_may_not_apply(code, decision, basis):
    assert status(decision, **basis)[code] == "not applicable"


def test_a_resemblance_without_harm_is_a_note_behind_the_warnings():
    checks = results(reasoned({"rows": 60}, dependence=WINE, **CLEAN))
    severities = checks.set_index("code")["severity"]
    assert (severities["KP014"], severities["KP003"]) == ("note", "warning")
    codes = [text[-6:-1] for text in caveats(checks)]
    assert codes == ["KP003", "KP014"]
    unshown = Dependence(Resemblance("", 0.04, 0.04, 0.5))
    assert status({}, dependence=unshown)["KP014"] == "passed"
    assert status({})["KP014"] == "not applicable"


def test_blocks_of_time_that_are_long_enough_pass():
    assert status({}, memory=Memory(8.0, 500, True))["KP015"] == "passed"
    assert status({}, memory=Memory(1.0, 30, False))["KP015"] == "passed"
    assert status({})["KP015"] == "not applicable"


def test_balanced_classes_are_not_rare():
    assert status({"rows": 60}, classes=dict.fromkeys("abc", 20))["KP002"] == "passed"


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
    splits = ((np.arange(40), np.arange(40, 60)),)
    leaky = Dataset(name="", X=X, splits=splits, feature_names=tuple("abcd"), **answer)
    assert lone_columns(leaky)[0] == ("c", pytest.approx(1.0))
    others = lone_columns(replace(leaky, X=X[:, [0, 1, 3]], feature_names=tuple("abd")))
    assert {*dict(others)} == {"a", "b"}
    assert others[0][1] < 0.8
    assert lone_columns(replace(leaky, y=None, target=None)) == ()
    named = replace(leaky, X=np.column_stack([X[:, 0], y]), feature_names=("a", "b"))
    named = replace(named, categories={"b": ["no", "yes"]})
    assert lone_columns(named)[0][0] == "b"


ANSWERED = {"sentence": "Use it.", "sentence_components": "A."}
ANSWERED |= {"sentence_predict": "B.", "probability_chance": 1.0, "scaling": "unit"}
ANSWERED |= {"cell": "rbf", "predictor_cell": "rbf"}
ANSWERED |= {"chance_gain": 0.4, "chance_low": 0.3, "chance_high": 0.5}
DECISION = asdict(made(ANSWERED))
RANKING = pd.DataFrame({"dataset": "flowers", "model": ["PCA", "kernel PCA"], "mean": [0.8, 0.9]})
RANKING = RANKING.assign(low=[0.7, math.nan], high=1.0, recommended=[False, True])
RANKING = RANKING.assign(probability=[0.02, math.nan])


BY_COMPONENTS = pd.DataFrame({"dataset": ["flowers", "other"]})
BY_COMPONENTS = BY_COMPONENTS.assign(model="PCA", gain=np.nan)


@pytest.fixture
def answer():
    ranking = pd.concat([RANKING.assign(dataset="other"), RANKING])
    checks = results(reasoned({"rows": 60}))
    decisions = pd.DataFrame([DECISION])
    tables = {"checks": checks, "ranking": ranking, "by_components": BY_COMPONENTS}
    return answers(decisions, ["a quick look", "one fold"], **tables)[0]


def test_an_answer_is_plain_values_without_nan(answer):
    found = json.loads(as_json([answer]))[0]
    assert found["recommended"] == "kernel PCA"
    assert (found["components"], found["predict"]) == ("A.", "B.")
    assert found["by_components"] == [{"model": "PCA", "gain": None}]
    assert found["recommended_score"] == 0.962
    assert [row["model"] for row in found["ranking"]] == ["PCA", "kernel PCA"]
    assert found["ranking"][1]["low"] is None
    assert found["predictor"]["C"] is None
    assert [row["verdict"] for row in found["comparisons"]] == ["better", "inconclusive", "better"]
    assert found["left_out"] == "a quick look; one fold"
    assert "NaN" not in as_json([answer])


def test_an_answer_is_a_text_with_its_numbers(answer):
    text = answer.to_markdown()
    said = ("Use it.", "A quick look; one fold.", "kernel PCA (recommended)", "| 0.02 |")
    for words in (*said, "above 0.99", "KP003"):
        assert words in text
        assert words in answer._repr_html_() or words == "| 0.02 |"
    assert "KP005" not in text  # does not apply
    assert "nan" not in text
    assert repr(answer) == text


def test_names_are_shown_as_they_are(answer):
    """A name of a column or class is text, whatever it means in Markdown or HTML."""
    name = "<img src=x onerror=alert(1)>|**b** [link](http://x) `c`\n# title"
    hostile = replace(answer, decision=made({"sentence": f"Leave out {name!s}."}))
    assert "<img" not in hostile._repr_html_()
    text = hostile.to_markdown()
    plain = r"\<img src=x onerror=alert(1)\>\|\*\*b\*\* \[link\](http://x) \`c\` # title"
    assert f"Leave out {plain}." in text.splitlines()


def test_arrays_and_frames_become_one_table_with_roles():
    X = np.ones((3, 2))
    y = np.array([0.5, 1.5, 2.0])
    groups = ["a", "b", "a"]
    table, roles = _table(X, y, groups, "auto")
    assert list(table) == ["x1", "x2", "target", "group"]
    assert roles == {"target": "target", "group": "group"}
    named = pd.DataFrame({"kind": ["a", "b", "c"], 7: [1, 2, 3]}, index=[5, 6, 7])
    table, roles = _table(named, pd.Series([1, 2, 1], name="species"), None, "auto")
    assert (list(table), roles) == (["kind", "7", "species"], {"label": "species"})
    assert table["species"].tolist() == [1, 2, 1]
    assert _table(named, [1, 2, 3], None, "regression")[1] == {"target": "target"}
    with pytest.raises(ValueError, match="'kind': rename one"):
        _table(named, pd.Series([1, 2, 1], name="kind"), None, "auto")
    assert _table(named, [1, 2, 1], "7", "auto")[1] == {"label": "label", "group": "7"}
    with pytest.raises(ValueError, match="groups='mouse' names no column of X"):
        _table(named, [1, 2, 1], "mouse", "auto")
    with pytest.raises(ValueError, match="task must be"):
        _table(named, [1, 2, 3], None, "both")


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
    """30 mice of 8 rows, whose class is a coin per mouse: there is nothing to learn."""
    rng = np.random.default_rng(2)
    mouse = np.repeat(np.arange(1, 31), 8)
    X = pd.DataFrame(rng.normal(size=(30, 5))[mouse - 1] + 0.3 * rng.normal(size=(240, 5)))
    y = np.repeat(rng.permutation(["a", "b"] * 15), 8)
    options = {"quick": True, "kernels": "rbf", "processes": 1}
    table = X.rename(columns="x{}".format).assign(mouse=mouse)
    told = answer_for(table, y, **options).sentence
    assert told.startswith("The rows depend on each other")
    assert told.endswith("Run again with group=mouse (in Python: groups='mouse'). (KP014)")
    grouped = answer_for(table, y, groups="mouse", **options).sentence
    assert grouped.startswith(("The data do not show whether there is any", "No signal"))


def test_two_runs_of_an_answer_write_the_same_bytes(tmp_path):
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 20)
    X = rng.normal(size=(40, 3)) * np.where(y == 1, 2, 1)[:, None]
    files = []
    for processes in (1, 2):
        told = answer_for(X, y, quick=True, kernels="rbf", processes=processes)
        for name, text in (("json", as_json([told])), ("md", told.to_markdown())):
            files.append(tmp_path / f"answer{processes}.{name}")
            write_text(files[-1], text)
    for first, second in zip(files[:2], files[2:], strict=True):
        assert first.read_bytes() == second.read_bytes()


@settings(deadline=None)
@given(st.floats(-0.2, 0.2), st.floats(0.001, 0.2), st.sampled_from([RAW, PCA, {}]))
def test_no_answer_says_more_than_its_interval(gain, half, option):
    """A word such as "better" needs an interval on one side of 0; else it is "not shown"."""
    low = gain - half
    high = gain + half
    probability = 0.75 if gain > 0 else 0.4
    d = KERNEL | option | {"gain": gain, "gain_low": low, "gain_high": high}
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
