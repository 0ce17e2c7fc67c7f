"""Low-rank approximations of kernel matrices: pivots, and the Nyström preconditioner.

A Nyström approximation of K̄ is never stored. It gives start, preconditioner and bound of a search.
The factor F of K̂ = F Fᵀ has a column for each landmark. Its rows stream by, once through their
Gram matrix, whose eigenpairs give those of K̂̄, and once for every product: kernel values
between n points and a few hundred landmarks cost little compared with a pass over n × n of them.

References
----------
Chen, Epperly, Tropp, Webber (2025), Randomly pivoted Cholesky, Comm. Pure Appl. Math. 78;
Epperly, Tropp, Webber (2024), Embrace rejection: kernel matrix approximation by accelerated
randomly pivoted Cholesky; Frangella, Tropp, Udell (2023), Randomized Nyström preconditioning, SIAM
J. Matrix Anal. 44.
"""

from collections.abc import Callable
from functools import reduce

import numpy as np
from scipy.linalg import eigh, solve_triangular
from scipy.linalg.lapack import dpotrf, dpotri

from kpca.kernels import BoundKernel
from kpca.linalg.threads import blocks, for_blocks, pinned_blas
from kpca.operators import Centering
from kpca.operators.sources import KernelSource
from kpca.types import Array, Floats, Matrix

# Per unit of the diagonal.
REMAINDER_NOISE = {np.dtype(np.float32): 2e-6, np.dtype(np.float64): 1e-13}
SAMPLE = 5  # points from which pivots are drawn, for each of them
STREAMED = 512  # rows that stream by together
GRAM_NOISE = 1e-7  # eigenvalues of the Gram matrix below this share are rounding


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


def _leading_factor(K: Floats) -> Floats:
    """Give the Cholesky factor of the largest leading block that has one in floating point."""
    L, failed = dpotrf(K, lower=1)
    return _leading_factor(K[: failed - 1, : failed - 1]) if failed else L


