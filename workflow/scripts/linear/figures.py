"""Draw the linear family: PCA in the plane, randomized SVD, sparse PCA."""

from typing import Any

import numpy as np
import pandas as pd

from workflow.drawing import style
from workflow.scripts.linear.decompositions import principal_axes

N = 120  # number of points in the plane

DECAYS = {"flat": "flat spectrum, $σ_j = j^{-1/2}$", "steep": "steep spectrum, $σ_j = 2^{-j}$"}
NORMALIZERS = {
    "none": style.look(style.VERMILION, "x", "no normaliser", linestyle=":"),
    "LU": style.look(style.BLUE, "s", "normalised by LU"),
    "QR": style.look(style.GREEN, "o", "normalised by QR", linestyle="--", fillstyle="none"),
}
SPARSE = {
    "deflation": style.look(style.ORANGE, "^", "deflation,\nL1 bound"),
    "two_step": style.look(style.GREY, "x", "two steps"),
    "spca": style.look(style.BLUE, "s", "SPCA,\nλ = 1e-6"),
    "spca_soft": style.look(style.SKY, "D", "SPCA,\nλ → ∞", linestyle="--"),
    "dictionary": style.look(style.VERMILION, "v", "dictionary\nlearning"),
}
METHODS = {"pca": "PCA"} | {method: look["label"] for method, look in SPARSE.items()}
DATA = {
    "pitprops": "Pitprops, 6 components",
    "breast_cancer": "breast cancer, 6",
    "digits": "digits, 10",
}
COLOURS = "PuOr"


def tilted_cloud(seed: int) -> np.ndarray:
    """Draw a tilted cloud of points in the plane, and centre it."""
    tilt = np.deg2rad(35)
    rotation = np.array([[np.cos(tilt), np.sin(tilt)], [-np.sin(tilt), np.cos(tilt)]])
    X = np.random.default_rng(seed).standard_normal((N, 2)) * [2.0, 0.7] @ rotation
    return X - X.mean(axis=0)


def matrix(loadings: pd.DataFrame, method: str) -> pd.DataFrame:
    """Return a method's loadings, one column per component, with NaN (drawn white) for zeros."""
    rows = loadings[loadings["method"] == method]
    return rows.pivot_table("loading", "variable", "component", sort=False).replace(0, np.nan)


def linear_deflation(seed: int) -> style.Figure:
    """Draw points projected on the two directions of deflation, and on one between them."""
    X = tilted_cloud(seed)
    first, second = principal_axes(X, 2, route="deflation").axes
    directions = {"$w_1$": first, "between": (first + second) / np.sqrt(2), "$w_2$": second}
    fig, axes = style.figure(1, len(directions), height=2.5, sharex=True, sharey=True)
    for ax, (name, direction) in zip(axes[0], directions.items(), strict=True):
        scores = X @ direction
        feet = np.outer(scores, direction)
        ax.plot(*np.stack([X, feet], axis=1).T, color=style.BAND, linewidth=0.6, zorder=0)
        ax.axline((0, 0), tuple(direction), color=style.GREY, linewidth=0.6)
        ax.scatter(*X.T, s=5, color=style.SKY, linewidths=0)
        ax.scatter(*feet.T, s=5, color=style.VERMILION, linewidths=0)
        title = f"{name}: variance {scores.var(ddof=1):.2f}"
        ax.set(title=title, xlabel="$x_1$", aspect="equal")
    axes[0, 0].set_ylabel("$x_2$")
    return fig


def linear_svd_errors(errors: pd.DataFrame) -> style.Figure:
    """Draw error and bound of the randomized SVD by power iterations, one panel per spectrum."""
    fig, axes = style.figure(1, 2, height=2.5, sharex=True)
    for ax, (spectrum, title) in zip(axes[0], DECAYS.items(), strict=True):
        rows = errors[errors["spectrum"] == spectrum]
        bound = rows.groupby("n_iter")["bound"].first()
        ax.plot(bound.index, bound, color=style.BLACK, label="theoretical bound", linewidth=1.5)
        for normalizer, look in NORMALIZERS.items():
            by_iter = rows[rows["normalizer"] == normalizer].groupby("n_iter")["error"]
            points = by_iter.agg(["mean", "min", "max"]).reset_index()
            style.draw_band(ax, points, look | {"markersize": 5}, alpha=0.12)
        ax.axhline(1, color=style.GREY, linewidth=0.8)
        ax.set(title=title, xlabel="power iterations q", yscale="log")
    axes[0, 0].set_ylabel("$‖X - QQ^T X‖_2 \\;/\\; σ_{k+1}$")
    style.legend_of(fig, axes[0, 0], columns=4)
    return fig


