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


def test_the_overview_counts_every_statement_once_and_errors_of_sources_apart():
    claims = overview()["claims"]
    errors = figure_overview.errors(claims)
    counted = figure_overview.counts(claims, errors)
    assert counted.to_numpy().sum() == len(claims)
    assert set(errors) == {"1-misprinted-sign", "1-unscaled-ones"}
    assert counted.loc[1].to_dict() == {"holds": 2, "inconclusive": 0, "fails": 0, "error": 2}


def test_errors_of_sources_are_recognised_by_what_the_statements_say():
    assert len(figure_overview.errors(STATEMENTS)) == 7
