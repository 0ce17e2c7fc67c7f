"""Intervals around a mean over drawn subsets."""

import numpy as np
import pandas as pd
import pytest

from workflow.scripts.papers.scholkopf1998.table1 import prediction_intervals


def drawn(cells: int, subsets: int, spread: float) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    rows = [
        (cell, subset, 5 + cell % 3 + spread * rng.standard_normal())
        for cell in range(cells)
        for subset in range(subsets)
    ]
    return pd.DataFrame(rows, columns=["cell", "subset", "error"])


def test_a_further_subset_lies_inside_nineteen_times_of_twenty() -> None:
    errors = drawn(cells=2000, subsets=4, spread=0.2)
    seen, new = errors[errors["subset"] < 3], errors[errors["subset"] == 3].set_index("cell")

    bounds = prediction_intervals(seen, ["cell"])

    inside = new["error"].between(bounds["low"], bounds["high"])
    assert inside.mean() == pytest.approx(0.95, abs=0.02)
    assert (bounds["subsets"] == 3).all()


def test_all_cells_share_the_spread_and_keep_their_mean() -> None:
    errors = pd.DataFrame(
        {"cell": ["a", "a", "b", "b"], "error": [1.0, 1.0, 4.0, 6.0], "subset": [0, 1, 0, 1]}
    )

    bounds = prediction_intervals(errors, ["cell"])

    assert bounds["ours"].tolist() == [1, 5]
    # Variances 0 and 2, whose mean is 1.
    np.testing.assert_allclose((bounds["high"] - bounds["low"]) / 2, 1.96 * np.sqrt(1.5))
