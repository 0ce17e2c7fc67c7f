"""Draw PCA in the plane: the variance of a projection against its angle, and one deflation."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from pipeline.drawing import style
from pipeline.job import run
from workflow.scripts.linear.deflation_step import DeflationStep, deflation_step


def draw(seed: int, paths: Sequence[str]) -> None:
    """Draw the points, the two curves, and what deflation leaves."""
    step = deflation_step(seed)
    fig, axes = style.figure(1, 3, height=2.4, width_ratios=[1, 1.25, 1])
    second = np.array([-step.first[1], step.first[0]])
    limit = 1.2 * np.abs(step.X).max()
    _points(axes[0, 0], step.X, step.first, limit, style.BLUE, "$w_1$")
    _points(axes[0, 2], step.rest, second, limit, style.VERMILION, "$w_2$")
    axes[0, 0].set_title("points and first direction")
    axes[0, 2].set_title("what is left without it")
    _curves(axes[0, 1], step)
    style.save(fig, paths)


def _points(
    ax: Axes, X: np.ndarray, direction: np.ndarray, limit: float, colour: str, name: str
) -> None:
    ax.axline((0, 0), tuple(direction), color=colour, linewidth=1)
    ax.scatter(X[:, 0], X[:, 1], s=7, color=style.GREY, alpha=0.7, linewidths=0)
    tip = direction * 0.85 * limit / np.abs(direction).max()
    aside = (8, 0) if direction[0] < 0 else (6, -12)
    ax.annotate(name, tip, aside, textcoords="offset points", color=colour, fontsize=9)
    ax.set(xlabel="$x_1$", ylabel="$x_2$", aspect="equal")
    ax.set(xlim=(-limit, limit), ylim=(-limit, limit))


def _curves(ax: Axes, step: DeflationStep) -> None:
    for variance, colour, line, name, height in (
        (step.before, style.BLUE, "-", "$w_1$", 1.06),
        (step.after, style.VERMILION, "--", "$w_2$", 3.2),
    ):
        angle, peak = step.angles[variance.argmax()], variance.max()
        ax.plot(step.angles, variance, line, color=colour)
        ax.plot(angle, peak, "o", color=colour, markersize=5)
        ax.annotate(
            f"{name} at {angle:.0f}°\nvariance {peak:.2f}",
            (angle, height * peak),
            color=colour,
            fontsize=7,
            ha="center",
        )
    ax.set(title="variance of the projection", xlabel="angle (degrees)", ylabel="variance")
    ax.set(xlim=(0, 180), xticks=range(0, 181, 45), ylim=(0, 1.3 * step.before.max()))


if __name__ == "__main__":
    run(draw)
