"""The table of the calibration of reproducibility, over few draws."""

import pytest

from tests.columns import differences
from workflow.scripts.calibration import reproducibility as module


@pytest.mark.parametrize("population", [module.NORMAL, "groups40"])
def test_intervals_hold_over_few_draws(population):
    computed = module.measured(population, "rbf", 1, 100, draws=6, seed=0)
    assert computed["at_least"] > 0.9
    assert computed["held"] > 0.9
    assert computed["variance"] > 0.8
    assert computed["optimism"] > computed["corrected"]
    assert computed == module.measured(population, "rbf", 1, 100, draws=6, seed=0)


def test_the_table_has_a_row_per_population_kernel_and_size(monkeypatch):
    monkeypatch.setattr(module, "POPULATIONS", (module.DIGITS, "ring"))
    monkeypatch.setattr(module, "OTHERS", module.OTHERS[:1])
    monkeypatch.setattr(module, "SIZES", (40,))
    table = module.table(draws=2, seed=0)
    assert table["population"].tolist() == [module.DIGITS, "ring", "ring, γ × 10"]
    assert differences({"calibration/reproducibility.csv": table}) == []
    assert table["at_least"].between(0, 1).all()
