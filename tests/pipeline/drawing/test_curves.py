import pandas as pd

from pipeline.drawing.curves import curve
from pipeline.tables.statistics import interval


def test_a_curve_holds_the_interval_at_every_value_in_order() -> None:
    scores = pd.DataFrame({"gamma": [3, 1, 3, 1], "value": [0.8, 0.5, 1.0, 0.7]})

    found = curve(scores, "gamma", None)

    assert found["gamma"].tolist() == [1, 3]
    for row, values in zip(found.itertuples(), ([0.5, 0.7], [0.8, 1.0]), strict=True):
        expected = interval(values, test_over_train=None)
        assert (row.mean, row.low, row.high) == (expected.mean, expected.low, expected.high)
