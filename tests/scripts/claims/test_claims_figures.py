"""Every figure of the claims is drawn, twice the same, from small tables as files hold them."""

from importlib import import_module

import pytest

from tests.scripts.claims import STATEMENTS
from tests.scripts.claims.test_degree import DATASETS
from tests.scripts.drawing import assert_drawn_twice_the_same
from workflow.scripts.claims import (
    centring,
    costs,
    degree,
    feature_space,
    figure_identities,
    figure_overview,
    identities,
    limits,
    rkhs,
    separability,
    shift,
    unrolling,
)
from workflow.scripts.claims.claim import joined

FEW = {"seed": 0, "replicates": 2}
SEED = {"seed": 0}

pytestmark = pytest.mark.filterwarnings(
    "ignore::kpca.certificates.definiteness.IndefiniteKernelWarning"
)


def shown(tables, **others):
    """Return what the script that draws is given: the tables, but for the cases."""
    return {name: table for name, table in tables.items() if name != "claims"} | others


def overview():
    return joined(STATEMENTS, centring=centring.measure(**SEED)["claims"])


def marks():
    measured = identities.measure(**FEW)
    cases = {"identities": measured["claims"], "rkhs": rkhs.measure(**SEED)["claims"]}
    return shown(measured, statements=STATEMENTS, **cases)


FIGURES = {
    "centring": lambda: shown(centring.measure(**SEED)),
    "costs": lambda: shown(costs.measure()),
    "degree": lambda: shown(degree.measure(**FEW, datasets=DATASETS, degrees=[2, 9])),
    "feature_space": lambda: shown(feature_space.measure(**SEED), **SEED),
    "identities": marks,
    "limits": lambda: shown(limits.measure(**FEW, widths=[0.1, 1, 100]), **SEED),
    "overview": overview,
    "rkhs": lambda: shown(rkhs.measure(**SEED)),
    "separability": lambda: shown(
        separability.measure(**FEW, multiples=[1, 10], n_components=[2, 3]), **SEED
    ),
    "shift": lambda: shown(shift.measure(**FEW, datasets=DATASETS)),
    "unrolling": lambda: shown(
        unrolling.measure(**FEW, n=100, grid={k: v[:2] for k, v in unrolling.GRID.items()}), **SEED
    ),
}


@pytest.mark.parametrize("figure", FIGURES)
def test_same_tables_give_the_same_bytes(figure, tmp_path):
    script = import_module(f"workflow.scripts.claims.figure_{figure}")
    assert_drawn_twice_the_same(script.draw, tmp_path, **FIGURES[figure]())


def test_marks_of_the_figure_lie_in_their_band_where_a_claim_holds():
    given = marks()
    cases = [given["identities"], given["rkhs"]]
    table = figure_identities.deviations(STATEMENTS, figure_identities.pd.concat(cases))
    above = table["deviation"] > table["bound"]
    right_side = above == (table["side"] == "above")
    assert (right_side == (table["verdict"] == "holds")).all()
    assert len(table) == STATEMENTS["group"].notna().sum()


def test_lines_of_the_overview_show_every_statement_and_case_once():
    tables = overview()
    lines = figure_overview.lines(tables["claims"], tables["claims_cases"])
    stated = [line for line in lines if line.verdict]
    assert [line.verdict for line in stated] == tables["claims"]["verdict"].tolist()
    assert sum(sum(line.cases) for line in stated) == len(tables["claims_cases"])
    columns = figure_overview.columns_of(lines)
    assert [line for column in columns for line in column] == lines
    assert not any(column[0].verdict for column in columns if column)
