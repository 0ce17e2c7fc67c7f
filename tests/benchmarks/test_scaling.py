"""The scaling study: residuals from a sample of rows, fits left out, exponents of growth."""

import os
import signal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchmarks import figures, scaling
from benchmarks.contenders import residual
from benchmarks.data import median_gamma, points
from tests.columns import columns_of

N = 400
X = points("mix10", N)
GAMMA = median_gamma(X)


@pytest.mark.parametrize("name", scaling.CONTENDERS)
def test_contenders_give_eigenpairs(name: str) -> None:
    values, vectors = scaling.CONTENDERS[name].fit(X, GAMMA)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(scaling.K), atol=1e-6)
    bound = 1e-8 if name in ("exact", "their_exact") else 1e-2
    assert residual(X, {"kernel": "rbf", "gamma": GAMMA}, values, vectors) <= bound


def test_a_contender_is_fitted_up_to_its_own_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scaling, "row", lambda name, n: {"contender": name, "n": n})
    scaling.main("their_exact", str(tmp_path / "table.csv"))
    assert pd.read_csv(tmp_path / "table.csv")["n"].max() == 50_000


def test_a_fit_too_large_for_the_machine_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scaling, "physical_memory", lambda: 1e6)
    found = scaling.row("their_exact", 1000)
    assert found == {"contender": "their_exact", "n": 1000, "fits": False}


def killed(name: str, n: int) -> dict[str, float]:
    os.kill(os.getpid(), signal.SIGKILL)
    return {}


def test_a_fit_that_the_system_kills_did_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scaling, "measure", killed)
    assert scaling.row("their_exact", 100)["fits"] is False


def test_exponents_are_slopes_and_the_figure_is_drawn(tmp_path: Path) -> None:
    n = np.array([1000, 2000, 4000, 8000])
    squares = {"contender": "exact", "n": n, "seconds": 1e-6 * n**2.0, "peak_bytes": 5.0 * n}
    large = {"contender": "their_exact", "n": [1000, 10**6], "seconds": [1, np.nan]}
    table = pd.concat([pd.DataFrame(squares), pd.DataFrame(large)]).assign(error=1e-9)
    slopes = figures.exponents(table).set_index("contender")
    np.testing.assert_allclose(slopes.loc["exact"], [2, 1])
    assert slopes.loc["their_exact"].isna().all()
    table.to_csv(tmp_path / "table.csv", index=False)
    figures.main("scaling", str(tmp_path), str(tmp_path / "table.csv"))
    assert (tmp_path / "scaling.svg").exists()
    written = pd.read_csv(tmp_path / "exponents.csv")
    assert written.columns.tolist() == columns_of("scaling/exponents.csv")


def test_a_measured_row_has_the_columns_of_the_document(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scaling, "in_fresh_process", lambda work, *arguments: work(*arguments))
    monkeypatch.setattr(scaling, "REPEATED", 0)

    assert list(scaling.row("nystrom", N)) == columns_of("scaling/nystrom.csv")
