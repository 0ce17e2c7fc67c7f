"""Draw digits clean, noisy, and as every method gives them back."""

import numpy as np
import pandas as pd

from pipeline.drawing import style
from pipeline.seeds import rng_for
from workflow.scripts.input_space.denoising import (
    METHODS,
    NOISES,
    SHAPE,
    Digits,
    denoised,
    draw_digits,
    fits,
)
from workflow.scripts.input_space.figure_denoising import LOOKS, TITLES


def images_of(
    table: pd.DataFrame, noise: str, data: Digits, seed: int
) -> dict[str, tuple[np.ndarray, str]]:
    """Return one image per digit and what to note next to them, by method."""
    # The same draws as in the table: validation rows first.
    rng = rng_for(seed, "denoising", 0, noise)
    _, noisy = (NOISES[noise](X, rng) for X in (data.validation, data.test))
    first = [int(np.flatnonzero(data.y_test == digit)[0]) for digit in range(10)]
    chosen = table[(table["noise"] == noise) & table["chosen"] & (table["replicate"] == 0)]
    chosen = chosen.set_index("method").loc[[*METHODS]]
    multiples = sorted(chosen["multiple"].dropna().unique())
    models = fits(data.train, multiples, int(chosen["n_components"].max()))
    rows = {"clean": (data.test[first], ""), "noisy": (noisy[first], "")}
    for method, row in chosen.to_dict("index").items():
        m = row["n_components"]
        points = denoised(models, str(method), row["multiple"], m, noisy[first])
        rows[LOOKS[str(method)]["label"]] = points, f"m = {m}\n{row['psnr']:.1f} dB"
    return rows


def strip(images: np.ndarray) -> np.ndarray:
    """Return images side by side, one white pixel between them."""
    gap = np.full((SHAPE[0], 1), -1.0)
    parts = [part for image in images for part in (image.reshape(SHAPE), gap)]
    return np.hstack(parts[:-1])


@style.script
def draw(digits: pd.DataFrame, seed: int, **sizes: int) -> style.Figure:
    """Draw one column a noise, one row a method, and a digit of every kind in it."""
    data = draw_digits(seed, 0, **sizes)
    fig, axes = style.figure(2 + len(METHODS), 2, height=2.45)
    for column, noise in zip(axes.T, TITLES, strict=True):
        rows = images_of(digits, noise, data, seed)
        for ax, (shown, remark) in zip(column, rows.values(), strict=True):
            ax.imshow(strip(shown), cmap="gray_r", vmin=-1, vmax=1)
            ax.annotate(remark, (1.02, 0.5), xycoords="axes fraction", va="center", fontsize=7)
            ax.set(xticks=[], yticks=[])
            ax.spines[:].set_visible(False)
        column[0].set_title(TITLES[noise])
    for ax, label in zip(axes[:, 0], rows, strict=True):
        ax.set_ylabel(label, rotation=0, ha="right", va="center", fontsize=7)
    return fig
