"""The one style of every figure.

Colours are those of Okabe and Ito (2008), which colour-blind readers can tell apart; series
differ in marker or line as well. Sizes are in inches, for a page of two columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib as mpl

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMN = 3.5
PAGE = 7.2

BLACK, ORANGE, SKY, GREEN, YELLOW, BLUE, VERMILION, PURPLE = (
    "#000000",
    "#E69F00",
    "#56B4E9",
    "#009E73",
    "#F0E442",
    "#0072B2",
    "#D55E00",
    "#CC79A7",
)
GREY = "#7F7F7F"

SPLITS = {
    "train": {"color": BLUE, "linestyle": "--", "marker": "o", "label": "training rows"},
    "cv": {"color": GREY, "linestyle": ":", "marker": "^", "label": "cross-validation"},
    "test": {"color": VERMILION, "linestyle": "-", "marker": "s", "label": "test rows"},
}

KERNELS = {
    "raw": {"color": GREY, "marker": "x", "label": "raw features"},
    "pca": {"color": BLACK, "marker": "o", "label": "PCA"},
    "linear": {"color": PURPLE, "marker": "v", "label": "linear"},
    "poly": {"color": ORANGE, "marker": "^", "label": "polynomial"},
    "rbf": {"color": BLUE, "marker": "s", "label": "Gaussian"},
    "laplacian": {"color": SKY, "marker": "D", "label": "Laplacian"},
    "sigmoid": {"color": VERMILION, "marker": "P", "label": "sigmoid"},
    "cosine": {"color": GREEN, "marker": "*", "label": "cosine"},
}

CLASSES = (BLUE, ORANGE, GREEN, VERMILION, SKY, PURPLE, YELLOW, BLACK, "#8C564B", GREY)
CLASS_MARKERS = ("o", "^", "s", "D", "v", "P", "X", "*", "<", ">")
SEQUENTIAL = "viridis"

METRICS = {
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "ami": "adjusted mutual information",
    "ari": "adjusted Rand index",
    "correlation": "correlation",
    "trustworthiness": "trustworthiness",
}

_RC: dict[str, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "axes.titlesize": 8,
    "axes.labelsize": 8,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "figure.titlesize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "axes.grid": False,
    "grid.linewidth": 0.4,
    "grid.color": "#DDDDDD",
    "lines.linewidth": 1.2,
    "lines.markersize": 3.5,
    "figure.dpi": 100,
    "savefig.dpi": 200,
    "figure.constrained_layout.use": True,
    "svg.fonttype": "path",
    "svg.hashsalt": "kpca",
}


def figure(
    rows: int = 1, columns: int = 1, *, width: float = PAGE, height: float = 2.4, **options: Any
) -> tuple[Figure, Any]:
    """Return a figure and the (rows, columns) array of its axes."""
    mpl.use("agg")
    mpl.rcParams.update(_RC)
    from matplotlib import pyplot as plt

    return plt.subplots(rows, columns, figsize=(width, height), squeeze=False, **options)


def save(fig: Figure, paths: Sequence[str | Path]) -> None:
    """Write a figure to every path, SVG byte for byte the same in every run."""
    from matplotlib import pyplot as plt

    for path in map(Path, paths):
        path.parent.mkdir(parents=True, exist_ok=True)
        metadata = {"Date": None} if path.suffix == ".svg" else {"Software": None}
        fig.savefig(path, metadata=metadata)
    plt.close(fig)


def kernel_style(kernel: str) -> dict[str, Any]:
    """Return colour, marker and label of a kernel; a kernel of the user's own is named as it is."""
    return KERNELS.get(kernel, {"color": "#8C564B", "marker": "h", "label": kernel})


def title(dataset: str) -> str:
    """Return the name of a dataset as it stands above a panel."""
    return dataset.replace("_", " ")


def scatter_classes(
    ax: Axes, Z: Any, y: Any, names: Sequence[str] = (), *, size: float = 8
) -> None:
    """Scatter the first two columns, each class in its own colour and marker."""
    for c in sorted(set(y.tolist())):
        rows = y == c
        label = names[c] if len(names) else str(c)
        style = {
            "color": CLASSES[c % len(CLASSES)],
            "marker": CLASS_MARKERS[c % len(CLASS_MARKERS)],
        }
        ax.scatter(Z[rows, 0], Z[rows, 1], s=size, linewidths=0, alpha=0.8, label=label, **style)


def no_ticks(ax: Axes) -> None:
    """Remove ticks where the scale carries no meaning."""
    ax.set(xticks=[], yticks=[])
