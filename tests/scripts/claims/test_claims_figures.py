"""What the figure of identities shows, from small tables as files hold them."""

import pytest

from tests.scripts.claims import STATEMENTS
from workflow.scripts.claims import (
    figure_identities,
    identities,
    rkhs,
)

FEW = {"seed": 0, "replicates": 2}
SEED = {"seed": 0}

pytestmark = pytest.mark.filterwarnings(
    "ignore::kpca.certificates.definiteness.IndefiniteKernelWarning"
)


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
