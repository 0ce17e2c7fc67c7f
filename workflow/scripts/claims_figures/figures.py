"""Draw the figures of the theory's statements, from tables and from models that are fitted here."""

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from kpca import PCA
from kpca.inspection import gradients
from kpca.study.decision.record import number
from kpca.study.evidence.statistics import intervals
from kpca.study.scoring.metrics import METRICS
from kpca.study.scoring.predictors import affine
from workflow.drawing import style
from workflow.drawing.finding import between, with_points
from workflow.drawing.plane import draw_classes, mesh, region, surfaces
from workflow.scripts.experiments import shapes
from workflow.scripts.experiments.degree import HIGH, INPUTS, changes
from workflow.scripts.experiments.setting import DATA, first_split, fitted

NAMES = {"linear": "PCA", "rbf": "kernel PCA"}
LOST = "balanced accuracy lost (percentage points)"
SPREAD = 0.14  # vertical distance between the lines of two kernels
FORMULAS = {
    "1-centring": style.look(style.BLACK, "o", "correct: + EKE"),
    "1-misprinted-sign": style.look(style.VERMILION, "s", "misprint: − EKE"),
    "1-unscaled-ones": style.look(style.PURPLE, "^", "misprint: 1 for 1/n"),
}
CIRCLE: dict[str, Any] = {
    "marker": "o",
    "markersize": 8,
    "color": style.GREY,
    "fillstyle": "none",
    "linestyle": "",
}
NEAR = 0.1  # modulus below which the scale of eigenvalues is linear
USES = {"tuned": "32 components,\nC by cross-validation", "all": "all components,\nvariance 1"}
LEFT_OUT = {
    "new": "new rows not centred,\n5 components",
    "uncentred": "nothing centred,\n5 components",
    "uncentred_few": "nothing centred,\n2 components",
}
KERNELS = {
    "linear": style.KERNELS["linear"] | {"label": "linear (PCA)"},
    **{kernel: style.KERNELS[kernel] for kernel in ("poly", "rbf", "laplacian")},
    "geodesic": style.look(style.VERMILION, "o", "geodesic −½ D²"),
}
WIDTH = "γ = {:g} × median heuristic"
PARAMETERS = {"linear": "no parameter", "poly": "degree {:g}", "geodesic": "{:g} neighbours"}
PANELS = {
    "γ (× median heuristic)": ("rbf", "laplacian"),
    "degree": ("poly",),
    "neighbours": ("geodesic",),
}
# Name of a plane or level line → its level, as a fraction of the range of the component.
SHARES = {"a": 0.25, "b": 0.5, "c": 0.75}
ROOM = 0.1
SHOWN = (1, 2, 3, 10)  # components whose pictures are drawn


