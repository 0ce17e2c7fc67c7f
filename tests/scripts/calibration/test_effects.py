"""Coverage, verdicts and probabilities of simulated answers, compared with the truth."""

import numpy as np
import pandas as pd
import pytest
import yaml

from kpca.study.store import read_table
from tests.columns import differences
from tests.scripts.drawing import assert_drawn_well
from workflow import ROOT
from workflow.populations import CELLS, Likeness, resembled
from workflow.scripts.calibration.document import SHIPPED, document
from workflow.scripts.calibration.effects import effects, measured
from workflow.scripts.calibration.figure_calibration import draw

TABLES = {name: read_table(SHIPPED / f"{name}.csv") for name in ("effects", "reliability")}
SHIPPED_CELLS = read_table(CELLS)


# What is known of a dataset; the population that is like it, and its rows.
LIKEST = """
- [{rows: 75, gain: 0.12, columns: 6}, [binary, 80]]
- [{rows: 140, gain: 0.4}, [ring, 150]]
- [{gain: 0.0, is_grouped: true, groups: 15, columns: 5}, [groups12, 150]]
- [{gain: 0.0, rarest: 0.1}, [ten_classes, 150]]
- [{rows: 60, gain: -0.02, columns: 1841}, [wide, 60]]
- [{rows: 90, gain: 0.0, numeric: true, heavy: true}, [outliers, 100]]
- [{rows: 90, gain: 0.0, numeric: true, columns: 43}, {}]
- [{rows: 5000, gain: 0.0, rarest: 0.03}, {}]
"""


def statements(truth, word):
    row = {"comparison": "pca", "mean": truth, "truth": truth, "metric": "balanced_accuracy"}
    row |= {"low": truth - 0.1, "high": truth + 0.1, "verdict": word}
    return pd.DataFrame([row] * 4)


def test_coverage_and_bias():
    rows = statements(0.0, "inconclusive").assign(mean=[0.1, 0.1, 0.3, 0.3])
    rows["low"] = [-0.1, 0.0, 0.1, np.nan]
    (computed,) = measured(rows, ["comparison"]).to_dict("records")
    assert computed["coverage"] == pytest.approx(2 / 3)
    assert computed["bias"] == pytest.approx(0.5 / 3)


# A truth, a verdict, and whether it is false; not so near to 0 or to the margin.
VERDICTS = """
- [-0.01, better, true]
- [-0.002, better, false]
- [0.03, enough, true]
- [0.012, enough, false]
- [0.01, worse, true]
- [0.002, worse, false]
"""


@pytest.mark.parametrize(("truth", "word", "false"), yaml.safe_load(VERDICTS))
def test_a_verdict_is_false_only_far_from_its_end(truth, word, false):
    (computed,) = measured(statements(truth, word), ["comparison"]).to_dict("records")
    assert computed[word] == 1
    assert computed["false"] == false


def test_answers_are_judged_documented_and_drawn(ring, tmp_path):
    files = []
    for rows in (60, 150):
        files.append(str(tmp_path / f"ring-{rows}-0-2.csv"))
        ring.assign(rows=rows).to_csv(files[-1], index=False)
    computed = effects(files)
    pooled = computed["effects"].set_index(["comparison", "effect"])
    assert pooled.loc[("pca", "above 10 points"), "sets"] == 2 * ring["set"].nunique()
    assert computed["cells"]["rows"].tolist() == [60, 150]
    assert (computed["cells"]["truth"] > 0.2).all()
    named = {
        f"calibration/{name}.csv": table for name, table in computed.items() if name != "cells"
    }
    assert differences(named | {"calibration/whole_cells.csv": computed["cells"]}) == []
    assert_drawn_well(
        draw, tmp_path, effects=computed["effects"], reliability=computed["reliability"]
    )


def test_the_rules_keep_their_promises_on_the_shipped_tables():
    """With two standard errors: coverage, false words, power, and losses compared with raw."""
    table = TABLES["effects"].set_index(["comparison", "effect"])
    comparisons = table.drop(index=["exported_raw", "exported_pca", "exported_kernel"], level=0)
    assert (comparisons["coverage"] + 2 * comparisons["coverage_error"] > 0.93).all()
    assert (table["false"].dropna() <= 0.005).all()
    better = table.loc["pca", "better"]
    assert better["1 to 10 points"] > 0.12
    assert better["above 10 points"] > 0.8
    chosen = table.loc["recommended"]
    assert np.average(chosen["loss"], weights=chosen["sets"]) < 0.0026
    more = chosen["population_loss"] - chosen["population_loss_of_raw"]
    assert np.average(more, weights=chosen["sets"]) < 0.0005


def test_the_shipped_tables_are_short():
    assert sum(map(len, [*TABLES.values(), SHIPPED_CELLS])) <= 200


@pytest.mark.parametrize(("dataset", "likest"), yaml.safe_load(LIKEST))
def test_a_dataset_resembles_the_population_of_its_kind_or_none(dataset, likest):
    facts = {"numeric": False, "is_grouped": False, "heavy": False, "rows": 150}
    facts |= {"columns": 3, "groups": 0, "rarest": 0.5} | dataset
    cell = resembled(SHIPPED_CELLS.to_dict("records"), Likeness(**facts))
    assert (cell and [cell["population"], cell["rows"]]) == likest


def test_the_document_has_the_shipped_tables():
    text = (ROOT / "docs/calibration.md").read_text(encoding="utf-8")
    assert document(text, **TABLES) == text
