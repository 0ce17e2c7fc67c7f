"""Rayleigh–Ritz in a growing subspace: the engine that refines, and that of Davidson's method.

The basis grows by the residuals of the wanted Ritz pairs, preconditioned or not.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from kpca.types import Array, Floats

Product = Callable[[Array], Floats]
Correction = Callable[[Floats, Floats], Floats]  # (residuals, Ritz values) → new directions

DEPENDENT = 1e-12  # squared singular values below this share of the largest are dropped
STALL = 0.7  # progress of less than this over two expansions is a floor, not convergence


@dataclass(frozen=True, eq=False)
class Ritz:
    """The leading Ritz pairs, their products, and the small eigenproblem they came from.

    Attributes
    ----------
    values, vectors, products : ndarray of shape (k,), (n, k), (n, k)
        θ, x and A x.
    small : ndarray of shape (w, w)
        Coefficients of all Ritz vectors in the basis.
    all_values : ndarray of shape (w,)
        All Ritz values in decreasing order.
    """

    values: Floats
    vectors: Floats
    products: Floats
    small: Floats
    all_values: Floats

    @property
    def residuals(self) -> Floats:
        """A x − θ x for each pair, of shape (n, k)."""
        return self.products - self.vectors * self.values

    def norms(self) -> Floats:
        """Give the norms of the residuals over the largest Ritz value."""
        top = abs(self.values[0]) or 1.0
        return np.linalg.norm(self.residuals, axis=0) / top


@dataclass(eq=False)
class Subspace:
    """An orthonormal basis Q, the products AQ, and the projected matrix H = QᵀAQ.

    Only the lower triangle of H is used: its entries pair new directions with the products of
    older ones, and the older products are the more precise ones.

    Attributes
    ----------
    basis, products : ndarray of shape (n, w)
    projected : ndarray of shape (w, w)
    first : int
        Width at the start.
    history : list of float
        Largest residual norm before each expansion.
    """

    basis: Floats
    products: Floats
    projected: Floats
    first: int
    history: list[float] = field(default_factory=list)

    @classmethod
    def start(cls, block: Floats, product: Product) -> "Subspace":
        """Open a subspace with the span of a block."""
        basis = orthonormal(orthonormal(block))
        products = product(basis)
        return cls(basis, products, basis.T @ products, basis.shape[1])

    @property
    def width(self) -> int:
        """Number of basis vectors."""
        return self.basis.shape[1]

    def ritz(self, k: int) -> Ritz:
        """Compute the k largest Ritz pairs."""
        values, small = np.linalg.eigh(self.projected, UPLO="L")
        values, small = values[::-1], small[:, ::-1]
        wanted = small[:, :k]
        return Ritz(values[:k], self.basis @ wanted, self.products @ wanted, small, values)

    def expand(self, block: Floats, product: Product) -> bool:
        """Add the directions of a block; say whether there were any new ones."""
        block = orthonormal_against(block, self.basis)
        if block.shape[1] == 0:
            return False
        products = product(block)
        old, new = self.width, block.shape[1]
        projected = np.zeros((old + new, old + new))
        projected[:old, :old] = self.projected
        projected[old:, :old] = block.T @ self.products
        projected[old:, old:] = block.T @ products
        self.basis = np.hstack([self.basis, block])
        self.products = np.hstack([self.products, products])
        self.projected = projected
        return True

    def restart(self, ritz: Ritz, keep: int) -> None:
        """Keep the span of the leading Ritz vectors (thick restart)."""
        small = ritz.small[:, :keep]
        self.basis, self.products = self.basis @ small, self.products @ small
        self.projected = np.diag(ritz.all_values[:keep])

    def added(self, ritz: Ritz) -> Floats:
        """Give the share of each Ritz vector outside the start block, as a norm."""
        return np.linalg.norm(ritz.small[self.first :, : len(ritz.values)], axis=0)


def iterate(
    subspace: Subspace,
    product: Product,
    k: int,
    tol: float,
    *,
    correct: Correction | None = None,
    project: Callable[[Floats], Floats] = lambda V: V,
    max_basis: int = 120,
    max_iter: int = 60,
) -> Ritz:
    """Expand a subspace until the k largest Ritz pairs meet the tolerance, or no longer improve.

    Parameters
    ----------
    subspace : Subspace
        Changed in place.
    product : callable
        The operator on new directions.
    k : int
        Number of pairs.
    tol : float
        Bound on the residual norms over the largest Ritz value.
    correct : callable, optional
        Preconditioner of the residuals.
    project : callable
        Takes a known null space out of new directions.
    max_basis, max_iter : int
        Width at which the subspace restarts, and the limit of expansions.

    Returns
    -------
    Ritz
        The last k Ritz pairs, whether they meet the tolerance or not.

    References
    ----------
    Davidson (1975), J. Comput. Phys. 17.
    """
    history = subspace.history
    while True:
        ritz = subspace.ritz(k)
        norms = ritz.norms()
        history.append(float(norms.max()))
        if history[-1] <= tol or len(history) > max_iter or stalled(history):
            return ritz
        if subspace.width + k > max(max_basis, 3 * k):
            subspace.restart(ritz, 2 * k)
        block = ritz.residuals[:, norms > tol]
        if correct is not None:
            block = correct(block, ritz.values[norms > tol])
        if not subspace.expand(project(block), product):
            return ritz


def stalled(history: list[float]) -> bool:
    """Whether small residuals have stopped falling, as they do at the floor of a precision."""
    return len(history) > 3 and history[-1] < 1e-5 and history[-1] > STALL * history[-3]


def orthonormal(block: Floats) -> Floats:
    """Give an orthonormal basis of the span of a block by its Gram matrix.

    Directions that depend on the others to rounding are left out. One call leaves an error of
    the squared condition number, two calls none.
    """
    norms = np.linalg.norm(block, axis=0)
    block = block[:, norms > 0] / norms[norms > 0]
    if block.shape[1] == 0:
        return block
    values, vectors = np.linalg.eigh(block.T @ block)
    kept = values > DEPENDENT * values[-1]
    return block @ (vectors[:, kept] / np.sqrt(values[kept]))


def orthonormal_against(block: Floats, basis: Floats) -> Floats:
    """Give an orthonormal basis of what a block adds to a basis; twice is enough."""
    for _ in range(2):
        block = orthonormal(block - basis @ (basis.T @ block))
    return block
