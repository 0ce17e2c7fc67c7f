"""Block Lanczos with full reorthogonalisation and thick restart: the engine of stored searches.

From a block V it spans the whole Krylov space V, AV, A²V, … by one product a step, and knows the
residuals of its Ritz pairs, and what it has left out, without any further product.
"""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kpca.types import Array, Floats

MAX_BASIS = 120  # columns
logger = logging.getLogger("kpca")
QUIET = 2.0  # seconds before the first line

Product = Callable[[Array], Floats]  # of a symmetric matrix with a block of vectors

DEPENDENT = 1e-12  # squared singular values below this share of the largest are dropped


def orthonormal(block: Floats) -> Floats:
    """Return an orthonormal basis of the span of a block by its Gram matrix.

    Directions that depend on the others to rounding are left out. One call leaves an error of
    the squared condition number, two calls none.
    """
    gram = block.T @ block
    norms = np.sqrt(np.where(gram.diagonal() > 0, gram.diagonal(), 1))
    values, vectors = np.linalg.eigh(gram / np.outer(norms, norms))
    kept = values > DEPENDENT * values.max(initial=0)
    return block @ (vectors[:, kept] / (norms[:, None] * np.sqrt(values[kept])))


def orthonormalize_against(block: Floats, Q: Floats) -> Floats:
    """Return an orthonormal basis of a block that is orthogonal to Q but for rounding.

    Directions that lose most of their norm in the second projection were rounding errors, and are
    left out. If the space is exhausted, nothing is left.
    """
    block = orthonormal(block)
    block = block - Q @ (Q.T @ block)
    return orthonormal(block[:, np.linalg.norm(block, axis=0) > 0.5])


def tell(number: int, residual: float, start: float) -> None:
    """Log a pass of a search that began at `start`; silent for the first two seconds."""
    seconds = time.monotonic() - start
    if seconds >= QUIET:
        logger.info("pass %d: residual %.1e after %.0f s", number, residual, seconds)


@dataclass(frozen=True, eq=False)
class KrylovSpace:
    """A Krylov space with its Ritz pairs: AQ = QH + R, where R is zero but for the last block."""

    values: Floats  # of shape (w,): all Ritz values in decreasing order
    vectors: Floats  # of shape (n, p): leading Ritz vectors, as many as the start had columns or 3k
    basis: Floats  # of shape (n, w): Q, orthonormal
    residual_block: Floats  # of shape (n, p): the last block of R, orthogonal to Q
    dropped_norm: float  # bound on the norm of what was left out of R as dependent to rounding
    steps: int  # products made before the space was first cut back, if ever it was
    products: int = 0  # products made after the first
    lowest: float = np.inf  # least Ritz value of all steps


def block_lanczos(
    start: Floats,
    product: Product,
    k: int,
    tol: float,
    *,
    project: Callable[[Floats], Floats] = lambda V: V,
    max_basis: int | None = None,
    max_iter: int = 240,
) -> KrylovSpace:
    """Extend a Krylov space until its k largest Ritz pairs meet the tolerance.

    Parameters
    ----------
    start : ndarray of shape (n, p)
        p ≥ k columns; those beyond k speed up convergence.
    product, project : callable
        A symmetric matrix A on blocks; what takes a known null space out of new directions.
    tol : float
        Bound on the residual norms over the largest Ritz value.
    max_basis, max_iter : int
        Width at which the space is cut back to its leading Ritz vectors, by default 120, and the
        limit of products after the first.

    References
    ----------
    Golub, Underwood (1977), The block Lanczos method for computing eigenvalues, Mathematical
    Software III; Wu, Simon (2000), Thick-restart Lanczos method for large symmetric eigenvalue
    problems, SIAM J. Matrix Anal. 22.
    """
    block = orthonormal(orthonormal(start))
    n, width = block.shape
    keep = max(2 * k, start.shape[1])
    room = min(n, max(max_basis or MAX_BASIS, 3 * start.shape[1], keep + width)) + width
    basis, projected = np.empty((n, room), order="F"), np.zeros((room, room))
    basis[:, :width] = block
    dropped, products, steps, began = 0.0, 0, 0, time.monotonic()
    lowest = np.inf
    while True:
        Q, last = basis[:, :width], slice(width - block.shape[1], width)
        residual, products = product(block), products + 1
        # One triangle is enough: new directions against all that came before them.
        projected[:width, last] = coupled = Q.T @ residual
        residual -= Q @ coupled
        values, S = np.linalg.eigh(projected[:width, :width], UPLO="U")
        values, S = values[::-1], S[:, ::-1]
        lowest = min(lowest, float(values[-1]))
        norms = np.linalg.norm(residual @ S[last, :k], axis=0) / (abs(values[0]) or 1.0)
        tell(products, float(norms.max(initial=0)), began)
        met = norms.max(initial=0) <= tol or products > max_iter
        added = orthonormalize_against(project(residual), Q) if not met else block[:, :0]
        if added.shape[1] == 0:
            break
        if added.shape[1] < residual.shape[1]:
            dropped += float(np.linalg.norm(residual - added @ (added.T @ residual)))
        if width + added.shape[1] > room:
            _restart(basis, projected, values[:keep], Q @ S[:, :keep])
            width, steps = keep, steps or products
        block = added
        basis[:, width : width + block.shape[1]] = block
        width += block.shape[1]
    vectors = Q @ S[:, : max(3 * k, start.shape[1])]
    return KrylovSpace(
        values, vectors, Q, residual, dropped, steps or products, products - 1, lowest
    )


def _restart(basis: Floats, projected: Floats, values: Floats, vectors: Floats) -> None:
    """Begin the basis with the leading Ritz vectors, in which the projected matrix is diagonal."""
    keep = len(values)
    basis[:, :keep] = vectors
    projected[:] = 0
    projected.flat[: keep * (len(projected) + 1) : len(projected) + 1] = values
