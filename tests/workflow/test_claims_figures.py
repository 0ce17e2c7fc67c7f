"""Every figure of the claims is drawn, twice the same, from small tables."""

import runpy
from pathlib import Path

import pytest

from kpca.pipeline.studies.claims import centring, shift, uncentred
from kpca.pipeline.studies.claims.claim import claims_table

ROOT = Path(__file__).parents[2]
DRAWS = {
    "seed": 0,
    "replicates": 2,
    "datasets": {"rings": {"generator": "rings", "n_train": 40, "n_test": 50}},
}

pytestmark = pytest.mark.filterwarnings("ignore::kpca.definiteness.IndefiniteKernelWarning")


def named(found, *names):
    return [found[name] for name in names]


def overview():
    return [claims_table(centring.measure(seed=0)[0]), ["rings"]]


TABLES = {
    "claims_centring": lambda: named(centring.measure(seed=0)[1], "spectra", "scores"),
    "claims_overview": overview,
    "claims_shift": lambda: named(shift.measure(**DRAWS)[1], "sizes", "losses", "example"),
    "claims_uncentred": lambda: named(
        uncentred.measure(**DRAWS, sizes=[2, 5])[1], "cosines", "losses"
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


def test_lines_of_the_overview_show_every_verdict_once():
    script = runpy.run_path(str(ROOT / "workflow/scripts/figure_claims_overview.py"))
    claims, cases = overview()
    lines = script["lines"](script["families"](claims, set(cases)))
    assert sum(len(verdicts) for _, _, verdicts in lines) == len(claims)
    columns = script["columns_of"](lines)
    assert all(column[0][1] and not column[-1][1] for column in columns)
    named = [line for column in columns for line in column if not line[1]]
    assert named == [line for line in lines if not line[1]]
