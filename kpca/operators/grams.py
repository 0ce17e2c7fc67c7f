"""Kernel matrices as operators on blocks of vectors, and their centring in feature space.

An operator stores its matrix, or computes the kernel values again in every pass. It computes them
by tiles on and above the diagonal. Each tile is used twice, for its row block and for its
column block. Tiles are small enough for the cache, and sums of tiles are taken in float64. Centring
in feature space, optionally weighted, is applied to the blocks of vectors, so that an operator
needs no centred copy of K.
"""

import math
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Protocol

import numpy as np

from kpca.kernels.bound import BoundKernel
from kpca.kernels.registry import as_dense, inner_products
from kpca.linalg.resources import blocks, for_blocks, run_threads
from kpca.types import EPS, Array, Floats, Matrix

TILE = 512  # largest number of rows, and of columns, of a tile
STRIP = 192  # number of rows that are computed at once for a stored K
COLUMNS = 256  # number of vectors that are multiplied at once
# Relative excess of |K_ij| over √(K_ii K_jj) that counts as rounding. It is smaller than the
# allowance of `CentredGram.error` for its own terms.
ROOM = 1e-6


class Gram(Protocol):
    """A symmetric kernel matrix K of the training points, defined by its products with vectors."""

    n: int  # number of training points
    dtype: np.dtype  # type in which entries of K are computed; products are accumulated in float64
    terms: int  # largest number of products that are added up in the type `dtype`
    rounding: Floats  # e, of shape (n,): the error of K_ij is at most e_i + e_j

    @property
    def diagonal(self) -> Floats:
        """The diagonal of K, in float64."""

    @property
    def sizes(self) -> Floats:
        """s, of shape (n,), with |K_ij| ≤ √(s_i s_j) for all pairs of training points."""

    def matmul(self, V: Array) -> Floats:
        """Return K V in float64 for a block V of shape (n, p)."""


def row_sizes(K: Matrix) -> Floats:
    """Return max_j |K_ij| of each row i."""
    ends = K.max(axis=1), -K.min(axis=1)
    return np.maximum(*(as_dense(end) for end in ends)).ravel()


class FullGram:
    """A symmetric K stored as one array, which is used without a copy and never changed."""

    def __init__(
        self,
        K: Array,
        n_threads: int = 1,
        rounding: Floats | None = None,
        sizes: Floats | None = None,
    ) -> None:
        self.K = K
        self._sizes = sizes
        self.dtype = K.dtype
        self.n_threads = n_threads
        self.diagonal = K.diagonal().astype(np.float64)
        self.n = self.terms = K.shape[0]
        self.rounding = np.zeros(self.n) if rounding is None else rounding

    @classmethod
    def from_kernel(cls, kernel: BoundKernel, X: Matrix, n_threads: int = 1) -> "FullGram":
        """Compute the upper triangle of K by strips of rows, and mirror it.

        For a kernel of inner products, one matrix product gives a whole strip. A strip of another
        kernel is computed by tiles that stay in the cache.
        """
        n = X.shape[0]
        K = np.empty((n, n), kernel.dtype)
        strips = blocks(n, STRIP)
        width = n if kernel.kernel.product is inner_products else STRIP

        def work(thread: int) -> None:
            for rows in strips[thread::n_threads]:
                features = kernel.left(X[rows])
                for start in range(rows.start, n, width):
                    columns = slice(start, min(start + width, n))
                    kernel.block(features, columns, K[rows, columns])
                K[rows.stop :, rows] = K[rows, rows.stop :].T

        run_threads(work, n_threads)
        return cls(K, n_threads, kernel.rounding(X), kernel.sizes(X))

    def matmul(self, V: Array) -> Floats:
        """Return K V in float64."""
        out = np.empty((V.shape[1], self.n))
        block = np.ascontiguousarray(V.T)

        def work(rows: slice) -> None:
            np.matmul(block, self.K[:, rows], out=out[:, rows])  # Vᵀ K is faster than K V

        for_blocks(self.n, work, self.n_threads)
        return out.T

    @cached_property
    def sizes(self) -> Floats:
        """|K_ii| if it bounds K, as the diagonal of a semidefinite K does, or else max_j |K_ij|.

        For example, −D²/2 for distances D needs the second case, because its diagonal is zero.
        """
        if self._sizes is not None:
            return self._sizes
        sizes = np.abs(self.diagonal)
        largest = row_sizes(self.K)
        roots = np.sqrt(sizes) * (1 + ROOM)
        # Other rows are bounded, because their largest entry is.
        unclear = np.flatnonzero(largest > roots * roots.min(initial=np.inf))
        parts = (unclear[rows] for rows in blocks(len(unclear), STRIP))
        is_bound = all(
            (np.abs(self.K[part]) <= np.multiply.outer(roots[part], roots)).all() for part in parts
        )
        return sizes if is_bound else largest


