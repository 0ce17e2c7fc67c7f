"""Draw times against n, against d, and of explicit monomials against the kernel."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from kpca.pipeline import style
from kpca.pipeline.studies.claims.costs import DEGREE, SERIES, crossover, exponents

LOOKS = {
    "pca": {"color": style.BLACK, "marker": "o", "label": "PCA, d × d"},
    "dense": {"color": style.BLUE, "marker": "s", "label": "kernel PCA, dense"},
    "truncated": {"color": style.GREEN, "marker": "D", "label": "kernel PCA, 10 pairs"},
}
METHODS = {
    "monomials": {"linestyle": "-", "marker": "^"},
    "kernel": {"linestyle": "--", "marker": "s"},
}
COLORS = (style.ORANGE, style.PURPLE, style.SKY)


def draw_series(ax: Axes, times: pd.DataFrame, along: str) -> None:
    """Draw the median times along n or d, with the fitted exponent at the end of each line."""
    for series in SERIES:
        if series.along != along:
            continue
        rows = times[times["series"] == series.name]
        medians = 1e3 * rows.groupby("size")["seconds"].median()
        look = LOOKS[series.method.__name__]
        slope = float(np.mean(exponents(rows)))
        fixed = f"{'d' if along == 'n' else 'n'} = {series.other}"
        label = f"{look['label']} ({fixed}): {along}$^{{{slope:.1f}}}$"
        ax.plot(medians.index, medians, **(look | {"label": label}))
    ax.set(xscale="log", yscale="log", xlabel=along, ylabel="milliseconds")
    ax.set_title(f"time against {along}")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2))


def draw_monomials(ax: Axes, monomials: pd.DataFrame) -> None:
    """Draw the median times over the number of monomials, and mark where they cross."""
    for (n, rows), color in zip(monomials.groupby("n"), COLORS, strict=False):
        for method, look in METHODS.items():
            of_method = rows[rows["method"] == method]
            medians = of_method.groupby("features")["seconds"].median()
            label = f"{method}, n = {n}"
            ax.plot(medians.index, 1e3 * medians, color=color, label=label, **look)
        middle = rows.groupby(["features", "method"])["seconds"].median().reset_index()
        ax.axvline(crossover(middle), color=color, linewidth=0.8)
        ax.axvline(n, color=color, linewidth=0.8, linestyle=":")
    ax.set(xscale="log", yscale="log", title="monomials or kernel", ylabel="milliseconds")
    ax.set_xlabel(f"monomials C(d + {DEGREE}, {DEGREE})")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2))


def draw(times: pd.DataFrame, monomials: pd.DataFrame, paths: Sequence[str]) -> None:
    """Draw three panels."""
    fig, axes = style.figure(1, 3, height=3.5)
    draw_series(axes[0, 0], times, "n")
    draw_series(axes[0, 1], times, "d")
    draw_monomials(axes[0, 2], monomials)
    style.save(fig, paths)


if __name__ == "__main__":
    from kpca.pipeline.job import job

    with job(snakemake):
        draw(
            *(pd.read_csv(snakemake.input[name]) for name in ("times", "monomials")),
            snakemake.output,
        )
