"""Draw noisy points around curves, and where each method puts them."""

import pandas as pd

from pipeline.drawing import style
from pipeline.seeds import rng_for
from pipeline.tables.statistics import interval
from workflow.scripts.input_space.curves import CURVES, METHODS, choose, draw_cloud
from workflow.scripts.input_space.looks import METHODS as LOOKS


@style.script
def draw(curves: pd.DataFrame, seed: int) -> style.Figure:
    """Draw one row a curve and one column a method; below each, the error over replicates."""
    fig, axes = style.figure(len(CURVES), 1 + len(METHODS), height=2.75, height_ratios=[0.62, 1])
    for row, name in zip(axes, CURVES, strict=True):
        cloud = draw_cloud(name, rng_for(seed, "curves", name, 0))
        places = {"none": cloud.test.noisy}
        places |= {method: choose(cloud, method).denoise(cloud.test.noisy) for method in METHODS}
        for ax, (method, points) in zip(row, places.items(), strict=True):
            ax.plot(*cloud.curve.T, color=style.GREY, linewidth=0.6)
            ax.scatter(*points.T, s=4, color=LOOKS[method]["color"], linewidths=0)
            of_method = curves[(curves["curve"] == name) & (curves["method"] == method)]
            bounds = interval(of_method["error"].to_numpy(), test_over_train=None)
            half = (bounds.high - bounds.low) / 2
            ax.set_xlabel(f"{bounds.mean:.3f} ± {half:.3f}", fontsize=7)
            ax.set_aspect("equal")
            style.no_scale(ax)
        for ax in row[1:]:
            ax.set(xlim=row[0].get_xlim(), ylim=row[0].get_ylim())
        row[0].set_ylabel(name)
    for ax, method in zip(axes[0], ["none", *METHODS], strict=True):
        ax.set_title(LOOKS[method]["label"].replace(", ", "\n"))
    fig.supxlabel(
        "root mean squared distance from the true place ± half of the 95 % CI", fontsize=8
    )
    return fig
