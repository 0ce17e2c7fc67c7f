"""Coverage, verdicts and probabilities of stored answers, compared with the truth."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from kpca.study.evidence.statistics import CHOSE_RULES
from kpca.study.store import read_table
from tests.columns import differences
from tests.scripts.drawing import assert_drawn_well
from workflow import ROOT
from workflow.populations import CELLS, resembled
from workflow.scripts.calibration.document import document
from workflow.scripts.calibration.effects import LOSSES, cells_of, effects, measured
from workflow.scripts.calibration.figure_calibration import draw

SHIPPED = read_table(ROOT / "workflow/scripts/calibration/answers.csv")
MANY = CHOSE_RULES + 3


def made(folder: Path, answers: pd.DataFrame) -> dict[str, pd.DataFrame]:
    answers.to_csv(folder / "answers.csv", index=False)
    return effects([str(folder / "answers.csv")])


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pd.DataFrame]:
    """The tables of few populations, of which one has held-out datasets."""
    here = SHIPPED[SHIPPED["population"].isin(["ring", "binary", "groups12"])].query("set < 5")
    ring = here[(here["population"] == "ring") & (here["rows"] == 60)]
    more = pd.concat([ring.assign(set=ring["set"] + first) for first in range(5, MANY, 5)])
    return made(tmp_path_factory.mktemp("few"), pd.concat([here, more]).query("set < @MANY"))


def answers(truth: float, word: str, n: int = 4) -> pd.DataFrame:
    row = {"pca_said": truth, "pca_own": truth, "pca_truth": truth, "margin": 0.01}
    row |= {"pca_low": truth - 0.1, "pca_high": truth + 0.1, "pca_verdict": word}
    return pd.DataFrame([row] * n)


def test_coverage_bias_and_width() -> None:
    rows = answers(0.0, "inconclusive").assign(pca_said=[0.1, 0.1, 0.3, 0.3])
    rows["pca_low"] = [-0.1, 0.0, 0.1, np.nan]
    found = measured("pca", rows)
    assert [found[name] for name in ("coverage", "bias", "width")] == pytest.approx(
        [2 / 3, 0.2, 0.1]
    )


@pytest.mark.parametrize(
    ("truth", "word", "false"),
    [
        (-0.01, "better", True),
        (-0.002, "better", False),  # too near to 0 to count
        (0.03, "enough", True),
        (0.012, "enough", False),  # too near to the margin
        (0.01, "worse", True),
        (0.002, "worse", False),
    ],
)
def test_a_verdict_is_false_only_far_from_its_end(truth: float, word: str, false: bool) -> None:
    found = measured("pca", answers(truth, word))

    assert found[word] == 1
    assert found["false"] == false


def test_effects_and_odds_are_documented_and_drawn(few, tmp_path):
    cells = few["effects"].query("comparison == 'pca' and population != 'all'")
    large = dict.fromkeys([("ring", 60), ("ring", 150), ("binary", 80)], "above 10 points")
    found = cells.set_index(["population", "rows"])["effect"].to_dict()
    assert found == large | {("groups12", 150): "1 to 10 points"}
    assert few["reliability"]["true"].between(0, 1).all()
    assert differences({f"calibration/{name}.csv": table for name, table in few.items()}) == []
    assert_drawn_well(draw, tmp_path, **few)
    # Rules are tested on datasets that did not choose them.
    pooled = few["effects"].query("population == 'all' and comparison == 'pca'")
    counted = pooled.groupby("datasets")["sets"].sum()
    odds = few["reliability"].query("comparison == 'pca'").groupby("datasets")["sets"].sum()
    assert counted.to_dict() == {"all": MANY + 15, "held out": MANY - CHOSE_RULES}
    assert odds["held out"] == MANY - CHOSE_RULES


def test_the_rules_keep_their_promises_on_the_shipped_answers(tmp_path: Path) -> None:
    """With two standard errors: coverage, false words, power, and losses compared with raw."""
    table = made(tmp_path, SHIPPED)["effects"].query("population == 'all' and datasets == 'all'")
    table = table.set_index(["comparison", "effect"])
    assert (table["coverage"] + 2 * table["coverage_error"] > 0.93).all()
    assert (table["false"].dropna() <= 0.005).all()
    better = table.loc["pca", "better"]
    assert better["1 to 10 points"] > 0.12
    assert better["above 10 points"] > 0.83
    chosen = table.loc["recommended"]
    means = {name: np.average(chosen[name], weights=chosen["sets"]) for name in LOSSES}
    assert means["loss"] < 0.0026
    assert means["population_loss"] < means["population_loss_of_raw"] + 0.0005


@pytest.mark.parametrize(
    ("dataset", "likest"),
    [
        ({"rows": 75, "gain": 0.12}, ("binary", 80)),
        ({"rows": 140, "gain": 0.4}, ("ring", 150)),
        ({"rows": 130, "gain": 0.0, "groups": 15}, ("groups12", 150)),
        ({"rows": 150, "gain": 0.0, "classes": 9}, ("ten_classes", 150)),
        ({"rows": 90, "gain": 0.0, "numeric": True, "classes": np.nan}, ("outliers", 100)),
    ],
)
def test_a_dataset_resembles_the_population_of_its_kind(dataset, likest):
    given: dict[str, Any] = {"numeric": False, "classes": 2, "groups": 0} | dataset
    found = resembled(read_table(CELLS).to_dict("records"), **given)
    assert (found["population"], found["rows"]) == likest


def test_the_cells_that_the_page_reads_are_those_of_the_shipped_answers(tmp_path: Path) -> None:
    here = SHIPPED[SHIPPED["population"] == "binary"]
    found = cells_of(made(tmp_path, here)["effects"])
    stored = read_table(CELLS).query("population == 'binary'")
    pd.testing.assert_frame_equal(found, stored.reset_index(drop=True), atol=1e-4)


def test_the_document_has_the_tables_of_the_shipped_answers(few: dict[str, pd.DataFrame]) -> None:
    text = (ROOT / "docs/calibration.md").read_text(encoding="utf-8")
    written = document(text, **few)
    lines = [line for line in written.splitlines() if line not in text.splitlines()]

    assert lines
    assert all(line.startswith("|") for line in lines)
    assert document(written, **few) == written
    assert written.index("<!-- coverage -->") < written.index("<!-- reliability -->")
