"""Draw the error of de-noised digits over the number of components, and by digit."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from kpca.pipeline import style
from kpca.pipeline.curves import curve
from kpca.pipeline.statistics import interval
from kpca.pipeline.studies.input_space.looks import METHODS, NOISES


def draw_sizes(ax: Any, rows: pd.DataFrame, overlap: float) -> None:
    """Draw the mean squared error over the number of components, with 95 % bands."""
    of_all = rows[rows["digit"] == "all"].rename(columns={"mse": "value"})
    for method, look in METHODS.items():
        of_method = of_all[of_all["method"] == method]
        if method == "none":
            ax.axhline(of_method["value"].mean(), color=look["color"], linestyle=":", linewidth=1)
            continue
        points = curve(of_method, "n_components", overlap)
        ax.plot(points["n_components"], points["mean"], **look)
        ax.fill_between(
            points["n_components"], points["low"], points["high"], color=look["color"], alpha=0.15
        )
    ax.set_xscale("log", base=2)
    sizes = sorted(set(of_all["n_components"]) - {0})
    ax.set_xticks(sizes, [str(size) for size in sizes])
    ax.set_xticks([], minor=True)
    ax.set(xlabel="components", ylabel="mean squared error", ylim=(0, None))


def draw_digits(ax: Any, rows: pd.DataFrame, overlap: float) -> None:
    """Draw the PSNR of each digit at the chosen setting, with 95 % intervals."""
    shown = rows[(rows["chosen"] | (rows["method"] == "none")) & (rows["digit"] != "all")]
    for place, (method, look) in enumerate(METHODS.items()):
        of_method = shown[shown["method"] == method]
        bounds = [
            interval(of_method.loc[of_method["digit"] == str(d), "psnr"], test_over_train=overlap)
            for d in range(10)
        ]
        mean = np.array([b.mean for b in bounds])
        error = [mean - [b.low for b in bounds], [b.high for b in bounds] - mean]
        ax.errorbar(
            np.arange(10) + 0.13 * (place - 2), mean, error, linestyle="", elinewidth=0.8, **look
        )
    ax.set_xticks(range(10))
    ax.set(xlabel="digit", ylabel="PSNR (dB)")


def draw(digits: pd.DataFrame, overlap: float, paths: Sequence[str]) -> None:
    """Draw one row a noise."""
    fig, axes = style.figure(2, 2, height=4.6, width_ratios=[1, 1.25])
    for row, (noise, title) in zip(axes, NOISES.items(), strict=True):
        rows = digits[digits["noise"] == noise]
        draw_sizes(row[0], rows, overlap)
        draw_digits(row[1], rows, overlap)
        row[0].set_title(f"{title}, all digits", loc="left")
        row[1].set_title(f"{title}, parameters chosen on training digits", loc="left")
    handles, labels = axes[0, 1].get_legend_handles_labels()
    fig.legend(handles, labels, loc="outside upper center", ncols=5)
    style.save(fig, paths)


if __name__ == "__main__":
    from kpca.pipeline.job import job

    with job(snakemake):
        table = pd.read_csv(snakemake.input.digits, dtype={"digit": str})
        sizes = snakemake.params.arguments
        draw(table, sizes["n_test"] / sizes["n_train"], snakemake.output)
