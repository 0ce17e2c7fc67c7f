"""Draw the two eigenproblems, the scalings of scores, and what is done to the inputs."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes

from kpca.pipeline import style
from kpca.pipeline.studies.claims.looks import draw_losses

TABLES = ("solutions", "variances", "moves", "gains", "scaled")
MARGIN = 0.01
SAME = 1e-10
FLOOR = 1e-17
SCALINGS = {
    "unit_axes": {
        "color": style.VERMILION,
        "marker": "s",
        "label": r"divided by $\sqrt{\lambda_j}$",
    },
    "whitened": {"color": style.BLUE, "marker": "o", "label": "whitened"},
}


def draw_solutions(ax: Axes, solutions: pd.DataFrame) -> None:
    """Draw coefficients and scores of a random solution against those of the eigenvector."""
    pairs = (
        ("a", "alpha", {"color": style.GREY, "marker": "x", "label": "coefficients"}),
        ("score", "other_score", {"color": style.BLUE, "marker": "o", "label": "scores"}),
    )
    for one, other, look in pairs:
        largest = solutions[one].abs().max()
        x, y = solutions[one] / largest, solutions[other] / largest
        ax.plot(x, y, linestyle="", markersize=2.5, **look)
    ax.axline((0, 0), slope=1, color=style.BLACK, linewidth=0.5, zorder=0)
    ax.set(xlabel="of Kα = nλα", ylabel="of K²α = nλKα", title="two eigenproblems")
    ax.legend(loc="upper left")


def draw_variances(ax: Axes, variances: pd.DataFrame) -> None:
    """Draw the variances of scores under each scaling, with λ_j/n as a line."""
    x = variances["component"]
    ax.plot(x, variances["eigenvalue"], color=style.BLACK, linewidth=0.8, label=r"$\lambda_j / n$")
    for column, look in SCALINGS.items():
        ax.plot(x, variances[column], linestyle="", **look)
    ax.set(yscale="log", xlabel="component", title="variance of the scores")
    ax.legend(loc="lower left")


def draw_moves(ax: Axes, moves: pd.DataFrame) -> None:
    """Draw how much centring the inputs changes the centred kernel matrix."""
    for y, row in enumerate(moves.itertuples()):
        look = style.kernel_style(str(row.kernel))
        change = max(float(row.change), FLOOR)
        ax.hlines(y, FLOOR, change, color=look["color"], linewidth=0.8)
        ax.plot(change, y, linestyle="", **look)
    ax.axvline(SAME, color=style.GREY, linestyle=":", linewidth=0.8)
    label_kernels(ax, list(moves["kernel"]))
    ax.set(xscale="log", xlabel="relative change of K̄", title="centring the inputs")
    ax.set_xticks([1e-15, 1e-10, 1e-5, 1])


def draw_scaled(ax: Axes, scaled: pd.DataFrame) -> None:
    """Draw what standardisation gains on wine, a line a kernel."""
    for y, row in enumerate(scaled.to_dict("records")):
        look = style.kernel_style(row["kernel"])
        ax.hlines(y, 100 * row["low"], 100 * row["high"], color=look["color"], linewidth=0.8)
        ax.plot(100 * row["mean"], y, linestyle="", **look)
    ax.axvline(0, color=style.GREY, linewidth=0.6)
    ax.axvline(100 * MARGIN, color=style.GREY, linestyle=":", linewidth=0.8)
    label_kernels(ax, list(scaled["kernel"]))
    ax.set(xlabel="balanced accuracy (points)", title="gain by standardising wine")


def label_kernels(ax: Axes, kernels: Sequence[str]) -> None:
    """Write the names of kernels beside their lines, the first one on top."""
    labels = [style.kernel_style(kernel)["label"] for kernel in kernels]
    ax.set_yticks(range(len(kernels)), labels)
    ax.set_ylim(len(kernels) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)


def draw(
    solutions: pd.DataFrame,
    variances: pd.DataFrame,
    moves: pd.DataFrame,
    gains: pd.DataFrame,
    scaled: pd.DataFrame,
    paths: Sequence[str],
) -> None:
    """Draw identities above, inputs below."""
    fig, axes = style.figure(2, 3, height=4.8)
    draw_solutions(axes[0, 0], solutions)
    draw_variances(axes[0, 1], variances)
    draw_moves(axes[0, 2], moves)
    for ax in axes[1, :2]:
        ax.remove()
    wide = fig.add_subplot(axes[1, 0].get_gridspec()[1, :2])
    draw_losses(wide, gains, MARGIN)
    wide.set(xlabel="balanced accuracy (points)", title="gain by centring the inputs")
    wide.legend(loc="upper left")
    draw_scaled(axes[1, 2], scaled)
    style.save(fig, paths)


if __name__ == "__main__":
    from kpca.pipeline.job import job

    with job(snakemake):
        draw(*(pd.read_csv(snakemake.input[name]) for name in TABLES), snakemake.output)
