"""Centring in feature space, optionally weighted, as an operator and never as a copy."""

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from kpca.linalg.threads import blocks
from kpca.operators.grams import FullGram
from kpca.types import Array, Floats

COLUMNS = 256  # of a block of vectors that are multiplied together


class Gram(Protocol):
    """A symmetric kernel matrix K of the training points, known by its products."""

    n: int  # number of training points
    dtype: np.dtype  # in which entries of K are computed; products are accumulated in float64
    terms: int  # how many products at most are added up in that precision
    rounding: Floats  # of shape (n,): K_ij is off by at most e_i + e_j

    def matmul(self, V: Array) -> Floats:
        """K V for a block V of shape (n, p), in float64."""

    def diagonal(self) -> Floats:
        """Return the diagonal of K, in float64."""


@dataclass(frozen=True, eq=False)
class Centering:
    """The maps between K and K̄ = D^½ (I − 1wᵀ/W) K (I − w1ᵀ/W) D^½, D = diag(w), W = Σw.

    Without weights D = I and K̄ = HKH with H = I − 11ᵀ/n; with ``center=False`` the
    brackets are left out. Integer weights equal repeated points.
    """

    n: int  # number of training points
    center: bool = True  # whether the mean in feature space is taken off
    weights: Floats | None = None  # of shape (n,), not negative; None means one each
    weight_sum: float | None = None  # W, if only that is known of the weights

    @property
    def total(self) -> float:
        """W, the sum of the weights."""
        if self.weight_sum is not None:
            return self.weight_sum
        return float(self.n if self.weights is None else self.weights.sum())

    @property
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
        """K̄ as a new array."""
        centred = K.copy()
        for side in (centred, centred.T):  # in place, since K is large
            if self.center:
                side -= self.normalized_weights @ side
            if self.weights is not None:
                side *= np.sqrt(self.weights)[:, None]
        return centred.T

    def project(self, V: Array) -> Array:
        """Take off the component along D^½1, which K̄ maps to zero."""
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
        inverse = np.zeros_like(values)
        np.divide(1, np.sqrt(values), out=inverse, where=values > 0)
        return self.apply_right(vectors * inverse)

    def scores(self, values: Floats, vectors: Floats) -> Floats:
        """Scores √λ_j a_ij / √w_i of the training points; NaN if the weight is zero."""
        scores = vectors * np.sqrt(values)
        if self.weights is None:
            return scores
        root = np.sqrt(np.where(self.weights > 0, self.weights, np.nan))
        return scores / root[:, None]


class CentredGram:
    """K̄ as an operator on blocks, with its trace and the means that new points need.

    The first product carries w/W along as one more column, so that the means K w/W cost no
    pass of their own. ``scale`` is Σ w_i |K_ii|, the size against which rounding is measured.
    """

    def __init__(self, gram: Gram, centering: Centering) -> None:
        self.gram = gram
        self.centering = centering
        self.n = gram.n
        self.scale = self._weighted(np.abs(gram.diagonal()))
        self._means: Floats | None = None
        self._square: float | None = None

    def matmul(self, V: Array) -> Floats:
        """K̄ V for a block V of shape (n, p)."""
        block = self.centering.apply_right(V)
        carried = self._means is None and self.centering.center
        if carried:
            block = np.column_stack([block, self.centering.normalized_weights])
        block = block.astype(self.gram.dtype, copy=False)  # the other is freed
        product = self.gram.matmul(block)
        if carried:
            self._means, product = product[:, -1].copy(), product[:, :-1]
        return self.centering.apply_left(product)

    def error(self, size: float) -> float:
        """Bound ‖fl(K̄V) − K̄V‖_F / ‖V‖_F, the rounding of entries included, by any order of sums.

        `size` bounds ‖D^½ |K| D^½‖_F. With E the errors of entries, products V to be summed up give
        ‖fl((K + E)V) − KV‖_F ≤ (‖E‖_F + γ ‖|K|‖_F) ‖V‖_F (Higham 2002, section 3.5), and the
        centred V = D^½ P U, P a projection, is no longer than U.
        """
        units = (self.gram.terms + 4) * float(np.finfo(self.gram.dtype).eps) / 2
        return self.entry_error + (units + 2 * self.n * float(np.finfo(np.float64).eps)) * size

    @property
    def backward_error(self) -> float:
        """Bound the errors of eigenvalues that LAPACK finds of K̄ in float64.

        K̄ is known up to the `error` of a product, and the eigenvalues are those of a matrix that
        is off by a modest multiple of the unit of rounding; n is a generous one.
        """
        return self.error(self.size) + self.n * float(np.finfo(np.float64).eps) * self.size

    @property
    def entry_error(self) -> float:
        """A bound on the norm of the errors of the entries, (Σ w_i w_j (e_i + e_j)²)^½."""
        e, total = self.gram.rounding, self.centering.total
        return math.sqrt(2 * total * self._weighted(e**2) + 2 * self._weighted(e) ** 2)

    @property
    def size(self) -> float:
        """A bound on ‖D^½ |K| D^½‖_F: the norm itself where K is stored, else tr(D^½ K D^½).

        The latter for a positive semidefinite kernel.
        """
        square = self.squared_norm
        return self.scale if square is None else square**0.5

    @property
    def squared_norm(self) -> float | None:
        """A bound on ‖D^½ K D^½‖_F², of the entries as stored, or None where K is not stored."""
        gram = self.gram
        if self._square is None and isinstance(gram, FullGram) and gram.dtype == np.float64:
            square = gram.squared_norm(self.centering.weights)
            self._square = square * (1 + self.n * float(np.finfo(np.float64).eps))
        return self._square

    def centred_squared_norm(self, means: Floats) -> float:
        """Bound ‖K̄‖_F² = Σ w_i w_j K_ij² − 2W Σ w_i m_i² + (Σ w_i m_i)², m = Kw/W.

        The sums are of the entries as stored, and of exact `means`.
        """
        square = (self.size + self.entry_error) ** 2
        rounding = 4 * self.n * float(np.finfo(np.float64).eps) * square
        if self.centering.center:
            share = self.centering.normalized_weights
            taken_off = float(share @ means) ** 2 - 2 * float(share @ means**2)
            square += self.centering.total**2 * taken_off
        return square + rounding

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
        taken_off = self.centering.total * (self.centering.normalized_weights @ self.means)
        return self._weighted(self.gram.diagonal()) - float(taken_off)

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
    for part in blocks(len(values), COLUMNS):  # so that memory is that of a few vectors
        block = vectors[:, part]
        product = operator.matmul(block) if products is None else products[:, part]
        norms[part] = np.linalg.norm(product - block * values[part], axis=0)
    return norms


def product_rounding(operator: CentredGram) -> float:
    """Model the rounding of a product of K̄ with a vector of norm 1: 4 √n eps tr(K) + ‖E‖_F / √n.

    Errors of sums of n terms grow with √n where they are independent, and with n at the worst
    (Higham, Mary 2019, A new approach to probabilistic rounding error analysis). So does the norm
    of the errors E of the entries.
    """
    root, eps = math.sqrt(operator.n), float(np.finfo(np.float64).eps)
    return 4 * root * eps * operator.scale + operator.entry_error / root
