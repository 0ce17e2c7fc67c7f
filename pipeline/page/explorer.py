"""The interactive explorer: the embedding of each dataset for every kernel and parameter."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from bokeh.models import ColumnDataSource, FixedTicker, HoverTool, LinearColorMapper, NoOverlap
from matplotlib import colormaps
from matplotlib.colors import to_hex

from pipeline.datasets.dataset import Dataset
from pipeline.drawing import style
from pipeline.drawing.display_choice import Grid
from pipeline.drawing.plane import LEVELS, SHADES
from pipeline.page.embedding import document, plot
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
    plots = [_rows_by("embedding", "x", "y", rows), _features(rows), _spectrum(), _scores()]
    given = document("plots", {plot.name: plot for plot in plots})
    files = ("style.css", "explorer.css", "plots.js", "explorer.js")
    return (
        environment()
        .get_template("explorer.html.j2")
        .render(
            titles={name: data["title"] for name, data in shown.items()},
            given=given | {"datasets": shown, "tips": TIPS, "side": SIDE},
            splits=style.SPLITS,
            library={name: own(name) for name in files} | {"bokeh": bokeh()},
        )
    )


def _rows_by(name: str, x: str, y: str, rows: ColumnDataSource) -> Any:
    """Return a plot of the rows by two columns."""
    hover = HoverTool(tooltips=TIPS["rows"])
    tools = ["lasso_select", "box_select", "tap", "pan", "wheel_zoom", "reset", "save", hover]
    drawn = plot(name, tools=tools, x_axis_label=" ", y_axis_label=" ")
    glyph = {"marker": "shape", "color": "colour", "fill_alpha": "fill", "line_width": 1}
    faint = {"nonselection_fill_alpha": 0.04, "nonselection_line_alpha": 0.15}
    hover.renderers = [drawn.scatter(x, y, source=rows, size=7, **glyph, **faint)]
    return drawn


def _features(rows: ColumnDataSource) -> Any:
    """Return a plot of two features over shades of a component, or of rows that are images."""
    drawn = _rows_by("features", "u", "v", rows)
    bands = [to_hex(c) for c in colormaps[SHADES](np.linspace(0, 1, LEVELS))]
    heights = np.zeros((FINER, FINER), dtype=np.float32)
    place: dict[str, Any] = {"x": [0], "y": [0], "dw": [1], "dh": [1], "image": [heights]}
    look = {"color_mapper": LinearColorMapper(palette=bands, low=-1, high=1), "alpha": 0.55}
    source = ColumnDataSource(place, name="surface")
    drawn.image(
        "image", "x", "y", "dw", "dh", source=source, level="underlay", name="shades", **look
    )
    images = ColumnDataSource({"x": [], "y": [], "url": []}, name="pictures")
    size: dict[str, Any] = {"w": PICTURE, "h": PICTURE, "w_units": "screen", "h_units": "screen"}
    drawn.image_url("url", "x", "y", source=images, anchor="center", **size)
    drawn.x_range.only_visible = drawn.y_range.only_visible = True
    return drawn


def _spectrum() -> Any:
    drawn = plot("spectrum", height=240, x_axis_label="component", y_axis_label="variance ratio")
    source = ColumnDataSource({"x": [1], "share": [1], "colour": [style.BLUE]}, name="shares")
    drawn.vbar("x", top="share", width=0.8, source=source, color="colour", line_color=None)
    drawn.x_range.start, drawn.y_range.start = 0.4, 0
    drawn.xgrid.visible = False
    return drawn


def _scores() -> Any:
    """Return a plot of validation and test scores along the slider, with PCA as a line."""
    ends: dict[str, Any] = {"x_range": (0, 1), "y_range": (0, 1)}
    drawn = plot("scores", height=240, x_axis_label=" ", y_axis_label=" ", **ends)
    pca = ColumnDataSource({"score": [0]}, name="pca")
    drawn.hspan("score", source=pca, line_dash="dashed", line_width=1.5, line_color=style.BLACK)
    source = ColumnDataSource({"x": [0], "cv": [0], "test": [0], "size": [5]}, name="lines")
    for split, marker in (("cv", "triangle"), ("test", "square")):
        look = style.SPLITS[split]
        dash = "dotted" if split == "cv" else "solid"
        drawn.line("x", split, source=source, color=look["color"], line_dash=dash, line_width=2)
        drawn.scatter("x", split, source=source, color=look["color"], marker=marker, size="size")
    drawn.xaxis.ticker, drawn.xaxis.major_label_policy = FixedTicker(ticks=[]), NoOverlap()
    drawn.xgrid.visible = False
    return drawn
