"""Draw errors of approximation by number of landmarks, with the error of sampling."""

from typing import Any

import numpy as np
import pandas as pd

from workflow.drawing import style

METHODS = {
    "kmeans": style.look(style.BLUE, "o", "k-means landmarks"),
    "uniform": style.look(style.ORANGE, "s", "random landmarks"),
    "rpcholesky": style.look(style.GREEN, "^", "Cholesky landmarks"),
    "fourier": style.look(style.VERMILION, "D", "random Fourier features"),
}
MEASURES = {
    "eigenvalues": ("eigenvalues", "largest relative error"),
    "subspace": ("embedding", "r.m.s. sine of angles"),
}
LOWEST = 1e-6
NEGLIGIBLE = 10  # An error is negligible if it is this many times below the error of sampling.


def draw_panel(ax: Any, errors: pd.DataFrame, drawn: pd.DataFrame, measure: str) -> None:
    """Draw the median error of each method, the error of sampling, and a tenth of that error."""
    low, high = drawn[measure].quantile([0.05, 0.95])
    ax.axhspan(low, high, color=style.GREY, alpha=0.35, lw=0, label="error of sampling")
    tenth = drawn[measure].median() / NEGLIGIBLE
    ax.axhline(tenth, color=style.GREY, ls="--", lw=0.8, label="a tenth of that error")
    for method, look in METHODS.items():
        values = errors[errors["method"] == method].groupby("m")[measure]
        points = values.agg(["median", "min", "max"]).reset_index()
        style.draw_band(ax, points, look, alpha=0.15)


@style.script
def draw(errors: pd.DataFrame, sampling: pd.DataFrame) -> style.Figure:
    """Draw a row of panels per dataset: errors of the eigenvalues, and of the embedding."""
    if errors.empty:
        return style.note("There are too few rows to put landmarks in their place.")
    data = list(dict.fromkeys(errors["data"]))
    sizes = np.unique(errors["m"]).tolist()
    fig, axes = style.figure(len(data), 2, height=0.5 + 2.1 * len(data), sharex=True)
    for row, name in zip(axes, data, strict=True):
        drawn = sampling[sampling["data"] == name]
        for ax, (measure, (title, label)) in zip(row, MEASURES.items(), strict=True):
            draw_panel(ax, errors[errors["data"] == name], drawn, measure)
            ax.set_yscale("log")
            ax.set(title=f"{style.title(name)}: {title}", ylabel=label)
            ax.set_ylim(bottom=max(LOWEST, ax.get_ylim()[0]), top=2)
            style.listed_log(ax, sizes)
    for ax in axes[-1]:
        ax.set_xlabel("landmarks or features")
    fig.legend(*ax.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return fig
