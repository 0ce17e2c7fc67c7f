"""Draw denoised digits: the error against the number of components, and images."""

import numpy as np
import pandas as pd

from kpca.study.evidence.statistics import intervals
from kpca.study.seeds import rng_for
from workflow.drawing import style
from workflow.scripts.input_space import denoising as study

LOOKS = {
    "pca": style.look(style.BLACK, "o", "PCA"),
    "fixed_point": style.look(style.BLUE, "s", "kernel PCA, fixed point"),
    "mds": style.look(style.ORANGE, "^", "kernel PCA, distances"),
    "ridge": style.look(style.GREEN, "D", "kernel PCA, ridge"),
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
        rows = digits[digits["noise"] == noise].assign(overlap=study.N_TEST / study.N_TRAIN)
        level = rows.loc[rows["method"] == "none", "mse"].mean()
        ax.axhline(level, ls=":", lw=1, color=style.GREY, label="noisy")
        for method, look in LOOKS.items():
            points = intervals(rows[rows["method"] == method], ["n_components"], "mse")
            style.draw_band(ax, points, look, alpha=0.15)
        style.listed_log(ax, sizes, base=2)
        ax.set(xlabel="number of components m", ylabel="mean squared error", ylim=(0, None))
        ax.set_title(f"{title} (own scale)")
    style.legend_of(fig, axes[0, 0], columns=3)
    return fig


def denoised_images(digits: pd.DataFrame, seed: int) -> style.Figure:
    """Draw one row per method and one column per digit, with the error under each image."""
    data = study.draw_digits(seed, 0)
    # Repeat the random draws of the table, in which noise is added to validation rows first.
    _, noisy = data.noisy(NOISE, rng_for(seed, "denoising", 0, NOISE))
    first = [np.argmax(data.y_test == digit) for digit in SHOWN]
    clean = data.test[first]
    rows = {"clean": clean, "noisy": noisy[first]}
    chosen = digits[(digits["noise"] == NOISE) & digits["chosen"] & (digits["replicate"] == 0)]
    settings = chosen.set_index("method", drop=False).loc[[*COMPARED], [*study.Setting._fields]]
    models = study.fits(data.train)
    for setting in map(study.Setting._make, settings.itertuples(index=False)):
        label = f"{COMPARED[setting.method]},\nm = {setting.n_components}"
        rows[label] = study.denoised(models, setting, noisy[first])
    fig, axes = style.figure(len(rows), len(SHOWN), height=len(rows) * 0.97)
    for panels, (label, images) in zip(axes, rows.items(), strict=True):
        errors = np.square(images - clean).mean(axis=1)
        for ax, image, error in zip(panels, images, errors, strict=True):
            ax.imshow(image.reshape(study.SHAPE), cmap="gray_r", vmin=-1, vmax=1)
            style.no_scale(ax)
            if label != "clean":
                ax.set_xlabel(f"{error:.3f}", labelpad=2)
        panels[0].set_ylabel(label, rotation=0, ha="right", va="center")
    return fig


@style.script
def figures(digits: pd.DataFrame, seed: int) -> dict[str, style.Figure]:
    """Return every figure of the study by name."""
    return {"denoising": denoising(digits), "denoised_images": denoised_images(digits, seed)}
