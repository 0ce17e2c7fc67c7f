"""Draw how many statements, and how many of their cases, hold or fail, by topic."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from pipeline.drawing import style
from pipeline.job import run

LOOKS: dict[str, dict[str, Any]] = {
    "holds": {"color": style.BLUE, "label": "holds"},
    "inconclusive": {"color": "#D9D9D9", "label": "inconclusive"},
    "fails": {"color": style.VERMILION, "label": "fails"},
    "error": {
        "color": "white",
        "edgecolor": style.VERMILION,
        "hatch": "/////",
        "label": "error of a source: fails as expected",
    },
}
AS_PRINTED = r"\bas (?:printed|one source has it)\b"  # in statements that are errors of a source
TOPICS = {
    1: "formula of centring",
    2: "leaving out the centring",
    3: "PCA and its dual",
    4: "components as functions",
    5: "rings, spirals, Swiss roll",
    6: "width and degree",
    7: "m by explained variance",
    8: "before SVM and k-means",
    9: "choice of the kernel",
    10: "γ by cross-validation",
    11: "identities and pre-images",
}


def errors(claims: pd.DataFrame) -> list[str]:
    """Return the names of the statements that are errors of a source."""
    return list(claims.loc[claims["statement"].str.contains(AS_PRINTED, case=False), "claim"])


def counts(table: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Return how many rows of each topic have each look: a line per topic, a column per look."""
    wrong = table["claim"].isin(names) & (table["verdict"] == "fails")
    look = table["verdict"].mask(wrong, "error")
    topic = table["claim"].str.partition("-")[0].astype(int)
    return pd.crosstab(topic, look).reindex(columns=[*LOOKS], fill_value=0)


def draw_counts(ax: Axes, counted: pd.DataFrame) -> None:
    """Draw one stacked bar per topic, with the number of each part that has room for it."""
    left = pd.Series(0, index=counted.index)
    places, least = np.arange(len(counted)), 0.04 * counted.sum(axis=1).max()
    for name, look in LOOKS.items():
        width = counted[name].replace(0, np.nan)  # a bar of no width would be drawn as a line
        ax.barh(places, width, left=left, height=0.7, **look)
        color = "white" if name == "holds" else style.INK
        for y in places[width.gt(least) & (name != "error")]:
            middle = left.iloc[y] + width.iloc[y] / 2
            ax.text(middle, y, f"{width.iloc[y]:.0f}", color=color, ha="center", va="center")
        left += counted[name]


def draw(claims: pd.DataFrame, claims_cases: pd.DataFrame, paths: Sequence[str]) -> None:
    """Draw statements on the left and their cases on the right."""
    fig, axes = style.figure(1, 2, height=3.2, sharey=True, width_ratios=[1, 1.2])
    for ax, table, words in zip(
        axes[0], (claims, claims_cases), ("statements", "cases"), strict=True
    ):
        counted = counts(table, errors(claims))
        draw_counts(ax, counted)
        ax.set_xlabel(f"number of {words} (of {len(table)})")
    axes[0, 0].set_yticks(range(len(counted)), [TOPICS.get(n, str(n)) for n in counted.index])
    axes[0, 0].set_ylim(len(counted) - 0.5, -0.5)
    for ax in axes[0]:
        ax.tick_params(axis="y", length=0)
    style.legend_above(fig, axes[0, 0].get_legend_handles_labels()[0], columns=4)
    style.save(fig, paths)


if __name__ == "__main__":
    run(draw)
