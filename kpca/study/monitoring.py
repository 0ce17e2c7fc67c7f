"""A chart of rows along time: novelty, its limit, alarms with the variable to blame, and T²."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

NEEDED = ("novelty", "threshold", "novel", "hotelling", "variable_1")
MOST_NAMED = 8  # alarms with a name, side by side
LINE, ALARM, LIMIT = "#0072B2", "#D55E00", "#000000"


def draw_monitoring(table: Any, axes: Any, time: ArrayLike | None = None) -> None:
    """Draw novelty and Hotelling's T² along time, on two matplotlib axes.

    Parameters
    ----------
    table : DataFrame or dict of arrays
        What `kpca.KernelPCANovelty.explain`, or the file of ``kpca novelty``, says of rows.
    axes : sequence of two matplotlib.axes.Axes
        Where to draw novelty, with the limit and the alarms, and T².
    time : array of numbers or dates of shape (m,) or None, default=None
        When each row was recorded, in ascending order. None means the numbers of the rows, from 1.

    Raises
    ------
    ValueError
        If a column is missing, or if times are missing or not in ascending order.

    Examples
    --------
    >>> import matplotlib.pyplot as plt  # doctest: +SKIP
    >>> figure, axes = plt.subplots(2, sharex=True)  # doctest: +SKIP
    >>> draw_monitoring(detector.explain(X), axes)  # doctest: +SKIP
    """
    rows = pd.DataFrame(table).reset_index(drop=True)
    if lacking := [name for name in NEEDED if name not in rows]:
        raise ValueError(
            f"table lacks {', '.join(lacking)}: pass what explain or kpca novelty say."
        )
    times = _checked_times(rows, time)
    novel = rows["novel"].isin([True, "yes"]).to_numpy()
    above, below = axes
    above.plot(times, rows["novelty"], color=LINE, linewidth=0.8)
    above.plot(times, rows["threshold"], color=LIMIT, linestyle="--", linewidth=0.8, label="limit")
    alarms = {"linestyle": "none", "marker": "D", "markersize": 3.5, "color": ALARM}
    above.plot(times[novel], rows["novelty"][novel], label=f"{novel.sum()} alarms", **alarms)
    for place in _named(rows, novel):
        above.annotate(
            str(rows["variable_1"][place]),
            (times[place], rows["novelty"][place]),
            xytext=(0, 4),
            textcoords="offset points",
            horizontalalignment="center",
            fontsize=7,
        )
    above.set_ylabel("novelty")
    above.margins(y=0.15)
    above.legend(loc="upper left", ncols=2)
    below.plot(times, rows["hotelling"], color=LINE, linewidth=0.8)
    below.plot(times[novel], rows["hotelling"][novel], **alarms)
    below.set_ylabel("Hotelling's T²")


def _checked_times(rows: pd.DataFrame, time: ArrayLike | None) -> np.ndarray:
    if time is None:
        return np.arange(1, len(rows) + 1)
    times = pd.Series(np.asarray(time))
    if len(times) != len(rows):
        raise ValueError(
            f"time has {len(times)} values, and table {len(rows)} rows: pass one each."
        )
    if times.isna().any():
        row = int(times.isna().to_numpy().argmax()) + 1
        raise ValueError(f"time has no value in row {row}: fill it in, or leave out the row.")
    if not times.is_monotonic_increasing:
        row = int((times.diff() < times.diff() * 0).to_numpy().argmax()) + 1
        raise ValueError(f"time goes back in row {row}: sort the rows by time.")
    return times.to_numpy()


def _named(rows: pd.DataFrame, novel: np.ndarray) -> list[int]:
    """Return the alarms to name, the largest first: names of near ones would overlap."""
    has_name = (rows["variable_1"].fillna("") != "").to_numpy()
    named: list[int] = []
    for place in rows["novelty"][novel & has_name].sort_values(ascending=False).index:
        if all(abs(place - other) > len(rows) / MOST_NAMED for other in named):
            named.append(place)
    return named
