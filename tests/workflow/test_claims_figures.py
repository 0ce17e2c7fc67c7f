"""Every figure of the claims is drawn, twice the same, from small tables."""

import runpy
from pathlib import Path

import pytest

from kpca.pipeline.studies.claims import centring

ROOT = Path(__file__).parents[2]
FIGURES = ("claims_centring",)


@pytest.fixture(scope="module")
def tables():
    _, centred = centring.measure(seed=0)
    return {"claims_centring": [centred["spectra"], centred["scores"]]}


@pytest.mark.parametrize("name", FIGURES)
def test_same_tables_give_the_same_bytes(name, tables, tmp_path):
    draw = runpy.run_path(str(ROOT / f"workflow/scripts/figure_{name}.py"))["draw"]
    for turn in ("first", "second"):
        draw(*tables[name], [tmp_path / f"{turn}.svg"])
    assert (tmp_path / "first.svg").read_bytes() == (tmp_path / "second.svg").read_bytes()


@pytest.mark.parametrize("name", [*FIGURES, "claims"])
def test_every_figure_has_a_caption(name):
    assert (ROOT / f"workflow/report/{name}.rst").read_text().strip()
