"""Draw fits of every dataset: two scores, the explained variance, level lines in the plane."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from pipeline.datasets.dataset import Dataset
from pipeline.drawing import display_choice, style
from pipeline.drawing.display_choice import Points, Swept, read_sweep
from pipeline.drawing.plane import draw_components, region, scatter
from pipeline.evaluation.metrics import METRICS
from pipeline.fitted_models import components_for
from pipeline.grid import Point
from pipeline.seeds import sample
from pipeline.tables.selection import by_main_metric, scores_at

GALLERY = ("linear", "poly", "rbf")  # else the first in the grid
TYPES = ("rings", "moons", "swiss_roll", "digits")  # else the first datasets
TEST_ROWS = 250
ROW, COLUMN, HEAD, LEFT, RIGHT = 1.65, 1.5, 0.75, 0.22, 1.0  # inches
MOST_CLASSES, LONGEST = 11, 16  # of a legend, and characters of a name
INNER = (0.01, 0.99)  # quantiles that a panel shows with room around them

SPECTRUM = ("linear", "rbf")  # else the first; more would hide one another
COLUMNS = 3
SHARES = (0.8, 0.9)
DODGE = 1.08

PLANES = ("rings", "moons", "clusters")  # else the first datasets
CONTOURS = ("rbf", "poly")  # else the first that are curved
COMPONENTS = 3
MULTIPLE = 3.0  # of the median γ: wide enough to be smooth, narrow enough to bend
DEGREE = 2.0


def caption(point: Point, fixed: Iterable[str], values: pd.DataFrame) -> str:
    """Return parameters and test score of a panel, one below the other."""
    options: dict[str, Any] = {"leave_out": fixed, "units": display_choice.IN_FULL}
    lines = [display_choice.point_label(point, **options)]
    for row in values.to_dict("records"):
        m = "" if row["n_components"] == 2 else f" (m = {row['n_components']})"
        lines.append(f"{METRICS[row['metric']].symbol} {row['value']:.3f}{m}")
    return "\n".join(line for line in lines if line)


def draw_panel(ax: Axes, swept: Swept, point: Point, text: str) -> Any:
    """Draw a sample of the test rows over faint training rows.

    Data in the plane are drawn there, over the shades of the first component, others at two scores.
    """
    dataset, (train_index, test_index) = swept.dataset, swept.dataset.splits[0]
    rows, split = sample(len(test_index), TEST_ROWS), dataset.split(0)
    in_plane = not dataset.precomputed and split.X_train.shape[1] == 2
    if in_plane:
        train, test = split.X_train, split.X_test[rows]
        draw_components([ax], swept.model(point), region(train), train, rows=False)
    else:
        train, test = display_choice.embed(swept.model(point), split.X_test[rows], 2)
    faint, full = {"size": 5, "alpha": 0.18}, {"size": 3, "alpha": 0.9}
    scatter(ax, train, dataset, train_index, rasterized=True, **faint)
    drawn = scatter(ax, test, dataset, test_index[rows], rasterized=True, **full)
    if not in_plane:
        low, high = np.quantile(train, INNER, axis=0)
        room = 0.2 * (high - low).max() + 1e-12
        ax.set(xlim=(low[0] - room, high[0] + room), ylim=(low[1] - room, high[1] + room))
    ax.set_aspect("equal", adjustable="box" if in_plane else "datalim")
    ax.set_title(text, fontsize=7, pad=2, linespacing=1.05)
    style.no_scale(ax)
    return drawn


def name_classes(ax: Axes, dataset: Dataset) -> None:
    """Name the classes of a row to the right of its last panel."""
    if dataset.y is None:
        return
    names = dataset.class_names or [f"class {c}" for c in np.unique(dataset.y).tolist()]
    handles = style.class_handles(names[:MOST_CLASSES], LONGEST)
    more = f"and {len(names) - MOST_CLASSES} more" if len(names) > MOST_CLASSES else "class"
    place: dict[str, Any] = {"loc": "center left", "bbox_to_anchor": (1, 0.5)}
    ax.legend(handles=handles, title=more, handletextpad=0.2, labelspacing=0.15, **place)


def draw_family(ax: Axes, ratio: np.ndarray, kernel: str, place: int) -> str:
    """Draw ratios as stems and their sum as a line, and return what reaches 80 and 90 %."""
    look = style.kernel_style(kernel)
    color = look["color"]
    k, total = np.arange(1, len(ratio) + 1), np.cumsum(ratio)
    beside = DODGE ** (place - 0.5)
    ax.vlines(k * beside, 0, ratio, color=color, linewidth=1.4, alpha=0.6)
    ax.plot(k, total, color=color, label=look["label"])
    enough = [components_for(share, ratio) for share in SHARES if total[-1] >= share - 1e-12]
    ax.plot(
        enough, total[np.array(enough, dtype=int) - 1], color=color, marker=look["marker"], ls=""
    )
    reached = (f"{100 * s:.0f} %: {k}" for s, k in zip(SHARES, enough, strict=False))
    return f"{look['label']} " + (", ".join(reached) or "below 80 %")


def smooth_point(points: Mapping[str, Point]) -> Point:
    """Return the point of a family whose level lines are neither straight nor torn."""

    def oddity(point: Point) -> float:
        multiple = float(point.parameters.get("median", MULTIPLE))
        degree = float(point.parameters.get("degree", DEGREE))
        return abs(np.log(multiple / MULTIPLE)) + abs(degree - DEGREE)

    return min(points.values(), key=oddity)


@style.script
def gallery(
    datasets: Sequence[str], fits: Sequence[str], points: Points, scores: pd.DataFrame
) -> style.Figure:
    """Draw one row per dataset, of four at most, and one column per kernel family."""
    sweep = read_sweep(datasets, fits, points)
    named = {swept.dataset.name: swept for swept in sweep}
    sweep = [named[name] for name in display_choice.preferred(named, TYPES, len(TYPES))]
    fitted = dict.fromkeys(kernel for swept in sweep for kernel in swept.grid)
    kernels = display_choice.preferred(fitted, GALLERY, 3)
    chosen = display_choice.best_cells(scores, components=2)
    values = by_main_metric(scores_at(scores[scores["split"] == "test"], chosen))
    width, height = LEFT + RIGHT + COLUMN * len(kernels), HEAD + ROW * len(sweep)
    room = {"left": LEFT / width, "right": 1 - RIGHT / width, "wspace": 0.06}
    room |= {"top": 1 - HEAD / height, "bottom": 0.05 / height, "hspace": 0.24}
    size: dict[str, Any] = {"width": width, "height": height, "layout": "none"}
    fig, axes = style.figure(len(sweep), len(kernels), gridspec_kw=room, **size)
    marks: dict[str, Any] = {"marker": "o", "linestyle": "", "color": style.GREY}
    names = {"training rows": 0.35, "test rows": 1}
    handles = [
        Line2D([], [], label=n, alpha=a, markeredgewidth=0, **marks) for n, a in names.items()
    ]
    fig.legend(handles=handles, bbox_to_anchor=(0.5, 1), loc="upper center", ncols=2)
    for swept, row in zip(sweep, axes, strict=True):
        of_dataset = values[values["dataset"] == swept.dataset.name]
        for ax, kernel in zip(row, kernels, strict=True):
            if kernel not in swept.grid:
                ax.set_axis_off()
                continue
            of_family = of_dataset[of_dataset["kernel"] == kernel]
            point = display_choice.shown_point(swept.grid[kernel], of_family["cell"])
            text = caption(point, display_choice.constants(swept.grid[kernel].values()), of_family)
            drawn = draw_panel(ax, swept, point, text)
        if drawn is not None:
            bar = fig.colorbar(drawn, cax=row[-1].inset_axes((1.04, 0, 0.06, 1)))
            bar.set_label("target", labelpad=2)
            bar.ax.tick_params(length=2, pad=1)
        name_classes(row[-1], swept.dataset)
        row[0].set_ylabel(style.title(swept.dataset.name))
    above: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points"}
    for ax, kernel in zip(axes[0], kernels, strict=True):
        label = style.kernel_style(kernel)["label"]
        ax.annotate(label, (0.5, 1), (0, 26), ha="center", fontsize=8, **above)
    return fig


@style.script
def spectrum(datasets: Sequence[str], fits: Sequence[str], points: Points) -> style.Figure:
    """Draw scree and cumulative variance, with the shares of 80 and 90 % and the chosen number.

    There is one panel per dataset, of replicate 0 at the median γ.
    """
    sweep = read_sweep(datasets, fits, points)
    fig, axes = style.panels(len(sweep), columns=COLUMNS, height=1.6, sharey=True)
    for ax, swept in zip(axes, sweep, strict=True):
        for share in SHARES:
            ax.axhline(share, color=style.GREY, linewidth=0.5, linestyle=":", zorder=0)
        lines = [style.title(swept.dataset.name)]
        for place, kernel in enumerate(display_choice.preferred(swept.grid, SPECTRUM, 2)):
            model = swept.model(display_choice.shown_point(swept.grid[kernel], []))
            lines.append(draw_family(ax, model.explained_variance_ratio_, kernel, place))
        ax.set(ylim=(0, 1.04), title="\n".join(lines))
        style.plain_log(ax)
        ax.set_yticks([0, 0.5, *SHARES])
    handles = {h.get_label(): h for ax in axes for h in ax.get_legend_handles_labels()[0]}
    style.legend_above(fig, [*handles.values()], columns=len(handles))
    fig.supxlabel("component, or number of components", fontsize=8)
    fig.supylabel("explained variance ratio", fontsize=8)
    return fig


@style.script
def contours(datasets: Sequence[str], fits: Sequence[str], points: Points) -> style.Figure:
    """Draw level lines of the first components, one row per dataset of two columns."""
    sweep = read_sweep(datasets, fits, points)
    rows = [swept for swept in sweep if not swept.dataset.precomputed]
    flat = [swept for swept in rows if swept.dataset.split(0).X_train.shape[1] == 2]
    if not flat:
        return style.note("no dataset of this run has two columns")
    named = {swept.dataset.name: swept for swept in flat}
    flat = [named[name] for name in display_choice.preferred(named, PLANES, len(PLANES))]
    grid = flat[0].grid  # one for all
    curved = [kernel for kernel in grid if kernel != "linear"]
    shown = display_choice.preferred(curved or grid, CONTOURS, 2)
    columns = COMPONENTS * len(shown)
    width = style.PAGE * columns / 6
    size: dict[str, Any] = {"width": width, "height": 0.35 + 1.03 * len(flat)}
    fig, axes = style.figure(len(flat), columns, subplot_kw={"box_aspect": 1}, **size)
    for swept, row in zip(flat, axes, strict=True):
        X = swept.dataset.split(0).X_train  # of the first replicate
        for kernel, panels in zip(shown, row.reshape(-1, COMPONENTS), strict=True):
            draw_components(panels, swept.model(smooth_point(swept.grid[kernel])), region(X), X)
        row[0].set_ylabel(style.title(swept.dataset.name))
    for ax, kernel in zip(axes[0, COMPONENTS // 2 :: COMPONENTS], shown, strict=True):
        ax.set_title(display_choice.point_name(smooth_point(grid[kernel])))
    for number, ax in enumerate(axes[-1]):
        ax.set_xlabel(f"component {number % COMPONENTS + 1}")
    return fig
