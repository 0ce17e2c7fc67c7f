"""The rows of a dataset in the plane of two components, coloured by any column, with Bokeh."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from bokeh.document import Document
from bokeh.models import ColumnDataSource, HoverTool
from bokeh.plotting import figure
from matplotlib import colormaps
from matplotlib.colors import to_hex

from pipeline.drawing import style
from pipeline.evaluation.faithfulness import PLANES
from pipeline.seeds import MOST_DRAWN, evenly_spaced
from pipeline.store import read_table

MOST_COMPONENTS, MOST_CLASSES = 10, 20
FEW_NUMBERS = 6
"""Integers with as many values at most are drawn as classes."""

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

OTHERS = (style.GREY, "circle")
RAMP = [*((to_hex(c), "circle") for c in colormaps[style.SEQUENTIAL](range(256))), OTHERS]
"""Looks of numbers from the least to the largest, and of one that is missing: once on a page."""

NAMES = {plane: method for method, plane in PLANES.items()}
"""Plane → the method that draws it."""

ROLES = ("id", "label", "target", "group")
PLAIN = (style.BLUE, "circle")


class Colours(NamedTuple):
    """How a column colours rows."""

    rows: list[int]  # place in ``looks`` for each row
    looks: list[tuple[str, str]] | None  # colours and shapes; those of numbers are `RAMP`
    keys: list[tuple[str, str, str]]  # name, colour and sign of each class, for a legend
    ends: tuple[float, float] | None = None  # least and largest number of a column of numbers


class Embedding(NamedTuple):
    """Plots for Bokeh of some of the rows of a dataset."""

    given: dict[str, Any]  # what Bokeh embeds, and colours by column; the first are drawn at first
    planes: list[str]  # what is drawn, in this order, of `PLANES`; no ``view`` that is PCA
    is_pca: bool  # whether it is
    components: list[str]  # what the axes of the first plot may be
    colours: dict[str, Colours]
    shown: int  # number of the rows that are drawn
    rows: int  # number of all rows


def embedding(path: Path, dataset: str, roles: Mapping[str, str], first: str = "view") -> Embedding:
    """Return the plots of an embedding, a file as docs/columns.md describes it.

    ``roles`` are the names of its columns with id, label, target and group, where they differ;
    ``first`` is the plane that is drawn first, whose axes may be others.
    """
    named = {role: roles.get(role, role) for role in ROLES}
    texts = {named[role]: str for role in ("id", "label", "group")}
    whole = read_table(path, dtype=texts)
    table = whole.iloc[evenly_spaced(len(whole), MOST_DRAWN)].reset_index(drop=True)
    names = [str(name) for name in table]
    start = names.index("component_1")
    computed = [name for name in names[start:] if name != "novelty"]
    planes = sorted(PLANES.values(), key=lambda plane: plane != first)
    axes = {plane: [f"{plane}_1", f"{plane}_2"] for plane in planes}
    axes = {plane: pair for plane, pair in axes.items() if {*pair} <= {*computed}}
    both = [table[axes[plane]].to_numpy() for plane in ("view", "pca") if plane in axes]
    if is_pca := len(both) == 2 and _same(*both):
        axes.pop("view")
    first = first if first in axes else "pca" if is_pca else "view"
    components = [name for name in computed if name.startswith("component_")][:MOST_COMPONENTS]
    components = [*axes.get(first, []), *components]
    axes = {first: components} | {plane: pair for plane, pair in axes.items() if plane != first}
    answer = [named[role] for role in ("label", "target", "group") if named[role] in names[:start]]
    colours = {
        name: found
        for name in dict.fromkeys([*answer, *names[1:start], *({"novelty"} & {*names})])
        if (found := _colours_of(table[name], as_classes=name in texts, anyway=name in answer))
    }
    tips = [name for name in ("row", named["id"], *answer[:1]) if name in names]
    columns: dict[str, Any] = {
        f"tip{place}": table[name].tolist() for place, name in enumerate(tips)
    }
    columns |= {name: table[name].to_numpy(np.float32) for name in computed}
    columns |= {"colour": [PLAIN[0]] * len(table), "shape": [PLAIN[1]] * len(table)}
    rows = ColumnDataSource(columns, name="rows")
    hover = [(tip, f"@tip{place}") for place, tip in enumerate(tips)]
    plots = {
        f"plot-{dataset}-{plane}": _plane(plane, rows, pair, hover) for plane, pair in axes.items()
    }
    given = document(dataset, plots)
    given["colours"] = {name: found._asdict() for name, found in colours.items()}
    return Embedding(given, [*axes], is_pca, components, colours, len(table), len(whole))


def colours(values: pd.Series, *, numeric: bool) -> Colours:
    """Return colours for a column of numbers, or of classes."""
    if numeric:
        low, high = float(values.min()), float(values.max())
        shares = ((values - low) / ((high - low) or 1.0)).to_numpy()
        rows = np.where(np.isnan(shares), 256, np.minimum(np.nan_to_num(shares) * 256, 255))
        return Colours(rows.astype(int).tolist(), None, [], (low, high))
    named = values.fillna("").astype(str)
    counts = named.value_counts(sort=False)
    common = set(counts.nlargest(MOST_CLASSES).index)
    names = sorted(common, key=lambda name: (len(name), name) if name.isdigit() else (0, name))
    styles = [style.class_style(c) for c in range(len(names))]
    shapes = [SHAPES[look["marker"]] for look in styles]
    keys = [(n, s["color"], sign) for n, s, (_, sign) in zip(names, styles, shapes, strict=True)]
    if len(common) < len(counts):
        keys.append((f"{len(counts) - len(common)} others", style.GREY, "●"))
    looks = [(s["color"], shape) for s, (shape, _) in zip(styles, shapes, strict=True)]
    place = {name: i for i, name in enumerate(names)}
    return Colours([place.get(name, len(names)) for name in named], [*looks, OTHERS], keys)


def _colours_of(values: pd.Series, *, as_classes: bool, anyway: bool) -> Colours | None:
    """Return the colours of a column, those of classes for few integers.

    There are none if they say nothing: the column is constant, or names the rows.
    """
    numeric, distinct = pd.api.types.is_numeric_dtype(values) and not as_classes, values.nunique()
    says_something = numeric or distinct <= max(MOST_CLASSES, len(values) // 2)
    if not anyway and not (distinct > 1 and says_something):
        return None
    if numeric and distinct <= FEW_NUMBERS and bool((values.dropna() % 1 == 0).all()):
        return colours(values.astype("Int64").astype("string"), numeric=False)
    return colours(values.astype(float) if numeric else values, numeric=numeric)


def _same(view: np.ndarray, pca: np.ndarray) -> bool:
    """Whether two planes differ at most by signs and rounding."""
    return bool(np.allclose(np.abs(view), np.abs(pca), atol=1e-6 * np.abs(pca).max()))


def _plane(name: str, rows: ColumnDataSource, axes: list[str], tips: list[tuple[str, str]]) -> Any:
    x, y = axes[0], axes[min(1, len(axes) - 1)]
    tools = ["pan", "wheel_zoom", "box_zoom", "reset", "save", HoverTool(tooltips=tips)]
    plane = plot(name, tools=tools, x_axis_label=words(x), y_axis_label=words(y))
    look: dict[str, Any] = {"marker": "shape", "color": "colour", "size": 7, "line_width": 0.5}
    plane.scatter(x, y, source=rows, fill_alpha=0.6, line_alpha=0.9, **look)
    return plane


def plot(name: str, *, height: int = 420, tools: Sequence[Any] = (), **options: Any) -> Any:
    """Return an empty plot without what says nothing; a button shows its tools.

    No tool drags at first, since a finger that scrolls the page must not move the points.
    """
    options |= {"sizing_mode": "stretch_width", "active_drag": None}
    plot = figure(name=name, height=height, tools=list(tools), **options)
    plot.toolbar.logo, plot.toolbar_location = None, None
    plot.axis.minor_tick_line_color = None
    plot.outline_line_color = None
    return plot


def document(name: str, plots: Mapping[str, Any]) -> dict[str, Any]:
    """Return what Bokeh embeds: plots by the ids of their places on the page."""
    document = Document()
    for plot in plots.values():
        document.add_root(plot)
    places = {plot.id: place for place, plot in plots.items()}
    items = [{"docid": name, "roots": places, "root_ids": list(places)}]
    return {"documents": {name: document.to_json(deferred=False)}, "items": items}


def words(component: str) -> str:
    """Return the name of a component on an axis.

    >>> words("component_2"), words("pca_1")
    ('component 2', 'PCA 1')
    """
    name, _, number = component.rpartition("_")
    return f"{NAMES.get(name, name)} {number}"
