"""Points that span a positive semidefinite kernel matrix, from a low-rank factor K ≈ F Fᵀ.

References
----------
Chen, Epperly, Tropp, Webber (2025), Randomly pivoted Cholesky, Comm. Pure Appl. Math. 78;
Epperly, Tropp, Webber (2024), Embrace rejection: kernel matrix approximation by accelerated
randomly pivoted Cholesky.
"""

import numpy as np
from scipy.linalg import solve_triangular

from kpca.kernels import BoundKernel
from kpca.linalg.threads import for_blocks
from kpca.operators.sources import KernelSource
from kpca.types import Array, Floats

# Per unit of the diagonal.
REMAINDER_NOISE = {np.dtype(np.float32): 2e-6, np.dtype(np.float64): 1e-13}


def random_pivots(
    source: KernelSource, m: int, seed: int, dtype: type = np.float32, n_threads: int = 1
) -> Array:
    """Give at most m pivots of randomly pivoted Cholesky, K ≈ F Fᵀ, accelerated by rejection.

    Pivots are drawn in blocks, with probability proportional to the diagonal of the remainder. It
    stops before m columns where the remainder is rounding. The kernel is positive semidefinite, and
    `dtype` the precision of F.
    """
    rng = np.random.default_rng(seed)
    block = max(32, m // 8)
    remainder = source.diagonal(source.X)
    noise = REMAINDER_NOISE[np.dtype(dtype)] * float(remainder.mean())
    F, pivots, done = np.empty((source.n, m), dtype), np.empty(m, dtype=np.intp), 0
    while done < m and remainder.sum() > noise * source.n:
        drawn = rng.choice(source.n, block, p=remainder / remainder.sum())
        bound = BoundKernel(source.name, source.parameters, source.X[drawn])
        rows = F[drawn, :done].astype(np.float64)
        own = bound.values(source.X[drawn]) - rows @ rows.T
        accepted, L = _accept(own, drawn, rng.random(block), m - done, 10 * noise)
        if not accepted:
            break
        pivots[done : done + len(accepted)] = drawn[accepted]
        _extend(source, F, done, drawn[accepted], L, remainder, n_threads)
        done += len(accepted)
    return pivots[:done]


def _extend(
    source: KernelSource,
    F: Array,
    done: int,
    chosen: Array,
    L: Floats,
    remainder: Floats,
    n_threads: int,
) -> None:
    """Add the columns of the chosen pivots to F and take them off the remainder, by rows."""
    X, new = source.X, slice(done, done + len(chosen))
    bound = BoundKernel(source.name, source.parameters, X[chosen], F.dtype.type)
    inverse = solve_triangular(L, np.eye(len(chosen)), lower=True).T.astype(F.dtype)
    known = F[chosen, :done].T

    def work(rows: slice, _: int) -> None:
        columns = np.empty((rows.stop - rows.start, len(chosen)), F.dtype)
        bound.block(bound.left(X[rows]), slice(None), columns)
        columns -= F[rows, :done] @ known
        columns = columns @ inverse
        F[rows, new] = columns
        remainder[rows] -= np.einsum("ij,ij->i", columns, columns, dtype=np.float64)

    for_blocks(source.n, work, n_threads)
    np.maximum(remainder, 0, out=remainder)


def _accept(
    own: Floats, drawn: Array, chances: Floats, room: int, noise: float
) -> tuple[list[int], Floats]:
    """Go through the candidates, accepting each by what earlier ones left of its diagonal.

    Returns the accepted positions and the Cholesky factor of their block.
    """
    first, left = own.diagonal().copy(), own.diagonal().copy()
    L = np.zeros_like(own)
    accepted: list[int] = []
    taken: set[int] = set()
    for t in range(len(drawn)):
        fresh = left[t] > noise and chances[t] * first[t] < left[t] and int(drawn[t]) not in taken
        if not fresh or len(accepted) == room:
            continue
        q = len(accepted)
        L[:, q] = (own[:, t] - L[:, :q] @ L[t, :q]) / np.sqrt(left[t])
        left = left - L[:, q] ** 2
        accepted.append(t)
        taken.add(int(drawn[t]))
    return accepted, L[accepted][:, : len(accepted)]
