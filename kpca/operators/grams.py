"""The kernel matrix as a product with blocks: stored, or computed anew in every pass; centred.

Kernel values are computed by tiles on and above the diagonal. Each serves twice, for its row block
and for its column block. Tiles are small enough for the cache; sums of tiles run in float64.
Centring in feature space, optionally weighted, is an operator and never a copy.
"""

import math
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Protocol

import numpy as np

from kpca.kernels import BoundKernel
from kpca.kernels.registry import as_dense, inner_products
from kpca.linalg.resources import blocks, for_blocks, run_threads
from kpca.types import EPS, Array, Floats, Matrix

TILE = 512  # rows and columns at most
STRIP = 192  # rows of K that are computed together where it is stored
COLUMNS = 256  # number of vectors that are multiplied at once


class Gram(Protocol):
    """A symmetric kernel matrix K of the training points, known by its products."""

    n: int  # number of training points
    dtype: np.dtype  # type in which entries of K are computed; products are accumulated in float64
    terms: int  # how many products at most are added up in that precision
    rounding: Floats  # shape (n,): K_ij is off by at most e_i + e_j

    @property
    def diagonal(self) -> Floats:
        """The diagonal of K, in float64."""

    def matmul(self, V: Array) -> Floats:
        """K V for a block V of shape (n, p), in float64."""


def row_sizes(K: Matrix) -> Floats:
    """Return the size of the largest entry of each row."""
    ends = K.max(axis=1), -K.min(axis=1)
    return np.maximum(*(as_dense(end) for end in ends)).ravel()


