"""The data that the linear studies share."""

from functools import cache

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