def sparse_paths(
    explained: pd.DataFrame, exact_path: pd.DataFrame, wide: pd.DataFrame
) -> style.Figure:
    """Draw adjusted variance against sparsity and, for wide tables, |cos| with the true axis."""
    fig, axes = style.figure(1, 4, height=2.7, sharey=True)
    for ax, (name, title) in zip(axes[0], DATA.items(), strict=False):
        of_data = explained[explained["data"] == name]
        ax.axhline(of_data["pca"].iloc[0], color=style.BLACK, linestyle=":", label="ordinary PCA")
        for method, look in SPARSE.items():
            path = of_data[of_data["method"] == method].sort_values("nonzeros")
            ax.plot("nonzeros", "adjusted_variance", data=path, **look)
        ax.set(title=title, ylim=(0, 1))
    (exact,) = axes[0, 0].plot("nonzeros", "adjusted_variance", data=exact_path)
    exact.set(color=style.BLACK, label="exact supports, one by one")
    axes[0, 0].set_ylabel("adjusted variance (fraction)")
    for method in ("spca", "spca_soft"):
        rows = wide[(wide["method"] == method) & (wide["nonzeros"] > 0)]
        look = SPARSE[method] | {"linestyle": "", "markersize": 2.5}
        axes[0, 3].plot("nonzeros", "cosine", data=rows, **look)
    level = wide.loc[wide["method"] == "pca", "cosine"].mean()
    axes[0, 3].axhline(level, color=style.BLACK, linestyle=":")
    axes[0, 3].set(xscale="log", title="50 × 1000", ylabel="|cos| with the true component")
    fig.supxlabel("nonzero loadings per component (own scales)")
    style.legend_of(fig, axes[0, 0], columns=6)
    return fig


def sparse_loadings(loadings: pd.DataFrame) -> style.Figure:
    """Draw the loadings of each method: a heatmap of Pitprops (zeros white), images of digits."""
    fig = style.figure(height=6.4)[0]
    fig.clear()
    above, below = np.asarray(fig.subfigures(2, 1, height_ratios=[1, 1.25]))
    pitprops, digits = (loadings[loadings["data"] == name] for name in ("pitprops", "digits"))
    heatmaps = above.subplots(1, len(METHODS), sharey=True)
    images = below.subplots(len(METHODS), digits["component"].max())
    for ax, row, (method, title) in zip(heatmaps, images, METHODS.items(), strict=True):
        values = matrix(pitprops, method)
        image = ax.imshow(values, cmap=COLOURS, vmin=-1, vmax=1, aspect="auto")
        ax.set_title(title)
        ax.set_xticks(range(values.shape[1]), values.columns)
        ax.set_yticks(range(len(values)), values.index)
        ax.tick_params(length=0)
        row[0].set_ylabel(title, rotation=0, ha="right", va="center")
        for panel, (_, component) in zip(row, matrix(digits, method).items(), strict=True):
            limit = component.abs().max()
            pixels = component.to_numpy().reshape(8, 8)
            panel.imshow(pixels, cmap=COLOURS, vmin=-limit, vmax=limit)
            style.no_scale(panel)
    above.supxlabel("component")
    above.colorbar(image, ax=above.axes, shrink=0.8, pad=0.01).set_label("loading")
    return fig


@style.script
def figures(**arguments: Any) -> dict[str, style.Figure]:
    """Return every figure of the study by name, drawn from tables and the seed."""
    draws = (linear_deflation, linear_svd_errors, sparse_paths, sparse_loadings)
    return style.draw_each(draws, **arguments)
