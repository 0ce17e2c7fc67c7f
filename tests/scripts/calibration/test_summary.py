"""Coverage, bias and false verdicts of intervals that are written by hand."""

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pipeline.fingerprint import ROOT
from tests.columns import differences
from tests.scripts.drawing import assert_drawn_twice_the_same
from workflow.scripts.calibration.effects import effects, resembled
from workflow.scripts.calibration.figure_calibration import draw
from workflow.scripts.calibration.simulate import SPLITS, simulate
from workflow.scripts.calibration.summary import EQUAL, measured, summary


def intervals(truth: float, verdict: str, n: int = 100, **columns: object) -> pd.DataFrame:
    row = {"set": 0, "draws": SPLITS, "comparison": "pca", "value": truth, "fresh": truth}
    row |= {"low": truth - 0.1, "high": truth + 0.1, "verdict": verdict}
    row |= {"population": "plane", "rows": 60, "metric": "balanced_accuracy"}
    return pd.DataFrame([row | columns] * n).assign(set=range(n))


def summarized(tmp_path: Path, *parts: pd.DataFrame) -> pd.DataFrame:
    scores = [part.assign(comparison="score", verdict="") for part in parts]
    pd.concat([*parts, *scores]).to_csv(tmp_path / "a.csv", index=False)
    return summary([str(tmp_path / "a.csv")]).set_index("comparison")


def test_coverage_bias_and_width() -> None:
    rows = intervals(0.0, "inconclusive", 4).assign(value=[0.1, 0.1, 0.3, 0.3])
    rows["low"] = [-0.1, 0.0, 0.1, math.nan]
    found = measured(rows, pd.Series(0.0, rows.index), 4)

    assert found["coverage"] == pytest.approx(2 / 3)
    assert found["intervals"] == 0.75
    assert found["bias"] == pytest.approx(0.2)
    assert found["width"] == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("truth", "verdict", "false"),
    [
        (0.0, "better", True),
        (0.03, "better", False),
        (0.008, "better", False),  # too near to the margin to count
        (0.03, "enough", True),
        (0.012, "enough", False),
        (0.0, "worse", True),
        (-0.03, "worse", False),
        (-0.012, "worse", False),
    ],
)
def test_a_verdict_is_false_only_far_from_the_margin(
    tmp_path: Path, truth: float, verdict: str, false: bool
) -> None:
    row = summarized(tmp_path, intervals(truth, verdict)).loc["pca"]

    assert row[verdict] == 1
    assert (row[f"false_{verdict}"] == 1) == false
    assert (f"false {verdict}" in row["missed"]) == false


def test_missed_targets_are_named(tmp_path: Path) -> None:
    narrow = intervals(0.0, "enough").assign(low=0.01, high=0.02)
    assert summarized(tmp_path, narrow).loc["pca", "missed"] == "coverage"
    ring = intervals(0.4, "inconclusive", population="ring")
    assert summarized(tmp_path, ring).loc["pca", "missed"] == "decided"
    assert summarized(tmp_path, ring.assign(verdict="better")).loc["pca", "missed"] == ""
    population, rows = EQUAL
    equal = intervals(0.0, "inconclusive", population=population, rows=rows)
    groups = [f"0-{number}" for number in range(len(equal))]
    found = summarized(tmp_path, equal, equal.assign(draws="10 independent draws", set=groups))
    assert found.loc[["pca"], "missed"].tolist() == ["", "decided"]


def test_the_truth_is_the_mean_over_all_sets(tmp_path: Path) -> None:
    rows = intervals(0.0, "inconclusive", 4).assign(fresh=[0.2, 0.2, -0.2, -0.2])
    row = summarized(tmp_path, rows).loc["pca"]

    assert row["truth"] == pytest.approx(0)
    assert row["coverage"] == 1
    assert row["truth_error"] == pytest.approx(0.2 * math.sqrt(4 / 3) / 2)


def test_the_summary_of_a_simulation_is_documented(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "batch.csv"
    simulate("plane", 60, [0, 2], 2, seed=0)["intervals"].to_csv(path, index=False)
    found = summary([str(path)])

    assert capsys.readouterr().out == "2 simulated datasets per cell\n"
    assert differences({"calibration/calibration.csv": found}) == []
    assert set(found["draws"]) == {SPLITS, "2 independent draws"}
    assert np.isfinite(found[["truth", "truth_error", "coverage_error"]]).all(axis=None)


def test_the_shipped_answers_hold_and_are_drawn(tmp_path: Path) -> None:
    shipped = pd.read_csv(ROOT / "workflow/scripts/calibration/answers.csv")
    few = shipped[shipped["population"].isin(["ring", "binary", "groups12"])].query("set < 5")
    few.to_csv(tmp_path / "answers.csv", index=False)
    found = effects([str(tmp_path / "answers.csv")], simulated_by="other")
    cells = found["effects"].query("comparison == 'pca' and population != 'all'")

    assert found["effects"]["older"].all()
    assert cells.set_index("population")["effect"].to_dict() == {
        "ring": "above 10 points",
        "binary": "above 10 points",
        "groups12": "1 to 10 points",
    }
    assert found["reliability"]["true"].between(0, 1).all()
    tables = {f"calibration/{name}.csv": table for name, table in found.items()}
    assert differences(tables) == []
    likest = resembled(
        found["effects"], task="classification", rows=75, classes=2, groups=0, gain=0.15
    )
    assert "binary columns" in likest
    assert_drawn_twice_the_same(draw, tmp_path, **found)
