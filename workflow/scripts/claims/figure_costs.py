"""Draw counted multiplications against n, and of explicit monomials against the kernel."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from pipeline.drawing import style
from workflow.scripts.claims.costs import DEGREE, EXPONENTS, FIXED_D, LANDMARKS, crossover

LANDMARK_LABEL = f"kernel PCA, {LANDMARKS} landmarks: $O(n)$"
LOOKS: dict[str, dict[str, Any]] = {
    "dense": {"color": style.BLUE, "marker": "s", "label": "kernel PCA: $O(n^3)$"},
    "nystrom": {"color": style.ORANGE, "marker": "^", "label": LANDMARK_LABEL},
    "pca": {"color": style.BLACK, "marker": "o", "label": "PCA: $O(n)$"},
}
MET = {200: style.ORANGE, 1600: style.PURPLE}
METHODS: dict[str, dict[str, Any]] = {
    "monomials": {"linestyle": "-", "marker": "^"},
    "kernel matrix": {"linestyle": "--", "marker": "s"},
}


def draw_counts(ax: Axes, counts: pd.DataFrame) -> None:
    """Draw the counts with the stated orders, dotted, through the largest n."""
    n = counts["n"]
    for name, look in LOOKS.items():
        stated = counts[name].iloc[-1] * (n / n.iloc[-1]) ** EXPONENTS[name]
        ax.plot(n, stated, color=look["color"], linestyle=":", linewidth=0.8)
        ax.plot(n, counts[name], **look)
    ax.set(yscale="log", xlabel=f"points n, of {FIXED_D} variables", ylabel="multiplications")
    style.plain_log(ax)
    ax.set_xticks(n, map(str, n))


def draw_crossings(ax: Axes, crossings: pd.DataFrame) -> None:
    """Draw both counts over the number of monomials, and mark where they are equal."""
    for n, color in MET.items():
        rows = crossings[(crossings["n"] == n) & (crossings["features"] <= 5 * n)]
        for method, look in METHODS.items():
            counts = rows[method.split()[0]]
            ax.plot(rows["features"], counts, color=color, label=f"{method}, n = {n}", **look)
        ax.axvline(crossover(rows), color=color, linewidth=0.8)
        ax.axvline(n, color=color, linestyle=":", linewidth=0.8)
    ax.set(xscale="log", yscale="log", ylabel="multiplications")
    ax.set_xlabel(f"monomials C(d + {DEGREE}, {DEGREE}) of d variables")


@style.script
def draw(counts: pd.DataFrame, crossings: pd.DataFrame) -> style.Figure:
    """Draw counts on the left, the crossover on the right."""
    fig, (panels,) = style.figure(1, 2, height=3.2)
    draw_counts(panels[0], counts)
    draw_crossings(panels[1], crossings)
    for ax in panels:
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2))
    return fig
