"""Every figure of the claims is drawn, twice the same, from small tables."""

import runpy
from pathlib import Path

import pytest

from kpca.pipeline.studies.claims import (
    axis,
    centring,
    duality,
    inputs,
    null_space,
    rkhs,
    shift,
    span,
    uncentred,
    whitening,
)

ROOT = Path(__file__).parents[2]
FIGURES = (
    *("claims_centring", "claims_uncentred", "claims_shift", "claims_duality", "claims_rkhs"),
    *("claims_identities", "claims_axis"),
)
DRAWS = {
    "seed": 0,
    "replicates": 2,
    "datasets": {"rings": {"generator": "rings", "n_train": 40, "n_test": 50}},
}


pytestmark = pytest.mark.filterwarnings("ignore::kpca.definiteness.IndefiniteKernelWarning")


@pytest.fixture(scope="module")
def tables():
    _, formula = centring.measure(seed=0)
    _, raw = uncentred.measure(**DRAWS, sizes=[2, 5])
    _, shifted = shift.measure(**DRAWS)
    scaled = null_space.measure(seed=0)[1] | whitening.measure(seed=0)[1]
    scaled |= inputs.measure(**DRAWS | {"datasets": {"iris": {"sklearn": "iris"}}})[1]
    _, along = axis.measure(seed=0)
    _, dual = duality.measure(seed=0)
    functions = rkhs.measure(seed=0)[1] | span.measure(seed=0)[1]
    return {
        "claims_centring": [formula["spectra"], formula["scores"]],
        "claims_uncentred": [raw["cosines"], raw["losses"]],
        "claims_duality": [dual["spectra"]],
        "claims_rkhs": [
            functions[name] for name in ("directions", "ascents", "levels", "gram", "ratios")
        ],
        "claims_identities": [
            scaled[name] for name in ("solutions", "variances", "moves", "gains", "scaled")
        ],
        "claims_axis": [along["paths"], along["rows"]],
        "claims_shift": [shifted["sizes"], shifted["losses"], shifted["example"]],
    }


@pytest.mark.parametrize("name", FIGURES)
def test_same_tables_give_the_same_bytes(name, tables, tmp_path):
    draw = runpy.run_path(str(ROOT / f"workflow/scripts/figure_{name}.py"))["draw"]
    for turn in ("first", "second"):
        draw(*tables[name], [tmp_path / f"{turn}.svg"])
    assert (tmp_path / "first.svg").read_bytes() == (tmp_path / "second.svg").read_bytes()


@pytest.mark.parametrize("name", [*FIGURES, "claims"])
def test_every_figure_has_a_caption(name):
    assert (ROOT / f"workflow/report/{name}.rst").read_text().strip()
