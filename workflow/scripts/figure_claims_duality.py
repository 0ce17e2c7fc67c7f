"""Draw the variances of PCA and of linear kernel PCA, and by how little they differ."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from kpca.pipeline import style

COLORS = (style.BLUE, style.ORANGE, style.GREEN)
BOUND = 1e-10
FLOOR = 1e-17


def draw(spectra: pd.DataFrame, paths: Sequence[str]) -> None:
    """Draw the variances on the left, their differences on the right."""
    fig, axes = style.figure(1, 2, height=2.7)
    left, right = axes[0]
    for (name, rows), color in zip(spectra.groupby("sample", sort=False), COLORS, strict=True):
        component, first = rows["component"], rows["primal"].iloc[0]
        dual, primal = rows["dual"] / first, rows["primal"] / first
        left.plot(component, primal, "o", color=color, fillstyle="none", markersize=6, label=name)
        left.plot(component, dual, "x", color=color)
        off = np.maximum(rows["difference"], FLOOR)
        right.plot(component, off, "o-", color=color, linewidth=0.6, label=name)
    left.plot([], [], "o", color=style.BLACK, fillstyle="none", markersize=6, label="PCA, d × d")
    left.plot([], [], "x", color=style.BLACK, label="kernel PCA, n × n")
    right.axhline(BOUND, color=style.GREY, linestyle=":", linewidth=0.8, label="bound of the rule")
    left.set(yscale="log", xlabel="component", ylabel="variance / λ₁")
    right.set(yscale="log", xlabel="component", ylabel="|difference| / λ₁", ylim=(FLOOR / 2, 1e-8))
    left.set_ylim(bottom=4e-3)
    left.legend(ncols=2, loc="lower left")
    right.legend(ncols=2, loc="upper right")
    style.save(fig, paths)


if __name__ == "__main__":
    from kpca.pipeline.job import job

    with job(snakemake):
        draw(pd.read_csv(snakemake.input["spectra"]), snakemake.output)
