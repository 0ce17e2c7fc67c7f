"""Draw how far the points of an axis lie from the image of the input space, and the nearest."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from kpca.pipeline import style

MARGIN = 0.3  # of the range of the rows


def draw_distances(ax: Axes, paths: pd.DataFrame) -> None:
    """Draw the distance along every axis."""
    for kernel, rows in paths.groupby("kernel", sort=False):
        look = style.kernel_style(str(kernel)) | {"markersize": 2.5}
        ax.plot(rows["t"], rows["distance"], **look)
    ax.set(xlabel="t", ylabel="distance of t·v₁ from the image", ylim=(-0.05, None))
    ax.legend(loc="upper right")


def draw_plane(ax: Axes, paths: pd.DataFrame, rows: pd.DataFrame) -> None:
    """Draw the rows and, for every t, the point whose image is nearest."""
    ax.scatter(rows["x"], rows["y"], s=5, color="#CCCCCC", linewidths=0)
    for kernel, found in paths.groupby("kernel", sort=False):
        look = style.kernel_style(str(kernel)) | {"markersize": 3}
        ax.plot(found["x"], found["y"], linestyle="", **look)
    for axis, values in (("x", rows["x"]), ("y", rows["y"])):
        margin = MARGIN * np.ptp(values)
        getattr(ax, f"set_{axis}lim")(values.min() - margin, values.max() + margin)
    ax.set(xlabel="x₁", ylabel="x₂", aspect="equal", title="nearest point of the input space")


def draw(paths: pd.DataFrame, rows: pd.DataFrame, files: Sequence[str]) -> None:
    """Draw the distances on the left, the plane on the right."""
    fig, axes = style.figure(1, 2, height=2.8, width_ratios=[1, 1.2])
    draw_distances(axes[0, 0], paths)
    draw_plane(axes[0, 1], paths, rows)
    style.save(fig, files)


if __name__ == "__main__":
    from kpca.pipeline.job import job

    with job(snakemake):
        tables = [pd.read_csv(snakemake.input[name]) for name in ("paths", "rows")]
        draw(*tables, snakemake.output)
