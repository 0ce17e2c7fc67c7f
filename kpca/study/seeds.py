"""Seeds from named axes, so that nothing depends on the order in which things are drawn."""

import hashlib
import json

import numpy as np

MOST_DRAWN = 1000  # rows that the page of a run draws


def seed_for(seed: int, *names: str | int) -> int:
    """Derive the seed of one named thing, independent of every other one, from the root seed.

    The names are its axes, such as dataset, replicate, purpose; types count: 1 is not "1". Seeds
    are in [0, 2³²), which both NumPy and scikit-learn's ``random_state`` accept.
    """
    # JSON keeps ("a", "b") and ("a,b",) apart, which a plain join would not.
    axes = json.dumps([seed, *names]).encode()
    return int.from_bytes(hashlib.sha256(axes).digest()[:4], "big")


def rng_for(seed: int, *names: str | int) -> np.random.Generator:
    """Return a fresh NumPy generator seeded by `seed_for`."""
    return np.random.default_rng(seed_for(seed, *names))


def evenly_spaced(n: int, at_most: int) -> np.ndarray:
    """Return the numbers of at most so many rows out of n, at equal distances."""
    return np.linspace(0, n - 1, min(n, at_most)).astype(int)


def sample(n: int, at_most: int) -> np.ndarray:
    """Return the numbers of at most so many rows out of n, ascending and always the same."""
    return np.sort(np.random.default_rng(0).choice(n, min(n, at_most), replace=False))
