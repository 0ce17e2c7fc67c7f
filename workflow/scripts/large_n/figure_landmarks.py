"""Draw errors of approximation by number of landmarks, with the error of sampling."""

from typing import Any

import numpy as np
import pandas as pd

from workflow.drawing import style

METHODS = {
    "kmeans": {"color": style.BLUE, "marker": "o", "label": "k-means landmarks"},
    "uniform": {"color": style.ORANGE, "marker": "s", "label": "random landmarks"},
    "rpcholesky": {"color": style.GREEN, "marker": "^", "label": "Cholesky landmarks"},
    "fourier": {"color": style.VERMILION, "marker": "D", "label": "random Fourier features"},
}
MEASURES = {
    "eigenvalues": ("eigenvalues", "largest relative error"),
    "subspace": ("embedding", "r.m.s. sine of angles"),
}
LOWEST = 1e-6
NEGLIGIBLE = 10  # an error this many times below that of sampling


def draw_panel(ax: Any, errors: pd.DataFrame, drawn: pd.DataFrame, measure: str) -> None:
    """Draw medians over choices of landmarks, what another sample changes, and a tenth of it."""
    low, high = drawn[measure].quantile([0.05, 0.95])
    ax.axhspan(low, high, color=style.GREY, alpha=0.35, lw=0, label="error of sampling")
    line = {"color": style.GREY, "linestyle": "--", "linewidth": 0.8}
    ax.axhline(drawn[measure].median() / NEGLIGIBLE, **line, label="a tenth of that error")
    for method, look in METHODS.items():
        values = errors[errors["method"] == method].groupby("m")[measure]
        medians = values.median()
        ax.plot(medians.index, medians, **look)
        ends = values.min(), values.max()
        ax.fill_between(medians.index, *ends, color=look["color"], alpha=0.15, lw=0)


@style.script
def draw(errors: pd.DataFrame, sampling: pd.DataFrame) -> style.Figure:
    """Draw a row for each data set: eigenvalues, embedding."""
    if errors.empty:
        return style.note("There are too few rows to put landmarks in their place.")
    data = list(dict.fromkeys(errors["data"]))
    sizes = np.unique(errors["m"])
    fig, axes = style.figure(len(data), 2, height=0.5 + 2.1 * len(data), sharex=True)
    for row, name in zip(axes, data, strict=True):
        drawn = sampling[sampling["data"] == name]
        for ax, (measure, (title, label)) in zip(row, MEASURES.items(), strict=True):
            draw_panel(ax, errors[errors["data"] == name], drawn, measure)
            ax.set_yscale("log")
            ax.set(title=f"{style.title(name)}: {title}", ylabel=label)
            ax.set_ylim(bottom=max(LOWEST, ax.get_ylim()[0]), top=2)
            ax.set_xscale("log")
            ax.set_xticks(sizes, [f"{m:g}" for m in sizes])
            ax.set_xticks([], minor=True)
    for ax in axes[-1]:
        ax.set_xlabel("landmarks or features")
    fig.legend(*ax.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return fig
