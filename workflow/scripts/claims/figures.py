"""Draw the figures of claims that show what their tables have."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import BoundaryNorm

from pipeline.drawing import style
from pipeline.evaluation.metrics import METRICS
from pipeline.tables.statistics import curve
from workflow.scripts.claims import separability
from workflow.scripts.claims.costs import crossovers, exponents
from workflow.scripts.claims.images import INPUTS

Looks = dict[str, dict[str, Any]]

NAMES = {"linear": "PCA", "rbf": "kernel PCA"}
RINGS = ("outer ring", "inner ring")
LOST = "balanced accuracy lost (percentage points)"
SPREAD = 0.17  # between the lines of two kernels
FORMULAS: Looks = {
    "1-centring": {"color": style.BLACK, "marker": "o", "label": "correct: + EKE"},
    "1-misprinted-sign": {"color": style.VERMILION, "marker": "s", "label": "misprint: − EKE"},
    "1-unscaled-ones": {"color": style.PURPLE, "marker": "^", "label": "misprint: 1 for 1/n"},
}
CIRCLE: dict[str, Any] = {"marker": "o", "markersize": 8, "color": style.GREY, "fillstyle": "none"}
NEAR = 0.1  # below it the scale of eigenvalues is linear
LEAST_SHIFT = 1e-3
SMALL_SHIFT = 0.1
ALONG = 0.95  # |cos| from which on an axis has a direction
UNCENTRED = {"uncentred_few": "2 components", "uncentred": "5 components"}
USES = {"tuned": "32 components,\nC by cross-validation", "all": "all components,\nvariance 1"}
TREATMENTS = {
    "centred": "centred",
    "uncentred": "not centred",
    "normalised": "$D^{-1/2} K D^{-1/2}$ (spectral)",
}
WIDTHS: Looks = {
    "rings": {"color": style.BLUE, "marker": "o"},
    "swiss_roll": {"color": style.ORANGE, "marker": "s"},
    "wine": {"color": style.VERMILION, "marker": "^"},
    "digits": {"color": style.GREEN, "marker": "D"},
}
COMPONENTS: dict[Any, str] = {1: style.BLUE, 2: style.ORANGE, 3: style.GREEN}
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


def draw_intervals(ax: Axes, table: pd.DataFrame, *, accuracies: bool = True) -> None:
    """Draw one line per kernel under every dataset: mean and interval.

    Differences of accuracies are in percentage points, with a dotted line at the margin.
    """
    unit = 100 if accuracies else 1
    datasets, kernels = list(table["dataset"].unique()), list(table["kernel"].unique())
    for i, kernel in enumerate(kernels):
        rows, look = table[table["kernel"] == kernel], style.kernel_style(kernel)
        y = rows["dataset"].map(datasets.index) + SPREAD * (i - (len(kernels) - 1) / 2)
        ax.hlines(y, unit * rows["low"], unit * rows["high"], color=look["color"], linewidth=0.8)
        ax.plot(unit * rows["mean"], y, linestyle="", **look)
    if accuracies:
        margin = unit * METRICS["balanced_accuracy"].margin
        ax.axvline(0, color=style.GREY, linewidth=0.6)
        ax.axvline(margin, color=style.GREY, linewidth=0.8, linestyle=":")
    ax.set_yticks(range(len(datasets)), [style.title(name) for name in datasets])
    ax.set_ylim(len(datasets) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)
    for edge in range(1, len(datasets)):
        ax.axhline(edge - 0.5, color="#EEEEEE", linewidth=0.6, zorder=0)


def draw_curve(
    ax: Axes, rows: pd.DataFrame, along: str, look: dict[str, Any], *, most: float = 1.0
) -> None:
    """Draw the mean of the column value over a parameter, with its interval within 0 … most."""
    overlap = rows["overlap"].iloc[0] if "overlap" in rows else None
    points = curve(rows, along, None if pd.isna(overlap) else float(overlap))
    ax.plot(points[along], points["mean"], **look)
    low, high = points["low"].clip(lower=0), points["high"].clip(upper=most)
    ax.fill_between(points[along], low, high, color=look["color"], alpha=0.15, linewidth=0)


@style.script
def claims_centring(spectra: pd.DataFrame) -> style.Figure:
    """Draw eigenvalues by modulus on a scale with a sign, and rings around constant components."""
    fig, ((ax,),) = style.figure(height=2.4)
    for place, (name, look) in enumerate(FORMULAS.items()):
        rows = spectra[spectra["formula"] == name]
        x = rows["component"] + 0.22 * (place - 1)
        ax.vlines(x, 0, rows["eigenvalue"], color=look["color"], linewidth=0.8)
        ax.plot(x, rows["eigenvalue"], linestyle="", **look)
        constant = rows["constancy"] > 0.5
        ax.plot(x[constant], rows["eigenvalue"][constant], linestyle="", **CIRCLE)
    ax.plot([], [], linestyle="", label="constant component", **CIRCLE)
    ax.axhline(0, color=style.GREY, linewidth=0.6)
    ax.set_yscale("symlog", linthresh=NEAR)
    ax.set_yticks([-100, -1, 0, 1, 100, 1e4, 1e6])
    ax.set(xlabel="component, by modulus", ylabel="eigenvalue", ylim=(-3e3, 3e7))
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return fig


@style.script
def claims_shift(sizes: pd.DataFrame, losses: pd.DataFrame) -> style.Figure:
    """Draw the size of the shift, and losses of accuracy."""
    fig, ((left, right),) = style.figure(1, 2, height=3.4)
    draw_intervals(left, sizes, accuracies=False)
    left.axvline(SMALL_SHIFT, color=style.GREY, linestyle=":", linewidth=0.8)
    left.set(xscale="log", xlim=(LEAST_SHIFT, None), xlabel="largest shift\n(standard deviations)")
    draw_intervals(right, losses[losses["treatment"] == "new"])
    right.set_xlabel(LOST.replace(" (", "\n("))
    right.tick_params(labelleft=False)
    fig.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=5)
    return fig


@style.script
def claims_uncentred(
    cosines: pd.DataFrame, losses: pd.DataFrame, rings: pd.DataFrame
) -> style.Figure:
    """Draw |cos| of the first axis and the mean, and losses of accuracy, above; rings below."""
    fig, axes = style.figure(2, 3, height=5.4, height_ratios=[1.6, 1])
    left, *others = axes[0]
    draw_intervals(left, cosines, accuracies=False)
    left.axvline(ALONG, color=style.GREY, linewidth=0.8, linestyle=":")
    left.set(title="axis 1 and the mean", xlabel="|cos|", xlim=(0, 1.03))
    for ax, (treatment, title) in zip(others, UNCENTRED.items(), strict=True):
        draw_intervals(ax, losses[losses["treatment"] == treatment])
        ax.set_title(f"{title} (own scale)")
        ax.tick_params(labelleft=False)
    others[0].set_xlabel(LOST, x=1.05)
    for ax, (treatment, title) in zip(axes[1], TREATMENTS.items(), strict=True):
        for c, name in enumerate(RINGS):
            rows = rings[(rings["treatment"] == treatment) & (rings["label"] == c)]
            look = {"s": 7, "linewidths": 0, "label": name} | style.class_style(c)
            ax.scatter(rows["first"], rows["second"], **look)
        ax.set(title=f"rings, {title}", xlabel="component 1")
        style.no_scale(ax)
    axes[1, 0].set_ylabel("component 2")
    axes[1, 0].legend(loc="upper center", bbox_to_anchor=(0.5, -0.15), ncols=2, handletextpad=0.1)
    fig.legend(*others[0].get_legend_handles_labels(), loc="outside upper center", ncols=5)
    return fig


@style.script
def claims_degree(scores: pd.DataFrame) -> style.Figure:
    """Draw one row per use and one column per dataset, all on one scale of accuracy."""
    names = list(scores["dataset"].unique())
    fig, axes = style.figure(len(USES), len(names), height=3.2, sharex=True, sharey=True)
    for key, rows in scores.groupby(["use", "dataset", "split"], sort=False):
        use, dataset, side = map(str, key)
        ax = axes[[*USES].index(use), names.index(dataset)]
        draw_curve(ax, rows, "degree", style.SPLITS[side] | {"markersize": 2.5})
    for ax, title in zip(axes[:, 0], USES.values(), strict=True):
        ax.set_ylabel(f"{title}\nbalanced accuracy")
    for ax, name in zip(axes[0], names, strict=True):
        ax.set_title(style.title(name))
    axes[0, 0].set_xticks([1, 5, 9])
    fig.supxlabel("degree", fontsize=8)
    style.legend_above(fig, axes[0, 0].get_legend_handles_labels()[0], columns=2)
    return fig


@style.script
def claims_rkhs(ascents: pd.DataFrame) -> style.Figure:
    """Draw steepest ascents, one colour per component, which end at the dotted eigenvalues."""
    fig, ((ax,),) = style.figure(height=2.6)
    for (component, start), rows in ascents.groupby(["component", "start"]):
        look = {"color": COMPONENTS[component], "linewidth": 0.7, "alpha": 0.8}
        ax.plot(
            rows["step"] + 1, rows["value"], label="" if start else f"component {component}", **look
        )
        ax.axhline(rows["level"].iloc[0], color=style.BLACK, linewidth=0.7, linestyle=":")
    ax.set(xscale="log", ylim=(0, 1.05), xlabel="step of steepest ascent")
    ax.set(ylabel="mean square Ψ / (λ₁/n), norm 1")
    ax.legend(loc="lower right")
    return fig


@style.script
def claims_separability(planes: pd.DataFrame) -> style.Figure:
    """Draw in how many replicates planes separate rings and spirals, over γ and components."""
    fig, axes = style.figure(1, 2, height=2.6, sharey=True)
    replicates = int(planes["replicate"].nunique())
    norm = BoundaryNorm(np.arange(-0.5, replicates + 1), 256)
    for ax, (name, rows) in zip(axes[0], planes.groupby("dataset", sort=False), strict=True):
        separable = rows.assign(separable=rows["bound"] >= separability.LEAST)[
            rows["kernel"] == "rbf"
        ]
        counts = separable.groupby(["n_components", "multiple"])["separable"].sum().unstack()
        drawn = ax.imshow(counts, norm=norm, cmap=style.SEQUENTIAL, origin="lower", aspect="auto")
        every = range(0, counts.shape[1], 2)
        ax.set_xticks(every, [f"{counts.columns[i]:g}" for i in every])
        ax.set_yticks(range(len(counts)), counts.index)
        ax.set(xlabel="γ (× median heuristic)", title=str(name))
    axes[0, 0].set_ylabel("number of components m")
    bar = fig.colorbar(drawn, ax=axes, ticks=range(replicates + 1))
    bar.set_label(f"replicates of {replicates}\nthat are separable")
    return fig


@style.script
def claims_limits(widths: pd.DataFrame) -> style.Figure:
    """Draw the geometric mean of the angle, and the mean spread, over σ."""
    fig, ((left, right),) = style.figure(1, 2, height=2.8)
    for name, look in WIDTHS.items():
        rows = widths[widths["dataset"] == name]
        angles = np.exp(np.log(rows["angle"]).groupby(rows["width"]).mean())
        left.plot(angles, **look, label=style.title(name))
        draw_curve(right, rows.assign(value=rows["spread"]), "width", look, most=np.inf)
    for ax, title in ((left, "two components"), (right, "five components")):
        style.plain_log(ax)
        ax.set(xlabel="σ / median σ", title=title)
    left.set(yscale="log", ylim=(1e-5, 4), ylabel="angle to the plane\nof PCA (radians)")
    right.set(ylabel="spread of the rows that carry\na component / of all rows", ylim=(0, None))
    fig.legend(*left.get_legend_handles_labels(), loc="outside upper center", ncols=4)
    return fig


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