def draw_losses(ax: Axes, table: pd.DataFrame) -> None:
    """Draw mean losses in percentage points with their CIs, one line per dataset and kernel."""
    datasets = list(table["dataset"].unique())
    ends = ["mean", "low", "high"]
    for turn, (kernel, rows) in enumerate(table.groupby("kernel", sort=False)):
        y = rows["dataset"].map(datasets.index) + SPREAD * (turn - table["kernel"].nunique() // 2)
        style.draw_intervals(ax, 100 * rows[ends], y, style.kernel_style(kernel))
    style.draw_margin(ax, "balanced_accuracy")
    style.name_lines(ax, map(style.title, datasets))


def draw_curve(
    ax: Axes, rows: pd.DataFrame, along: str, look: dict[str, Any], *, most: float = 1.0
) -> None:
    """Draw the mean of the column ``value`` against ``along``, with its interval in [0, most]."""
    points = intervals(rows, [along], "value")
    points[["low", "high"]] = points[["low", "high"]].clip(0, most)
    style.draw_band(ax, points, look, alpha=0.15)


def read(name: str, seed: int) -> dict[str, np.ndarray]:
    """Return the axes of PCA and the mean gradients of kernel PCA, with equal signs and norm 1."""
    X = first_split(name, DATA[name], seed).X_train
    slopes = gradients(fitted("rbf", X, max(SHOWN)), X).mean(axis=0)
    axes = PCA(max(SHOWN)).fit(X).components_
    signs = np.sign((slopes * axes).sum(axis=1)) / np.linalg.norm(slopes, axis=1)
    return {"PCA": axes, "kernel PCA": slopes * signs[:, None]}


def draw_planes(ax: Any, F: np.ndarray, scores: np.ndarray, levels: dict[float, str]) -> None:
    """Draw the planes in the feature space on which a component equals one of ``levels``."""
    low = F.min(axis=0) - ROOM
    high = F.max(axis=0) + ROOM
    w, offset = affine(F, scores)
    y = np.array([[low[1]], [high[1]]])
    for level, name in levels.items():
        # At these x, the plane meets the bottom and the top of the box. Clip them to its sides.
        ends = (level - offset - w[1] * y - w[2] * np.array([high[2], low[2]])) / w[0]
        x = np.clip(ends, low[0], high[0])
        z = (level - offset - w[0] * x - w[1] * y) / w[2]
        ax.plot_surface(x, np.broadcast_to(y, x.shape), z, color=style.GREY, alpha=0.3)
        ax.text(x[1, 0], high[1], z[1, 0] + ROOM / 2, name, ha="center")
    ax.view_init(elev=14, azim=-72)
    ax.set(xlabel="x₁²", ylabel="√2 x₁x₂", zlabel="x₂²", title="feature space")
    for axis in (ax.xaxis, ax.yaxis, ax.zaxis):
        axis.labelpad = -12
        axis.set_ticks([])


def degree_finding(scores: pd.DataFrame) -> str:
    """Return a sentence: on which datasets degree `HIGH` has less test accuracy than the best."""
    steps = changes(scores).query("split == 'test' and use == 'all'").set_index("dataset")
    margin = METRICS["balanced_accuracy"].margin
    lost = -steps["mean"][steps["high"] < -margin]
    if lost.empty:
        return f"No loss of test accuracy is shown from the best degree to degree {HIGH}."
    count = f"{len(lost)} of {len(steps)} datasets"
    return (
        f"From the best degree to degree {HIGH}, test accuracy on all components falls on "
        f"{count}, each judged alone: {with_points(lost)}, in percentage points."
    )


def readings_finding(shares: pd.DataFrame) -> str:
    """Return a sentence on how linear the components are at the median γ and at the largest γ."""
    largest = shares["multiple"].max()
    of_median, of_largest = (
        shares[shares["multiple"] == multiple].groupby("dataset")["share"].mean()
        for multiple in (1.0, largest)
    )
    return (
        f"An affine function of the variables explains {between(of_median)} % of the variance of "
        f"five Gaussian components at the median γ, but at most "
        f"{number(100 * of_largest.max(), 0)} % at {largest:g} times the median."
    )


def uncentred_finding(losses: pd.DataFrame) -> str:
    """Return a sentence on the largest losses, and the largest gain, if centring is left out."""
    by_way = losses.set_index("dataset").groupby("treatment")["mean"]
    new = by_way.get_group("new")
    few = by_way.get_group("uncentred_few")
    return (
        f"Leaving the centring out costs most for new rows alone: {_first(new)}. For all "
        f"rows, two components lose up to {_first(few)} and gain up to {_first(-few)}."
    )


def _first(values: pd.Series) -> str:
    """Return the largest value in percentage points, and its dataset, as text."""
    return f"{number(100 * values.max(), 1)} points ({style.title(values.idxmax())})"


def claims_centring(spectra: pd.DataFrame) -> style.Figure:
    """Draw eigenvalues, sorted by modulus, on a symlog scale, and circle constant components."""
    fig, ((ax,),) = style.figure(height=2.4)
    turns = spectra["formula"].map([*FORMULAS].index)
    spectra = spectra.assign(x=spectra["component"] + 0.22 * (turns - 1))
    for name, rows in spectra.groupby("formula"):
        look = FORMULAS[str(name)]
        ax.vlines(rows["x"], 0, rows["eigenvalue"], color=look["color"], linewidth=0.8)
        ax.plot("x", "eigenvalue", data=rows, linestyle="", **look)
    constant = spectra[spectra["constancy"] > 0.5]
    ax.plot(constant["x"], constant["eigenvalue"], label="constant component", **CIRCLE)
    ax.axhline(0, color=style.GREY, linewidth=0.6)
    ax.set_yscale("symlog", linthresh=NEAR)
    ax.set_yticks([-100, -1, 0, 1, 100, 1e4, 1e6])
    ax.set(xlabel="component, by modulus", ylabel="eigenvalue", ylim=(-3e3, 3e7))
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return fig


def claims_uncentred(losses: pd.DataFrame) -> style.Figure:
    """Draw the losses without centring, with one panel for each way to leave it out."""
    fig, axes = style.figure(1, len(LEFT_OUT), height=3.6, sharex=True, sharey=True)
    for ax, (treatment, title) in zip(axes[0], LEFT_OUT.items(), strict=True):
        draw_losses(ax, losses[losses["treatment"] == treatment])
        ax.set_title(title)
    fig.supxlabel(LOST)
    style.legend_of(fig, axes[0, 0], columns=5)
    fig.set_label(uncentred_finding(losses))
    return fig


def claims_degree(scores: pd.DataFrame) -> style.Figure:
    """Draw accuracy against degree: a row of panels per choice of components, a column per dataset.

    The choices of components are those of `USES`.
    """
    names = list(scores["dataset"].unique())
    fig, axes = style.figure(len(USES), len(names), height=3.2, sharex=True, sharey=True)
    panels = dict(zip(product(USES, names), axes.flat, strict=True))
    for key, rows in scores.groupby(["use", "dataset", "split"], sort=False):
        use, dataset, side = map(str, key)
        line = style.SPLITS[side] | {"markersize": 2.5}
        draw_curve(panels[use, dataset], rows, "degree", line)
    for ax, title in zip(axes[:, 0], USES.values(), strict=True):
        ax.set_ylabel(f"{title}\nbalanced accuracy")
    for ax, name in zip(axes[0], names, strict=True):
        ax.set_title(style.title(name))
    axes[0, 0].set_xticks([1, 5, 9])
    fig.supxlabel("degree")
    fig.set_label(degree_finding(scores))
    style.legend_of(fig, axes[0, 0], columns=2)
    return fig


def claims_limits(widths: pd.DataFrame) -> style.Figure:
    """Draw the angle to PCA (geometric mean) and the spread (mean) against the width σ."""
    fig, ((of_angles, of_spread),) = style.figure(1, 2, height=2.8)
    for turn, (name, rows) in enumerate(widths.groupby("dataset", sort=False)):
        look = style.class_style(turn)
        angles = np.exp(np.log(rows["angle"]).groupby(rows["width"]).mean())
        of_angles.plot(angles, **look, label=style.title(name))
        draw_curve(of_spread, rows.assign(value=rows["spread"]), "width", look, most=np.inf)
    for ax, title in ((of_angles, "two components"), (of_spread, "five components")):
        style.plain_log(ax)
        ax.set(xlabel="σ / median σ", title=title)
    of_angles.set(yscale="log", ylim=(1e-5, 4), ylabel="angle to the plane\nof PCA (radians)")
    of_spread.set(ylabel="spread of the rows that carry\na component / of all rows", ylim=(0, None))
    style.legend_of(fig, of_angles, columns=4)
    return fig


def claims_images(images: pd.DataFrame) -> style.Figure:
    """Draw test errors (left), and gains of kernel PCA over PCA on all components (right)."""
    fig, ((of_errors, of_gains),) = style.figure(1, 2, height=2.6)
    of_kernel = dict(list(images.groupby("kernel")))
    for kernel, label in NAMES.items():
        look = style.KERNELS[kernel] | {"label": label}
        errors = of_kernel[kernel].assign(value=100 - 100 * of_kernel[kernel]["value"])
        draw_curve(of_errors, errors, "n_components", look, most=100)
    pca = of_kernel["linear"]
    of_all_inputs = pca[pca["n_components"] == INPUTS].set_index("replicate")["value"]
    curved = of_kernel["rbf"]
    gains = 100 * (curved["value"] - curved["replicate"].map(of_all_inputs))
    large = curved.assign(value=gains)[curved["n_components"] >= INPUTS / 2]
    points = intervals(large, ["n_components"], "value")
    style.draw_band(of_gains, points, {"color": style.BLUE, "marker": "s"}, alpha=0.15)
    of_gains.axhline(0, color=style.GREY, linewidth=0.8)
    of_errors.set(ylabel="test error (%)", yscale="log")
    of_gains.set(ylabel="improvement over PCA of\nall inputs (percentage points)")
    for ax, table in ((of_errors, images), (of_gains, large)):
        style.listed_log(ax, sorted(set(table["n_components"])), base=2)
        ax.axvline(INPUTS, color=style.GREY, linewidth=0.8, linestyle=":")
        ax.set_xlabel("number of components")
    style.legend_of(fig, of_errors, columns=2)
    return fig


def claims_unrolling(embeddings: pd.DataFrame, seed: int) -> style.Figure:
    """Draw a Swiss roll embedded by each kernel at its best parameter, and |r| for all parameters.

    |r| is the correlation between a component and the coordinate along the roll.
    """
    fig, axes = style.figure(3, 3, height=5.6)
    of_kernel = dict(iter(embeddings.assign(overlap=None).groupby("kernel")))
    means = embeddings.groupby(["kernel", "parameter"])["value"].mean()
    X, coordinate = shapes.draw_sheet(seed, 0)
    for ax, (kernel, look) in zip(axes.flat, KERNELS.items(), strict=False):
        best = means[kernel].idxmax()
        Z = shapes.embed(X, kernel, best)
        ax.scatter(*Z.T, c=coordinate, cmap=style.SEQUENTIAL, s=4, linewidths=0, rasterized=True)
        r = shapes.axis_correlation(Z, coordinate)
        ax.set(title=look["label"], box_aspect=1)
        ax.set_xlabel(f"{PARAMETERS.get(kernel, WIDTH).format(best)}\n|r| = {r:.3f}")
        style.no_scale(ax)
    axes[1, 2].set_axis_off()
    dashed = KERNELS["linear"] | {"marker": "", "linewidth": 0.9, "linestyle": "--"}
    for ax, (label, kernels) in zip(axes[2], PANELS.items(), strict=True):
        for kernel in kernels:
            draw_curve(ax, of_kernel[kernel], "parameter", KERNELS[kernel])
        ax.axhline(means["linear"].item(), **dashed)
        ax.axhline(shapes.UNROLLED, color=style.GREY, linewidth=0.6, linestyle=":")
        ax.set(xlabel=label, ylim=(0, 1.03))
    style.plain_log(axes[2, 0])
    axes[2, 0].set_ylabel("|r| with the coordinate")
    handles = style.distinct_handles(axes[2])
    fig.legend(handles=handles, loc="outside lower center", ncols=5)
    return fig


def claims_feature_space(seed: int) -> style.Figure:
    """Draw the component that follows the radius, in the plane and in the feature space."""
    (X, y), _ = shapes.draw_pair("rings", seed, 0)
    model = shapes.quadratic(X)
    Z = model.transform(X)
    F = shapes.features(X)
    box = region(X)
    radii = (X**2).sum(axis=1)
    radial = int(np.argmax([abs(np.corrcoef(radii, column)[0, 1]) for column in Z.T]))
    scores = Z[:, radial]
    levels = {scores.min() + share * np.ptp(scores): name for name, share in SHARES.items()}
    fig, panels = style.figure(1, 2, height=3.6, width_ratios=[1, 1.3])
    plane, placeholder = panels[0]
    placeholder.remove()
    solid = fig.add_subplot(placeholder.get_subplotspec(), projection="3d")
    heights = surfaces(model, box)[radial]
    drawn = plane.contour(*mesh(box), heights, [*levels], colors=style.GREY, linestyles="solid")
    for text in plane.clabel(drawn, fmt=levels, fontsize=8, colors=style.INK):
        text.set_rotation(0)
    title = f"plane, component {radial + 1} of (x·y)²"
    plane.set(xlabel="x₁", ylabel="x₂", title=title, box_aspect=1)
    draw_classes(plane, X, y)
    draw_classes(solid, F, y, depthshade=False)
    draw_planes(solid, F, scores, levels)
    style.legend_above(fig, style.class_handles(style.RINGS), columns=2)
    return fig


def claims_readings(shares: pd.DataFrame, seed: int) -> style.Figure:
    """Draw the share that affine functions explain over γ, and loadings and gradients of digits."""
    fig, ((of_shares, of_pictures),) = style.figure(1, 2, height=2.9, width_ratios=[1, 1.3])
    for turn, (name, of_dataset) in enumerate(shares.groupby("dataset", sort=False)):
        look = style.class_style(turn) | {"label": style.title(name)}
        draw_curve(of_shares, of_dataset.assign(value=of_dataset["share"]), "multiple", look)
    of_shares.axhline(0.5, color=style.GREY, linewidth=0.8, linestyle=":")
    style.plain_log(of_shares)
    of_shares.set(xlabel="γ (× median heuristic)", ylim=(0, 1.03), title="five components")
    of_shares.set_ylabel("variance on new rows that an\naffine function explains")
    pictures = read("digits", seed)
    rows = np.array([axes[np.array(SHOWN) - 1] for axes in pictures.values()])
    scaled = (rows / np.abs(rows).max(axis=2, keepdims=True)).reshape(2, len(SHOWN), 8, 8)
    padded = np.pad(scaled, [(0, 0), (0, 0), (1, 1), (1, 1)], constant_values=np.nan)
    of_pictures.imshow(np.block([list(row) for row in padded]), cmap="PuOr", vmin=-1, vmax=1)
    of_pictures.set_xticks(10 * np.arange(len(SHOWN)) + 4.5, map(str, SHOWN))
    of_pictures.set_yticks([4.5, 14.5], [*pictures], rotation=90, va="center")
    of_pictures.tick_params(length=0)
    of_pictures.spines[:].set_visible(False)
    of_pictures.set(xlabel="component", title="digits, median γ: loadings (top), mean gradients")
    style.legend_of(fig, of_shares, columns=4)
    fig.set_label(readings_finding(shares))
    return fig


@style.script
def figures(**arguments: Any) -> dict[str, style.Figure]:
    """Return every figure of the study by name, drawn from tables and the seed."""
    draws = (
        claims_centring,
        claims_degree,
        claims_unrolling,
        claims_limits,
        claims_feature_space,
        claims_readings,
        claims_images,
        claims_uncentred,
    )
    return style.draw_each(draws, **arguments)