class FullGram:
    """K stored as one array, symmetric, kept by reference and never changed."""

    def __init__(
        self,
        K: Array,
        n_threads: int = 1,
        rounding: Floats | None = None,
        largest: float | None = None,
    ) -> None:
        self.K = K
        self.largest = largest  # |K_ij|, where it is known
        self.dtype = K.dtype
        self.n_threads = n_threads
        self.diagonal = K.diagonal().astype(np.float64)
        self.n = self.terms = K.shape[0]
        self.rounding = np.zeros(self.n) if rounding is None else rounding  # rounding of entries

    @classmethod
    def from_kernel(cls, kernel: BoundKernel, X: Matrix, n_threads: int = 1) -> "FullGram":
        """Compute K by strips of rows, from the diagonal on, and mirror them.

        One product gives a whole strip. Kernels of single features take a strip by tiles, which
        stay in the cache.
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
        return cls(K, n_threads, kernel.rounding(X))

    def matmul(self, V: Array) -> Floats:
        """Return K V in float64."""
        out = np.empty((V.shape[1], self.n))
        block = np.ascontiguousarray(V.T)

        def work(rows: slice) -> None:
            np.matmul(block, self.K[:, rows], out=out[:, rows])  # Vᵀ K is faster than K V

        for_blocks(self.n, work, self.n_threads)
        return out.T

    def sizes(self) -> Floats:
        """Return |K_ii|, which bounds the entries of a semidefinite K, or the largest of each row.

        Minus half of squared distances, for example, has a diagonal of zeros.
        """
        sizes = np.abs(self.diagonal)
        largest = max(self.K.max(), -self.K.min()) if self.largest is None else self.largest
        return sizes if largest <= sizes.max() else row_sizes(self.K)


class TiledGram:
    """K as an operator of memory O(n), recomputed in every pass.

    The rows of tiles run on own threads. The kernel is bound to the training points X; its
    precision is that of the tiles.
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

    def matmul(self, V: Array) -> Floats:
        """K V in float64, in one pass over the tiles.

        The rows of tiles go to threads by a fixed schedule, and their parts are added in order, so
        that a product repeats bit by bit for a given number of threads.
        """
        block = np.ascontiguousarray(V, dtype=self.dtype)
        edges = self.cut(V.shape[1])
        n_parts = min(self.n_threads, len(edges))
        parts = run_threads(lambda part: self._part(block, edges, part, n_parts), n_parts)
        return reduce(np.add, parts)

    def cut(self, columns: int) -> list[slice]:
        """Return the blocks of rows at which a product with so many columns runs fastest.

        OpenBLAS is fastest while the product of the three sizes stays below a million.
        """
        edge = int(np.clip((1e6 / columns) ** 0.5 // 16 * 16, 64, TILE))
        return blocks(self.n, edge)

    def _part(self, V: Array, edges: list[slice], part: int, n_parts: int) -> Floats:
        """Return the part of K V that every `n_parts`-th row of tiles gives, in float64."""
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

    Without weights D = I and K̄ = HKH with H = I − 11ᵀ/n; with ``center=False`` the
    brackets are left out. Integer weights equal repeated points.
    """

    n: int  # number of training points
    center: bool = True  # whether the mean in feature space is taken off
    weights: Floats | None = None  # shape (n,), not negative; None means one each
    weight_sum: float | None = None  # W, if only that is known of the weights

    @property
    def total(self) -> float:
        """W, the sum of the weights."""
        if self.weight_sum is not None:
            return self.weight_sum
        return float(self.n if self.weights is None else self.weights.sum())

    @cached_property
    def normalized_weights(self) -> Floats:
        """The shares w / W, which sum to 1."""
        if self.weights is None:
            return np.full(self.n, 1 / self.n)
        return self.weights / self.total

    def rooted(self, V: Array, rows: slice = slice(None)) -> Array:
        """D^½ V: a block, or a vector, of all training points or of some `rows` only."""
        return V if self.weights is None else (V.T * np.sqrt(self.weights[rows])).T

    def apply_right(self, V: Array) -> Array:
        """(I − w1ᵀ/W) D^½ V: a block, or a vector, as it goes into K."""
        V = self.rooted(V)
        if not self.center:
            return V
        if self.weights is None:
            return V - V.sum(axis=0) / self.n
        return V - np.multiply.outer(self.normalized_weights, V.sum(axis=0))

    def apply_left(self, V: Array) -> Array:
        """D^½ (I − 1wᵀ/W) V: a block, or a vector, as it comes out of K."""
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
        """Remove the component along D^½1, which K̄ maps to zero."""
        if not self.center:
            return V
        if self.weights is None:
            return V - self.normalized_weights @ V
        root = np.sqrt(self.weights)
        return V - root[:, None] * (root @ V / self.total)

    def coefficients(self, values: Floats, vectors: Floats) -> Floats:
        """C = (I − w1ᵀ/W) D^½ A Λ^(−½), so that scores of x are k(x)ᵀC − (K w/W)ᵀC.

        Components of eigenvalue zero get coefficients zero.
        """
        return self.apply_right(vectors * inverse_roots(values))

    def scores(self, values: Floats, vectors: Floats) -> Floats:
        """Scores √λ_j a_ij / √w_i of the training points; NaN if the weight is zero."""
        scores = vectors * np.sqrt(values)
        if self.weights is None:
            return scores
        root = np.sqrt(np.where(self.weights > 0, self.weights, np.nan))
        return scores / root[:, None]


def inverse_roots(values: Floats) -> Floats:
    """Return 1/√λ, or 0 if λ is."""
    return np.divide(1, np.sqrt(values), out=np.zeros_like(values), where=values > 0)


class CentredGram:
    """K̄ as an operator on blocks, with its trace and the means that new points need.

    The first product carries w/W along as one more column, so that the means K w/W cost no
    pass of their own. ``scale`` is Σ w_i |K_ii|, the size against which rounding is measured; of a
    stored K whose diagonal bounds no entries see `FullGram.sizes`.
    """

    def __init__(self, gram: Gram, centering: Centering, means: Floats | None = None) -> None:
        self.gram = gram
        self.centering = centering
        self.n = gram.n
        sizes = gram.sizes() if isinstance(gram, FullGram) else np.abs(gram.diagonal)
        self.scale = self._weighted(sizes)
        self._means = means  # K w/W, of shape (n,), where it is known without a product

    def matmul(self, V: Array) -> Floats:
        """K̄ V for a block V of shape (n, p)."""
        block = self.centering.apply_right(V)
        carried = self._means is None and self.centering.center
        if carried:
            block = np.column_stack([block, self.centering.normalized_weights])
        block = block.astype(self.gram.dtype, copy=False)  # the other is freed
        product = self.gram.matmul(block)
        if carried:
            self._means = product[:, -1].copy()
            product = product[:, :-1]
        if self.centering.center:  # This is `apply_left` without a copy.
            product -= self.centering.normalized_weights @ product
        return self.centering.rooted(product)

    @property
    def error(self) -> float:
        """Bound ‖fl(K̄V) − K̄V‖_F / ‖V‖_F, the rounding of entries included, by any order of sums.

        With E the errors of entries, products V to be summed up give
        ‖fl((K + E)V) − KV‖_F ≤ (‖E‖_F + γ ‖|K|‖_F) ‖V‖_F (Higham 2002, section 3.5), and the
        centred V = D^½ P U, P a projection, is no longer than U. `scale` bounds ‖D^½ |K| D^½‖_F,
        since s_i bounds |K_ij|, or √(K_ii K_jj) does, so that K_ij² ≤ s_i s_j.
        """
        units = (self.gram.terms + 4) * float(np.finfo(self.gram.dtype).eps) / 2
        units += 2 * self.n * EPS
        return self.entry_error + units * self.scale

    @property
    def backward_error(self) -> float:
        """Bound the errors of eigenvalues that LAPACK finds of K̄ in float64.

        K̄ is known up to the `error` of a product, and the eigenvalues are those of a matrix that
        is off by a modest multiple of the unit of rounding; n is a generous one.
        """
        return self.error + self.n * EPS * self.scale

    @property
    def expected_error(self) -> float:
        """Model the rounding of a product with a vector of norm 1: 4 √n eps tr(K) + ‖E‖_F / √n.

        Errors of sums of n terms grow with √n where they are independent, and with n at the worst
        (Higham, Mary 2019, A new approach to probabilistic rounding error analysis). So does the
        norm of the errors E of the entries.
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
        """The diagonal of K̄, of shape (n,): w_i (K_ii − 2 m_i + wᵀm/W), m the means."""
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
    """Compute ‖K̄a_i − λ_i a_i‖ for each pair, in float64, of shape (k,).

    By Weyl's theorem an eigenvalue of K̄ lies within that distance of λ_i. `vectors`, of shape
    (n, k), may come with their `products` with K̄, where these are at hand from a pass in float64.
    """
    norms = np.empty(len(values))
    for part in blocks(len(values), COLUMNS):  # Parts need the memory of a few vectors alone.
        block = vectors[:, part]
        product = operator.matmul(block) if products is None else products[:, part]
        norms[part] = np.linalg.norm(product - block * values[part], axis=0)
    return norms
