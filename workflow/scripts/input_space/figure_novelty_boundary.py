"""Draw decision boundaries of novelty detectors around a ring, a spiral and a sine."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from matplotlib.lines import Line2D

from pipeline.drawing import style
from pipeline.drawing.contours import mesh, region
from pipeline.job import run
from pipeline.seeds import rng_for, seed_for
from workflow.scripts.input_space.boundaries import CURVES, detectors, draw_rows
from workflow.scripts.input_space.looks import DETECTORS

LINES: dict[str, Literal["-", ":", "--"]] = {"residual": "-", "linear": ":", "one_class_svm": "--"}


def draw(seed: int, paths: Sequence[str]) -> None:
    """Draw one panel a curve: shaded the error of kernel PCA, lines where detectors decide."""
    fig, axes = style.figure(1, len(CURVES), height=2.75)
    for ax, name in zip(axes[0], CURVES, strict=True):
        X = draw_rows(name, rng_for(seed, "boundary", name))
        box = region(X, margin=0.25)
        x, y = mesh(box, 151)
        places = np.column_stack([x.ravel(), y.ravel()])
        for method, detector in detectors(X, seed_for(seed, "boundary", name, "folds")).items():
            decision = detector.decision_function(places).reshape(x.shape)
            if method == "residual":
                ax.contourf(x, y, -decision, levels=12, cmap="Greys", alpha=0.5)
            color = DETECTORS[method]["color"]
            ax.contour(
                x, y, decision, levels=[0], colors=color, linestyles=LINES[method], linewidths=1.2
            )
        ax.scatter(*X.T, s=4, color=style.BLACK, linewidths=0)
        ax.set_title(name)
        ax.set_box_aspect(1)
        style.no_ticks(ax)
        style.frame(ax)
    handles = [
        Line2D([], [], color=DETECTORS[m]["color"], linestyle=line, label=DETECTORS[m]["label"])
        for m, line in LINES.items()
    ]
    fig.legend(handles=handles, loc="outside lower center", ncols=3)
    style.save(fig, paths)


if __name__ == "__main__":
    run(draw)
