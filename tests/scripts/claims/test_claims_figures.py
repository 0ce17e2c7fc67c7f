"""Every figure of the claims is drawn, twice the same, from small tables."""

import runpy

import pandas as pd
import pytest

from tests.scripts.claims import STATEMENTS
from tests.workflow.pipeline import ROOT, small_config, snakemake, write_config
from workflow.scripts.claims import centring, shift, sweep, uncentred
from workflow.scripts.claims.claim import claims_table, joined

DRAWS = {
    "seed": 0,
    "replicates": 2,
    "datasets": {"rings": {"generator": "rings", "n_train": 40, "n_test": 50}},
}

pytestmark = pytest.mark.filterwarnings("ignore::kpca.definiteness.IndefiniteKernelWarning")


def named(found, *names):
    return [found[name] for name in names]


def overview():
    claims = centring.measure(STATEMENTS, seed=0)[0]
    return list(joined([claims_table(claims)]))


TABLES = {
    "claims_centring": lambda: named(centring.measure(STATEMENTS, seed=0)[1], "spectra", "scores"),
    "claims_overview": overview,
    "claims_shift": lambda: named(
        shift.measure(STATEMENTS, **DRAWS)[1], "sizes", "losses", "example"
    ),
    "claims_uncentred": lambda: named(
        uncentred.measure(STATEMENTS, **DRAWS, sizes=[2, 5])[1], "cosines", "losses"
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_same_tables_give_the_same_bytes(name, tmp_path):
    draw = runpy.run_path(str(ROOT / f"workflow/scripts/figure_{name}.py"))["draw"]
    tables = TABLES[name]()
    for turn in ("first", "second"):
        draw(*tables, [tmp_path / f"{turn}.svg"])
    assert (tmp_path / "first.svg").read_bytes() == (tmp_path / "second.svg").read_bytes()


@pytest.mark.parametrize("name", [*TABLES, "claims"])
def test_every_figure_has_a_caption(name):
    assert (ROOT / f"workflow/report/{name}.rst").read_text().strip()


def test_lines_of_the_overview_show_every_statement_and_case_once():
    script = runpy.run_path(str(ROOT / "workflow/scripts/claims/figure_overview.py"))
    claims, cases = overview()
    lines = script["lines"](claims, cases)
    stated = [line for line in lines if line.verdict]
    assert [line.verdict for line in stated] == claims["verdict"].tolist()
    assert sum(sum(line.cases) for line in stated) == len(cases)
    columns = script["columns_of"](lines)
    assert all(not column[0].verdict and column[-1].verdict for column in columns)
    assert [line for column in columns for line in column if line.verdict] == stated


def test_the_tables_of_a_small_run_make_statements_on_the_sweep(swept):
    names = ("scores", "selected", "comparisons", "variance_rule", "datasets", "label_free")
    found = {name: swept / f"results/tables/{name}.csv" for name in names}
    tables = {name: pd.read_csv(path) for name, path in found.items() if path.exists()}
    statements, cases = joined([claims_table(sweep.measure(STATEMENTS, **tables)[0])])
    assert {"7-cost", "8-svm-tuned-pca", "8-kmeans-tuned-raw", "9-sensitive"} <= {
        *statements["claim"]
    }
    assert set(cases["case"]) == {"rings", "digits"}


@pytest.mark.parametrize("labels", [True, False])
def test_without_labels_nothing_is_claimed_about_the_sweep(tmp_path, labels):
    rows = pd.DataFrame({"a": range(30), "b": range(30), "kind": ["x", "y"] * 15})
    rows.to_csv(tmp_path / "mine.csv", index=False)
    source = {"path": "mine.csv", "features": ["a", "b"]} | ({"label": "kind"} if labels else {})
    config = small_config(datasets={"mine": source}, kernels={"rbf": {"median": [1, 3]}})
    run = snakemake(tmp_path, write_config(tmp_path / "c.yaml", config), "--dry-run", "claims")
    assert run.status == 0, run.output
    assert ("claims_sweep" in run.jobs) == labels
