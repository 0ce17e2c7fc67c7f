"""Draw PCA in the plane: the variance of a projection against its angle, and one deflation."""

import numpy as np
from matplotlib.axes import Axes

from pipeline.drawing import style
from workflow.scripts.linear.agreement import principal_axes

ANGLES = np.linspace(0, 180, 361)
N = 120


def variance_by_angle(X: np.ndarray) -> np.ndarray:
    """Return the variance of the projection of centred points of the plane on each of `ANGLES`."""
    radians = np.deg2rad(ANGLES)
    directions = np.stack([np.cos(radians), np.sin(radians)])
    return np.asarray(np.sum((X @ directions) ** 2, axis=0) / (len(X) - 1))


def deflated(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw a tilted Gaussian cloud, and remove the direction of largest variance.

    The centred points X, that direction w, and X − Xwwᵀ, what is left of the points.
    """
    tilt = np.deg2rad(35)
    rotation = np.array([[np.cos(tilt), np.sin(tilt)], [-np.sin(tilt), np.cos(tilt)]])
    X = np.random.default_rng(seed).standard_normal((N, 2)) * [2.0, 0.7] @ rotation
    X -= X.mean(axis=0)
    first = principal_axes(X, 1, route="deflation").axes[0]
    return X, first, X - np.outer(X @ first, first)


def _points(
    ax: Axes, X: np.ndarray, direction: np.ndarray, limit: float, colour: str, name: str
) -> None:
    ax.axline((0, 0), tuple(direction), color=colour, linewidth=1)
    ax.scatter(X[:, 0], X[:, 1], s=7, color=style.GREY, alpha=0.7, linewidths=0)
    tip = direction * 0.85 * limit / np.abs(direction).max()
    aside = (8, 0) if direction[0] < 0 else (6, -12)
    ax.annotate(name, tip, aside, textcoords="offset points", fontsize=9)
    box = {"xlim": (-limit, limit), "ylim": (-limit, limit), "aspect": "equal"}
    ax.set(xlabel="$x_1$", ylabel="$x_2$", **box)


def _curves(ax: Axes, before: np.ndarray, after: np.ndarray) -> None:
    for variance, colour, line, name, height in (
        (before, style.BLUE, "-", "$w_1$", 1.06),
        (after, style.VERMILION, "--", "$w_2$", 4.6),
    ):
        angle, peak = ANGLES[variance.argmax()], variance.max()
        ax.plot(ANGLES, variance, line, color=colour)
        ax.plot(angle, peak, "o", color=colour, markersize=5)
        place = max(angle, 48), height * peak  # right of the axis
        text = f"{name} at {angle:.0f}°\nvariance {peak:.2f}"
        ax.annotate(text, place, fontsize=7, ha="center")
    ax.set(title="variance of the projection", xlabel="angle (degrees)", ylabel="variance")
    ax.set(xlim=(0, 180), xticks=range(0, 181, 45), ylim=(0, 1.3 * before.max()))


@style.script
def draw(seed: int) -> style.Figure:
    """Draw the points, the two curves, and what deflation leaves."""
    X, first, rest = deflated(seed)
    fig, axes = style.figure(1, 3, height=2.4, width_ratios=[1, 1.25, 1])
    second = np.array([-first[1], first[0]])
    limit = 1.2 * np.abs(X).max()
    _points(axes[0, 0], X, first, limit, style.BLUE, "$w_1$")
    _points(axes[0, 2], rest, second, limit, style.VERMILION, "$w_2$")
    axes[0, 0].set_title("points and first direction")
    axes[0, 2].set_title("what is left without it")
    _curves(axes[0, 1], variance_by_angle(X), variance_by_angle(rest))
    return fig
