"""A chart of rows along time: novelty, its limit, alarms with the variable to blame, and T²."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

NEEDED = ("novelty", "threshold", "novel", "hotelling", "variable_1")
# Marks of the variables that are to blame most often, the colours by Okabe and Ito (2008).
MARKS = (("D", "#D55E00"), ("^", "#E69F00"), ("s", "#009E73"), ("v", "#CC79A7"))
OTHERS = "other variables"
OTHER_MARK = ("o", "#7F7F7F")
LINE = "#0072B2"
LIMIT = "#000000"


def draw_monitoring(table: Any, axes: Any, time: ArrayLike | None = None) -> None:
    """Draw novelty and Hotelling's T² along time, on two matplotlib axes.

    Parameters
    ----------
    table : DataFrame or dict of arrays
        What `kpca.KernelPCANovelty.explain`, or the file of ``kpca novelty``, says of rows.
    axes : sequence of two matplotlib.axes.Axes
        Where to draw novelty, with the limit, and T². At each alarm, the mark says which variable
        is most to blame. The four most frequent ones have marks of their own, named between both
        axes.
    time : array of numbers or dates of shape (m,) or None, default=None
        When each row was recorded, in ascending order. None means the numbers of the rows, from 1.

    Raises
    ------
    ValueError
        If a column is missing, or if times are missing or not in ascending order.

    Examples
    --------
    >>> import matplotlib.pyplot as plt  # doctest: +SKIP
    >>> figure, axes = plt.subplots(2, sharex=True, layout="constrained")  # doctest: +SKIP
    >>> draw_monitoring(detector.explain(X), axes)  # doctest: +SKIP
    """
    rows = pd.DataFrame(table).reset_index(drop=True)
    if lacking := [name for name in NEEDED if name not in rows]:
        raise ValueError(
            f"table lacks {', '.join(lacking)}: pass what explain or kpca novelty say."
        )
    times = _checked_times(len(rows), time)
    novel = rows["novel"].isin([True, "yes"])
    blamed = rows["variable_1"].where(novel & (rows["variable_1"] != ""))
    frequent = blamed.value_counts().index[: len(MARKS)]
    blamed = blamed.where(blamed.isin(frequent) | ~novel, OTHERS)
    marks = dict(zip(frequent, MARKS, strict=False)) | {OTHERS: OTHER_MARK}
    above, below = axes
    above.plot(times, rows["threshold"], color=LIMIT, linestyle="--", linewidth=0.8)
    for ax, statistic, label in (
        (above, "novelty", "novelty (limit dashed)"),
        (below, "hotelling", "Hotelling's T²"),
    ):
        ax.plot(times, rows[statistic], color=LINE, linewidth=0.8)
        ax.set_ylabel(label)
        for name, (marker, color) in marks.items():
            alarms = blamed == name
            if alarms.any():
                label = f"{alarms.sum()} × {name}"
                points = times[alarms], rows[statistic][alarms]
                ax.plot(*points, marker, color=color, markersize=3.5, label=label)
    if novel.any():
        below.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3)


def _checked_times(n: int, time: ArrayLike | None) -> np.ndarray:
    times = np.asarray(range(1, n + 1) if time is None else time)
    if len(times) != n:
        raise ValueError(f"time has {len(times)} values, and table {n} rows: pass one each.")
    missing = np.flatnonzero(pd.isna(times))
    if len(missing):
        raise ValueError(
            f"time has no value in row {missing[0] + 1}: fill it in, or leave out the row."
        )
    back = np.flatnonzero(times[1:] < times[:-1])
    if len(back):
        raise ValueError(f"time goes back in row {back[0] + 2}: sort the rows by time.")
    return times
