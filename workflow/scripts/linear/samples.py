"""The data that the linear studies share."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np


def tall_and_wide(seed: int) -> dict[str, np.ndarray]:
    """Return data with n > d, of full rank and not, and data with n < d."""
    rng = np.random.default_rng(seed)
    wide = rng.standard_normal((80, 20)) @ rng.standard_normal((20, 500))
    return {
        "digits (1797 × 64, rank 61)": builtin("digits"),
        "breast cancer (569 × 30)": standardized(builtin("breast_cancer")),
        "wide (80 × 500)": wide + 0.3 * rng.standard_normal((80, 500)),
    }


@cache
def builtin(name: str) -> np.ndarray:
    """Return the rows of one of scikit-learn's datasets."""
    from sklearn import datasets

    rows: np.ndarray = getattr(datasets, f"load_{name}")().data
    return rows


def standardized(X: np.ndarray) -> np.ndarray:
    """Return columns of mean 0 and variance 1."""
    return np.asarray((X - X.mean(axis=0)) / X.std(axis=0, ddof=1))


def read_correlations(path: str | Path) -> tuple[list[str], np.ndarray]:
    """Read a symmetric matrix, a header of names and one row of numbers for each.

    Returns
    -------
    names : list of str
    matrix : ndarray of shape (d, d)
    """
    names, *lines = Path(path).read_text().splitlines()
    return names.split(","), np.array([[float(x) for x in line.split(",")] for line in lines])
