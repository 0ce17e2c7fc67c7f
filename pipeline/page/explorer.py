"""The interactive explorer: the embedding of each dataset for every kernel and parameter."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from bokeh.document import Document
from bokeh.models import ColumnDataSource, FixedTicker, HoverTool, LinearColorMapper, NoOverlap
from bokeh.plotting import figure
from matplotlib import colormaps
from matplotlib.colors import to_hex

from pipeline.datasets.dataset import Dataset
from pipeline.drawing import style
from pipeline.drawing.display_choice import Grid
from pipeline.drawing.plane import LEVELS, SHADES
from pipeline.page.embedding import plain
from pipeline.page.explored import SIDE, explored, validated
from pipeline.page.html import bokeh, environment, own

FINER = 4 * SIDE  # what is shown between the points of the mesh
PICTURE = 22  # pixels
WORDS = "<b>row @number @id</b> @answer<br>@words"
TIPS = {
    "rows": f'<div style="max-width: 18rem">{WORDS}</div>',
    "images": '<img src="@image" alt="" style="width: 4rem; image-rendering: pixelated">'
    "<div><b>@answer</b><br>row @number @id</div>",
}
"""Templates of what is said of a row that one points at; Bokeh escapes the values."""

COLUMNS = (
    *("x", "y", "u", "v", "colour", "shape", "fill"),
    *("number", "id", "answer", "words", "image"),
)
"""What plots know of each row: two components, two features, looks, and what is said of it."""


def explorer(
    datasets: Iterable[Dataset],
    fits: Mapping[str, str],
    grid: Grid,
    scores: pd.DataFrame,
    decisions: pd.DataFrame,
) -> str:
    """Return the HTML that shows every dataset of rows under every fit that is stored of it.

    ``fits`` are paths of stores by dataset; ``scores`` and ``decisions`` are tables of the run.
    """
    best = validated(scores)
    chosen = {
        str(row["dataset"]): (row["cell"], int(row["n_components"]))
        for row in decisions.to_dict("records")
    }
    shown = {
        dataset.name: explored(dataset, fits[dataset.name], grid, best, chosen[dataset.name])
        for dataset in datasets
        if not dataset.precomputed
    }
    # Ranges need a row to begin with.
    rows = ColumnDataSource({name: [0] for name in COLUMNS}, name="rows")
    plots = [_embedding(rows), _features(rows), _spectrum(), _scores()]
    document = Document()
    for plot in plots:
        document.add_root(plot)
    places = {plot.id: plot.name for plot in plots}
    given = {
        "datasets": shown,
        "documents": {"plots": document.to_json(deferred=False)},
        "items": [{"docid": "plots", "roots": places, "root_ids": list(places)}],
        "tips": TIPS,
        "side": SIDE,
    }
    template = environment().get_template("explorer.html.j2")
    files = ("style.css", "explorer.css", "plots.js", "explorer.js")
    return template.render(
        titles={name: data["title"] for name, data in shown.items()},
        given=given,
        splits=style.SPLITS,
        library={name: own(name) for name in files} | {"bokeh": bokeh()},
    )


def _figure(name: str, *, height: int, tools: Sequence[Any] = (), **options: Any) -> Any:
    """Return an empty plot; no tool drags at first, since a finger that scrolls must not."""
    options |= {"sizing_mode": "stretch_width", "active_drag": None}
    return plain(figure(name=name, height=height, tools=list(tools), **options))


def _scatter(plot: Any, x: str, y: str, rows: ColumnDataSource) -> None:
    glyph = {"marker": "shape", "color": "colour", "fill_alpha": "fill", "line_width": 1}
    faint = {"nonselection_fill_alpha": 0.04, "nonselection_line_alpha": 0.15}
    plot.scatter(x, y, source=rows, size=7, **glyph, **faint)


def _tools() -> list[Any]:
    hover = HoverTool(tooltips=TIPS["rows"])
    return ["lasso_select", "box_select", "tap", "pan", "wheel_zoom", "reset", "save", hover]


def _embedding(rows: ColumnDataSource) -> Any:
    plot = _figure("embedding", height=420, tools=_tools(), x_axis_label=" ", y_axis_label=" ")
    _scatter(plot, "x", "y", rows)
    return plot


def _features(rows: ColumnDataSource) -> Any:
    """Return a plot of two features over shades of a component, or of rows that are images."""
    plot = _figure("features", height=420, tools=_tools(), x_axis_label=" ", y_axis_label=" ")
    place: dict[str, Any] = {"x": [0], "y": [0], "dw": [1], "dh": [1]}
    place["image"] = [np.zeros((FINER, FINER), dtype=np.float32)]
    bands = [to_hex(c) for c in colormaps[SHADES](np.linspace(0, 1, LEVELS))]
    mapper = LinearColorMapper(palette=bands, low=-1, high=1)
    source = ColumnDataSource(place, name="surface")
    plot.image(
        "image", "x", "y", "dw", "dh", source=source, color_mapper=mapper, alpha=0.55, name="shades"
    )
    _scatter(plot, "u", "v", rows)
    plot.hover.renderers = [plot.renderers[-1]]
    images = ColumnDataSource({"x": [], "y": [], "url": []}, name="pictures")
    size: dict[str, Any] = {"w": PICTURE, "h": PICTURE, "w_units": "screen", "h_units": "screen"}
    plot.image_url("url", "x", "y", source=images, anchor="center", **size)
    plot.x_range.only_visible = plot.y_range.only_visible = True
    return plot


def _spectrum() -> Any:
    plot = _figure("spectrum", height=240, x_axis_label="component", y_axis_label="variance ratio")
    source = ColumnDataSource({"x": [1], "share": [1], "colour": [style.BLUE]}, name="shares")
    plot.vbar("x", top="share", width=0.8, source=source, color="colour", line_color=None)
    plot.x_range.start, plot.y_range.start = 0.4, 0
    plot.xgrid.visible = False
    return plot


def _scores() -> Any:
    """Return a plot of validation and test scores along the slider, with PCA as a line."""
    ends: dict[str, Any] = {"x_range": (0, 1), "y_range": (0, 1)}
    plot = _figure("scores", height=240, x_axis_label=" ", y_axis_label=" ", **ends)
    pca = ColumnDataSource({"score": [0]}, name="pca")
    plot.hspan("score", source=pca, line_dash="dashed", line_width=1.5, line_color=style.BLACK)
    source = ColumnDataSource({"x": [0], "cv": [0], "test": [0], "size": [5]}, name="lines")
    for split, marker in (("cv", "triangle"), ("test", "square")):
        look = style.SPLITS[split]
        dash = "dotted" if split == "cv" else "solid"
        plot.line("x", split, source=source, color=look["color"], line_dash=dash, line_width=2)
        plot.scatter("x", split, source=source, color=look["color"], marker=marker, size="size")
    plot.xaxis.ticker, plot.xaxis.major_label_policy = FixedTicker(ticks=[]), NoOverlap()
    plot.xgrid.visible = False
    return plot
