import numpy as np
import pandas as pd
import pytest

from kpca.pipeline.studies.claims import costs


def test_the_exponent_of_a_power_law_of_the_larger_sizes():
    sizes = np.array([1, 2, 4, 8, 16])
    seconds = np.where(sizes < 4, 5.0, 1e-3 * sizes**2.5)
    tables = [
        pd.DataFrame({"size": sizes, "repeat": repeat, "seconds": seconds * (repeat + 1)})
        for repeat in range(2)
    ]
    assert costs.exponents(pd.concat(tables)) == pytest.approx([2.5, 2.5])


def crossing(monomials):
    features = np.array([10, 100, 1000])
    both = {"monomials": monomials, "kernel": np.ones(3)}
    tables = [
        pd.DataFrame({"features": features, "method": name, "seconds": seconds})
        for name, seconds in both.items()
    ]
    return costs.crossover(pd.concat(tables))


def test_the_crossover_lies_where_times_are_equal_and_at_an_end_without_one():
    assert crossing([0.1, 0.1, 10.0]) == pytest.approx(100 * np.sqrt(10))
    assert crossing([2.0, 3.0, 4.0]) == pytest.approx(10)
    assert crossing([0.1, 0.2, 0.3]) == pytest.approx(1000)


@pytest.mark.parametrize("series", costs.SERIES, ids=lambda series: series.name)
def test_every_series_runs_and_varies_what_it_says(series):
    assert series.shape(7)[series.along == "d"] == 7
    small = costs.rows(60, 12, seed=0)
    assert costs.seconds(lambda: series.method(small)) > 0


def test_claims_of_small_sizes(monkeypatch):
    monkeypatch.setattr(costs, "SERIES", costs.SERIES[:1])
    monkeypatch.setattr(costs, "times", lambda *_, **__: power_law())
    claims, tables = costs.measure(seed=0, repeats=2, sizes=[30], dimensions=[2, 4])
    assert claims[0].measured == pytest.approx(0)
    assert claims[0].verdict == "holds"
    assert claims[1].claim == "11-crossover-30"
    assert len(tables["monomials"]) == 8


def power_law():
    return pd.DataFrame(
        {
            "series": "pca-n",
            "size": [1, 2, 3, 4] * 2,
            "repeat": [0] * 4 + [1] * 4,
            "seconds": [1.0, 2.0, 3.0, 4.0] * 2,
        }
    )
