"""Draw components as functions: what maximises, what is orthogonal, what lies outside the span."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pipeline.drawing import style

COLORS = (style.BLUE, style.ORANGE, style.GREEN)
KINDS = {
    "random": {"color": style.GREY, "label": "random"},
    "single": {"color": style.VERMILION, "label": r"single $k(x_j, \cdot)$"},
}
TABLES = ("directions", "ascents", "levels", "gram", "ratios")
ZERO = 1e-17  # what rounding can leave is drawn down to here


def draw_levels(ax: Axes, levels: pd.DataFrame) -> None:
    """Draw the eigenvalues as horizontal lines."""
    for value in levels["value"].head(len(COLORS)):
        ax.axhline(value, color=style.BLACK, linewidth=0.7, linestyle=":")
    ax.set_ylim(0, 1.05)


def draw_directions(ax: Axes, directions: pd.DataFrame) -> None:
    """Draw the distribution of the mean squares of random functions."""
    for kind, rows in directions.groupby("kind"):
        ax.hist(
            rows["value"],
            bins=np.linspace(0, 1, 41),
            density=True,
            orientation="horizontal",
            histtype="step",
            **KINDS[str(kind)],
        )
    ax.set(xlabel="density", ylabel="mean square / λ₁/n, norm 1", title="at random")
    ax.legend(loc="upper center", bbox_to_anchor=(0.4, -0.2), handlelength=1)


def draw_ascents(ax: Axes, ascents: pd.DataFrame) -> None:
    """Draw steepest ascents, a colour a component."""
    for (component, _), rows in ascents.groupby(["component", "start"]):
        color = COLORS[int(component) - 1]
        ax.plot(rows["step"] + 1, rows["value"], color=color, linewidth=0.7, alpha=0.8)
    for component, color in enumerate(COLORS, start=1):
        ax.plot([], [], color=color, label=f"component {component}")
    ax.set(xscale="log", xlabel="step of steepest ascent", title="optimised, 10 starts each")
    ax.legend(loc="lower right")


def draw_gram(fig: Figure, ax: Axes, gram: pd.DataFrame) -> None:
    """Draw inner products above the diagonal and correlations below, as powers of ten."""
    inner, correlation = (
        gram.pivot_table(index="first", columns="second", values=name).to_numpy()
        for name in ("inner", "correlation")
    )
    shown = np.log10(np.abs(np.triu(inner) + np.tril(correlation, -1)).clip(min=ZERO))
    drawn = ax.imshow(shown, cmap=style.SEQUENTIAL, vmin=-17, vmax=0)
    ticks = range(len(shown))
    ax.set_xticks(ticks, [str(j + 1) for j in ticks])
    ax.set_yticks(ticks, [str(j + 1) for j in ticks])
    ax.set(
        xlabel="component",
        ylabel="component",
        title=r"$\langle v_i, v_j\rangle$ above," + "\ncorrelation below",
    )
    bar = fig.colorbar(drawn, ax=ax, shrink=0.8, ticks=[-15, -10, -5, 0])
    bar.ax.set_yticklabels(["1e-15", "1e-10", "1e-5", "1"])


def draw_outside(ax: Axes, ratios: pd.DataFrame) -> None:
    """Draw what a part outside the span does to the mean square, with the formula."""
    for point, rows in ratios.groupby("point"):
        ax.plot(rows["t"], rows["predicted"], color=style.GREY, linewidth=0.8)
        ax.plot(
            rows["t"],
            rows["ratio"],
            linestyle="",
            **(style.class_style(int(point)) | {"markersize": 2.5}),
        )
    ax.plot([], [], color=style.GREY, linewidth=0.8, label="1/(1 + t²‖g‖²)")
    ax.set(xlabel="t", ylabel="Ψ(f + t g) / Ψ(f)", title="outside the span", ylim=(0, 1.05))
    ax.legend(loc="lower left")


def draw(
    directions: pd.DataFrame,
    ascents: pd.DataFrame,
    levels: pd.DataFrame,
    gram: pd.DataFrame,
    ratios: pd.DataFrame,
    paths: Sequence[str],
) -> None:
    """Draw all panels in a row."""
    fig, axes = style.figure(1, 4, height=2.8, width_ratios=[0.75, 1.1, 1.15, 1])
    draw_directions(axes[0, 0], directions)
    draw_ascents(axes[0, 1], ascents)
    for ax in axes[0, :2]:
        draw_levels(ax, levels)
    axes[0, 1].set_yticklabels([])
    draw_gram(fig, axes[0, 2], gram)
    draw_outside(axes[0, 3], ratios)
    style.save(fig, paths)


if __name__ == "__main__":
    from pipeline.job import job

    with job(snakemake):
        draw(*(pd.read_csv(snakemake.input[name]) for name in TABLES), snakemake.output)
