"""The table of the calibration of reproducibility, over few draws."""

import numpy as np

from tests.columns import differences
from workflow.scripts.calibration import reproducibility as module


def test_intervals_hold_over_few_draws() -> None:
    chosen = {p.name: p for p in module.populations(0) if p.name in (module.NORMAL, "groups40")}
    for population in chosen.values():
        found = module.measured(population, 100, draws=6, seed=0)
        assert found["at_least"] > 0.9
        assert found["held"] > 0.9
        assert found["variance"] > 0.8
        assert found["optimism"] > found["corrected"]
        assert found == module.measured(population, 100, draws=6, seed=0)


def test_the_table_has_a_row_per_population_and_size(monkeypatch) -> None:
    monkeypatch.setattr(module, "DRAWN", ("ring",))
    monkeypatch.setattr(module, "SIZES", (40,))
    table = module.table(draws=2, seed=0)
    names = [module.NORMAL, "ring", "ring, γ × 10", module.DIGITS]
    assert table["population"].tolist() == names
    assert differences({"calibration/reproducibility.csv": table}) == []
    assert np.isfinite(table["at_least"]).all()
