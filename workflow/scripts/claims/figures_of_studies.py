"""Draw what costs, images and populations measured."""

from typing import Any

import numpy as np
import pandas as pd

from pipeline.drawing import style
from pipeline.tables.statistics import curve
from workflow.scripts.claims.costs import crossovers, exponents
from workflow.scripts.claims.figures import NAMES, draw_curve
from workflow.scripts.claims.images import INPUTS

Looks = dict[str, dict[str, Any]]
LINES: Looks = {
    "dense": {"color": style.BLUE, "marker": "s", "label": "kernel PCA, dense"},
    "iterative": {"color": style.SKY, "marker": "D", "label": "kernel PCA, Lanczos"},
    "nystrom": {"color": style.ORANGE, "marker": "^", "label": "100 landmarks"},
    "pca": {"color": style.BLACK, "marker": "o", "label": "PCA"},
}
SERIES = {"dense": "kernel over n", "iterative": "kernel over n", "nystrom": "landmarks over n"}
ROUTES: Looks = {
    "monomials": {"color": style.PURPLE, "marker": "^", "label": "monomials"},
    "kernel": {"color": style.BLUE, "marker": "s", "label": "kernel matrix"},
}
CROSSED = 800  # rows, of the crossover that is drawn
LEAST = 1e-8  # drawn error
RESIDUALS: Looks = {
    "bound": {"color": style.BLACK, "linestyle": ":", "label": "bound, 95 %"},
    "new": {"color": style.VERMILION, "marker": "s", "label": "new samples"},
    "population": {"color": style.GREY, "linestyle": "--", "label": "population"},
    "training": {"color": style.BLUE, "marker": "o", "label": "training samples"},
}


@style.script
def claims_costs(times: pd.DataFrame) -> style.Figure:
    """Draw seconds over n, the crossover, and the error of each SVD over its seconds."""
    fig, ((left, middle, right),) = style.figure(1, 3, height=3.6)
    least = times.assign(seconds=times.filter(like="round_").min(axis=1))
    for name, look in LINES.items():
        series = SERIES.get(name, "pca over n")
        rows = least[(least["series"] == series) & (least["method"] == name)]
        slope = exponents(times, series, name, "n").mean()
        label = f"{look['label']}: $n^{{{slope:.1f}}}$"
        left.plot(rows["n"], rows["seconds"], **(look | {"label": label}))
    left.set(xlabel="samples n, 100 variables", ylabel="processor time (s)")
    rows = least[least["series"] == f"crossover {CROSSED}"]
    for name, look in ROUTES.items():
        of_route = rows[rows["method"] == name]
        middle.plot(of_route["features"], of_route["seconds"], **look)
    middle.axvline(crossovers(times, CROSSED).mean(), color=style.BLACK, linewidth=0.8)
    middle.axvline(CROSSED, color=style.GREY, linewidth=0.8, linestyle=":")
    middle.set(xlabel="monomials of degree ≤ 3", title=f"{CROSSED} samples")
    svd = least[least["series"] == "svd"].set_index("method").sort_index()
    for place, label in enumerate(svd.index):
        look = style.class_style(place) | {"linestyle": "", "label": str(label)}
        right.plot(svd.loc[label, "seconds"], svd["error"].clip(lower=LEAST)[label], **look)
    right.set(xlabel="processor time (s)", ylabel="error / least error − 1")
    right.set(title="rank 10 of 2000 × 500")
    for ax in (left, middle, right):
        ax.set(xscale="log", yscale="log")
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2))
    style.plain_log(middle)
    middle.set_xticks(ticks := [200, 400, 800, 1600], map(str, ticks))
    machine, commit = times[["machine", "commit"]].iloc[0]
    fig.suptitle(f"measured on {machine}; commit {commit}", fontsize=8)
    return fig


@style.script
def claims_images(scores: pd.DataFrame) -> style.Figure:
    """Draw errors on the left, what kernel PCA gains over PCA of all inputs on the right."""
    fig, ((left, right),) = style.figure(1, 2, height=2.6)
    for kernel, rows in scores.groupby("kernel", sort=False):
        look = style.kernel_style(str(kernel)) | {"label": NAMES[str(kernel)]}
        errors = rows.assign(value=100 * (1 - rows["value"]))
        draw_curve(left, errors, "n_components", look, most=100)
    by = scores.pivot(index="replicate", columns=["kernel", "n_components"], values="value")
    gains = 100 * by["rbf"].sub(by["linear", INPUTS], axis=0)
    long = gains.melt(ignore_index=False, value_name="value").reset_index()
    points = curve(long, "n_components", float(scores["overlap"].iloc[0]))
    points = points[points["n_components"] >= INPUTS / 2]
    ends = points["mean"] - points["low"], points["high"] - points["mean"]
    look = {"color": style.BLUE, "marker": "s", "linestyle": "", "capsize": 2}
    right.errorbar(points["n_components"], points["mean"], yerr=ends, **look)
    right.axhline(0, color=style.GREY, linewidth=0.8)
    left.set(ylabel="test error (%)", yscale="log")
    right.set(ylabel="improvement over PCA of\nall inputs (percentage points)")
    for ax in (left, right):
        ax.set_xscale("log", base=2)
        ax.axvline(INPUTS, color=style.GREY, linewidth=0.8, linestyle=":")
        ax.set_xlabel("number of components")
    style.plain_log(left)
    left.set_xticks(sizes := sorted(set(scores["n_components"])), map(str, sizes))
    right.set_xticks(sizes := sorted(points["n_components"]), map(str, sizes))
    style.legend_above(fig, left.get_legend_handles_labels()[0], columns=2)
    return fig


@style.script
def claims_population(spectra: pd.DataFrame, residuals: pd.DataFrame) -> style.Figure:
    """Draw eigenvalues on the left, residuals beyond five components on the right."""
    fig, ((left, right),) = style.figure(1, 2, height=2.8)
    for _, rows in spectra.groupby("component"):
        draw_curve(left, rows.assign(value=rows["training"]), "n", RESIDUALS["training"])
        left.axhline(rows["population"].iloc[0], color=style.GREY, linewidth=0.8, linestyle="--")
    for name, look in RESIDUALS.items():
        draw_curve(right, residuals.assign(value=residuals[name]), "n", look, most=np.inf)
    left.set(ylabel="$λ_j/n$, components 1 to 5", xscale="log", yscale="log", xlabel="samples n")
    left.set_yticks(levels := [0.5, 0.25, 0.125, 0.0625, 0.03125], map(str, levels))
    left.set_yticks([], minor=True)
    right.set(ylabel="mean squared residual", xscale="log", yscale="log", xlabel="samples n")
    right.set_yticks(levels := [0.02, 0.05, 0.1, 0.2, 0.5, 1], map(str, levels))
    right.set_yticks([], minor=True)
    for ax in (left, right):
        ax.set_xticks(sizes := sorted(set(spectra["n"])), map(str, sizes))
        ax.set_xticks([], minor=True)
    style.legend_above(fig, right.get_legend_handles_labels()[0], columns=4)
    return fig
