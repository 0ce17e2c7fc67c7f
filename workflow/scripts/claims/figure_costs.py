"""Draw counted multiplications against n, and of explicit monomials against the kernel."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from pipeline.drawing import style
from workflow.scripts.claims.costs import DEGREE, EXPONENTS, FIXED_D, LANDMARKS, crossover

LOOKS: dict[str, dict[str, Any]] = {
    "dense": {"color": style.BLUE, "marker": "s", "label": "kernel PCA"},
    "nystrom": {
        "color": style.ORANGE,
        "marker": "^",
        "label": f"kernel PCA, {LANDMARKS} landmarks",
    },
    "pca": {"color": style.BLACK, "marker": "o", "label": "PCA"},
}
MET = {200: style.ORANGE, 1600: style.PURPLE}
METHODS: dict[str, dict[str, Any]] = {
    "monomials": {"linestyle": "-", "marker": "^"},
    "kernel": {"linestyle": "--", "marker": "s"},
}


def draw_counts(ax: Axes, counts: pd.DataFrame) -> None:
    """Draw the counts with the stated orders, dotted, through the largest n."""
    n = counts["n"].to_numpy(dtype=float)
    for name, look in LOOKS.items():
        stated = counts[name].iloc[-1] * (n / n[-1]) ** EXPONENTS[name]
        ax.plot(n, stated, color=look["color"], linestyle=":", linewidth=0.8)
        power = f"$O(n^{EXPONENTS[name]})$" if EXPONENTS[name] > 1 else "$O(n)$"
        ax.plot(n, counts[name], **(look | {"label": f"{look['label']}: {power}"}))
    ax.plot([], [], color=style.BLACK, linewidth=0.8, linestyle=":", label="stated order")
    ax.set(yscale="log", xlabel=f"points n, of {FIXED_D} variables", ylabel="multiplications")
    style.plain_log(ax)
    ax.set_xticks(n, [f"{size:g}" for size in n])
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2))


def draw_crossings(ax: Axes, crossings: pd.DataFrame) -> None:
    """Draw both counts over the number of monomials, and mark where they are equal."""
    for n, color in MET.items():
        rows = crossings[(crossings["n"] == n) & (crossings["features"] <= 5 * n)]
        for method, look in METHODS.items():
            label = f"{method.replace('kernel', 'kernel matrix')}, n = {n}"
            ax.plot(rows["features"], rows[method], color=color, label=label, **look)
        ax.axvline(crossover(rows), color=color, linewidth=0.8)
        ax.axvline(n, color=color, linestyle=":", linewidth=0.8)
    ax.plot([], [], color=style.BLACK, linewidth=0.8, label="vertical: equal cost")
    ax.plot([], [], color=style.BLACK, linewidth=0.8, linestyle=":", label="vertical: n monomials")
    ax.set(xscale="log", yscale="log", ylabel="multiplications")
    ax.set_xlabel(f"monomials C(d + {DEGREE}, {DEGREE}) of d variables")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2))


@style.script
def draw(counts: pd.DataFrame, crossings: pd.DataFrame) -> style.Figure:
    """Draw counts on the left, the crossover on the right."""
    fig, axes = style.figure(1, 2, height=3.4)
    draw_counts(axes[0, 0], counts)
    draw_crossings(axes[0, 1], crossings)
    return fig
