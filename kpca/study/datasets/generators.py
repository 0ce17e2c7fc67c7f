"""Generators of synthetic data, one function each, and `GENERATORS`, which lists them by name.

A generator is called as ``generator(n, rng, **parameters)`` and returns a `Draw`. Classes are
as equal in size as n allows, and their rows alternate.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
Generator = np.random.Generator

# Centres of the clusters in Figure 4 of Schölkopf, Smola and Müller (1998).
_CLUSTER_CENTRES = np.array([[-0.5, -0.2], [0.0, 0.6], [0.5, 0.0]])


class Draw(NamedTuple):
    """Rows of shape (n, d) with labels, numbered from 0, or a numeric target, of shape (n,)."""

    X: FloatArray
    y: IntArray | None = None
    target: FloatArray | None = None


def rings(n: int, rng: Generator, *, noise: float = 0.05, radius_ratio: float = 0.3) -> Draw:
    """Draw two concentric rings of radius 1 (class 0) and `radius_ratio` (class 1).

    x = r (cos t, sin t) + ε, t uniform on the circle, ε ~ N(0, `noise`² I).
    """
    y = np.arange(n) % 2
    radius = np.where(y == 0, 1.0, radius_ratio)
    angle = rng.uniform(0, 2 * np.pi, n)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    return Draw(_noisy(radius[:, None] * circle, rng, noise), y)


def moons(n: int, rng: Generator, *, noise: float = 0.1) -> Draw:
    """Draw two interleaving half circles of radius 1, as scikit-learn's ``make_moons``."""
    y = np.arange(n) % 2
    angle = rng.uniform(0, np.pi, n)
    upper = np.column_stack([np.cos(angle), np.sin(angle)])
    lower = np.column_stack([1 - np.cos(angle), 0.5 - np.sin(angle)])
    return Draw(_noisy(np.where(y[:, None] == 0, upper, lower), rng, noise), y)


def spirals(n: int, rng: Generator, *, noise: float = 0.02, turns: float = 1.5) -> Draw:
    """Draw two spirals of radius at most 1; the second is the first turned by 180°.

    x = ± s (cos 2π·turns·s, sin 2π·turns·s) + ε with s = √u, u uniform on [0.01, 1].
    """
    y = np.arange(n) % 2
    s = np.sqrt(rng.uniform(0.01, 1, n))
    angle = 2 * np.pi * turns * s
    arm = s[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return Draw(_noisy(np.where(y[:, None] == 0, arm, -arm), rng, noise), y)


def swiss_roll(n: int, rng: Generator, *, noise: float = 0.0, width: float = 21.0) -> Draw:
    """Draw the Swiss roll of scikit-learn's ``make_swiss_roll``, without labels.

    x = (t cos t, w, t sin t) + ε, t uniform on [3π/2, 9π/2], w uniform on [0, `width`]. The
    target is the unrolled coordinate, the arc length ½ (t √(1 + t²) + asinh t). The map
    from the roll to (target, w) is an isometry to the plane.
    """
    t = rng.uniform(1.5 * np.pi, 4.5 * np.pi, n)
    roll = np.column_stack([t * np.cos(t), rng.uniform(0, width, n), t * np.sin(t)])
    return Draw(_noisy(roll, rng, noise), target=0.5 * (t * np.sqrt(1 + t**2) + np.arcsinh(t)))


def clusters(n: int, rng: Generator, *, noise: float = 0.1) -> Draw:
    """Draw three round Gaussian clusters of standard deviation `noise`.

    Centres (-0.5, -0.2), (0, 0.6), (0.5, 0): Schölkopf, Smola and Müller (1998), Figure 4.
    """
    y = np.arange(n) % 3
    return Draw(_noisy(_CLUSTER_CENTRES[y], rng, noise), y)


def parabola(n: int, rng: Generator, *, noise: float = 0.2) -> Draw:
    """Draw a noisy parabola: x uniform on [-1, 1], (x, x² + N(0, `noise`²)); the target is x.

    Schölkopf, Smola and Müller (1998), Figure 2.
    """
    x = rng.uniform(-1, 1, n)
    return Draw(np.column_stack([x, x**2 + noise * rng.standard_normal(n)]), target=x)


def linear(n: int, rng: Generator, *, margin: float = 0.2, noise: float = 0.5) -> Draw:
    """Draw two classes on either side of a line, at a distance of `margin`/2 or more from it.

    The coordinate across the line is ± (`margin`/2 + |ε|), ε ~ N(0, `noise`²); the one along the
    line is N(0, 1). The line runs through the origin at 120°, so that no single coordinate
    separates the classes.
    """
    y = np.arange(n) % 2
    beyond = margin / 2 + noise * np.abs(rng.standard_normal(n))
    across = np.where(y == 0, -beyond, beyond)
    along = rng.standard_normal(n)
    cos = np.cos(np.pi / 6)
    sin = np.sin(np.pi / 6)
    return Draw(np.column_stack([across, along]) @ np.array([[cos, sin], [-sin, cos]]), y)


GENERATORS: dict[str, Callable[..., Draw]] = {
    function.__name__: function
    for function in (rings, moons, spirals, swiss_roll, clusters, parabola, linear)
}


def _noisy(X: FloatArray, rng: Generator, noise: float) -> FloatArray:
    return X + noise * rng.standard_normal(X.shape)
