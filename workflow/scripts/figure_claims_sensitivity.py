"""Draw how much of each grid is near its best, and which kernel suits which data."""

from collections.abc import Sequence

import pandas as pd

from kpca.pipeline import style
from kpca.pipeline.studies.claims.drawn import by_kernel, draw_cells

TITLES = {
    "share": "% of the grid within\none standard error of the best",
    "share_of_margin": "% of the grid within one\npercentage point of the best",
}
LEAST = -10.0  # percentage points: what is further from the best has the lightest colour


def draw(near: pd.DataFrame, families: pd.DataFrame, paths: Sequence[str]) -> None:
    """Draw tables of datasets and kernels side by side."""
    if near.empty:
        style.note("No dataset has labels: there is no score to be near.", paths)
        return
    names = list(near["dataset"].unique())
    fig, axes = style.figure(1, 3, height=3.1, sharey=True)
    for ax, (column, title) in zip(axes[0], TITLES.items(), strict=False):
        draw_cells(ax, 100 * by_kernel(near, column).loc[names], ".0f", (0, 100))
        ax.set_title(title)
    behind = by_kernel(families, "mean").reindex(names)
    draw_cells(axes[0, 2], 100 * behind, ".1f", (LEAST, 0))
    axes[0, 2].set_title("percentage points less than\nthe kernel chosen by validation")
    style.save(fig, paths)


if __name__ == "__main__":
    from kpca.pipeline.job import job

    with job(snakemake):
        draw(*(pd.read_csv(snakemake.input[n]) for n in ("near", "families")), snakemake.output)
