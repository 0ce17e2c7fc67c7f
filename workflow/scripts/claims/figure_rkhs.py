"""Draw components as functions: what maximises, and what lies outside the span."""

from typing import Any

import pandas as pd

from pipeline.drawing import style

COLORS: dict[Any, str] = {1: style.BLUE, 2: style.ORANGE, 3: style.GREEN}


def draw_ascents(ax: Any, ascents: pd.DataFrame) -> None:
    """Draw steepest ascents, a colour a component, to the dotted eigenvalues."""
    for (component, start), rows in ascents.groupby(["component", "start"]):
        label = "" if start else f"component {component}"
        look = {"color": COLORS[component], "linewidth": 0.7, "alpha": 0.8, "label": label}
        ax.plot(rows["step"] + 1, rows["value"], **look)
        ax.axhline(rows["level"].iloc[0], color=style.BLACK, linewidth=0.7, linestyle=":")
    ax.set(xscale="log", ylim=(0, 1.05), xlabel="step of steepest ascent")
    ax.set(ylabel="mean square / (λ₁/n), norm 1", title="maximised, 10 starts each")
    ax.legend(loc="lower right")


def draw_outside(ax: Any, ratios: pd.DataFrame) -> None:
    """Draw what a part outside the span does to the mean square, with the formula."""
    for point, (_, rows) in enumerate(ratios.groupby("point")):
        formula, measured = ("", "") if point else ("1/(1 + t²‖g‖²)", "measured, five functions g")
        ax.plot(rows["t"], rows["predicted"], color=style.GREY, linewidth=0.8, label=formula)
        look = style.class_style(point) | {"linestyle": "", "markersize": 2.5}
        ax.plot(rows["t"], rows["ratio"], label=measured, **look)
    ax.set(xlabel="t", ylabel="Ψ(f + t g) / Ψ(f)", title="outside the span", ylim=(0, 1.05))
    ax.legend(loc="lower left")


@style.script
def draw(ascents: pd.DataFrame, ratios: pd.DataFrame) -> style.Figure:
    """Draw ascents on the left, functions with a part outside the span on the right."""
    fig, ((left, right),) = style.figure(1, 2, height=2.8)
    draw_ascents(left, ascents)
    draw_outside(right, ratios)
    return fig
