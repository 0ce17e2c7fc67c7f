"""Draw where the first component turns without centring, and what that does to accuracy."""

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes

from pipeline.drawing import style
from workflow.scripts.claims.looks import draw_losses
from workflow.scripts.claims.setting import MARGIN


def draw_cosines(ax: Axes, cosines: pd.DataFrame, datasets: Sequence[str]) -> None:
    """Draw |cos| of the angle between the first axis and the mean, with its value in each cell."""
    kernels = list(cosines["kernel"].unique())
    table = cosines.pivot_table(index="dataset", columns="kernel", values="mean")
    table = table.reindex(index=datasets, columns=kernels)
    ax.imshow(table, cmap=style.SEQUENTIAL, vmin=0, vmax=1, aspect="auto")
    for i, dataset in enumerate(datasets):
        for j, kernel in enumerate(kernels):
            value = table.loc[dataset, kernel]
            text, color = ("–", style.BLACK) if pd.isna(value) else (f"{value:.3f}", style.BLACK)
            color = "white" if value < 0.6 else color
            ax.annotate(text, (j, i), ha="center", va="center", color=color, fontsize=6.5)
    labels = [style.kernel_style(kernel)["label"] for kernel in kernels]
    ax.set_xticks(range(len(kernels)), labels, rotation=30, ha="right", rotation_mode="anchor")
    ax.set_yticks(range(len(datasets)), [style.title(name) for name in datasets])
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_title("|cos| of axis 1 and the mean")


def draw(cosines: pd.DataFrame, losses: pd.DataFrame, paths: Sequence[str]) -> None:
    """Draw the cosines on the left, losses of accuracy for every number of components right."""
    sizes = sorted(losses["n_components"].unique())
    fig, axes = style.figure(1, 1 + len(sizes), height=3.4, width_ratios=[1.25, *[1] * len(sizes)])
    draw_cosines(axes[0, 0], cosines, list(losses["dataset"].unique()))
    for ax, m in zip(axes[0, 1:], sizes, strict=True):
        draw_losses(ax, losses[losses["n_components"] == m], MARGIN)
        ax.set_title(f"{m} components")
        ax.set_yticks([])
    axes[0, 1 + len(sizes) // 2].set_xlabel("balanced accuracy, centred − uncentred (points)")
    handles, labels = axes[0, 1].get_legend_handles_labels()
    fig.legend(handles, labels, loc="outside lower right", ncols=len(labels))
    style.save(fig, paths)


if __name__ == "__main__":
    from pipeline.job import job

    with job(snakemake):
        tables = [pd.read_csv(snakemake.input[name]) for name in ("cosines", "losses")]
        draw(*tables, snakemake.output)
