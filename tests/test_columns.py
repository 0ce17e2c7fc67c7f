"""Two documents have every column of every table that a run writes.

What config/test.yaml does not write is measured in `tests/scripts/test_studies.py`; what is too
dear for that, the times and the USPS digits, has a line in its own tests.
"""

import re

import pandas as pd

from tests.columns import columns_of, differences
from tests.workflow.pipeline import ROOT, succeeded


def test_the_document_has_the_columns_of_a_run(swept):
    results = swept / "results"
    paths = {str(path.relative_to(results)): path for path in results.rglob("*.csv")}
    assert len(paths) > 10
    assert differences({name: pd.read_csv(path) for name, path in paths.items()}) == []


def test_every_table_of_a_plan_is_described(tmp_path, planned):
    plan = ("benchmarks", "scaling", "exact_million", "--dry-run")
    run = succeeded(tmp_path, *plan, f"--configfile={ROOT / 'config/config.yaml'}")
    assert {"benchmark", "scaling_table"} <= set(run.jobs)
    written = re.findall(r"^ +output: (.+)", planned.output + run.output, flags=re.MULTILINE)
    tables = [path for line in written for path in re.findall(r"results/(\S+\.csv)", line)]
    assert len(tables) > 70
    assert [path for path in tables if not columns_of(path)] == []
