"""Digits with grey values in [−1, 1], and the two kinds of noise of Mika et al. (1998)."""

from collections.abc import Callable

import numpy as np

from pipeline.datasets.published import read_builtin
from pipeline.datasets.usps import SHAPE, read_usps

RANGE = 2.0  # of the grey values
SIGMA = 0.5
FLIPPED = 0.4


Images = tuple[np.ndarray, np.ndarray, tuple[int, int]]


def images(usps: str | None = None) -> Images:
    """Return rows, labels and shape of the shipped digits, or of the USPS training images.

    ``usps`` names the folder of the latter.
    """
    if usps is None:
        return digits()
    read = read_usps(usps)
    return read.X_train, read.y_train, SHAPE


def digits() -> Images:
    """Return rows, labels and shape of the 8 × 8 digits that come with scikit-learn."""
    rows = read_builtin("digits", {"sklearn": "digits"})
    if rows.y is None or rows.image_shape is None:
        raise TypeError("the digits have labels and are images")
    return rows.X / 8 - 1, rows.y, rows.image_shape


def gaussian(X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Add independent N(0, ½²) to every pixel."""
    return X + SIGMA * rng.standard_normal(X.shape)


def speckle(X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Turn 40 % of the pixels black or white, each with the same probability."""
    black_or_white = rng.choice([-1.0, 1.0], X.shape)
    return np.where(rng.uniform(size=X.shape) < FLIPPED, black_or_white, X)


NOISES: dict[str, Callable[[np.ndarray, np.random.Generator], np.ndarray]] = {
    "gaussian": gaussian,
    "speckle": speckle,
}


def psnr(mse: float | np.ndarray) -> float | np.ndarray:
    """Return the peak signal-to-noise ratio in decibels.

    >>> round(float(psnr(0.04)), 6)
    20.0
    """
    return 10 * np.log10(RANGE**2 / mse)
