"""Lanczos from one random vector: the ends of a spectrum, with their residuals."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from kpca.types import Array, Floats


class Operator(Protocol):
    """A symmetric matrix known by its products with blocks."""

    n: int

    def matmul(self, V: Array) -> Floats:
        """Give the product with a block of shape (n, p)."""


@dataclass(frozen=True)
class Extremes:
    """The ends of a spectrum as Lanczos sees them, from inside.

    Attributes
    ----------
    lowest, highest : float
        Extreme Ritz values; each a Rayleigh quotient, so inside the true spectrum.
    steps : int
        Products made.
    """

    lowest: float
    highest: float
    steps: int


def extremes(operator: Operator, steps: int, seed: int) -> Extremes:
    """Run Lanczos with full orthogonalisation from a seeded Gaussian vector.

    References
    ----------
    Kuczyński, Woźniakowski (1992), Estimating the largest eigenvalue by the power and
    Lanczos algorithms with a random start.
    """
    rng = np.random.default_rng(seed)
    steps = min(steps, operator.n)
    basis = np.zeros((operator.n, steps))
    diagonal, beside = np.zeros(steps), np.zeros(steps)
    vector = rng.standard_normal(operator.n)
    vector /= np.linalg.norm(vector)
    for step in range(steps):
        basis[:, step] = vector
        product = operator.matmul(vector[:, None])[:, 0]
        diagonal[step] = vector @ product
        known = basis[:, : step + 1]
        for _ in range(2):
            product -= known @ (known.T @ product)
        beside[step] = np.linalg.norm(product)
        if beside[step] <= 1e-14 * np.abs(diagonal[: step + 1]).max():
            break  # an invariant subspace: nothing further can be seen from this start
        vector = product / beside[step]
    done = step + 1
    values = np.linalg.eigvalsh(_tridiagonal(diagonal[:done], beside[: done - 1]))
    return Extremes(float(values[0]), float(values[-1]), done)


def _tridiagonal(diagonal: Floats, beside: Floats) -> Floats:
    return np.diag(diagonal) + np.diag(beside, 1) + np.diag(beside, -1)
