"""The USPS digits as arrays, plain or smoothed."""

import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.ndimage import gaussian_filter

from kpca.types import Array
from workflow.configuration.usps import check_usps

SMOOTHING = 0.75  # standard deviation of the Gaussian in pixels


class Usps(NamedTuple):
    """Grey values in [−1, 1] of 16 × 16 images, where −1 is the background, and digits 0 to 9."""

    X_train: Array
    y_train: Array
    X_test: Array
    y_test: Array


def read_usps(files: Sequence[str], images: str) -> Usps:
    """Read the digits in float32 after comparing checksums; ``images`` is "smoothed" or "plain"."""
    check_usps(Path(files[0]).parent)
    sides: list[Array] = []
    for path in files:
        with gzip.open(path, "rt") as stream:  # a label and 256 grey values per line
            table = np.loadtxt(stream)
        X = smooth(table[:, 1:]) if images == "smoothed" else table[:, 1:]
        sides += [X.astype(np.float32), table[:, 0].astype(np.int64)]
    return Usps(*sides)


def smooth(X: Array) -> Array:
    """Smooth each image with a Gaussian of sd 0.75 pixels; its outside is background (−1)."""
    stack = X.reshape(-1, 16, 16)
    sigma = (0.0, SMOOTHING, SMOOTHING)
    return gaussian_filter(stack, sigma, mode="constant", cval=-1).reshape(X.shape)
