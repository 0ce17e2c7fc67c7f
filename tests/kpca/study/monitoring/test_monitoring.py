"""The chart along time, and the simulated process whose faults it shows."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from benchmarks.monitoring import detected, promises
from kpca.study import draw_monitoring
from kpca.study.monitoring import chart, process

TABLE = pd.DataFrame(
    {
        "novelty": [0.1, 0.9, 0.8, 0.2, 0.7],
        "threshold": 0.5,
        "novel": ["no", "yes", "yes", "no", "yes"],
        "hotelling": [1.0, 2.0, 3.0, 4.0, 5.0],
        "variable_1": [np.nan, "flow", "valve", "", "valve"],
    }
)


def test_each_alarm_has_the_mark_of_its_variable(monkeypatch):
    monkeypatch.setattr(chart, "MARKS", chart.MARKS[::4])
    axes = Figure().subplots(2)
    draw_monitoring(TABLE, axes, pd.date_range("2026", periods=5))
    lines = [line.get_ydata().tolist() for line in axes[0].lines]
    assert lines == [[0.5] * 5, TABLE["novelty"].tolist(), [0.8, 0.7], [0.9]]
    assert [line.get_marker() for line in axes[1].lines] == ["None", "D", "o"]
    legend = [text.get_text() for text in axes[1].get_legend().get_texts()]
    assert legend == ["2 × valve", "1 × other variables"]


@pytest.mark.parametrize(
    ("table", "time", "message"),
    [
        (TABLE.drop(columns="hotelling"), None, "table lacks hotelling: pass what explain"),
        (TABLE, [1, 2, 3], "time has 3 values, and table 5 rows"),
        (TABLE, [1, 2, np.nan, 4, 5], "time has no value in row 3: fill it in, or leave out"),
        (TABLE, pd.Series(["a", "b", None, "d", "e"]), "time has no value in row 3"),
        (TABLE, [1, 2, 4, 3, 5], "time goes back in row 4: sort the rows by time"),
    ],
)
def test_what_cannot_be_drawn_is_refused(table, time, message):
    with pytest.raises(ValueError, match=message):
        draw_monitoring(table, Figure().subplots(2), time)


def test_faults_are_found_at_equal_false_alarms():
    rates = detected(draws=1).set_index("fault")
    assert rates.loc["offset"].min() > 80
    assert rates.loc["stall", "kernel PCA residual"] > 80
    assert rates.loc["stall", ["Mahalanobis", "PCA residual"]].max() < 20
    promised = promises(draws=1, n=200)
    assert (promised["warned"] == 100).all()
    assert promised["with_blocks"].isna().any()


def test_the_files_of_the_process_have_the_same_columns(tmp_path):
    process.write(tmp_path)
    normal, new = (pd.read_csv(tmp_path / f"{name}.csv") for name in ("normal", "new"))
    assert new["minute"].is_monotonic_increasing
    assert [*new] == [*normal]
