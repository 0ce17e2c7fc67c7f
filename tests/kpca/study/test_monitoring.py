"""The chart along time, and the simulated process whose faults it shows."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from kpca.study import draw_monitoring, monitoring, process

TABLE = pd.DataFrame(
    {
        "novelty": [0.1, 0.9, 0.8, 0.2, 0.7],
        "threshold": 0.5,
        "novel": ["no", "yes", "yes", "no", "yes"],
        "hotelling": [1.0, 2.0, 3.0, 4.0, 5.0],
        "variable_1": [np.nan, "flow", "valve", "", "power"],
    }
)


def test_the_largest_alarms_have_the_names_of_their_variables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(monitoring, "MOST_NAMED", 3)
    axes = Figure().subplots(2)
    draw_monitoring(TABLE, axes, time=pd.date_range("2026-01-01", periods=5))
    assert [text.get_text() for text in axes[0].texts] == ["flow", "power"]
    lines = [line.get_ydata().tolist() for line in axes[0].lines]
    assert lines == [TABLE["novelty"].tolist(), [0.5] * 5, [0.9, 0.8, 0.7]]
    assert axes[1].lines[0].get_ydata().tolist() == TABLE["hotelling"].tolist()
    assert axes[0].get_legend_handles_labels()[1] == ["limit", "3 alarms"]


@pytest.mark.parametrize(
    ("table", "time", "message"),
    [
        (TABLE.drop(columns="hotelling"), None, "table lacks hotelling: pass what explain"),
        (TABLE, [1, 2, 3], "time has 3 values, and table 5 rows"),
        (TABLE, [1, 2, np.nan, 4, 5], "time has no value in row 3: fill it in"),
        (TABLE, [1, 2, 4, 3, 5], "time goes back in row 4: sort the rows by time"),
    ],
)
def test_what_cannot_be_drawn_is_refused(table: pd.DataFrame, time: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        draw_monitoring(table, Figure().subplots(2), time)


def test_faults_are_found_at_equal_false_alarms(tmp_path: Path) -> None:
    found = process.detected(draws=1).set_index("fault")
    assert found.loc["offset"].min() > 80
    assert found.loc["stall", "kernel PCA residual"] > 80
    assert found.loc["stall", ["Mahalanobis", "PCA residual"]].max() < 20
    promised = process.promises(draws=1, n=200)
    assert (promised["warned"] == 100).all()
    assert promised["with_blocks"].isna().any()
    process.write(tmp_path)
    new = pd.read_csv(tmp_path / "new.csv")
    assert new["minute"].is_monotonic_increasing
    assert [*new] == [*pd.read_csv(tmp_path / "normal.csv")]
