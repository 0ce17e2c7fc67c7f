"""The table of the calibration of the novelty detector, over few draws."""

import numpy as np

from workflow.scripts.calibration import novelty as module


def test_levels_and_power_over_few_draws(monkeypatch):
    chosen = {name: module.sources()[name] for name in ("cluster and spread", "digits 0")}
    monkeypatch.setattr(module, "sources", lambda: chosen)
    table = module.novelty(draws=3, seed=0).set_index("dataset")
    assert table["n"].to_dict() == {"cluster and spread": 150, "digits 0": 97}
    assert (table["draws"] == 3).all()
    assert table["false_alarms"].between(0, 0.2).all()
    assert table["false_discoveries"].between(0, 0.5).all()
    assert (table["far"] == 1).all()
    assert table.loc["digits 0", "power"] > 0.9
    numbers = table.drop(columns=["n", "draws"])
    assert {f"{name}_error" for name in numbers if not name.endswith("_error")} <= set(numbers)


def test_novel_samples_are_as_many_as_said_in_every_dataset():
    for n, source in module.sources().values():
        ordinary, novel = source(np.random.default_rng(0), n + module.ORDINARY)
        assert len(ordinary) == n + module.ORDINARY
        assert novel.shape == (module.NOVEL, ordinary.shape[1])
