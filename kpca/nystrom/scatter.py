"""Pivots, the features of landmarks, their scatter over all points, and the eigenvectors of K̂̄."""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.linalg import solve_triangular
from scipy.linalg.blas import dtrsm
from scipy.linalg.lapack import dpstrf

from kpca.certificates.completeness import Remainder
from kpca.kernels.registry import squared_norms
from kpca.linalg.resources import BLOCK_ROWS, Rows, add_up, blocks, fill
from kpca.linalg.symmetric import eigh
from kpca.nystrom.columns import NULL, ColumnSource, Source
from kpca.operators.grams import Centering, inverse_roots
from kpca.operators.sources import check_sizes
from kpca.types import EPS, TINY, Array, Floats, Matrix

REMAINDER_NOISE = 1e-13  # per unit of the diagonal
SUMMED = 32  # terms of the products by which a factor is checked
TRACE_ZERO = 1e-12  # Eigenvalues below this fraction of the trace are rounding.


def random_pivots(source: Source, m: int, seed: int, least: float = REMAINDER_NOISE) -> Array:
    """Give at most m pivots of randomly pivoted Cholesky, K ≈ F Fᵀ, accelerated by rejection.

    Pivots are drawn in blocks, with probability proportional to the diagonal of the remainder; one
    by one where columns are read, so that none is read for nothing. It stops before m columns where
    the remainder is below a share of the trace, by default rounding, but gives one. The kernel is
    positive semidefinite.

    References
    ----------
    Epperly, Tropp, Webber (2024), Embrace rejection: kernel matrix approximation by accelerated
    randomly pivoted Cholesky.
    """
    rng = np.random.default_rng(seed)
    X = source.X
    block = 1 if isinstance(source, ColumnSource) else max(32, m // 8)
    remainder = source.diagonal(X)
    noise = least * remainder.mean()
    F = np.empty((source.n, m))
    pivots = list[int]()
    while len(pivots) < m and remainder.sum() > noise * source.n:
        done = len(pivots)
        drawn = rng.choice(source.n, block, p=remainder / remainder.sum())
        among_drawn = source.with_samples(X[drawn]).bound().values(X[drawn])
        among_drawn -= F[drawn, :done] @ F[drawn, :done].T
        accepted, L = _accept(among_drawn, drawn, rng.random(block), m - done, 10 * noise)
        if not accepted:
            break
        chosen = drawn[accepted]
        new = slice(done, done + len(accepted))
        pivots.extend(chosen)
        columns = source.with_samples(X[chosen]).bound().values(X)
        columns -= F[:, :done] @ F[chosen, :done].T
        F[:, new] = columns @ solve_triangular(L, np.eye(len(chosen)), lower=True).T
        remainder = np.maximum(remainder - squared_norms(F[:, new]), 0)
    return np.array(pivots or [0])


def _accept(
    values: Floats, drawn: Array, chances: Floats, room: int, noise: float
) -> tuple[list[int], Floats]:
    """Go through the candidates, accepting each by what earlier ones left of its diagonal.

    Returns the accepted positions and the Cholesky factor of their block.
    """
    remainder = values.diagonal()
    L = np.zeros_like(values)
    accepted = list[int]()
    least = np.maximum(chances * remainder, noise)
    for t, point in enumerate(drawn):
        q = len(accepted)
        if remainder[t] > least[t] and q < room and point not in drawn[accepted]:
            L[:, q] = (values[:, t] - L[:, :q] @ L[t, :q]) / np.sqrt(remainder[t])
            remainder = remainder - L[:, q] ** 2
            accepted.append(t)
    return accepted, L[accepted][:, : len(accepted)]


class LandmarkFeatures:
    """φ(x) = L⁻¹ k_r(x) for pivots y_1 … y_r of the landmarks, up to a rotation K_mm^(−½) k_m(x).

    K_rr = LLᵀ is a Cholesky factor with complete pivoting of the kernel among the landmarks. Those
    of which the others leave no more than rounding are no pivots. Features are the coordinates of
    the projection of x's image onto the span of the landmarks'. What has features f is the
    combination ``whitening @ f`` of the images, with L⁻ᵀ in the rows of the pivots.

    References
    ----------
    Williams, Seeger (2001), Using the Nyström method to speed up kernel machines, NIPS 13;
    Higham (2002), Accuracy and Stability of Numerical Algorithms, chapters 8 and 10.
    """

    def __init__(self, source: Source) -> None:
        self.landmarks = source.X
        self.K = source.full().K
        least = NULL[source.precision] * max(self.K.diagonal().max(), TINY)
        factor, order, rank, _ = dpstrf(self.K, lower=1, tol=least)
        is_zero = rank == 0  # A kernel that is zero gets one feature, which is zero.
        rank = max(rank, 1)
        self.order = order - 1  # LAPACK counts from 1
        self.pivots = self.order[:rank]
        # Of shape (m, r), in the order of the pivots: inner products of landmarks and features.
        self.trapezoid = np.asfortranarray(np.tril(factor)[:, :rank])
        del factor
        self.L = np.asfortranarray(self.trapezoid[:rank])
        if is_zero:
            self.trapezoid = 0 * self.trapezoid
            self.L = np.eye(1)
        self.inverse = solve_triangular(self.L, np.eye(rank), lower=True)
        self.kernel = source.with_samples(source.X[self.pivots]).bound()

    @cached_property
    def whitening(self) -> Floats:
        """The axes of the features as combinations of landmarks, of shape (m, r)."""
        whitening = np.zeros(self.trapezoid.shape)
        whitening[self.pivots] = self.inverse.T
        return whitening

    def of(self, X: Matrix) -> Floats:
        """Return the features of the rows of X, of shape (·, r)."""
        values = np.ascontiguousarray(self.kernel.values(X), dtype=np.float64)
        return dtrsm(1.0, self.L, values.T, lower=1, overwrite_b=1).T

    def remainder(self, X: Matrix) -> Floats:
        """Return k(x, x) minus the squared norm of the features of x; rounding can be negative."""
        return self.kernel.diagonal(X) - squared_norms(self.of(X))

    def origin(self, center: bool) -> Floats:
        """Return the mean feature of the landmarks, or zeros."""
        return self.trapezoid.mean(axis=0) * center

    def at_landmarks(self, f: Floats) -> Floats:
        """Return the inner products of points with features f and the landmarks' images."""
        products = np.empty(len(self.trapezoid))
        products[self.order] = self.trapezoid @ f
        return products

    def factor_error(self) -> float:
        """Bound ‖LLᵀ − K_rr‖ for the exact K_rr, whose entries are off by e_i + e_j.

        Columns of L are multiplied by blocks, so that few terms are summed up at a time.
        """
        r = len(self.pivots)
        unit = EPS / 2
        remainder = self.K[np.ix_(self.pivots, self.pivots)]
        parts = blocks(r, SUMMED)
        for columns in parts:
            remainder -= self.L[:, columns] @ self.L[:, columns].T
        deviation = float(np.linalg.norm(remainder))
        del remainder  # memory for the moduli
        moduli = abs(self.L)
        terms = SUMMED + 2 * len(parts) + 2
        rounding = terms * unit * float(np.linalg.norm(moduli @ moduli.T))
        entries = 2 * math.sqrt(r * self.squared_errors)
        return deviation + rounding + entries

    @cached_property
    def squared_errors(self) -> float:
        """Σ e_i² over the pivots, whose values are off by e_i + e_j."""
        errors = self.kernel.rounding(self.landmarks[self.pivots])
        return float(errors @ errors)


@dataclass(frozen=True, eq=False)
class FeatureSums:
    """Sums over points, to which those over other points can be added.

    They are of features v about their mean o over the landmarks.
    """

    scatter: Floats  # Σ w_i (v_i − o)(v_i − o)ᵀ
    shifted: Floats  # Σ w_i (v_i − o)
    diagonal: float  # tr(K) = Σ w_i k(x_i, x_i)
    squared_errors: float  # Σ w_i e_i², values of x_i and a landmark y being off by e_i + e(y)
    blocks: float  # number of blocks of points that were added up one after the other
    total: float  # W = Σ w_i
    n: int  # number of points

    def __add__(self, other: "FeatureSums") -> "FeatureSums":
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return FeatureSums(*(one + another for one, another in pairs))


def feature_sums(
    rows: Rows, features: LandmarkFeatures, centering: Centering, n_threads: int
) -> FeatureSums:
    """Add up the features of all points in one pass.

    The scatter is taken about the mean feature of the landmarks, and moved to the mean of all
    afterwards, so that little is lost to cancellation where the mean is large.
    """
    weights = centering.weights
    origin = features.origin(centering.center)

    def work(X: Matrix, where: slice) -> FeatureSums:
        point_weights = np.ones(X.shape[0]) if weights is None else weights[where]
        diagonal = features.kernel.diagonal(X)
        check_sizes(diagonal, range(where.start, where.stop))
        shifted = features.of(X) - origin
        rooted = centering.rooted(shifted, where)
        errors = features.kernel.rounding(X)
        return FeatureSums(
            rooted.T @ rooted,
            point_weights @ shifted,
            float(point_weights @ diagonal),
            float(point_weights @ errors**2),
            blocks=1.0,
            total=0.0,
            n=X.shape[0],
        )

    # The sum of the weights is that of `Centering`, to the last bit.
    return replace(add_up(rows, work, n_threads), total=centering.total)


@dataclass(frozen=True, eq=False)
class Axes:
    """Axes of the features, in decreasing order of their eigenvalues, and scores on them."""

    features: LandmarkFeatures
    values: Floats  # shape (k,): eigenvalues of the scatter and of K̂̄; zero where rounding
    directions: Floats  # shape (r, k): orthonormal; zero if the eigenvalue is zero
    mean: Floats  # shape (r,): mean of the features

    def head(self, k: int) -> "Axes":
        """Return the first k, with zeros beyond the width of the features."""
        missing = max(0, k - len(self.values))
        values = np.pad(self.values[:k], (0, missing))
        directions = np.pad(self.directions[:, :k], ((0, 0), (0, missing)))
        return replace(self, values=values, directions=directions)

    @cached_property
    def pivot_coefficients(self) -> Floats:
        """The axes as combinations of the images of the pivots alone, of shape (r, k)."""
        return self.features.inverse.T @ self.directions

    def scores(self, X: Matrix) -> Floats:
        """Return the scores of points, of shape (·, k)."""
        values = self.features.kernel.values(X)
        return values @ self.pivot_coefficients - self.mean @ self.directions


@dataclass(frozen=True, eq=False)
class Approximation:
    """Approximation K̂̄ of K̄ by features of landmarks: its eigenpairs and error bounds."""

    features: LandmarkFeatures
    sums: FeatureSums
    mean: Floats  # shape (r,): weighted mean of the features; zero without centring
    # Σ w_i (φ_i − mean)(φ_i − mean)ᵀ, of shape (r, r), which shares its nonzero eigenvalues with K̂̄.
    scatter: Floats

    @cached_property
    def axes(self) -> Axes:
        """Axes of all features."""
        values, vectors = eigh(self.scatter)
        alive = values > TRACE_ZERO * max(self.sums.diagonal, 0.0)
        values = np.where(alive, values, 0.0)[::-1]
        vectors = (vectors * alive)[:, ::-1]
        return Axes(self.features, values, vectors, self.mean)

    @cached_property
    def rounding(self) -> float:
        """Bound the rounding of λ_{k+1}(K̂̄) + tr(K − K̂) and of λ_j(K̂̄), K̂ = FFᵀ.

        Let F be the features as computed, K_nr = FLᵀ − E and K_rr = LLᵀ − D, X the computed inverse
        of L, and W = FX. The kernel of all points and pivots is positive semidefinite, and so is
        its congruence T = K − WK_rn − K_nr Wᵀ + WK_rr Wᵀ = K − FFᵀ + R, with R = F(I − XL)(I −
        XL)ᵀFᵀ + WEᵀ + EWᵀ − WDWᵀ. Norm and trace of R are at most ρ = ‖F‖_F² ‖I − XL‖² + 2‖W‖_F
        ‖E‖_F + ‖WᵀW‖_F ‖D‖_F, so that ‖K − FFᵀ‖ ≤ tr(K − FFᵀ) + 2ρ. However ill-conditioned L is, W
        interpolates, and is not large. E has the errors of values, and those of triangular
        solutions (Higham 2002, theorem 8.5); sums are off by their numbers of terms (sections 3.1
        and 3.5).
        """
        features = self.features
        sums = self.sum_rounding
        r = len(features.pivots)
        unit = EPS / 2
        whole = self.sums.diagonal
        total = self.sums.total
        L = features.L
        X = features.inverse
        size = float(np.linalg.norm(features.L))
        second = self.scatter + total * np.outer(self.mean, self.mean)
        inverse_size = float(np.vdot(X, X))
        products = X.T @ second @ X  # WᵀW
        squared_w = max(float(products.trace()), 0.0) + sums * inverse_size
        size_of_products = float(np.linalg.norm(products)) + sums * inverse_size
        solving = (r + 2) * unit * size * math.sqrt(whole)
        errors = self.value_errors + solving
        off = float(np.linalg.norm(np.eye(r) - X @ L))
        off += (r + 2) * unit * math.sqrt(inverse_size) * size
        lost = whole * off**2 + 2 * math.sqrt(squared_w) * errors
        lost += size_of_products * features.factor_error()
        diagonal = 2 * math.sqrt(total * self.sums.squared_errors)
        return 2 * (lost + sums) + diagonal + TRACE_ZERO * whole

    @property
    def trace(self) -> float:
        """tr(K̂̄)."""
        return float(np.trace(self.scatter))

    @property
    def trace_error(self) -> float:
        """tr(K − K̂), weighted, which bounds every eigenvalue of K̄ − K̂̄."""
        # tr(K̂) = Σ w_i ‖φ_i‖² is a sum about the mean, and the mean
        approximated = self.trace + self.sums.total * float(self.mean @ self.mean)
        return max(self.sums.diagonal - approximated, 0.0)

    @property
    def value_errors(self) -> float:
        """Bound ‖E‖_F of the errors E of values between all points and the landmarks."""
        squared = len(self.features.pivots) * self.sums.squared_errors
        return math.sqrt(2 * (squared + self.sums.total * self.features.squared_errors))

    @property
    def sum_rounding(self) -> float:
        """Bound the rounding of the scatter of features as they were computed, and of its trace.

        They are sums over points, of squares about another point than their mean.
        """
        features = self.features
        sums = self.sums
        unit = EPS / 2
        terms = (BLOCK_ROWS + sums.blocks + len(features.pivots) + 8) * unit
        landmark_trace = float(np.trace(features.K))
        return 16 * terms * (sums.diagonal + sums.total * landmark_trace / len(features.K))

    def vector_rounding(self, axes: Axes) -> Floats:
        """Bound what rounding adds to ‖K̄a − λa‖ for axes z of the features, a = F̄z/√λ.

        An axis is one of a scatter that is off by `rounding` at most, and F̄(Sz − λz)/√λ of norm
        √(λ_1/λ) rounding. Scores come from values with the landmarks and coefficients
        `whitening` z.
        """
        features = self.features
        top = axes.values.max(initial=0)
        m = len(features.pivots)
        unit = EPS / 2
        size = 2 * math.sqrt(self.sums.diagonal * float(np.trace(features.K)))
        score_error = (m + 4) * unit * size + self.value_errors
        errors = score_error * np.linalg.norm(axes.pivot_coefficients, axis=0)
        return (math.sqrt(top) * self.rounding + top * errors) * inverse_roots(axes.values)

    def remainder(self, k: int, method: str = "Nyström trace") -> Remainder:
        """Bound λ_{k+1}(K̄) ≤ λ_{k+1}(K̂̄) + tr(K − K̂) (Weyl), rounding included."""
        following = self.axes.head(k + 1).values[k]  # Eigenvalues beyond the rank are zero.
        return Remainder(float(following) + self.trace_error + self.rounding, method)


def approximate(rows: Rows, source: Source, centering: Centering, n_threads: int) -> Approximation:
    """Approximate K̄ in one pass over the points, given the kernel on the landmarks."""
    features = LandmarkFeatures(source)
    sums = feature_sums(rows, features, centering, n_threads)
    return approximation(sums, features, centering.center)


def approximation(sums: FeatureSums, features: LandmarkFeatures, center: bool) -> Approximation:
    """Approximate K̄ by the sums over all points."""
    offset = sums.shifted / sums.total * center
    scatter = sums.scatter - sums.total * np.outer(offset, offset)
    return Approximation(features, sums, features.origin(center) + offset, scatter)


def eigenvectors(rows: Rows, axes: Axes, centering: Centering, n_threads: int) -> Floats:
    """Compute the eigenvectors of K̂̄, of shape (n, k) and zero if the eigenvalue is zero."""
    roots = inverse_roots(axes.values)
    vectors = np.empty((centering.n, len(roots)))

    def work(X: Matrix, where: slice) -> Floats:
        return centering.rooted(axes.scores(X) * roots, where)

    fill(rows, work, n_threads, vectors)
    return vectors
