"""Draw counted multiplications against n, and of explicit monomials against the kernel."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes

from kpca.pipeline import style
from kpca.pipeline.studies.claims.costs import DEGREE, EXPONENTS, FIXED_D, LANDMARKS, crossover

LOOKS = {
    "dense": {"color": style.BLUE, "marker": "s", "label": "kernel PCA, LAPACK"},
    "matrix-free": {"color": style.SKY, "marker": "v", "label": "kernel PCA, matrix-free"},
    "truncated": {"color": style.GREEN, "marker": "D", "label": "kernel PCA, stored, truncated"},
    "nystrom": {
        "color": style.ORANGE,
        "marker": "^",
        "label": f"kernel PCA, {LANDMARKS} landmarks",
    },
    "pca": {"color": style.BLACK, "marker": "o", "label": "PCA"},
}
COLORS = (style.ORANGE, style.PURPLE, style.SKY, style.BLACK)
MARKERS = ("o", "s", "D", "^")


def draw_counts(ax: Axes, counts: pd.DataFrame) -> None:
    """Draw the counts with the stated orders, dotted, through the largest n."""
    n = counts["n"].to_numpy(dtype=float)
    for name, look in LOOKS.items():
        stated = counts[name].iloc[-1] * (n / n[-1]) ** EXPONENTS[name]
        ax.plot(n, stated, color=look["color"], linestyle=":", linewidth=0.8)
        power = f"$O(n^{EXPONENTS[name]})$" if EXPONENTS[name] > 1 else "$O(n)$"
        ax.plot(n, counts[name], **(look | {"label": f"{look['label']}: {power}"}))
    ax.set(yscale="log", xlabel=f"points n, of {FIXED_D} variables", ylabel="multiplications")
    style.plain_log(ax)
    ax.set_xticks(n, [f"{size:g}" for size in n])
    ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))


def draw_crossings(ax: Axes, crossings: pd.DataFrame) -> None:
    """Draw the ratio of both counts over monomials a point, and mark where it is one."""
    for (n, rows), color, marker in zip(crossings.groupby("n"), COLORS, MARKERS, strict=True):
        share = rows["features"] / rows["n"]
        ratio = rows["monomials"] / rows["kernel"]
        look = {"color": color, "marker": marker, "markersize": 2.5, "label": f"n = {n}"}
        ax.plot(share, ratio, **look)
        ax.axvline(crossover(rows) / float(str(n)), color=color, linewidth=0.6)
    ax.axhline(1, color=style.GREY, linewidth=0.6)
    ax.axvline(1, color=style.GREY, linestyle=":", linewidth=1)
    ax.set(xscale="log", yscale="log", xlim=(0.05, 8), ylim=(1e-3, 1e3))
    ax.set_xticks([0.1, 1], ["0.1", "1"])
    ax.set(xlabel=f"monomials C(d + {DEGREE}, {DEGREE}) / n", ylabel="monomials / kernel matrix")
    ax.legend(loc="upper left")


def draw(counts: pd.DataFrame, crossings: pd.DataFrame, paths: Sequence[str]) -> None:
    """Draw counts on the left, the crossover on the right."""
    fig, axes = style.figure(1, 2, height=2.5, width_ratios=[1, 1])
    draw_counts(axes[0, 0], counts)
    draw_crossings(axes[0, 1], crossings)
    style.save(fig, paths)


if __name__ == "__main__":
    from kpca.pipeline.job import job

    with job(snakemake):
        tables = [pd.read_csv(snakemake.input[name]) for name in ("counts", "crossings")]
        draw(*tables, snakemake.output)
