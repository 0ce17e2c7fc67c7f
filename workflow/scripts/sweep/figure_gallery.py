"""Draw two scores of every dataset under every kernel."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from pipeline.datasets.dataset import Dataset
from pipeline.drawing import style
from pipeline.drawing.plane import scatter
from pipeline.drawing.shown import (
    Embedding,
    Grid,
    best_cells,
    constants,
    draw_sweep,
    embed,
    model_of,
    point_label,
    shown_point,
)
from pipeline.grid import Point
from pipeline.job import run
from pipeline.tables.metrics import MAIN_METRIC, METRICS
from pipeline.tables.selection import scores_at

TEST_ROWS = 250
ROW, COLUMN, HEAD, LEFT, RIGHT = 0.96, 1.1, 0.5, 0.22, 0.4  # inches
LINE, PER_LINE = 0.16, 10  # of the legend
FEW, LARGER = 3, 1.5  # rows at most that are drawn larger, and by how much


def test_values(scores: pd.DataFrame, chosen: pd.DataFrame) -> pd.DataFrame:
    """Return what the chosen settings reach on test rows: one row per dataset and kernel."""
    rows = scores_at(scores[scores["split"] == "test"], chosen)
    return rows[rows["metric"] == rows["method"].map(MAIN_METRIC)]


def caption(point: Point, fixed: Iterable[str], values: pd.DataFrame) -> str:
    """Return parameters and test score of a panel, one below the other."""
    lines = [point_label(point, leave_out=fixed)]
    for row in values.to_dict("records"):
        m = "" if row["n_components"] == 2 else f" (m = {row['n_components']})"
        lines.append(f"{METRICS[row['metric']].symbol} {row['value']:.2f}{m}")
    return "\n".join(line for line in lines if line)


def draw_panel(ax: Axes, dataset: Dataset, embedding: Embedding, text: str) -> Any:
    """Draw test rows over faint training rows."""
    faint, full = {"size": 5, "alpha": 0.18}, {"size": 3, "alpha": 0.9}
    scatter(ax, embedding.train, dataset, embedding.train_index, rasterized=True, **faint)
    drawn = scatter(ax, embedding.test, dataset, embedding.test_index, rasterized=True, **full)
    ax.set_title(text, fontsize=6, pad=2, linespacing=1.05)
    style.no_scale(ax)
    return drawn


def class_names(datasets: Sequence[Dataset]) -> Sequence[str]:
    """Return what classes are called: by their number where datasets name them differently."""
    names = {dataset.class_names for dataset in datasets if dataset.y is not None}
    if len(names) == 1:
        return next(iter(names))
    return [f"{c + 1}" if c else "class 1" for c in range(max(map(len, names), default=0))]


def legend(fig: Figure, classes: Sequence[str]) -> None:
    """Say which points are faint, and below it which look is which class."""
    marks: dict[str, Any] = {"linestyle": "", "markeredgewidth": 0}
    grey = marks | {"color": style.GREY, "marker": "o"}
    of_rows = [
        Line2D([], [], alpha=0.35, label="training rows", **grey),
        Line2D([], [], label="test rows", **grey),
    ]
    looks = [style.class_style(c) | marks for c in range(len(classes))]
    of_classes = [
        Line2D([], [], label=style.plain(name), **look)
        for name, look in zip(classes, looks, strict=True)
    ]
    places: dict[str, Any] = {
        "loc": "upper center",
        "handletextpad": 0,
        "columnspacing": 0.8,
        "borderpad": 0,
    }
    height = fig.get_figheight()
    for line, handles in enumerate((of_rows, of_classes)):
        top = 1 - (0.05 + LINE * line) / height
        fig.legend(handles=handles, bbox_to_anchor=(0.5, top), ncols=PER_LINE, **places)


def place_panels(fig: Figure, head: float) -> None:
    """Leave room in inches for what stands around the panels; all of them are alike."""
    width, height = fig.get_size_inches()
    fig.subplots_adjust(
        left=LEFT / width,
        right=1 - RIGHT / width,
        top=1 - head / height,
        bottom=0.05 / height,
        hspace=0.36,
        wspace=0.06,
    )


def draw(
    datasets: Sequence[Dataset],
    fits: Mapping[str, Mapping[str, str]],
    scores: pd.DataFrame,
    grid: Grid,
    paths: Sequence[str],
) -> None:
    """Draw one row per dataset and one column per kernel family."""
    kernels = [kernel for kernel in grid if any(kernel in families for families in fits.values())]
    chosen = best_cells(scores, components=2)
    values = test_values(scores, chosen)
    classes = class_names(datasets)
    head = HEAD + LINE * (1 + -(-len(classes) // PER_LINE))
    scale = LARGER if len(datasets) <= FEW else 1.0
    fig, axes = style.figure(
        len(datasets),
        len(kernels),
        width=LEFT + RIGHT + scale * COLUMN * len(kernels),
        height=head + scale * ROW * len(datasets),
        layout="none",
    )
    place_panels(fig, head)
    legend(fig, classes)
    for dataset, row in zip(datasets, axes, strict=True):
        of_dataset = values[values["dataset"] == dataset.name]
        for ax, kernel in zip(row, kernels, strict=True):
            if kernel not in fits[dataset.name]:
                ax.set_axis_off()
                continue
            of_family = of_dataset[of_dataset["kernel"] == kernel]
            point = shown_point(grid[kernel], of_family["cell"])
            model = model_of(dataset, fits[dataset.name][kernel], point)
            text = caption(point, constants(grid[kernel].values()), of_family)
            embedding = embed(dataset, model, components=2, test_rows=TEST_ROWS)
            drawn = draw_panel(ax, dataset, embedding, text)
        if drawn is not None:
            bar = fig.colorbar(drawn, cax=row[-1].inset_axes((1.04, 0, 0.06, 1)))
            bar.ax.tick_params(labelsize=5, length=2, pad=1)
        row[0].set_ylabel(style.title(dataset.name), fontsize=7)
    for ax, kernel in zip(axes[0], kernels, strict=True):
        ax.annotate(
            style.kernel_style(kernel)["label"],
            (0.5, 1),
            xytext=(0, 24),
            xycoords="axes fraction",
            textcoords="offset points",
            ha="center",
            fontsize=8,
        )
    style.save(fig, paths)


if __name__ == "__main__":
    run(partial(draw_sweep, draw))
