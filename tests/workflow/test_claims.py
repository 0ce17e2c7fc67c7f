"""Statements on the sweep follow from the tables of a run."""

from pathlib import Path

import pandas as pd

from tests.scripts.claims import STATEMENTS
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
