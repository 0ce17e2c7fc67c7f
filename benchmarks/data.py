"""Data for benchmarks: moons, a mixture of normals in ten dimensions, digits of 64 pixels."""

from collections.abc import Callable

import numpy as np
from sklearn.datasets import load_digits, make_moons

from kpca.types import Floats

N_CLASSES = 10


def mixture(n: int, seed: int) -> Floats:
    """Return points of ten normal distributions in ten dimensions, with random parameters."""
    rng = np.random.default_rng(seed)
    means = 2 * rng.normal(size=(N_CLASSES, 10))
    factors = rng.normal(size=(N_CLASSES, 10, 10)) / np.sqrt(10)
    labels = rng.integers(0, N_CLASSES, n)
    noise = rng.normal(size=(n, 10))
    X = means[labels]
    for label in range(N_CLASSES):
        rows = labels == label
        X[rows] += noise[rows] @ factors[label]
    return X


def digits(n: int, seed: int) -> Floats:
    """Return images of 8 × 8 pixels: two digits of a class, blended, with normal noise of 0.05."""
    rng = np.random.default_rng(seed)
    images, classes = load_digits(return_X_y=True)
    members = [np.flatnonzero(classes == label) for label in range(N_CLASSES)]
    labels = rng.integers(0, N_CLASSES, n)
    X = np.empty((n, 64))
    for label, member in enumerate(members):
        rows = np.flatnonzero(labels == label)
        first, second = rng.choice(member, size=(2, len(rows)))
        blend = rng.uniform(0, 0.5, size=(len(rows), 1))
        X[rows] = (1 - blend) * images[first] + blend * images[second]
    return X / 16 + 0.05 * rng.normal(size=X.shape)


DATA: dict[str, Callable[[int, int], Floats]] = {
    "moons": lambda n, seed: make_moons(n, noise=0.1, random_state=seed)[0],
    "mix10": mixture,
    "digits": digits,
}


def points(name: str, n: int, seed: int = 0) -> Floats:
    """Return n points of a data set; the same seed gives the same points."""
    return DATA[name](n, seed)
