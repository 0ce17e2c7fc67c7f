"""Draw fits: two scores, the explained variance, level lines in the plane, and rings."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from kpca import PCA
from kpca.inspection.reproducibility import COMES_BACK
from kpca.study.datasets.dataset import Dataset
from kpca.study.decision.second_sample import FINAL, coming_back
from kpca.study.evidence.selection import BASELINES, by_main_metric, scores_at
from kpca.study.fitting.fitted_models import components_for, training_scores
from kpca.study.fitting.grid import Point
from kpca.study.scoring.methods import ON_SCORES
from kpca.study.scoring.metrics import METRICS
from kpca.study.seeds import sample
from workflow.drawing import display_choice, forest, style
from workflow.drawing.display_choice import Points, Swept, point_name, read_sweep
from workflow.drawing.plane import (
    Boundary,
    draw_components,
    draw_line,
    mesh,
    region,
    scatter,
    separate,
)

GALLERY = ("linear", "poly", "rbf")  # else the first in the grid
TYPES = ("rings", "moons", "swiss_roll", "digits")  # else the first datasets
TEST_ROWS = 250
ROW, COLUMN, HEAD, LEFT, RIGHT = 1.65, 1.5, 0.75, 0.22, 1.0  # inches
MOST_CLASSES, LONGEST = 11, 16  # of a legend, and characters of a name
INNER = (0.01, 0.99)  # quantiles that a panel shows with room around them

SPECTRUM = ("linear", "rbf")  # else the first; more would hide one another
PAIRED = 4  # panels of a row, two per dataset
BAND: dict[str, Any] = {"color": style.BLUE, "alpha": 0.2, "linewidth": 0}
BAND |= {"label": "95 % interval for a second sample"}
SHARES = (0.8, 0.9)
DODGE = 1.08

PLANES = ("rings", "moons", "clusters")  # else the first datasets
CONTOURS = ("rbf", "poly")  # else the first that are curved
COMPONENTS = 3
MULTIPLE = 3.0  # of the median γ: wide enough to be smooth, narrow enough to bend
DEGREE = 2.0

SHOWN = 400  # test rows
MESH = 120
TUNED = (*ON_SCORES, "rbf_svm")
CURVE: dict[str, Any] = {"color": style.BLACK, "linestyle": "--", "linewidth": 0.8}
RINGS = ("outer ring", "inner ring")


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


def draw_coming_back(ax: Axes, components: pd.DataFrame, m: int) -> None:
    """Draw what a second sample shows of the first j components, and what comes back of m."""
    final = components[components["setting"] == FINAL]
    if final.empty:  # of a precomputed kernel, or of one that cannot be saved
        ax.set(title="not known", xlim=(1, 10))
        return
    j = final["component"]
    ax.fill_between(j, final["at_least"], final["at_most"].fillna(1), **BAND)
    ax.plot(j, final["half"], color=style.GREY, linestyle="--", label="between halves")
    ax.plot(j, final["estimate"], color=style.BLUE, marker="o", markersize=3, label="estimate")
    ax.axhline(COMES_BACK, color=style.GREY, linewidth=0.5, linestyle=":", zorder=0)
    if count := coming_back(components, m):
        ax.axvline(count, color=style.VERMILION, linewidth=1.0, label="last that comes back")
    ax.set_title(f"final model:\n{count} of {m} back")


def smooth_point(points: Mapping[str, Point]) -> Point:
    """Return the point of a family whose level lines are neither straight nor torn."""

    def oddity(point: Point) -> float:
        multiple = float(point.parameters.get("median", MULTIPLE))
        degree = float(point.parameters.get("degree", DEGREE))
        return abs(np.log(multiple / MULTIPLE)) + abs(degree - DEGREE)

    return min(points.values(), key=oddity)


def draw_space(
    ax: Axes, dataset: Dataset, Z_train: np.ndarray, Z_test: np.ndarray, title: str
) -> Boundary:
    """Draw test rows in the plane of two columns with the line that separates them best."""
    split, index = dataset.split(0), dataset.splits[0][1]
    line = separate(Z_train, np.asarray(split.y_train))
    scatter(ax, Z_test[:SHOWN], dataset, index[:SHOWN], size=5)
    ax.set_box_aspect(1)
    ax.margins(0.07)
    draw_line(ax, line)
    style.no_scale(ax)
    ax.set_title(title)
    ax.set_xlabel(f"accuracy {line.accuracy(Z_test, np.asarray(split.y_test)):.3f}")
    return line


def draw_spaces(axes: Sequence[Axes], swept: Swept, point: Point) -> None:
    """Draw both spaces of one dataset, and the line of kernel PCA in the plane of PCA."""
    split = swept.dataset.split(0)
    model, pca = swept.model(point), PCA(2).fit(split.X_train)
    linear = pca.transform(split.X_train), pca.transform(split.X_test)
    curved = training_scores(model)[:, :2], model.transform(split.X_test)[:, :2]
    draw_space(axes[0], swept.dataset, *linear, "PCA")
    line = draw_space(axes[1], swept.dataset, *curved, f"kernel PCA\n{point_name(point)}")
    x, y = mesh(axes[0].axis(), MESH)
    rows = pca.inverse_transform(np.column_stack([x.ravel(), y.ravel()]))
    distance = line.distance(model.transform(rows)[:, :2]).reshape(x.shape)
    axes[0].contour(x, y, distance, [0], **{f"{name}s": value for name, value in CURVE.items()})


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
def spectrum(
    datasets: Sequence[str],
    fits: Sequence[str],
    points: Points,
    components: pd.DataFrame,
    decisions: pd.DataFrame,
) -> style.Figure:
    """Draw two panels per dataset: scree with cumulative variance, and what comes back.

    The first is of replicate 0 at the median γ, with the shares of 80 and 90 %. The second is of
    the final model.
    """
    sweep = read_sweep(datasets, fits, points)
    fig, axes = style.panels(2 * len(sweep), columns=PAIRED, height=1.6, sharey=True)
    chosen = decisions.set_index(decisions["dataset"].astype(str))["n_components"]
    for swept, ax, beside in zip(sweep, axes[::2], axes[1::2], strict=True):
        name = swept.dataset.name
        for share in SHARES:
            ax.axhline(share, color=style.GREY, linewidth=0.5, linestyle=":", zorder=0)
        lines = [style.title(name)]
        for place, kernel in enumerate(display_choice.preferred(swept.grid, SPECTRUM, 2)):
            model = swept.model(display_choice.shown_point(swept.grid[kernel], []))
            lines.append(draw_family(ax, model.explained_variance_ratio_, kernel, place))
        ax.set(ylim=(0, 1.04), title="\n".join(lines))
        mine = components[components["dataset"].astype(str) == name]
        draw_coming_back(beside, mine, int(chosen[name]))
        for panel in (ax, beside):
            style.plain_log(panel)
        ax.set_yticks([0, 0.5, *SHARES])
    handles = {h.get_label(): h for ax in axes for h in ax.get_legend_handles_labels()[0]}
    style.legend_above(fig, [*handles.values()], columns=len(handles))
    fig.supxlabel("component, or number of components", fontsize=8)
    fig.supylabel("variance ratio, or part", fontsize=8)
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


@style.script
def rings(
    datasets: Sequence[str],
    fits: Sequence[str],
    points: Points,
    scores: pd.DataFrame,
    comparisons: pd.DataFrame,
) -> style.Figure:
    """Draw both planes with the best line in each, and what it is worth, one row per dataset."""
    sweep = read_sweep(datasets, fits, points)
    height = 0.6 + 2.05 * len(sweep)
    fig, axes = style.figure(len(sweep), 3, height=height, width_ratios=[1, 1, 0.8])
    cells = display_choice.best_cells(scores[~scores["kernel"].isin(BASELINES)], components=2)
    rows = forest.lines(comparisons, TUNED)
    for swept, row in zip(sweep, axes, strict=True):
        draw_spaces(row, swept, display_choice.best_point(cells, swept.dataset.name, swept.grid))
        tuned = rows[(rows["dataset"] == swept.dataset.name) & (rows["criterion"] == "cv")]
        forest.draw(row[2], tuned, forest.order(tuned))
        row[2].set(title="m tuned", xlabel="balanced accuracy")
    handles = [
        *style.class_handles(RINGS),
        Line2D([], [], color=style.BLACK, linewidth=1, label="linear SVM on two components"),
        Line2D([], [], **CURVE, label="kernel PCA boundary, mapped back"),
    ]
    style.legend_above(fig, handles, columns=2)
    return fig
