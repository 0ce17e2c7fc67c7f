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
    exhausted : bool
        Whether the Krylov space became invariant.
    lowest_vector : ndarray of shape (n,)
        The Ritz vector of the lowest value.
    """

    lowest: float
    highest: float
    steps: int
    exhausted: bool
    lowest_vector: Floats


class Deflated:
    """(I − AAᵀ) K̄ (I − AAᵀ): an operator without its known eigenvectors A."""

    def __init__(self, operator: Operator, vectors: Floats) -> None:
        self.n = operator.n
        self._operator = operator
        self._vectors = vectors

    def _project(self, V: Array) -> Array:
        return V - self._vectors @ (self._vectors.T @ V)

    def matmul(self, V: Array) -> Floats:
        """Give the product with a block of shape (n, p)."""
        return self._project(self._operator.matmul(self._project(V)))


def extremes(operator: Operator, steps: int, seed: int) -> Extremes:
    """Run Lanczos with full orthogonalisation from a seeded Gaussian vector.

    References
    ----------
    Kuczyński, Woźniakowski (1992), Estimating the largest eigenvalue by the power and
    Lanczos algorithms with a random start.
    """
    rng = np.random.default_rng(seed)
    steps, exhausted = min(steps, operator.n), False
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
            exhausted = True
            break  # an invariant subspace: nothing further can be seen from this start
        vector = product / beside[step]
    done = step + 1
    values, small = np.linalg.eigh(_tridiagonal(diagonal[:done], beside[: done - 1]))
    lowest = basis[:, :done] @ small[:, 0]
    return Extremes(float(values[0]), float(values[-1]), done, exhausted, lowest)


def _tridiagonal(diagonal: Floats, beside: Floats) -> Floats:
    return np.diag(diagonal) + np.diag(beside, 1) + np.diag(beside, -1)
