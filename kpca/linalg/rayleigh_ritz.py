"""Rayleigh–Ritz in a growing subspace: one exact pass, corrected by products in low precision.

The basis grows by the residuals of the wanted Ritz pairs, preconditioned (Davidson's method) or
not (the refinement of what a search in low precision found).

References
----------
Davidson (1975), J. Comput. Phys. 17.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kpca.linalg.block_lanczos import MAX_BASIS, Product, orthonormal, orthonormalize_against, tell
from kpca.types import Floats

Correction = Callable[[Floats, Floats], Floats]  # (residuals, Ritz values) → new directions

EXPANSIONS = 60
STALL = 0.7  # progress of less than this over two expansions is a floor, not convergence


@dataclass(frozen=True, eq=False)
class Ritz:
    """The leading Ritz pairs: θ of shape (k,), x and A x of shape (n, k)."""

    values: Floats
    vectors: Floats
    products: Floats
    added: Floats  # of shape (k,): norm of the part of each vector whose product is not exact
    # Of shape (k,): a bound on the sum of the moduli of all that such products went into, whose
    # errors may add up where the parts themselves cancel.
    most: Floats

    @property
    def top(self) -> float:
        """The size of the largest Ritz value, or 1."""
        return abs(float(self.values[0])) or 1.0

    @property
    def residuals(self) -> Floats:
        """A x − θ x for each pair, of shape (n, k)."""
        return self.products - self.vectors * self.values

    def norms(self) -> Floats:
        """Return the norms of the residuals over the largest Ritz value."""
        return np.linalg.norm(self.residuals, axis=0) / self.top


@dataclass(eq=False)
class Subspace:
    """An orthonormal basis Q, the products AQ, and the projected matrix H = QᵀAQ.

    Only the lower triangle of H is used: its entries pair new directions with the products of
    older ones, and the older products are the more precise ones. At the start all products are
    exact; those of later basis vectors are not.
    """

    basis: Floats  # of shape (n, w)
    products: Floats  # of shape (n, w)
    projected: Floats  # of shape (w, w)
    first: int  # width at the start, or after the last restart
    most: Floats  # of shape (first,): as of `Ritz`, 0 at the start
    # Of shape (n, first) after a restart: the part of these vectors whose product is not exact.
    inexact: Floats | None = None
    # Of a product beyond the start block, measured on the leading Ritz vector.
    error: float | None = None
    products_made: int = 1

    @classmethod
    def start(cls, block: Floats, product: Product) -> "Subspace":
        """Open a subspace with the span of a block."""
        basis = orthonormal(orthonormal(block))
        products = product(basis)
        width = basis.shape[1]
        return cls(basis, products, basis.T @ products, width, np.zeros(width))

    @property
    def width(self) -> int:
        """Number of basis vectors."""
        return self.basis.shape[1]

    def _solved(self) -> tuple[Floats, Floats]:
        values, small = np.linalg.eigh(self.projected, UPLO="L")
        return values[::-1], small[:, ::-1]

    def ritz(self, k: int) -> Ritz:
        """Compute the k largest Ritz pairs."""
        values, small = self._solved()
        small = small[:, :k]
        added = np.linalg.norm(small[self.first :], axis=0)
        if self.inexact is not None:
            added = np.linalg.norm(self._inexact(small), axis=0)
        most = self._most(small)
        return Ritz(values[:k], self.basis @ small, self.products @ small, added, most)

    def _most(self, small: Floats) -> Floats:
        """Return the sums of moduli that inexact products went into: √p ‖s‖ for p new vectors."""
        new = np.sqrt(self.width - self.first) * np.linalg.norm(small[self.first :], axis=0)
        return new + np.abs(small[: self.first]).T @ self.most

    def _inexact(self, small: Floats) -> Floats:
        """Return the parts of combinations of the basis whose products are not exact."""
        later = self.basis[:, self.first :] @ small[self.first :]
        return later if self.inexact is None else later + self.inexact @ small[: self.first]

    def expand(self, block: Floats, product: Product) -> bool:
        """Add the directions of a block; say whether there were any new ones.

        The first product that is not exact carries a vector with a known one along.
        """
        block = orthonormalize_against(block - self.basis @ (self.basis.T @ block), self.basis)
        old, new = self.width, block.shape[1]
        if new == 0:
            return False
        self.products_made += 1
        if self.error is None:
            known = self.ritz(1)
            products = product(np.hstack([block, known.vectors]))
            self.error = float(np.linalg.norm(products[:, -1:] - known.products))
            products = products[:, :-1]
        else:
            products = product(block)
        projected = np.zeros((old + new, old + new))
        projected[:old, :old] = self.projected
        projected[old:, :old] = block.T @ self.products
        projected[old:, old:] = block.T @ products
        self.basis = np.hstack([self.basis, block])
        self.products = np.hstack([self.products, products])
        self.projected = projected
        return True

    def restart(self, keep: int) -> None:
        """Keep the span of the leading Ritz vectors (thick restart)."""
        values, small = self._solved()
        small = small[:, :keep]
        self.inexact, self.most, self.first = self._inexact(small), self._most(small), keep
        self.basis, self.products = self.basis @ small, self.products @ small
        self.projected = np.diag(values[:keep])


def iterate(
    subspace: Subspace,
    product: Product,
    k: int,
    tol: float,
    *,
    correct: Correction | None = None,
    project: Callable[[Floats], Floats] = lambda V: V,
    max_iter: int = EXPANSIONS,
    floor: float = 1e-5,
) -> Ritz:
    """Expand a subspace until the k largest Ritz pairs meet the tolerance, or no longer improve.

    Gives the last k Ritz pairs, whether they meet the tolerance or not.

    Parameters
    ----------
    subspace : Subspace
        Changed in place.
    product, correct, project : callable
        The operator on new directions; a preconditioner of the residuals; what takes a known null
        space out of new directions.
    tol : float
        Bound on the residual norms over the largest Ritz value.
    max_iter : int
        Limit of expansions. The subspace restarts at a width of 120.
    floor : float
        Residual below which slow progress means that the precision of the product is reached.
    """
    history: list[float] = []  # largest residual norm before each expansion
    began = time.monotonic()
    while True:
        ritz = subspace.ritz(k)
        norms = ritz.norms()
        history.append(float(norms.max()))
        tell(len(history), history[-1], began)
        if history[-1] <= tol or len(history) > max_iter or stalled(history, floor):
            return ritz
        if subspace.width + k > max(MAX_BASIS, 3 * k):
            subspace.restart(2 * k)
        block = ritz.residuals[:, norms > tol]
        if correct is not None:
            block = correct(block, ritz.values[norms > tol])
        if not subspace.expand(project(block), product):
            return ritz


def stalled(history: list[float], floor: float) -> bool:
    """Whether small residuals have stopped falling, as they do at the floor of a precision."""
    return len(history) > 3 and history[-1] < floor and history[-1] > STALL * history[-3]
