"""Draw two scores of every dataset under three kernels."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from pipeline.datasets.dataset import Dataset
from pipeline.drawing import style
from pipeline.drawing.display_choice import (
    Embedding,
    Grid,
    best_cells,
    constants,
    embed,
    model_of,
    of_sweep,
    point_label,
    shown_point,
)
from pipeline.drawing.plane import scatter
from pipeline.grid import Point
from pipeline.tables.metrics import MAIN_METRIC, METRICS
from pipeline.tables.selection import scores_at

TEST_ROWS = 250
FAMILIES = ("linear", "poly", "rbf")  # else the first in the grid
ROW, COLUMN, HEAD, LEFT, RIGHT = 1.65, 1.5, 0.75, 0.22, 1.0  # inches
MOST_CLASSES, LONGEST = 11, 16  # of a legend, and characters of a name
INNER = (0.01, 0.99)  # quantiles that a panel shows with room around them


def test_values(scores: pd.DataFrame, chosen: pd.DataFrame) -> pd.DataFrame:
    """Return what the chosen settings reach on test rows: one row per dataset and kernel."""
    rows = scores_at(scores[scores["split"] == "test"], chosen)
    return rows[rows["metric"] == rows["method"].map(MAIN_METRIC)]


def caption(point: Point, fixed: Iterable[str], values: pd.DataFrame) -> str:
    """Return parameters and test score of a panel, one below the other."""
    lines = [point_label(point, leave_out=fixed)]
    for row in values.to_dict("records"):
        m = "" if row["n_components"] == 2 else f" (m = {row['n_components']})"
        lines.append(f"{METRICS[row['metric']].symbol} {row['value']:.3f}{m}")
    return "\n".join(line for line in lines if line)


def draw_panel(ax: Axes, dataset: Dataset, embedding: Embedding, text: str) -> Any:
    """Draw test rows over faint training rows."""
    faint, full = {"size": 5, "alpha": 0.18}, {"size": 3, "alpha": 0.9}
    scatter(ax, embedding.train, dataset, embedding.train_index, rasterized=True, **faint)
    drawn = scatter(ax, embedding.test, dataset, embedding.test_index, rasterized=True, **full)
    low, high = np.quantile(embedding.train, INNER, axis=0)
    room = 0.2 * (high - low).max() + 1e-12
    ax.set(xlim=(low[0] - room, high[0] + room), ylim=(low[1] - room, high[1] + room))
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_title(text, fontsize=7, pad=2, linespacing=1.05)
    style.no_scale(ax)
    return drawn


def shown_families(kernels: Sequence[str]) -> list[str]:
    """Return the families that are drawn, three at most."""
    preferred = [kernel for kernel in FAMILIES if kernel in kernels]
    return [*preferred, *(kernel for kernel in kernels if kernel not in preferred)][:3]


def legend(fig: Figure) -> None:
    """Return which points are faint."""
    marks: dict[str, Any] = {"linestyle": "", "markeredgewidth": 0, "color": style.GREY}
    handles = [
        Line2D([], [], alpha=0.35, marker="o", label="training rows", **marks),
        Line2D([], [], marker="o", label="test rows", **marks),
    ]
    fig.legend(handles=handles, bbox_to_anchor=(0.5, 1), loc="upper center", ncols=2)


def name_classes(ax: Axes, dataset: Dataset) -> None:
    """Name the classes of a row to the right of its last panel."""
    if dataset.y is None:
        return
    names = dataset.class_names or [f"class {c}" for c in np.unique(dataset.y).tolist()]
    handles = [
        Line2D([], [], linestyle="", label=style.plain(name, LONGEST), **style.class_style(c))
        for c, name in enumerate(names[:MOST_CLASSES])
    ]
    more = f"and {len(names) - MOST_CLASSES} more" if len(names) > MOST_CLASSES else None
    ax.legend(
        handles=handles,
        title=more,
        loc="center left",
        bbox_to_anchor=(1, 0.5),
        handletextpad=0.2,
        labelspacing=0.15,
    )


def place_panels(fig: Figure, head: float) -> None:
    """Leave room in inches for what stands around the panels; all of them are alike."""
    width, height = fig.get_size_inches()
    fig.subplots_adjust(
        left=LEFT / width,
        right=1 - RIGHT / width,
        top=1 - head / height,
        bottom=0.05 / height,
        hspace=0.24,
        wspace=0.06,
    )


@style.script
@of_sweep
def draw(
    datasets: Sequence[Dataset],
    fits: Mapping[str, Mapping[str, str]],
    scores: pd.DataFrame,
    grid: Grid,
) -> style.Figure:
    """Draw one row per dataset and one column per kernel family."""
    fitted = [kernel for kernel in grid if any(kernel in families for families in fits.values())]
    kernels = shown_families(fitted)
    chosen = best_cells(scores, components=2)
    values = test_values(scores, chosen)
    fig, axes = style.figure(
        len(datasets),
        len(kernels),
        width=LEFT + RIGHT + COLUMN * len(kernels),
        height=HEAD + ROW * len(datasets),
        layout="none",
    )
    place_panels(fig, HEAD)
    legend(fig)
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
            bar.ax.tick_params(length=2, pad=1)
        name_classes(row[-1], dataset)
        row[0].set_ylabel(style.title(dataset.name))
    for ax, kernel in zip(axes[0], kernels, strict=True):
        ax.annotate(
            style.kernel_style(kernel)["label"],
            (0.5, 1),
            xytext=(0, 26),
            xycoords="axes fraction",
            textcoords="offset points",
            ha="center",
            fontsize=8,
        )
    return fig
