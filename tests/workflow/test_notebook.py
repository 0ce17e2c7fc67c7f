"""The answer in Python is that of a run of the same table."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pipeline import answer
from pipeline.errors import InputError
from tests.workflow.pipeline import small_config, succeeded, write_config


def table() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    angle, radius = rng.uniform(0, 2 * np.pi, 60), np.repeat([1.0, 3.0], 30)
    ring = pd.DataFrame({"x": radius * np.cos(angle), "y": radius * np.sin(angle)})
    ring += rng.normal(scale=0.1, size=ring.shape)
    return ring.assign(colour=rng.choice(["red", "blue"], 60), patient=np.arange(60) // 2)


TARGET = pytest.param("target", False, marks=pytest.mark.slow)


@pytest.mark.parametrize(("role", "grouped"), [("label", True), TARGET])
def test_an_answer_in_python_is_that_of_a_run(tmp_path: Path, role: str, grouped: bool) -> None:
    config = small_config(kernels={"linear": {}, "rbf": {"median": [0.3, 1]}})
    rows = table()
    wanted = pd.Series(np.repeat(["in", "out"], 30) if role == "label" else rows["x"] ** 2)
    rows.assign(wanted=wanted).to_csv(tmp_path / "table.csv", index=False)
    patient = "group=patient" if grouped else "drop=patient"
    arguments = ["--config", "data=table.csv", f"{role}=wanted", patient]
    file = write_config(tmp_path / "config.yaml", config)
    succeeded(tmp_path, file, *arguments, "--", "results/answer.json")
    given = rows.drop(columns="patient"), wanted.rename("wanted")
    found = answer(*given, rows["patient"] if grouped else None, config=config, processes=1)
    [run] = json.loads((tmp_path / "results/answer.json").read_text())
    assert found.to_dict() == run
    assert found.sentence in (tmp_path / "results/answer.md").read_text()


def test_a_table_with_a_problem_is_refused_with_its_remedy() -> None:
    rows = table().drop(columns="patient")
    rows.loc[3, "x"] = np.nan
    with pytest.raises(InputError, match="missing"):
        answer(rows, np.repeat(["in", "out"], 30), config=small_config())
