"""Draw the figures of claims that show what their tables have."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from pipeline.drawing import style
from pipeline.tables.metrics import METRICS
from pipeline.tables.statistics import curve
from workflow.scripts.claims.claim import judged

Looks = dict[str, dict[str, Any]]

RINGS = ("outer ring", "inner ring")
LOST = "balanced accuracy lost (percentage points)"
SPREAD = 0.17  # between the lines of two kernels
FORMULAS: Looks = {
    "1-centring": {"color": style.BLACK, "marker": "o", "label": "correct: + EKE"},
    "1-misprinted-sign": {"color": style.VERMILION, "marker": "s", "label": "misprint: − EKE"},
    "1-unscaled-ones": {"color": style.PURPLE, "marker": "^", "label": "misprint: 1 for 1/n"},
}
CIRCLE: dict[str, Any] = {"marker": "o", "markersize": 8, "color": style.GREY, "fillstyle": "none"}
NEAR = 0.1  # below it the scale of eigenvalues is linear
LEAST_SHIFT = 1e-3
SMALL_SHIFT = 0.1
MOST_ROWS = 150  # of a class
UNCENTRED = {"uncentred_few": "2 components", "uncentred": "5 components"}
USES = {"tuned": "32 components,\nC by cross-validation", "all": "all components,\nvariance 1"}
VERDICTS: Looks = {
    "holds": {"color": style.BLUE, "marker": "s"},
    "inconclusive": {"color": style.GREY, "marker": "o", "fillstyle": "none"},
    "fails": {"color": style.VERMILION, "marker": "X"},
    "fails as expected": {"color": style.BLACK, "marker": "x"},
}
FLOOR = 1e-17  # what rounding can leave is drawn down to here
RIGHT = 1e3  # end of the scale of deviations
BAND = "#DCE9F3"
LINE = 0.145  # inches
LANDMARK_CHOICES: Looks = {
    "rpcholesky": {"color": style.GREEN, "marker": "^", "label": "random pivots"},
    "uniform": {"color": style.ORANGE, "marker": "s", "label": "uniform"},
    "greedy": {"color": style.VERMILION, "marker": "D", "label": "greedy pivots"},
    "leverage": {"color": style.PURPLE, "marker": "v", "label": "leverage scores"},
    "kmeans": {"color": style.BLUE, "marker": "o", "label": "k-means"},
}
APART = 2  # landmarks, so that marks of equal errors stand side by side
COMPONENTS: dict[Any, str] = {1: style.BLUE, 2: style.ORANGE, 3: style.GREEN}


def spanning(axes: np.ndarray) -> Any:
    """Leave the first of some panels in a row, which takes the place of all, and return it."""
    first, *others = axes
    for ax in others:
        ax.remove()
    start = first.get_subplotspec().num1
    first.set_subplotspec(first.get_gridspec()[start : start + len(axes)])
    return first


def by_kernel(table: pd.DataFrame) -> Iterator[tuple[float, dict[str, Any], pd.DataFrame]]:
    """Yield where each kernel stands about the place of all, its look, and its rows."""
    groups = list(table.groupby("kernel", sort=False))
    for i, (kernel, rows) in enumerate(groups):
        yield SPREAD * (i - (len(groups) - 1) / 2), style.kernel_style(str(kernel)), rows


def draw_intervals(ax: Axes, table: pd.DataFrame, *, accuracies: bool = True) -> None:
    """Draw one line per kernel under every dataset: mean and interval.

    The table has the columns dataset, kernel, mean, low, high. Differences of accuracies are drawn
    in percentage points, with a dotted line at the margin from which on they count.
    """
    unit = 100 if accuracies else 1
    datasets = list(table["dataset"].unique())
    for offset, look, rows in by_kernel(table):
        y = rows["dataset"].map(datasets.index) + offset
        ax.hlines(y, unit * rows["low"], unit * rows["high"], color=look["color"], linewidth=0.8)
        ax.plot(unit * rows["mean"], y, linestyle="", **look)
    if accuracies:
        margin = unit * METRICS["balanced_accuracy"].margin
        ax.axvline(0, color=style.GREY, linewidth=0.6)
        ax.axvline(margin, color=style.GREY, linewidth=0.8, linestyle=":")
    ax.set_yticks(range(len(datasets)), [style.title(name) for name in datasets])
    ax.set_ylim(len(datasets) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)
    for edge in range(1, len(datasets)):
        ax.axhline(edge - 0.5, color="#EEEEEE", linewidth=0.6, zorder=0)


def draw_curve(
    ax: Axes, rows: pd.DataFrame, along: str, look: dict[str, Any], *, most: float = 1.0
) -> None:
    """Draw the mean over a parameter, with its interval within 0 … most as a band.

    ``rows`` holds one row per replicate and value of the column ``along``, with the column value;
    overlap, if there is such a column, is that of `setting.units`.
    """
    overlap = rows["overlap"].iloc[0] if "overlap" in rows else None
    points = curve(rows, along, None if pd.isna(overlap) else float(overlap))
    ax.plot(points[along], points["mean"], **look)
    low, high = points["low"].clip(lower=0), points["high"].clip(upper=most)
    ax.fill_between(points[along], low, high, color=look["color"], alpha=0.15, linewidth=0)


def draw_example(ax: Axes, example: pd.DataFrame) -> None:
    """Scatter training points as they are, full, and new ones that lack the term, hollow."""
    for (side, label), rows in example.groupby(["rows", "label"], sort=False):
        c = int(str(label))
        look = style.class_style(c)
        color = look.pop("color")
        look |= {"facecolors": color if side == "training" else "none", "edgecolors": color}
        rows = rows.head(MOST_ROWS)
        look |= {"s": 8, "linewidths": 0.6, "label": f"{RINGS[c]}, {side}"}
        ax.scatter(rows["first"], rows["second"], **look)
    component = int(example["component"].iloc[0])
    ax.set(xlabel="score 1", ylabel=f"score {component}", title="rings, Gaussian kernel")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), handletextpad=0.2)


def draw_sizes(ax: Axes, sizes: pd.DataFrame) -> None:
    """Draw the shift of every component, one mark per dataset, and their median."""
    for offset, look, rows in by_kernel(sizes):
        shown = rows[rows["mean"] > LEAST_SHIFT]
        ax.plot(shown["component"] + offset, shown["mean"], linestyle="", alpha=0.7, **look)
        medians = shown.groupby("component")["mean"].median()
        at = medians.index.to_numpy() + offset
        ax.hlines(medians, at - 0.09, at + 0.09, color=style.BLACK, linewidth=1.2)
    ax.axhline(SMALL_SHIFT, color=style.GREY, linestyle=":", linewidth=0.8)
    ax.set(yscale="log", xlabel="component", ylabel="shift (standard deviations)")
    ax.set(title="seven datasets; bars: medians")
    ax.set_xticks(np.sort(sizes["component"].unique()))


def deviations(statements: pd.DataFrame, cases: pd.DataFrame) -> pd.DataFrame:
    """Return how far each identity was off, and how far it may be, in the order of statements.

    A row for each statement with a group, its worst case: the columns of `judged`, deviation and
    bound (from the column origin of the statements), and line, the place of its row in the figure.
    Each group begins with an empty line and one for its heading.
    """
    table = judged(statements, cases).sort_values("room", kind="stable")
    table = table.drop_duplicates("claim").set_index("claim")
    rows = table.loc[statements.dropna(subset="group")["claim"]]
    groups = (rows["group"] != rows["group"].shift()).cumsum()
    return rows.assign(
        deviation=(rows["measured"] - rows["origin"]).abs(),
        bound=(rows["threshold"] - rows["origin"]).abs(),
        line=np.arange(len(rows)) + 2 * groups - 1,
    )


def draw_deviations(ax: Axes, table: pd.DataFrame) -> None:
    """Draw one line per identity: a band where its rule lets it lie, and a mark where it lies."""
    above, label = table["side"] == "above", "where the rule asks it to lie"
    low, high = table["bound"].where(above, FLOOR / 3), table["bound"].mask(above, RIGHT)
    ax.barh(table["line"], high - low, left=low, color=BAND, zorder=0, label=label)
    for verdict in sorted(set(table["verdict"]), key=[*VERDICTS].index):
        rows = table[table["verdict"] == verdict]
        look = {"linestyle": "", "label": f"statement {verdict}", **VERDICTS[verdict]}
        ax.plot(rows["deviation"].clip(lower=FLOOR), rows["line"], **look)
    for text, rows in table.groupby("group", sort=False):
        y, look = rows["line"].min() - 1, {"weight": "bold", "va": "center"}
        ax.text(0, y, str(text), transform=ax.get_yaxis_transform(), fontsize=7.5, **look)
    ax.set(xscale="log", xlim=(FLOOR / 3, RIGHT), ylim=(table["line"].max() + 0.7, -0.7))
    ax.set_xticks(10.0 ** np.arange(-16, 3, 4))
    ax.set_xticks([], minor=True)
    ax.set_yticks(table["line"], table["label"])
    ax.tick_params(axis="y", length=0)
    ax.set(xlabel="measured deviation, no unit (at $10^{-17}$: or less)")


@style.script
def claims_centring(spectra: pd.DataFrame) -> style.Figure:
    """Draw eigenvalues by modulus on a scale with a sign, and rings around constant components."""
    fig, ((ax,),) = style.figure(height=2.4)
    for place, (name, look) in enumerate(FORMULAS.items()):
        rows = spectra[spectra["formula"] == name]
        x = rows["component"] + 0.22 * (place - 1)
        ax.vlines(x, 0, rows["eigenvalue"], color=look["color"], linewidth=0.8)
        ax.plot(x, rows["eigenvalue"], linestyle="", **look)
        constant = rows["constancy"] > 0.5
        ax.plot(x[constant], rows["eigenvalue"][constant], linestyle="", **CIRCLE)
    ax.plot([], [], linestyle="", label="constant component", **CIRCLE)
    ax.axhline(0, color=style.GREY, linewidth=0.6)
    ax.set_yscale("symlog", linthresh=NEAR)
    ax.set_yticks([-100, -1, 0, 1, 100, 1e4, 1e6])
    ax.set(xlabel="component, by modulus", ylabel="eigenvalue", ylim=(-3e3, 3e7))
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return fig


@style.script
def claims_shift(sizes: pd.DataFrame, losses: pd.DataFrame, example: pd.DataFrame) -> style.Figure:
    """Draw an example and the size of the shift above, and losses of accuracy below."""
    fig, axes = style.figure(2, 2, height=5.6, width_ratios=[1, 1.25])
    draw_example(axes[0, 0], example)
    draw_sizes(axes[0, 1], sizes)
    below = spanning(axes[1])
    draw_intervals(below, losses[losses["treatment"] == "new"])
    below.set_xlabel(LOST)
    fig.legend(*axes[0, 1].get_legend_handles_labels(), loc="outside lower center", ncols=5)
    return fig


@style.script
def claims_uncentred(cosines: pd.DataFrame, losses: pd.DataFrame) -> style.Figure:
    """Draw |cos| of the first axis and the mean on the left, losses of accuracy on the right."""
    fig, axes = style.figure(1, 3, height=3.6, sharey=True)
    left, *others = axes[0]
    draw_intervals(left, cosines, accuracies=False)
    left.set(title="first axis and mean", xlabel="|cos|", xlim=(0, 1.03))
    for ax, (treatment, title) in zip(others, UNCENTRED.items(), strict=True):
        draw_intervals(ax, losses[losses["treatment"] == treatment])
        ax.set_title(f"{title} (own scale)")
    others[0].set_xlabel(LOST, x=1.05)
    fig.legend(*others[0].get_legend_handles_labels(), loc="outside upper center", ncols=5)
    return fig


@style.script
def claims_degree(scores: pd.DataFrame) -> style.Figure:
    """Draw one row per use and one column per dataset, all on one scale of accuracy."""
    names = list(scores["dataset"].unique())
    fig, axes = style.figure(len(USES), len(names), height=3.2, sharex=True, sharey=True)
    for key, rows in scores.groupby(["use", "dataset", "split"], sort=False):
        use, dataset, side = map(str, key)
        ax = axes[[*USES].index(use), names.index(dataset)]
        draw_curve(ax, rows, "degree", style.SPLITS[side] | {"markersize": 2.5})
    for ax, title in zip(axes[:, 0], USES.values(), strict=True):
        ax.set_ylabel(f"{title}\nbalanced accuracy")
    for ax, name in zip(axes[0], names, strict=True):
        ax.set_title(style.title(name))
    axes[0, 0].set_xticks([1, 5, 9])
    fig.supxlabel("degree", fontsize=8)
    style.legend_above(fig, axes[0, 0].get_legend_handles_labels()[0], columns=2)
    return fig


@style.script
def claims_identities(
    statements: pd.DataFrame, gains: pd.DataFrame, **topics: pd.DataFrame
) -> style.Figure:
    """Draw identities above, what standardisation gains below."""
    table = deviations(statements, pd.concat(topics.values()))
    ratios = [table["line"].max() + 2, len(gains) + 1]
    fig, axes = style.figure(2, 1, height=1.3 + LINE * sum(ratios), height_ratios=ratios)
    above, below = axes[:, 0]
    draw_deviations(above, table)
    style.legend_above(fig, above.get_legend_handles_labels()[0], columns=4)
    draw_intervals(below, gains.assign(dataset="wine"))
    below.set(title="standardised", xlabel="gain of balanced accuracy (percentage points)")
    below.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return fig


@style.script
def claims_landmark_choices(errors: pd.DataFrame) -> style.Figure:
    """Draw the median over draws with their range, one panel per example."""
    fig, (panels,) = style.figure(1, errors["dataset"].nunique(), height=3.2)
    for ax, (name, rows) in zip(panels, errors.groupby("dataset", sort=False), strict=True):
        for place, (how, look) in enumerate(LANDMARK_CHOICES.items()):
            values = rows[rows["landmarks"] == how].groupby("n_landmarks")["error"]
            x = values.median().index + APART * (place - len(LANDMARK_CHOICES) // 2)
            ax.vlines(x, values.min(), values.max(), color=look["color"], linewidth=1)
            ax.plot(x, values.median(), linewidth=0.8, **look)
        ax.set(xlabel="number of landmarks", title=name, yscale="log")
        ax.set_xticks(sorted(rows["n_landmarks"].unique()))
    panels[0].set_ylabel("tr(K − K̂) / tr(K)")
    style.legend_above(fig, panels[0].get_legend_handles_labels()[0], columns=len(LANDMARK_CHOICES))
    return fig


@style.script
def claims_rkhs(ascents: pd.DataFrame, ratios: pd.DataFrame) -> style.Figure:
    """Draw ascents on the left, functions with a part outside the span on the right.

    Steepest ascents, one colour per component, end at the dotted eigenvalues. Marks show what a
    part outside the span does to the mean square, and lines the formula.
    """
    fig, ((left, right),) = style.figure(1, 2, height=2.8)
    for (component, start), rows in ascents.groupby(["component", "start"]):
        label = "" if start else f"component {component}"
        look = {
            "color": COMPONENTS[component],
            "linewidth": 0.7,
            "alpha": 0.8,
            "label": label,
        }
        left.plot(rows["step"] + 1, rows["value"], **look)
        left.axhline(rows["level"].iloc[0], color=style.BLACK, linewidth=0.7, linestyle=":")
    left.set(xscale="log", ylim=(0, 1.05), xlabel="step of steepest ascent")
    left.set(ylabel="mean square / (λ₁/n), norm 1", title="maximised, 10 starts each")
    left.legend(loc="lower right")
    for point, (_, rows) in enumerate(ratios.groupby("point")):
        formula, measured = ("", "") if point else ("1/(1 + t²‖g‖²)", "measured, five functions g")
        right.plot(rows["t"], rows["predicted"], color=style.GREY, linewidth=0.8, label=formula)
        look = style.class_style(point) | {"linestyle": "", "markersize": 2.5}
        right.plot(rows["t"], rows["ratio"], label=measured, **look)
    right.set(xlabel="t", ylabel="Ψ(f + t g) / Ψ(f)", title="outside the span", ylim=(0, 1.05))
    right.legend(loc="lower left")
    return fig
