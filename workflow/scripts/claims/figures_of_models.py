"""Draw the figures of claims that fit models while they are drawn."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator

from kpca import PCA
from kpca.inspection import gradients
from pipeline.drawing import style
from pipeline.drawing.plane import mesh, region, surfaces
from workflow.scripts.claims.feature_space import affine, features, quadratic
from workflow.scripts.claims.figures import NAMES, RINGS, draw_curve, draw_intervals
from workflow.scripts.claims.separability import draw_pair
from workflow.scripts.claims.setting import DATA, first_split, fitted
from workflow.scripts.claims.unrolling import UNROLLED, axis_correlation, draw_sheet, embed

SCALE = (0.1, 0, 0.1, 1)  # place of a bar of colours in a panel of its own
KERNELS: dict[str, dict[str, Any]] = {
    "linear": style.KERNELS["linear"] | {"label": "linear (PCA)"},
    **{kernel: style.KERNELS[kernel] for kernel in ("poly", "rbf", "laplacian")},
    "geodesic": {"color": style.VERMILION, "marker": "o", "label": "geodesic −½ D²"},
}
WIDTH = "γ = {:g} × median heuristic"
PARAMETERS = {"linear": "no parameter", "poly": "degree {:g}", "geodesic": "{:g} neighbours"}
PANELS = {
    "γ (× median heuristic)": ("rbf", "laplacian"),
    "degree": ("poly",),
    "neighbours": ("geodesic",),
}
# Planes and lines by name: where in the range of the component they are drawn.
SHARES = {"a": 0.25, "b": 0.5, "c": 0.75}
ROOM = 0.1
SHOWN = (1, 2, 3, 10)  # components whose pictures are drawn


def read(name: str, seed: int) -> dict[str, np.ndarray]:
    """Return axes of PCA and mean gradients of kernel PCA with the same signs, each of norm 1."""
    X = first_split(name, DATA[name], seed).X_train
    slopes = gradients(fitted("rbf", X, max(SHOWN)), X).mean(axis=0)
    axes = PCA(max(SHOWN)).fit(X).components_
    signs = np.sign((slopes * axes).sum(axis=1)) / np.linalg.norm(slopes, axis=1)
    return {"PCA": axes, "kernel PCA": slopes * signs[:, None]}


def draw_classes(ax: Any, points: np.ndarray, y: np.ndarray, **options: Any) -> None:
    """Scatter the rows of two rings, in two dimensions or three, and name them for the legend."""
    for c, name in enumerate(RINGS):
        look = style.class_style(c)
        ax.scatter(*points[y == c].T, s=5, linewidths=0, alpha=0.8, **(look | options))
        ax.plot([], [], linestyle="", label=name, **look)


def draw_planes(ax: Any, F: np.ndarray, scores: np.ndarray, levels: dict[float, str]) -> None:
    """Draw the named planes in the space of the features F on which a component is constant."""
    low, high = F.min(axis=0) - ROOM, F.max(axis=0) + ROOM
    (w,), (offset,) = (part.T for part in affine(F, scores[:, None]))
    y = np.array([[low[1]], [high[1]]])
    for level, name in levels.items():
        # The plane meets bottom and top of the box here; keep it within the sides.
        ends = (level - offset - w[1] * y - w[2] * np.array([high[2], low[2]])) / w[0]
        x = np.clip(ends, low[0], high[0])
        z = (level - offset - w[0] * x - w[1] * y) / w[2]
        ax.plot_surface(x, np.broadcast_to(y, x.shape), z, color=style.GREY, alpha=0.3)
        ax.text(x[1, 0], high[1], z[1, 0] + ROOM / 2, name, weight="bold", ha="center")
    ax.view_init(elev=14, azim=-72)
    ax.set_box_aspect(None, zoom=1.05)
    ax.set(xlabel="x₁²", ylabel="√2 x₁x₂", zlabel="x₂²", title="feature space")
    for axis in (ax.xaxis, ax.yaxis, ax.zaxis):
        axis.labelpad = -6
        axis.set_major_locator(MaxNLocator(3))
        axis.set_tick_params(pad=-3)


def draw_level_lines(plane: Any, solid: Any, seed: int) -> None:
    """Draw the component that follows the radius, in the plane and in the feature space."""
    (X, y), _ = draw_pair("rings", seed, 0)
    model = quadratic(X)
    Z, box = model.transform(X), region(X)
    radii = (X**2).sum(axis=1)
    radial = int(np.argmax([abs(np.corrcoef(radii, column)[0, 1]) for column in Z.T]))
    scores = Z[:, radial]
    levels = {scores.min() + share * np.ptp(scores): name for name, share in SHARES.items()}
    look = {"colors": style.GREY, "linestyles": "solid"}
    drawn = plane.contour(*mesh(box), surfaces(model, box)[radial], [*levels], **look)
    for text in plane.clabel(drawn, fmt=levels, fontsize=8, colors=style.INK):
        text.set(weight="bold", rotation=0)
    plane.set(xlabel="x₁", ylabel="x₂", title=f"plane, component {radial + 1} of (x·y)²")
    plane.set_box_aspect(1)
    draw_classes(plane, X, y)
    draw_classes(solid, features(X), y, depthshade=False)
    draw_planes(solid, features(X), scores, levels)


@style.script
def claims_unrolling(embeddings: pd.DataFrame, seed: int) -> style.Figure:
    """Draw a roll under every kernel at its best parameter, and correlations over parameters."""
    fig, axes = style.figure(3, 3, height=5.6)
    of_kernel = dict(iter(embeddings.groupby("kernel")))
    X, coordinate = draw_sheet(seed, 0)
    for ax, (kernel, look) in zip(axes.flat, KERNELS.items(), strict=False):
        best = float(str(of_kernel[kernel].groupby("parameter")["value"].mean().idxmax()))
        Z = embed(X, kernel, best)
        drawn = ax.scatter(*Z.T, c=coordinate, cmap=style.SEQUENTIAL, s=4, linewidths=0)
        r = axis_correlation(Z, coordinate)
        ax.set(title=look["label"], box_aspect=1)
        ax.set_xlabel(f"{PARAMETERS.get(kernel, WIDTH).format(best)}\n|r| = {r:.3f}")
        style.no_scale(ax)
    axes[1, 2].set_axis_off()
    fig.colorbar(drawn, cax=axes[1, 2].inset_axes(SCALE), label="coordinate along the sheet")
    dashed = {"color": KERNELS["linear"]["color"], "label": KERNELS["linear"]["label"]}
    for ax, (label, kernels) in zip(axes[2], PANELS.items(), strict=True):
        for kernel in kernels:
            draw_curve(ax, of_kernel[kernel], "parameter", KERNELS[kernel])
        ax.axhline(of_kernel["linear"]["value"].mean(), linewidth=0.9, linestyle="--", **dashed)
        ax.axhline(UNROLLED, color=style.GREY, linewidth=0.6, linestyle=":")
        ax.set(xlabel=label, ylim=(0, 1.03))
    style.plain_log(axes[2, 0])
    axes[2, 0].set_ylabel("|r| with the coordinate")
    handles = {h.get_label(): h for ax in axes[2] for h in ax.get_legend_handles_labels()[0]}
    fig.legend(handles=[*handles.values()], loc="outside lower center", ncols=5)
    return fig


@style.script
def claims_feature_space(axes: pd.DataFrame, seed: int) -> style.Figure:
    """Draw level lines above, the distance along axes below."""
    fig, panels = style.figure(2, 2, height=4.9, height_ratios=[1.6, 1], width_ratios=[1, 1.3])
    (plane, *others), grid = panels.ravel(), panels[0, 0].get_gridspec()
    for ax in others:
        ax.remove()
    solid, below = fig.add_subplot(grid[0, 1], projection="3d"), fig.add_subplot(grid[1, :])
    draw_level_lines(plane, solid, seed)
    for kernel, found in axes.groupby("kernel", sort=False):
        look = style.kernel_style(str(kernel)) | {"markersize": 2.5}
        below.plot(found["t"], found["distance"], **look)
    below.set_xlabel("t, position on axis 1")
    below.set_ylabel("distance of t·v₁ from\nthe image of the plane")
    below.legend(loc="upper right")
    style.legend_above(fig, plane.get_legend_handles_labels()[0], columns=2)
    return fig


@style.script
def claims_readings(shares: pd.DataFrame, seed: int) -> style.Figure:
    """Draw the shares, loadings and gradients on wine, and pictures of components of digits."""
    fig, ((left, middle, right),) = style.figure(1, 3, height=2.8, width_ratios=[1, 0.8, 1.6])
    draw_intervals(left, shares, accuracies=False)
    left.set(xlabel="variance explained", title="component 1", xlim=(0, 1.03))
    for (label, found), kernel in zip(read("wine", seed).items(), NAMES, strict=True):
        look = style.kernel_style(kernel) | {"linestyle": "", "label": label}
        middle.plot(found[0], np.arange(found.shape[1]) + 1, **look)
    middle.set(xlabel="loading or\nmean gradient", ylabel="variable", title="wine, component 1")
    pictures = read("digits", seed)
    rows = np.array([found[np.array(SHOWN) - 1] for found in pictures.values()])
    scaled = (rows / np.abs(rows).max(axis=2, keepdims=True)).reshape(2, len(SHOWN), 8, 8)
    padded = np.pad(scaled, [(0, 0), (0, 0), (1, 1), (1, 1)], constant_values=np.nan)
    right.imshow(np.block([list(row) for row in padded]), cmap="PuOr", vmin=-1, vmax=1)
    right.set_xticks(10 * np.arange(len(SHOWN)) + 4.5, map(str, SHOWN))
    right.set_yticks([4.5, 14.5], [*pictures], rotation=90, va="center")
    right.tick_params(length=0)
    right.spines[:].set_visible(False)
    right.set(xlabel="component", title="digits")
    style.legend_above(fig, middle.get_legend_handles_labels()[0], columns=2)
    return fig