class TiledGram:
    """K as an operator that takes memory O(n), because every pass recomputes the kernel values.

    The rows of tiles are computed by threads. The `kernel` is bound to the training points X, and
    its precision is that of the tiles.
    """

    def __init__(self, kernel: BoundKernel, X: Matrix, n_threads: int = 1) -> None:
        self.n = X.shape[0]
        self.dtype = kernel.dtype
        self.n_threads = n_threads
        self.terms = TILE
        self.rounding = kernel.rounding(X)
        self.kernel = kernel
        self.X = X
        self.diagonal = kernel.diagonal(X)
        self.sizes = kernel.sizes(X)

    def matmul(self, V: Array) -> Floats:
        """Return K V in float64, computed in one pass over the tiles.

        The rows of tiles go to threads by a fixed schedule, and the results of threads are added in
        order. Therefore a product repeats bit by bit for a given number of threads.
        """
        block = np.ascontiguousarray(V, dtype=self.dtype)
        edges = self.cut(V.shape[1])
        n_parts = min(self.n_threads, len(edges))
        parts = run_threads(lambda part: self._part(block, edges, part, n_parts), n_parts)
        return reduce(np.add, parts)

    def cut(self, columns: int) -> list[slice]:
        """Return the blocks of rows for the fastest product of K with `columns` vectors.

        OpenBLAS is fastest if rows of a tile × columns of a tile × vectors is below a million.
        """
        edge = int(np.clip((1e6 / columns) ** 0.5 // 16 * 16, 64, TILE))
        return blocks(self.n, edge)

    def _part(self, V: Array, edges: list[slice], part: int, n_parts: int) -> Floats:
        """Return the part of K V from every `n_parts`-th row of tiles, beginning with `part`."""
        out = np.zeros(V.shape)
        edge = edges[0].stop
        entries = np.empty(edge**2, V.dtype)
        products = np.empty((edge, V.shape[1]), V.dtype)
        for i in range(part, len(edges), n_parts):
            rows = edges[i]
            remaining = self.kernel.left(self.X[rows])
            for columns in edges[i:]:
                shape = (remaining.shape[0], columns.stop - columns.start)
                tile = entries[: shape[0] * shape[1]].reshape(shape)
                self.kernel.block(remaining, columns, tile)
                out[rows] += np.matmul(tile, V[columns], out=products[: len(tile)])
                if columns.start > rows.start:
                    out[columns] += np.matmul(tile.T, V[rows], out=products[: tile.shape[1]])
        return out


@dataclass(frozen=True, eq=False)
class Centering:
    """The maps between K and K̄ = D^½ (I − 1wᵀ/W) K (I − w1ᵀ/W) D^½, D = diag(w), W = Σw.

    Without weights, D = I and K̄ = HKH with H = I − 11ᵀ/n. With ``center=False``, K̄ = D^½ K D^½. A
    point with an integer weight has the effect of that many equal points.
    """

    n: int  # number of training points
    center: bool = True  # whether the mean in feature space is subtracted
    weights: Floats | None = None  # shape (n,), not negative; None means that all are 1
    weight_sum: float | None = None  # W, if only the sum of the weights is known

    @property
    def total(self) -> float:
        """W, the sum of the weights."""
        if self.weight_sum is not None:
            return self.weight_sum
        return float(self.n if self.weights is None else self.weights.sum())

    @cached_property
    def normalized_weights(self) -> Floats:
        """The weights w / W, which sum to 1."""
        if self.weights is None:
            return np.full(self.n, 1 / self.n)
        return self.weights / self.total

    def rooted(self, V: Array, rows: slice = slice(None)) -> Array:
        """Return D^½ V for a block or vector V over all training points, or over some `rows`."""
        return V if self.weights is None else (V.T * np.sqrt(self.weights[rows])).T

    def apply_right(self, V: Array) -> Array:
        """Return (I − w1ᵀ/W) D^½ V, the block or vector that K multiplies in the product K̄ V."""
        V = self.rooted(V)
        if not self.center:
            return V
        if self.weights is None:
            return V - V.sum(axis=0) / self.n
        return V - np.multiply.outer(self.normalized_weights, V.sum(axis=0))

    def apply_left(self, V: Array) -> Array:
        """Return D^½ (I − 1wᵀ/W) V for a block or vector V that is a product with K."""
        if self.center:
            V = V - self.normalized_weights @ V
        return self.rooted(V)

    def matrix(self, K: Floats) -> Floats:
        """Return K̄ as a new array."""
        centred = K.copy()
        for side in (centred, centred.T):  # K is large, so it is centred in place.
            if self.center:
                side -= self.normalized_weights @ side
            if self.weights is not None:
                side *= np.sqrt(self.weights)[:, None]
        return centred.T

    def project(self, V: Array) -> Array:
        """Return V without its component along D^½1, which K̄ maps to zero."""
        if not self.center:
            return V
        if self.weights is None:
            return V - self.normalized_weights @ V
        root = np.sqrt(self.weights)
        return V - root[:, None] * (root @ V / self.total)

    def coefficients(self, values: Floats, vectors: Floats) -> Floats:
        """Return C = (I − w1ᵀ/W) D^½ A Λ^(−½), so that the scores of x are k(x)ᵀC − (K w/W)ᵀC.

        Λ are the `values`, A the `vectors`, and k(x) the kernel values of x with all training
        points. The coefficients of components of eigenvalue zero are zero.
        """
        return self.apply_right(vectors * inverse_roots(values))

    def scores(self, values: Floats, vectors: Floats) -> Floats:
        """Return the scores √λ_j a_ij / √w_i of the training points; NaN if w_i is zero."""
        scores = vectors * np.sqrt(values)
        if self.weights is None:
            return scores
        root = np.sqrt(np.where(self.weights > 0, self.weights, np.nan))
        return scores / root[:, None]


def inverse_roots(values: Floats) -> Floats:
    """Return 1/√λ for each of the `values` λ, or 0 if λ is 0."""
    return np.divide(1, np.sqrt(values), out=np.zeros_like(values), where=values > 0)


class CentredGram:
    """K̄ as an operator on blocks, with its trace and the means K w/W that centre new points.

    The first product multiplies w/W as an additional column, so that the means K w/W cost no
    separate pass. Rounding is measured relative to ``scale``, which is Σ w_i s_i with the sizes s
    of the kernel matrix. It bounds ‖D^½ K D^½‖_F, and every eigenvalue of K̄.
    """

    def __init__(self, gram: Gram, centering: Centering, means: Floats | None = None) -> None:
        self.gram = gram
        self.centering = centering
        self.n = gram.n
        self.scale = self._weighted(gram.sizes)
        self._means = means  # K w/W, of shape (n,), if it is known without a product

    def matmul(self, V: Array) -> Floats:
        """Return K̄ V for a block V of shape (n, p)."""
        block = self.centering.apply_right(V)
        carried = self._means is None and self.centering.center
        if carried:
            block = np.column_stack([block, self.centering.normalized_weights])
        block = block.astype(self.gram.dtype, copy=False)  # frees the block of the other type
        product = self.gram.matmul(block)
        if carried:
            self._means = product[:, -1].copy()
            product = product[:, :-1]
        if self.centering.center:  # This is `apply_left` without a copy.
            product -= self.centering.normalized_weights @ product
        return self.centering.rooted(product)

    @property
    def error(self) -> float:
        """Bound ‖fl(K̄V) − K̄V‖_F / ‖V‖_F for any order of summation, with rounding of the entries.

        Let E be the errors of the entries. A product satisfies
        ‖fl((K + E)V) − KV‖_F ≤ (‖E‖_F + γ ‖|K|‖_F) ‖V‖_F (Higham 2002, section 3.5). The
        block that K multiplies is D^½ P V, where P is an orthogonal projection, so that P V is no
        longer than V. `scale` bounds ‖D^½ |K| D^½‖_F, because K_ij² ≤ s_i s_j for the sizes s.
        """
        units = (self.gram.terms + 4) * float(np.finfo(self.gram.dtype).eps) / 2
        units += 2 * self.n * EPS
        return self.entry_error + units * self.scale

    @property
    def backward_error(self) -> float:
        """Bound the errors of the eigenvalues of K̄ that LAPACK computes in float64.

        K̄ is known up to the `error` of a product. LAPACK's eigenvalues are those
        of a matrix that differs from K̄ by a small multiple of the unit roundoff. The factor n is a
        generous bound on this multiple.
        """
        return self.error + self.n * EPS * self.scale

    @property
    def expected_error(self) -> float:
        """Estimate the rounding of K̄v for a vector v of norm 1: 4 √n eps `scale` + ‖E‖_F / √n.

        Errors of sums of n terms grow with √n if they are independent, and with n in the worst case
        (Higham, Mary 2019, A new approach to probabilistic rounding error analysis). The norm of
        the errors E of the entries behaves in the same way.
        """
        root = math.sqrt(self.n)
        return 4 * root * EPS * self.scale + self.entry_error / root

    @property
    def entry_error(self) -> float:
        """A bound on the norm of the errors of the entries, (Σ w_i w_j (e_i + e_j)²)^½."""
        e = self.gram.rounding
        total = self.centering.total
        return math.sqrt(2 * total * self._weighted(e**2) + 2 * self._weighted(e) ** 2)

    @property
    def means(self) -> Floats:
        """K w/W, the mean kernel value of each training point; zero without centring."""
        if not self.centering.center:
            return np.zeros(self.n)
        if self._means is None:
            self._means = self.gram.matmul(self.centering.normalized_weights[:, None])[:, 0]
        return self._means

    @property
    def trace(self) -> float:
        """tr(K̄) = Σ w_i K_ii − wᵀKw/W, exact."""
        mean = float(self.centering.normalized_weights @ self.means)
        return self._weighted(self.gram.diagonal) - self.centering.total * mean

    @property
    def diagonal(self) -> Floats:
        """The diagonal of K̄, of shape (n,): w_i (K_ii − 2 m_i + wᵀm/W) with the `means` m."""
        means = self.means
        weights = self.centering.weights
        diagonal = self.gram.diagonal - 2 * means + self.centering.normalized_weights @ means
        return diagonal if weights is None else weights * diagonal

    def _weighted(self, diagonal: Floats) -> float:
        weights = self.centering.weights
        return float(diagonal.sum() if weights is None else weights @ diagonal)


def residual_norms(
    operator: CentredGram, values: Floats, vectors: Floats, products: Floats | None = None
) -> Floats:
    """Return ‖K̄a_i − λ_i a_i‖ for each pair, in float64, of shape (k,).

    By Weyl's theorem, an eigenvalue of K̄ lies within that distance of λ_i. `products` are K̄ times
    the `vectors`, both of shape (n, k), if an earlier pass in float64 computed them.
    """
    norms = np.empty(len(values))
    for part in blocks(len(values), COLUMNS):  # Parts limit the memory to a few vectors.
        block = vectors[:, part]
        product = operator.matmul(block) if products is None else products[:, part]
        norms[part] = np.linalg.norm(product - block * values[part], axis=0)
    return norms
