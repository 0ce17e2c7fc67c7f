"""The rows of a dataset in the plane of two components, to look at closely with Bokeh."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from bokeh.embed import json_item
from bokeh.models import ColumnDataSource, HoverTool
from bokeh.plotting import figure
from matplotlib import colormaps
from matplotlib.colors import to_hex

from pipeline.drawing import style
from pipeline.store import read_table

MOST_POINTS, MOST_COMPONENTS, MOST_CLASSES = 1000, 10, 20
SHAPES = {
    "o": ("circle", "●"),
    "^": ("triangle", "▲"),
    "s": ("square", "■"),
    "D": ("diamond", "◆"),
    "v": ("inverted_triangle", "▼"),
    "P": ("plus", "✚"),
    "X": ("square_x", "⊠"),
    "*": ("star", "★"),
    "<": ("hex", "⬢"),
    ">": ("square_pin", "✦"),
}
"""Marker of matplotlib → that of Bokeh, and the sign for it in a legend."""

OTHERS = {"color": style.GREY, "marker": "o"}


@dataclass(frozen=True)
class Embedding:
    """A plot for Bokeh, with the legend that the page writes next to it.

    Keys are (name, colour, sign) of each class; ends are those of a numeric target.
    """

    item: dict[str, Any]
    components: list[str]
    answer: str
    keys: list[tuple[str, str, str]]
    ends: tuple[float, float] | None
    shown: int
    rows: int


def embedding(path: Path) -> Embedding:
    """Return the embedding of a file.

    Its columns are row, component_1 and so on, and where there are any id, and one of label, target
    and group.
    """
    whole = read_table(path, dtype={"id": str, "label": str, "group": str})
    places = np.linspace(0, len(whole) - 1, min(len(whole), MOST_POINTS)).astype(int)
    table = whole.iloc[places]
    names = [str(name) for name in table]
    components = [name for name in names if name.startswith("component_")][:MOST_COMPONENTS]
    answer = next((name for name in ("label", "target", "group") if name in names), "")
    named = [name for name in ("row", "id", answer) if name in names]
    shown, keys, ends = looks(table, answer)
    columns: dict[str, Any] = {name: table[name].to_numpy(np.float32) for name in components}
    columns |= {name: table[name].tolist() for name in named}
    plot = _plot(columns | shown, components, named)
    return Embedding(dict(json_item(plot)), components, answer, keys, ends, len(table), len(whole))


def looks(
    table: pd.DataFrame, answer: str
) -> tuple[dict[str, list[str]], list[tuple[str, str, str]], tuple[float, float] | None]:
    """Return colours and shapes of the rows, the keys of the legend, and ends of a target."""
    if answer == "target":
        low, high = float(table[answer].min()), float(table[answer].max())
        shares = (table[answer] - low) / ((high - low) or 1.0)
        colours = [to_hex(colour) for colour in colormaps[style.SEQUENTIAL](shares.to_numpy())]
        return {"colour": colours, "shape": ["circle"] * len(table)}, [], (low, high)
    if not answer:
        return {"colour": [style.BLUE] * len(table), "shape": ["circle"] * len(table)}, [], None
    classes = table[answer].fillna("").value_counts(sort=False)
    common = set(classes.nlargest(MOST_CLASSES).index)
    names = sorted(common, key=lambda name: (len(name), name) if name.isdigit() else (0, name))
    looks = {name: style.class_style(c) for c, name in enumerate(names)}
    rows = [looks.get(name, OTHERS) for name in table[answer].fillna("")]
    keys = [(name, look["color"], SHAPES[look["marker"]][1]) for name, look in looks.items()]
    if len(common) < len(classes):
        keys.append((f"{len(classes) - len(common)} others", style.GREY, "●"))
    shapes = [SHAPES[look["marker"]][0] for look in rows]
    return {"colour": [look["color"] for look in rows], "shape": shapes}, keys, None


def _plot(columns: dict[str, Any], components: list[str], named: list[str]) -> Any:
    hover = HoverTool(tooltips=[(name, f"@{name}") for name in named])
    plot = figure(
        height=420,
        sizing_mode="stretch_width",
        tools=["pan", "wheel_zoom", "box_zoom", "reset", "save", hover],
        active_drag=None,  # a finger that scrolls the page must not move the points
        toolbar_location="above",
        x_axis_label=words(components[0]),
        y_axis_label=words(components[min(1, len(components) - 1)]),
    )
    plot.scatter(
        x=components[0],
        y=components[min(1, len(components) - 1)],
        source=ColumnDataSource(columns),
        size=7,
        marker="shape",
        color="colour",
        fill_alpha=0.6,
        line_alpha=0.9,
        line_width=0.5,
    )
    return plain(plot)


def plain(plot: Any) -> Any:
    """Take from a plot what says nothing."""
    plot.toolbar.logo = None
    plot.grid.grid_line_color = "#EEEEEE"
    plot.axis.minor_tick_line_color = None
    plot.outline_line_color = None
    return plot


def words(component: str) -> str:
    """Return the name of a component on an axis.

    >>> words("component_2")
    'component 2'
    """
    return component.replace("_", " ")
