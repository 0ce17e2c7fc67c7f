"""Draw components as functions: what maximises, and what lies outside the span."""

from typing import Any

import pandas as pd

from pipeline.drawing import style

COLORS = (style.BLUE, style.ORANGE, style.GREEN)


def draw_ascents(ax: Any, ascents: pd.DataFrame) -> None:
    """Draw steepest ascents, a colour a component."""
    for (component, _), rows in ascents.groupby(["component", "start"]):
        color = COLORS[int(str(component)) - 1]
        ax.axhline(rows["level"].iloc[0], color=style.BLACK, linewidth=0.7, linestyle=":")
        ax.plot(rows["step"] + 1, rows["value"], color=color, linewidth=0.7, alpha=0.8)
    for component, color in enumerate(COLORS, start=1):
        ax.plot([], [], color=color, label=f"component {component}")
    ax.set(xscale="log", ylim=(0, 1.05), xlabel="step of steepest ascent")
    ax.set(ylabel="mean square / (λ₁/n), norm 1", title="maximised, 10 starts each")
    ax.legend(loc="lower right")


def draw_outside(ax: Any, ratios: pd.DataFrame) -> None:
    """Draw what a part outside the span does to the mean square, with the formula."""
    for point, rows in ratios.groupby("point"):
        ax.plot(rows["t"], rows["predicted"], color=style.GREY, linewidth=0.8)
        ax.plot(
            rows["t"],
            rows["ratio"],
            linestyle="",
            **(style.class_style(int(str(point))) | {"markersize": 2.5}),
        )
    ax.plot([], [], color=style.GREY, linewidth=0.8, label="1/(1 + t²‖g‖²)")
    ax.plot([], [], "o", color=style.GREY, markersize=2.5, label="measured, five functions g")
    ax.set(xlabel="t", ylabel="Ψ(f + t g) / Ψ(f)", title="outside the span", ylim=(0, 1.05))
    ax.legend(loc="lower left")


@style.script
def draw(ascents: pd.DataFrame, ratios: pd.DataFrame) -> style.Figure:
    """Draw ascents on the left, functions with a part outside the span on the right."""
    fig, axes = style.figure(1, 2, height=2.8)
    draw_ascents(axes[0, 0], ascents)
    draw_outside(axes[0, 1], ratios)
    return fig
