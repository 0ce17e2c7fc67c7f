import runpy
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.scripts.claims import STATEMENTS
from workflow.scripts.claims import identities
from workflow.scripts.claims.claim import Statements
from workflow.scripts.claims.identities import deviations

pytestmark = pytest.mark.filterwarnings("ignore::kpca.definiteness.IndefiniteKernelWarning")
ROOT = Path(__file__).parents[3]
X = np.random.default_rng(0).standard_normal((40, 12)) + 3
ERRORS = {
    "3-left-vectors",
    "3-positive-definite",
    "3-positive-definite-gram",
    "3-semidefinite-sigmoid",
    "4-uncentred-maximum",
    "11-squared-more",
    "11-unit-axes",
    "11-input-centring",
}


FIGURES = {
    "identities": ("deviations", "gains"),
    "rkhs": ("directions", "ascents", "levels", "gram", "ratios"),
    "feature_space": ("paths", "rows"),
    "costs": ("counts", "crossings"),
}
STATED = STATEMENTS[STATEMENTS["figure"].isin([f"claims_{name}" for name in FIGURES])]


@pytest.fixture(scope="module")
def measured():
    return identities.measure(STATED, seed=0, replicates=2)


def test_every_statement_has_one_row_and_errors_of_the_sources_fail(measured):
    verdicts = {claim.claim: claim.verdict for claim in measured[0]}
    assert sorted(claim.claim for claim in measured[0]) == sorted(STATED["claim"])
    few = {name for name in verdicts if name.startswith(("11-input-acc", "11-standard"))}
    assert {name for name in verdicts.keys() - few if verdicts[name] != "holds"} == ERRORS


@pytest.mark.parametrize("name", FIGURES)
def test_same_tables_give_the_same_bytes(name, measured, tmp_path):
    draw = runpy.run_path(str(ROOT / f"workflow/scripts/figure_claims_{name}.py"))["draw"]
    shown = [measured[1][table] for table in FIGURES[name]]
    for turn in ("first", "second"):
        draw(*shown, *([0] if name == "feature_space" else []), [tmp_path / f"{turn}.svg"])
    assert (tmp_path / "first.svg").read_bytes() == (tmp_path / "second.svg").read_bytes()
    assert (ROOT / f"workflow/report/claims_{name}.rst").read_text().strip()


def test_marks_of_the_figure_lie_in_their_band_where_a_claim_holds(measured):
    table = measured[1]["deviations"]
    above = table["deviation"] > table["bound"]
    right_side = above == (table["side"] == "above")
    assert (right_side == (table["verdict"] == "holds")).all()
    assert len(table) == STATED["group"].notna().sum()


def test_a_deviation_is_measured_from_its_origin():
    row = {"claim": "1-a", "statement": "", "source_value": None, "estimand": "ratio"}
    row |= {"side": "below", "threshold": 1.01, "figure": "", "group": "g", "label": "l"}
    table = pd.DataFrame([row | {"origin": 1}])
    found = deviations(table, [Statements(table).of("1-a", 1.5)]).iloc[0]
    assert found["deviation"] == pytest.approx(0.5)
    assert found["bound"] == pytest.approx(0.01)
    assert found["verdict"] == "fails"
    with pytest.raises(KeyError):
        Statements(table).of("1-b", 0.0)


def test_singular_values_of_a_known_matrix():
    found = identities.singular(np.array([[2.0, 0, 0], [-2, 0, 0], [0, 1, 0], [0, -1, 0]]))
    assert found["3-gram"] < 1e-12
    assert found["3-rank"] == -1
    assert found["3-left-vectors"] == pytest.approx(1 - np.sqrt(0.5) / 2)
    assert abs(found["3-positive-definite"]) < 1e-12


def test_the_solutions_of_a_diagonal_matrix():
    K = np.diag([1.0, 0.0, 0.0, 3.0])
    found = identities.two_problems(K, K, np.random.default_rng(0))
    assert found.pop("11-squared-more") == pytest.approx(np.sqrt(0.5))
    assert max(found.values()) < 1e-12
    outside = identities.two_problems(K, np.ones((1, 4)), np.random.default_rng(0))
    assert outside["11-squared-scores"] > 0.1  # rows with a part in the null space


def test_variances_of_a_matrix_with_known_eigenvalues():
    Q = np.linalg.qr(np.column_stack([np.ones(6), np.random.default_rng(0).random((6, 2))]))[0]
    vectors, values = Q[:, 1:], np.array([8.0, 2.0])
    found = identities.scales((vectors * values) @ vectors.T, vectors, values)
    assert found["11-unit-axes"] == pytest.approx(4)
    assert found["11-whitening"] == pytest.approx(1)


@pytest.mark.parametrize("kernel", identities.INVARIANT)
def test_kernels_of_differences_do_not_see_the_origin(kernel):
    assert identities.moved(kernel, X) < 1e-12


@pytest.mark.parametrize("kernel", identities.MOVED)
def test_kernels_of_inner_products_do(kernel):
    assert identities.moved(kernel, X) > 0.01
    assert identities.moved(kernel, X - X.mean(axis=0)) < 1e-12


def test_the_least_gain_is_bounded_by_the_least_bounds():
    rows = pd.DataFrame({"mean": [2.0, 1.0], "low": [0.0, 0.5], "high": [4.0, 1.5]})
    assert identities.least(rows) == (1.0, 0.0, 1.5)
