"""Draw denoised digits: the error against the number of components, and images."""

from typing import Any

import numpy as np
import pandas as pd

from kpca.study.evidence.statistics import curve
from kpca.study.seeds import rng_for
from workflow.drawing import style
from workflow.scripts.input_space import denoising as study

LOOKS: dict[str, dict[str, Any]] = {
    "none": {"color": style.GREY, "marker": "x", "label": "noisy"},
    "pca": {"color": style.BLACK, "marker": "o", "label": "PCA"},
    "fixed_point": {"color": style.BLUE, "marker": "s", "label": "kernel PCA, fixed point"},
    "mds": {"color": style.ORANGE, "marker": "^", "label": "kernel PCA, distances"},
    "ridge": {"color": style.GREEN, "marker": "D", "label": "kernel PCA, ridge"},
}
NOISE = "gaussian"
SHOWN = (0, 2, 3, 5, 8)
COMPARED = {"pca": "PCA", "fixed_point": "kernel PCA"}
TITLES = {"gaussian": "Gaussian noise", "speckle": "speckle"}


def denoising(digits: pd.DataFrame) -> style.Figure:
    """Draw the errors with 95 % bands, one panel per noise."""
    fig, axes = style.figure(1, 2, height=2.7)
    sizes = sorted(set(digits["n_components"]) - {0})
    for ax, (noise, title) in zip(axes[0], TITLES.items(), strict=True):
        rows = digits[digits["noise"] == noise].rename(columns={"mse": "value"})
        level = rows.loc[rows["method"] == "none", "value"].mean()
        noisy = LOOKS["none"]
        ax.axhline(level, ls=":", lw=1, color=noisy["color"], label=noisy["label"])
        for method, look in [*LOOKS.items()][1:]:
            of_method = rows[rows["method"] == method]
            points = curve(of_method, "n_components", study.N_TEST / study.N_TRAIN)
            ax.plot(points["n_components"], points["mean"], **look)
            ends = points["low"], points["high"]
            ax.fill_between(points["n_components"], *ends, color=look["color"], alpha=0.15)
        ax.set_xscale("log", base=2)
        ax.set_xticks(sizes, map(str, sizes))
        ax.set_xticks([], minor=True)
        ax.set(xlabel="number of components m", ylabel="mean squared error", ylim=(0, None))
        ax.set_title(f"{title} (own scale)")
    style.legend_of(fig, axes[0, 0], columns=3)
    return fig


def denoised_images(digits: pd.DataFrame, seed: int, **sizes: int) -> style.Figure:
    """Draw one row per method and one column per digit, with the error under each image."""
    data = study.draw_digits(seed, 0, **sizes)
    # The same draws as in the table: validation rows first.
    rng = rng_for(seed, "denoising", 0, NOISE)
    _, noisy = (study.NOISES[NOISE](X, rng) for X in (data.validation, data.test))
    first = [int(np.flatnonzero(data.y_test == digit)[0]) for digit in SHOWN]
    chosen = digits[(digits["noise"] == NOISE) & digits["chosen"] & (digits["replicate"] == 0)]
    chosen = chosen.set_index("method").loc[[*COMPARED]]
    multiples = sorted(chosen["multiple"].dropna().unique())
    models = study.fits(data.train, multiples, int(chosen["n_components"].max()))
    rows = {"clean": data.test[first], "noisy": noisy[first]}
    for method, row in chosen.to_dict("index").items():
        m = row["n_components"]
        points = study.denoised(models, str(method), row["multiple"], m, noisy[first])
        rows[f"{COMPARED[str(method)]},\nm = {m}"] = points
    fig, axes = style.figure(len(rows), len(SHOWN), height=len(rows) * 0.97)
    for panels, (label, images) in zip(axes, rows.items(), strict=True):
        for ax, image, clean in zip(panels, images, rows["clean"], strict=True):
            ax.imshow(image.reshape(study.SHAPE), cmap="gray_r", vmin=-1, vmax=1)
            style.no_scale(ax)
            if label != "clean":
                ax.set_xlabel(f"{np.square(image - clean).mean():.3f}", labelpad=2)
        panels[0].set_ylabel(label, rotation=0, ha="right", va="center")
    return fig


@style.script
def figures(digits: pd.DataFrame, seed: int) -> dict[str, style.Figure]:
    """Draw every figure of the study, by name."""
    return {
        "denoising": denoising(digits),
        "denoised_images": denoised_images(digits, seed),
    }
