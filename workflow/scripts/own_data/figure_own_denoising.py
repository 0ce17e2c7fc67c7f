"""Draw how much error is left by m where noise is taken off held-out rows."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from pipeline.drawing import style
from pipeline.job import run

LOOKS: dict[tuple[str, float], dict[str, Any]] = {
    ("pca", 0.0): {"color": style.BLACK, "marker": "o", "markersize": 7, "label": "PCA"},
    ("rbf", 0.1): {"color": style.SKY, "marker": "v", "label": "Gaussian, γ = 0.1/med"},
    ("rbf", 1.0): {"color": style.BLUE, "marker": "s", "label": "Gaussian, γ = 1/med"},
    ("rbf", 10.0): {"color": style.ORANGE, "marker": "^", "label": "Gaussian, γ = 10/med"},
}


def draw_errors(ax: Any, errors: pd.DataFrame) -> None:
    """Draw median and quartiles over replicates, and the noise that was added."""
    errors = errors.assign(percent=100 * errors["error"], multiple=errors["multiple"].fillna(0))
    for (method, multiple), look in LOOKS.items():
        rows = errors[(errors["method"] == method) & (errors["multiple"] == multiple)]
        groups = rows.groupby("n_components")["percent"]
        middle, low, high = (groups.quantile(share) for share in (0.5, 0.25, 0.75))
        # PCA lies below others where they agree: its open markers are seen around theirs.
        ax.plot(middle.index, middle, markerfacecolor="none" if method == "pca" else None, **look)
        ax.fill_between(middle.index, low, high, color=look["color"], alpha=0.15, lw=0)
    noise = errors.loc[errors["method"] == "none", "percent"].median()
    ax.axhline(noise, color=style.GREY, linestyle="--", linewidth=0.8, label="noise that was added")
    sizes = sorted(set(errors["n_components"]) - {0})
    ax.set_xscale("log", base=2)
    ax.set_xticks(sizes, [str(size) for size in sizes])
    ax.set_xticks([], minor=True)
    ax.set_ylim(0, None)
    ax.set(xlabel="number of components m", ylabel="squared error left (% of variance)")


def draw(denoising: pd.DataFrame, paths: Sequence[str]) -> None:
    """Draw one panel a dataset."""
    groups = dict(list(denoising.groupby("dataset", sort=False)))
    fig, axes = style.panels(len(groups), columns=2, height=2.4, extra=0.7)
    for ax, (name, rows) in zip(axes, groups.items(), strict=True):
        draw_errors(ax, rows)
        ax.set_title(style.title(str(name)))
    style.legend_above(fig, *axes[0].get_legend_handles_labels(), columns=3)
    style.save(fig, paths)


if __name__ == "__main__":
    run(draw)
