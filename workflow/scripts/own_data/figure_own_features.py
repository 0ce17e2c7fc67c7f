"""Draw what each feature contributes to the components."""

from typing import Any

import numpy as np
import pandas as pd

from pipeline.drawing import style

MOST = 15
"""Features that are drawn, those with the largest shares."""

LONGEST = 24  # characters of a name
LOOKS: dict[str, dict[str, Any]] = {
    "all": {"color": style.BLACK, "marker": "o", "label": "leading components together"},
    "1": {"color": style.BLUE, "marker": "s", "label": "first component"},
    "2": {"color": style.ORANGE, "marker": "^", "label": "second component"},
}
APART = 0.24  # of the distance of two features


def largest(shares: pd.DataFrame) -> list[str]:
    """Return the features with the largest mean share of all components, the largest first."""
    together = shares[shares["component"] == "all"]
    means = together.groupby("feature", sort=False)["share"].mean()
    return list(means.sort_values(ascending=False, kind="stable").index[:MOST])


def draw_shares(ax: Any, shares: pd.DataFrame) -> None:
    """Draw mean and range over replicates, one line a feature."""
    features = largest(shares)
    places = np.arange(len(features))
    for turn, (component, look) in enumerate(LOOKS.items()):
        rows = shares[shares["component"] == component]
        if rows.empty:
            continue
        percent = 100 * rows.groupby("feature")["share"].agg(["mean", "min", "max"]).loc[features]
        mean = percent["mean"]
        ends = [mean - percent["min"], percent["max"] - mean]
        y = places + (turn - 1) * APART
        ax.errorbar(mean, y, xerr=ends, linestyle="none", elinewidth=0.8, **look)
    ax.axvline(100 / shares["feature"].nunique(), color=style.GREY, linestyle=":", linewidth=0.8)
    ax.set_yticks(places, [style.plain(name, LONGEST) for name in features])
    ax.set_ylim(len(features) - 0.5, -0.5)
    ax.set_xlim(0, None)
    ax.set_xlabel("contribution to the scores (%)")


@style.script
def draw(features: pd.DataFrame) -> style.Figure:
    """Draw one panel a dataset."""
    features = features.astype({"component": str, "feature": str})
    groups = dict(list(features.groupby("dataset", sort=False)))
    longest = max(len(largest(rows)) for rows in groups.values())
    fig, axes = style.panels(len(groups), columns=2, height=0.55 + 0.24 * longest, extra=0.6)
    for ax, (name, rows) in zip(axes, groups.items(), strict=True):
        draw_shares(ax, rows)
        count, shown = rows["feature"].nunique(), len(largest(rows))
        some = f": {shown} of {count} features" if shown < count else ""
        ax.set_title(style.title(str(name)) + some)
    style.legend_above(fig, *axes[0].get_legend_handles_labels(), columns=3)
    return fig
