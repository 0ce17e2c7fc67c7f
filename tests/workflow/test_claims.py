"""Statements on the sweep follow from the tables of a run, where there are labels."""

from pathlib import Path

import pandas as pd
import pytest

from tests.scripts.claims import STATEMENTS
from tests.workflow.pipeline import small_config, succeeded, write_config
from workflow.scripts.claims import sweep
from workflow.scripts.claims.claim import joined


def test_the_tables_of_a_small_run_make_statements_on_the_sweep(swept: Path) -> None:
    names = ("scores", "selected", "variance_rule", "datasets", "label_free")
    found = {name: swept / f"results/tables/{name}.csv" for name in names}
    tables = {name: pd.read_csv(path) for name, path in found.items() if path.exists()}
    judged = joined(STATEMENTS, sweep=sweep.measure(**tables)["claims"])
    assert {"7-cost", "8-svm-tuned-pca", "8-kmeans-tuned-raw", "9-sensitive"} <= {
        *judged["claims"]["claim"]
    }
    assert set(judged["claims_cases"]["case"]) == {"rings", "digits"}


@pytest.mark.parametrize("labels", [True, False])
def test_without_labels_nothing_is_claimed_about_the_sweep(tmp_path: Path, labels: bool) -> None:
    rows = pd.DataFrame({"a": range(30), "b": range(30), "kind": ["x", "y"] * 15})
    rows.to_csv(tmp_path / "mine.csv", index=False)
    source = {"path": "mine.csv", "features": ["a", "b"]} | ({"label": "kind"} if labels else {})
    config = small_config(datasets={"mine": source}, kernels={"rbf": {"median": [1, 3]}})
    run = succeeded(tmp_path, write_config(tmp_path / "c.yaml", config), "--dry-run", "claims")
    assert ("claims_sweep_cases" in run.jobs) == labels
