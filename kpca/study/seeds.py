"""Seeds that derive from names, so that no result depends on the order in which data are drawn."""

import hashlib
import json

import numpy as np

MOST_DRAWN = 1000  # largest number of rows that the page of a run draws


def seed_for(seed: int, *names: str | int) -> int:
    """Return a seed derived from the root ``seed`` and names; different names are independent.

    The names are, for example, dataset, replicate and purpose. Types matter: 1 and "1" give
    different seeds. Seeds are in [0, 2³²), which both NumPy and scikit-learn's ``random_state``
    accept.
    """
    # JSON distinguishes ("a", "b") from ("a,b",), whereas joining with commas would not.
    axes = json.dumps([seed, *names]).encode()
    return int.from_bytes(hashlib.sha256(axes).digest()[:4], "big")


def rng_for(seed: int, *names: str | int) -> np.random.Generator:
    """Return a fresh NumPy generator seeded by `seed_for`."""
    return np.random.default_rng(seed_for(seed, *names))


def evenly_spaced(n: int, at_most: int) -> np.ndarray:
    """Return the indices of ``at_most`` evenly spaced rows of n, or of all if there are fewer."""
    return np.linspace(0, n - 1, min(n, at_most)).astype(int)


def sample(n: int, at_most: int) -> np.ndarray:
    """Return ascending indices of ``at_most`` random rows of n, or all; always the same rows."""
    return np.sort(np.random.default_rng(0).choice(n, min(n, at_most), replace=False))
