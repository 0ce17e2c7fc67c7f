"""A chart of rows along time: novelty with its limit and alarms, and Hotelling's T²."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

NEEDED = ("novelty", "threshold", "novel", "hotelling", "variable_1")
LABELS = {"novelty": "novelty (limit dashed)", "hotelling": "Hotelling's T²"}
# Marks of the four variables that are most often responsible for an alarm, and of all others, in
# colours of Okabe and Ito (2008).
MARKS = [("D", "#D55E00"), ("^", "#E69F00"), ("s", "#009E73"), ("v", "#CC79A7"), ("o", "#7F7F7F")]
OTHERS = "other variables"


def draw_monitoring(table: Any, axes: Any, time: ArrayLike | None = None) -> None:
    """Draw novelty and Hotelling's T² along time, on two matplotlib axes.

    Parameters
    ----------
    table : DataFrame or dict of arrays
        Output of `kpca.KernelPCANovelty.explain`, or the file that ``kpca novelty`` writes.
    axes : sequence of two matplotlib.axes.Axes
        The first shows novelty with its limit, the second T². The mark of an alarm says which
        variable is most responsible for it. The four most frequent variables have separate marks,
        which a legend between the axes explains.
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
    rows["time"] = _checked_times(len(rows), time)
    alarms = rows[rows["novel"].isin([True, "yes"])]
    blamed = alarms["variable_1"].replace("", np.nan)
    frequent = blamed.value_counts().index[: len(MARKS) - 1]
    blamed = blamed.where(blamed.isin(frequent), OTHERS)
    marks = dict(zip(frequent, MARKS, strict=False)) | {OTHERS: MARKS[-1]}
    axes[0].plot(rows["time"], rows["threshold"], "k--", linewidth=0.8)
    for ax, (statistic, label) in zip(axes, LABELS.items(), strict=True):
        ax.plot(rows["time"], rows[statistic], color="#0072B2", linewidth=0.8)
        ax.set_ylabel(label)
        for name, (marker, color) in marks.items():
            points = alarms.loc[blamed == name]
            if len(points):
                label = f"{len(points)} × {name}"
                series = points["time"], points[statistic]
                ax.plot(*series, marker, color=color, markersize=3.5, label=label)
    if len(alarms):
        axes[1].legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3)


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