class StreamedFactor:
    """F̄ = D^½ (I − 1wᵀ/W) K_nS L⁻ᵀ as an operator, with L Lᵀ = K_SS among the landmarks S.

    The kernel is positive semidefinite, and the landmarks are points, of shape (m, d).
    """

    def __init__(
        self, source: KernelSource, centering: Centering, landmarks: Matrix, n_threads: int
    ) -> None:
        self.source, self.centering = source, centering
        self._n_threads = max(1, min(n_threads, -(-source.n // STREAMED)))
        self._L = _leading_factor(source.with_samples(landmarks).bound().values(landmarks))
        self.m = len(self._L)
        self._bound = source.with_samples(landmarks[: self.m]).bound(np.float32)
        self._exact = source.with_samples(landmarks[: self.m]).bound()
        self._mean = np.zeros(self.m)
        # Held, since what threads allocate and free again is not given back to the system.
        self._tiles = np.empty((self._n_threads, STREAMED, self.m), np.float32)

    def centred_gram(self) -> tuple[Floats, float]:
        """Go through the rows of F once, for their mean, F̄ᵀF̄ and tr(D^½ (K − K̂) D^½).

        Sums are over rows of K_nS in double precision, and L⁻¹ meets the sums alone. The
        products need the mean, so that this comes first.
        """
        m, threads = self.m, self._n_threads
        grams, products = np.zeros((threads, m, m)), np.empty((threads, m, m))
        means, own = np.zeros((threads, m)), np.zeros(threads)
        tiles = np.empty((threads, STREAMED, m))
        share = self.centering.normalized_weights

        def work(rows: slice, thread: int) -> None:
            K = self._kernel(self._exact, rows, tiles[thread])
            own[thread] += share[rows] @ self._exact.diagonal(self.source.X[rows])
            means[thread] += share[rows] @ K
            K = self.centering.rooted(K, rows)
            grams[thread] += np.matmul(K.T, K, out=products[thread])

        for_blocks(self.source.n, work, threads, STREAMED)
        summed = reduce(np.add, grams)
        squares, total = float(np.trace(summed)), self.centering.total
        half = solve_triangular(self._L, summed, lower=True, overwrite_b=True)
        gram = solve_triangular(self._L, half.T, lower=True, overwrite_b=True)
        scale = float(total * own.sum())
        trace_error = max(scale - float(np.trace(gram)), 0.0)
        self.rounding = self._rounding(squares, gram, scale)
        if self.centering.center:
            self._mean = solve_triangular(self._L, means.sum(axis=0), lower=True)
            gram -= total * np.outer(self._mean, self._mean)
        return gram, trace_error

    def _rounding(self, squares: float, gram: Floats, scale: float) -> float:
        """Bound what rounding may hide in λ_{k+1}(K̂̄) + tr(K − K̂).

        L Lᵀ is K_SS up to δ = (m + 1) u tr(K_SS) and the errors e of entries, so that K̂ is at most
        (1 + δ ‖L⁻¹‖²) K. Each of two solves with L is off by m u ‖L⁻¹‖ ‖L‖ of what comes out, and
        the Gram matrix of sums by their number of terms (Higham 2002, chapters 4, 8 and 10).
        `squares` is Σ w_i K_is², `gram` that of F, and `scale` Σ w_i K_ii.
        """
        unit, m, total = float(np.finfo(np.float64).eps) / 2, self.m, self.centering.total
        inverse, singular = dpotri(self._L, lower=1)
        if singular:
            return np.inf
        diagonal = inverse.diagonal()  # above it there are zeros, as in L
        growth = float(diagonal.sum())  # ‖L⁻¹‖_F²
        most = float(2 * np.vdot(inverse, inverse) - diagonal @ diagonal) ** 0.5  # above ‖L⁻¹‖²
        entry = 2 * float(self._exact.rounding(self.source.X).max(initial=0))
        factor = (m + 1) * unit * float(np.vdot(self._L, self._L))
        solves = factor * (most + (most * growth) ** 0.5) * float(np.linalg.norm(gram))
        sums = 2 * (STREAMED + self.source.n / STREAMED + 4) * unit * most * squares
        entries = 4 * entry * float(scale * total * m * most) ** 0.5
        return (factor + m * entry) * most * scale + solves + sums + entries

    def matmul(self, V: Floats) -> Floats:
        """F̄ V for V of shape (m, p), straight from kernel values, in float64."""
        inner = solve_triangular(self._L, V, lower=True, trans="T").astype(np.float32)
        out = np.empty((self.source.n, V.shape[1]))

        def work(rows: slice, thread: int) -> None:
            out[rows] = self._kernel(self._bound, rows, self._tiles[thread]) @ inner

        for_blocks(self.source.n, work, self._n_threads, STREAMED)
        out -= self._mean @ V
        return self.centering.rooted(out)

    def adjoint(self, R: Floats) -> Floats:
        """F̄ᵀ R for R of shape (n, p), in float64."""
        parts = np.zeros((self._n_threads, self.m, R.shape[1]))
        sums = np.zeros((self._n_threads, R.shape[1]))

        def work(rows: slice, thread: int) -> None:
            weighted = self.centering.rooted(R[rows], rows)
            sums[thread] += weighted.sum(axis=0)
            K = self._kernel(self._bound, rows, self._tiles[thread])
            parts[thread] += K.T @ weighted.astype(np.float32)

        for_blocks(self.source.n, work, self._n_threads, STREAMED)
        inner = solve_triangular(self._L, parts.sum(axis=0), lower=True)
        return inner - np.outer(self._mean, sums.sum(axis=0))

    def _kernel(self, bound: BoundKernel, rows: slice, tile: Array) -> Array:
        """Fill a tile with kernel values, by strips that keep the linear algebra library fast."""
        left = bound.left(self.source.X[rows])
        height = max(32, int(1e6 / (self.m * left.shape[1])))
        for strip in blocks(left.shape[0], height):
            bound.block(left[strip], slice(None), tile[strip])
        return tile[: left.shape[0]]


class Nystrom:
    """Eigenpairs of K̂̄ = F̄F̄ᵀ: values μ, and vectors F̄M that are never formed.

    The m landmarks at most are the pivots of a randomly pivoted Cholesky factor of a sample, which
    are as good as those of all points. Memory is O(m²). The kernel is positive semidefinite.

    Attributes
    ----------
    values : ndarray of shape (r,)
        In decreasing order.
    M : ndarray of shape (m, r)
    trace_error : float
        tr(D^½ (K − K̂) D^½), D the weights, which bounds every eigenvalue of K̄ − K̂̄.
    """

    def __init__(
        self, source: KernelSource, centering: Centering, m: int, seed: int, n_threads: int = 1
    ) -> None:
        size = min(source.n, max(SAMPLE * m, 1000))
        chosen = np.random.default_rng([seed, m]).choice(source.n, size, replace=False)
        sample = source.with_samples(source.X[np.sort(chosen)])
        landmarks = sample.X[random_pivots(sample, m, seed, n_threads=n_threads)]
        self.factor = StreamedFactor(source, centering, landmarks, n_threads)
        gram, self.trace_error = self.factor.centred_gram()
        with pinned_blas():
            values, vectors = eigh(gram.T, driver="evr", overwrite_a=True, check_finite=False)
        first = int(np.count_nonzero(values <= max(values[-1], 0) * GRAM_NOISE))
        self._dropped = max(float(values[first - 1]), 0.0) if first else 0.0
        self.values: Floats = values[first:][::-1]
        self.M: Floats = vectors[:, first:][:, ::-1] / np.sqrt(self.values)

    def next_bound(self, k: int) -> float:
        """Bound λ_{k+1}(K̄) ≤ λ_{k+1}(K̂̄) + tr(K − K̂) (Weyl), rounding included."""
        known = float(self.values[k]) if len(self.values) > k else self._dropped
        return known + self.trace_error + self.factor.rounding

    def vectors(self, p: int) -> Floats:
        """Give the first p eigenvectors, of shape (n, p)."""
        return self.factor.matmul(self.M[:, :p])

    def preconditioner(self, p: int) -> Callable[[Floats, Floats], Floats]:
        """Give (R, θ) ↦ (θI − K̂̄)⁻¹ R, without what the first p eigenvectors hold already."""
        # A Ritz value of zero pads what has fewer components than were asked for.
        least = 1e-12 * float(self.values.max(initial=0)) or 1.0

        def correct(R: Floats, theta: Floats) -> Floats:
            theta = np.maximum(theta, least)
            coefficients = self.M.T @ self.factor.adjoint(R)
            gaps = np.maximum(theta - self.values[:, None], 1e-3 * theta)
            scaled = coefficients * (1 / gaps - 1 / theta)
            scaled[:p] = -coefficients[:p] / theta
            return R / theta + self.factor.matmul(self.M @ scaled)

        return correct
