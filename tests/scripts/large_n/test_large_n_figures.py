"""The figure of the landmarks is drawn, twice the same, from small tables."""

import runpy
from pathlib import Path

import pandas as pd
import pytest

ROOT = Path(__file__).parents[3]
METHODS = ("kmeans", "uniform", "rpcholesky", "fourier")


@pytest.fixture
def tables():
    rows = [
        (data, method, m, replicate, 1 / m, 2 / m, 1 / m**2, 1.1 / m**2)
        for data in ("swiss_roll", "digits")
        for method in METHODS
        for m in (10, 100)
        for replicate in range(2)
    ]
    columns = ["data", "method", "m", "replicate", "eigenvalues", "subspace"]
    errors = pd.DataFrame(rows, columns=[*columns, "residual", "estimate"])
    sampling = errors[["data", "replicate", "eigenvalues", "subspace"]]
    return errors, sampling


def test_same_tables_give_the_same_bytes(tables, tmp_path):
    draw = runpy.run_path(str(ROOT / "workflow/scripts/large_n/figure_landmarks.py"))["draw"]
    for turn in ("first", "second"):
        draw(*tables, [tmp_path / f"{turn}.svg"])
    assert (tmp_path / "first.svg").read_bytes() == (tmp_path / "second.svg").read_bytes()


@pytest.mark.parametrize("name", ["landmarks", "landmarks_enough"])
def test_what_the_report_shows_has_a_caption(name):
    assert (ROOT / f"workflow/report/{name}.rst").read_text().strip()
