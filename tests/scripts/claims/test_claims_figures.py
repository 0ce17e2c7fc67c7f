"""What the figures of the claims show, from small tables as files hold them."""

import pytest

from tests.scripts.claims import STATEMENTS
from workflow.scripts.claims import (
    centring,
    figure_identities,
    figure_overview,
    identities,
    rkhs,
)
from workflow.scripts.claims.claim import joined

FEW = {"seed": 0, "replicates": 2}
SEED = {"seed": 0}

pytestmark = pytest.mark.filterwarnings(
    "ignore::kpca.certificates.definiteness.IndefiniteKernelWarning"
)


def overview():
    return joined(STATEMENTS, centring=centring.measure(**SEED)["claims"])


def marks():
    measured = identities.measure(**FEW)
    cases = {"identities": measured["claims"], "rkhs": rkhs.measure(**SEED)["claims"]}
    return {"gains": measured["gains"], "statements": STATEMENTS} | cases


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
