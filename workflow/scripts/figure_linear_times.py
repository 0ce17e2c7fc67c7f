"""Draw the times of the routes of PCA, and time against error of the methods of SVD."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes

from kpca.pipeline import style

ROUTES = {
    "svd": {"color": style.BLACK, "marker": "o", "label": "SVD"},
    "covariance": {"color": style.BLUE, "marker": "s", "label": "covariance (d × d)"},
    "dual": {"color": style.ORANGE, "marker": "^", "label": "dual (n × n)"},
    "deflation": {"color": style.GREEN, "marker": "D", "label": "deflation"},
    "regression": {"color": style.VERMILION, "marker": "v", "label": "regression"},
}
METHODS = {
    "full": {"color": style.BLACK, "marker": "o", "label": "full"},
    "truncated": {"color": style.GREEN, "marker": "D", "label": "truncated"},
    "randomized": {"color": style.BLUE, "marker": "s", "label": "randomized, with errors"},
    "scikit-learn's randomized": {
        "color": style.ORANGE,
        "marker": "^",
        "linestyle": "--",
        "label": "scikit-learn's, without",
    },
}
FLOOR = 1e-15


def draw(routes: pd.DataFrame, factorisations: pd.DataFrame, paths: Sequence[str]) -> None:
    """Draw one panel for the routes and one for each spectrum."""
    fig, axes = style.figure(1, 3, height=2.9)
    _routes(axes[0, 0], routes)
    for ax, spectrum in zip(axes[0, 1:], ("flat", "steep"), strict=True):
        _factorisations(ax, factorisations[factorisations["spectrum"] == spectrum])
        ax.set_title(f"SVD, {spectrum} spectrum")
    _power_iterations(axes[0, 1], factorisations[factorisations["spectrum"] == "flat"])
    axes[0, 1].set_ylabel("Frobenius error / least − 1")
    handles, labels = axes[0, 2].get_legend_handles_labels()
    fig.legend(handles, labels, loc="outside lower right", ncols=2)
    fig.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower left", ncols=2)
    style.save(fig, paths)


def _routes(ax: Axes, routes: pd.DataFrame) -> None:
    for route, look in ROUTES.items():
        rows = routes[routes["route"] == route]
        ax.plot(rows["d"], 1e3 * rows["seconds"], **look)
    n = routes["n"].iloc[0]
    ax.axvline(n, color=style.GREY, linewidth=0.8, linestyle=":")
    ax.annotate(" d = n", (n, 0.02), xycoords=("data", "axes fraction"), fontsize=7)
    ax.set(xscale="log", yscale="log", title=f"routes of PCA, n = {n}")
    ax.set(xlabel="variables d", ylabel="milliseconds")


def _factorisations(ax: Axes, rows: pd.DataFrame) -> None:
    for method, look in METHODS.items():
        of_method = rows[rows["method"] == method].sort_values("n_iter")
        ax.plot(1e3 * of_method["seconds"], of_method["excess"].clip(lower=FLOOR), **look)
    ax.set(xscale="log", yscale="log", xlabel="milliseconds", ylim=(FLOOR / 10, 1))


def _power_iterations(ax: Axes, rows: pd.DataFrame) -> None:
    for row in rows[rows["method"] == "randomized"].itertuples():
        ax.annotate(
            f"q = {row.n_iter}",
            (1e3 * row.seconds, row.excess),
            (-5, -2),
            textcoords="offset points",
            fontsize=6,
            ha="right",
            va="top",
        )
    ax.set_xlim(left=rows["seconds"].min() * 500)


def main(routes: str, svd: str, paths: Sequence[str]) -> None:
    """Read the tables and draw."""
    draw(pd.read_csv(routes), pd.read_csv(svd), paths)


if __name__ == "__main__":
    from kpca.pipeline.job import job

    with job(snakemake):
        main(**dict(snakemake.input), **snakemake.params.arguments, paths=snakemake.output)
