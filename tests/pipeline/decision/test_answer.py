"""The answer as an object: in words, as plain values, and as what a run writes."""

import json
import math

import numpy as np
import pandas as pd
import pytest

from pipeline.decision.answer import Answer, answers, as_json
from pipeline.decision.checks import results
from pipeline.notebook import _table
from tests.pipeline.decision.test_sentence import BASIS, KERNEL

DECISION = KERNEL | {"sentence": "Use it.", "probability_chance": 1.0, "cell": "rbf", "C": math.nan}
DECISION |= {"scaling": "unit", "predictor_cell": "rbf", "predictor_parameters": "{}"}
DECISION |= {f"chance_{end}": value for end, value in (("gain", 0.4), ("low", 0.3), ("high", 0.5))}
RANKING = pd.DataFrame({"dataset": "flowers", "model": ["PCA", "kernel PCA"], "mean": [0.8, 0.9]})
RANKING = RANKING.assign(low=[0.7, math.nan], high=1.0, recommended=[False, True])
RANKING = RANKING.assign(expected_loss=[0.1, 0.004], loss_bound=[0.2, 0.01])


@pytest.fixture
def answer() -> Answer:
    ranking = pd.concat([RANKING.assign(dataset="other"), RANKING])
    checks = results(KERNEL | {"rows": 60}, BASIS)
    return answers(checks=checks, decisions=pd.DataFrame([DECISION]), ranking=ranking)[0]


def test_an_answer_is_plain_values_without_nan(answer: Answer) -> None:
    found = json.loads(as_json([answer]))[0]

    assert found["recommended"] == "kernel PCA"
    assert found["recommended_score"] == 0.962
    assert [row["model"] for row in found["ranking"]] == ["PCA", "kernel PCA"]
    assert found["ranking"][1]["low"] is None
    assert found["predictor"]["C"] is None
    assert [row["verdict"] for row in found["comparisons"]] == ["better", "inconclusive", "better"]
    assert "NaN" not in as_json([answer])


def test_an_answer_is_a_text_with_its_numbers(answer: Answer) -> None:
    text = answer.to_markdown()
    for words in ("Use it.", "kernel PCA (recommended)", "10.0 points", "above 0.99", "KP003"):
        assert words in text
        assert words in answer._repr_html_() or words == "10.0 points"
    assert "KP005" not in text  # does not apply
    assert repr(answer) == text


def test_arrays_and_frames_become_one_table_with_roles() -> None:
    X, y, groups = np.ones((3, 2)), np.array([0.5, 1.5, 2.0]), ["a", "b", "a"]
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
    with pytest.raises(ValueError, match="task must be"):
        _table(named, [1, 2, 3], None, "both")
