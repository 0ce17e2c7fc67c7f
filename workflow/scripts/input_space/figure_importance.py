"""Draw what the components read: gradients in the plane, and the share of every variable."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kpca import KernelPCA
from kpca.bandwidth import median_gamma
from kpca.sensitivity import gradients, importance
from pipeline.datasets.builtin import read_builtin
from pipeline.datasets.generators import moons
from pipeline.drawing import style
from pipeline.drawing.contours import draw_components, mesh, region
from pipeline.seeds import rng_for
from workflow.scripts.linear.samples import standardized

ARROWS = 13  # a side
COMPONENTS = 3


def draw_gradients(axes: Sequence[Any], X: np.ndarray) -> None:
    """Draw level lines of two components with the gradient at places of a mesh."""
    model = KernelPCA(2, kernel="rbf", gamma=2 * median_gamma(X)).fit(X)
    box = region(X)
    draw_components(axes, model, box, X)
    x, y = mesh(box, ARROWS)
    slopes = gradients(model, np.column_stack([x.ravel(), y.ravel()]))
    axes[0].set_ylabel("moons, Gaussian kernel")
    for j, ax in enumerate(axes):
        ax.quiver(x, y, *slopes[:, j].T, color=style.VERMILION, width=0.005, zorder=3)
        ax.set_title(f"component {j + 1}")
        ax.set_box_aspect(1)


def draw_shares(fig: Any, ax: Any, X: np.ndarray, names: Sequence[str]) -> None:
    """Draw the importance of every variable, linear PCA beside kernel PCA."""
    kernels = {
        "PCA": KernelPCA(COMPONENTS, kernel="linear"),
        "kernel PCA": KernelPCA(COMPONENTS, kernel="rbf", gamma=median_gamma(X)),
    }
    shares = np.vstack([importance(model.fit(X)) for model in kernels.values()])
    drawn = ax.imshow(100 * shares.T, cmap=style.SEQUENTIAL, aspect="auto", vmin=0)
    ax.axvline(COMPONENTS - 0.5, color="white", linewidth=2)
    ax.set_xticks(range(2 * COMPONENTS), [str(j + 1) for j in range(COMPONENTS)] * 2)
    ax.set_yticks(range(len(names)), [short(name) for name in names], fontsize=6)
    ax.set_xlabel("component")
    ax.set_title("wine, PCA | Gaussian kernel PCA")
    fig.colorbar(drawn, ax=ax, label="importance (%)")


def short(name: str) -> str:
    """Return the name of a variable without underscores and explanations."""
    return name.split("_of_diluted")[0].replace("_", " ")


def draw(seed: int, paths: Sequence[str]) -> None:
    """Draw two panels of gradients and one of importances."""
    fig, axes = style.figure(1, 3, height=2.5, width_ratios=[1, 1, 1])
    draw_gradients(axes[0, :2], moons(200, rng_for(seed, "importance", "moons"), noise=0.15).X)
    wine = read_builtin("wine", {"sklearn": "wine"})
    draw_shares(fig, axes[0, 2], standardized(wine.X), wine.feature_names)
    style.save(fig, paths)


if __name__ == "__main__":
    from pipeline.job import job

    with job(snakemake):
        draw(**snakemake.params.arguments, paths=snakemake.output)
