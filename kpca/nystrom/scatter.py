"""Pivots, features of landmarks, their scatter over all points, and the resulting eigenvectors.

K̂ is the kernel matrix of the features, which approximates K, and K̂̄ is the centred K̂.
"""

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

REMAINDER_NOISE = 1e-13  # A remainder below this fraction of the trace counts as rounding.
SUMMED = 32  # number of terms that are summed at once to check a Cholesky factor
TRACE_ZERO = 1e-12  # Eigenvalues below this fraction of the trace count as rounding.


def random_pivots(source: Source, m: int, seed: int, least: float = REMAINDER_NOISE) -> Array:
    """Return at most m pivots of randomly pivoted Cholesky, K ≈ F Fᵀ, accelerated by rejection.

    Pivots are drawn in blocks, with probabilities proportional to the diagonal of the remainder
    K − F Fᵀ. If `source` reads columns of a matrix, pivots are drawn one by one, so that no column
    is read in vain. Fewer than m pivots, but at least one, are returned if the trace of the
    remainder falls below the fraction `least` of tr(K). By default, such a remainder is rounding.
    The kernel must be positive semidefinite.

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
    """Return the positions of the accepted candidates, and the Cholesky factor of their block.

    Candidates are tried in turn, and each accepted one reduces the diagonal entries of the later
    ones. A candidate is accepted if its entry still exceeds `noise`, and its original entry times
    its random number in `chances`. At most `room` candidates are accepted.
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
    """Features φ(x) = L⁻¹ k_r(x) of pivots y_1 … y_r: K_mm^(−½) k_m(x) up to a rotation.

    The pivots are landmarks, chosen by a Cholesky factorization K_rr = LLᵀ with complete pivoting.
    A landmark is not a pivot if its image is in the span of the pivots' images up to rounding. The
    features of x are the coordinates of the projection of its image onto the span of the images of
    the landmarks. The point of this span with features f is the combination ``whitening @ f`` of
    these images, where `whitening` has L⁻ᵀ in the rows of the pivots.

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
        # Features of the landmarks, of shape (m, r). Rows are sorted by `order`.
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
        """The axes of the features as combinations of the landmarks' images, of shape (m, r)."""
        whitening = np.zeros(self.trapezoid.shape)
        whitening[self.pivots] = self.inverse.T
        return whitening

    def of(self, X: Matrix) -> Floats:
        """Return the features of the rows of X, of shape (·, r)."""
        values = np.ascontiguousarray(self.kernel.values(X), dtype=np.float64)
        return dtrsm(1.0, self.L, values.T, lower=1, overwrite_b=1).T

    def remainder(self, X: Matrix) -> Floats:
        """Return k(x, x) − ‖φ(x)‖² for the rows x of X; rounding can make it negative."""
        return self.kernel.diagonal(X) - squared_norms(self.of(X))

    def origin(self, center: bool) -> Floats:
        """Return the mean of the landmarks' features, or zeros without centring."""
        return self.trapezoid.mean(axis=0) * center

    def at_landmarks(self, f: Floats) -> Floats:
        """Return the inner products of the landmarks' images with the point of features `f`."""
        products = np.empty(len(self.trapezoid))
        products[self.order] = self.trapezoid @ f
        return products

    def factor_error(self) -> float:
        """Bound ‖LLᵀ − K_rr‖ for the exact K_rr, whose computed entries are off by up to e_i + e_j.

        Columns of L are multiplied in blocks, so that few terms are summed at a time.
        """
        r = len(self.pivots)
        unit = EPS / 2
        remainder = self.K[np.ix_(self.pivots, self.pivots)]
        parts = blocks(r, SUMMED)
        for columns in parts:
            remainder -= self.L[:, columns] @ self.L[:, columns].T
        deviation = float(np.linalg.norm(remainder))
        del remainder  # frees memory for the moduli
        moduli = abs(self.L)
        terms = SUMMED + 2 * len(parts) + 2
        rounding = terms * unit * float(np.linalg.norm(moduli @ moduli.T))
        entries = 2 * math.sqrt(r * self.squared_errors)
        return deviation + rounding + entries

    @cached_property
    def squared_errors(self) -> float:
        """Σ e_i² over the pivots, whose kernel values are off by at most e_i + e_j."""
        errors = self.kernel.rounding(self.landmarks[self.pivots])
        return float(errors @ errors)


@dataclass(frozen=True, eq=False)
class FeatureSums:
    """Sums over points, which can be added to sums over other points.

    v_i are the features of point i, and o is the mean of the landmarks' features.
    """

    scatter: Floats  # Σ w_i (v_i − o)(v_i − o)ᵀ
    shifted: Floats  # Σ w_i (v_i − o)
    diagonal: float  # tr(K) = Σ w_i k(x_i, x_i)
    squared_errors: float  # Σ w_i e_i²; k(x_i, y) for a landmark y is off by at most e_i + e(y)
    blocks: float  # number of blocks of points whose sums were added up in sequence
    total: float  # W = Σ w_i
    n: int  # number of points

    def __add__(self, other: "FeatureSums") -> "FeatureSums":
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return FeatureSums(*(one + another for one, another in pairs))


def feature_sums(
    rows: Rows, features: LandmarkFeatures, centering: Centering, n_threads: int
) -> FeatureSums:
    """Return the sums over the features of all points, computed in one pass.

    The scatter is computed about the mean of the landmarks' features, and shifted to the mean of
    all features afterwards. Therefore little is lost to cancellation even if this mean is large.
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

    # Take the sum of the weights from `centering`, so that both records have exactly the same sum.
    return replace(add_up(rows, work, n_threads), total=centering.total)


@dataclass(frozen=True, eq=False)
class Axes:
    """Axes of the features, in decreasing order of their eigenvalues, and scores on them."""

    features: LandmarkFeatures
    values: Floats  # shape (k,): eigenvalues of the scatter and of K̂̄; zero if within rounding
    directions: Floats  # shape (r, k): orthonormal; zero if the eigenvalue is zero
    mean: Floats  # shape (r,): mean of the features

    def head(self, k: int) -> "Axes":
        """Return the first k axes; if there are fewer than k, axes of zeros follow them."""
        missing = max(0, k - len(self.values))
        values = np.pad(self.values[:k], (0, missing))
        directions = np.pad(self.directions[:, :k], ((0, 0), (0, missing)))
        return replace(self, values=values, directions=directions)

    @cached_property
    def pivot_coefficients(self) -> Floats:
        """The axes as combinations of the pivots' images, of shape (r, k)."""
        return self.features.inverse.T @ self.directions

    def scores(self, X: Matrix) -> Floats:
        """Return the scores of the rows of X, of shape (·, k)."""
        values = self.features.kernel.values(X)
        return values @ self.pivot_coefficients - self.mean @ self.directions


@dataclass(frozen=True, eq=False)
class Approximation:
    """Approximation K̂̄ of K̄ by features of landmarks: its eigenpairs and error bounds."""

    features: LandmarkFeatures
    sums: FeatureSums
    mean: Floats  # shape (r,): weighted mean of the features; zero without centring
    # Σ w_i (φ_i − mean)(φ_i − mean)ᵀ, of shape (r, r). K̂̄ has the same nonzero eigenvalues.
    scatter: Floats

    @cached_property
    def axes(self) -> Axes:
        """The principal axes, as many as there are features."""
        values, vectors = eigh(self.scatter)
        alive = values > TRACE_ZERO * max(self.sums.diagonal, 0.0)
        values = np.where(alive, values, 0.0)[::-1]
        vectors = (vectors * alive)[:, ::-1]
        return Axes(self.features, values, vectors, self.mean)

    @cached_property
    def rounding(self) -> float:
        """Bound the rounding of λ_{k+1}(K̂̄) + tr(K − K̂) and of λ_j(K̂̄), K̂ = FFᵀ.

        Let F be the features as computed, X the computed inverse of L, and W = FX. Define E and D
        by K_nr = FLᵀ − E and K_rr = LLᵀ − D. The kernel matrix of all points and pivots is positive
        semidefinite, and so is its congruence T = K − WK_rn − K_nr Wᵀ + WK_rr Wᵀ = K − FFᵀ + R,
        where R = F(I − XL)(I − XL)ᵀFᵀ + WEᵀ + EWᵀ − WDWᵀ. Norm and trace of R are at most
        ρ = ‖F‖_F² ‖I − XL‖² + 2‖W‖_F ‖E‖_F + ‖WᵀW‖_F ‖D‖_F. Therefore
        ‖K − FFᵀ‖ ≤ tr(K − FFᵀ) + 2ρ. Even if L is ill-conditioned, W is not large, because it
        interpolates. E contains the errors of kernel values and those of triangular solutions
        (Higham 2002, theorem 8.5). Errors of sums grow with the number of terms (sections 3.1 and
        3.5).
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
        # tr(K̂) = Σ w_i ‖φ_i‖² is the trace of the scatter about the mean, plus W ‖mean‖².
        approximated = self.trace + self.sums.total * float(self.mean @ self.mean)
        return max(self.sums.diagonal - approximated, 0.0)

    @property
    def value_errors(self) -> float:
        """Bound ‖E‖_F for the errors E of the kernel values between all points and the pivots."""
        squared = len(self.features.pivots) * self.sums.squared_errors
        return math.sqrt(2 * (squared + self.sums.total * self.features.squared_errors))

    @property
    def sum_rounding(self) -> float:
        """Bound the rounding of the scatter of the computed features, and of its trace.

        Both are sums over points. They are computed about the mean of the landmarks' features
        instead of the mean of all features.
        """
        features = self.features
        sums = self.sums
        unit = EPS / 2
        terms = (BLOCK_ROWS + sums.blocks + len(features.pivots) + 8) * unit
        landmark_trace = float(np.trace(features.K))
        return 16 * terms * (sums.diagonal + sums.total * landmark_trace / len(features.K))

    def vector_rounding(self, axes: Axes) -> Floats:
        """Bound what rounding adds to ‖K̄a − λa‖, where a = F̄z/√λ for an axis z of the features.

        z is an eigenvector of the scatter matrix S of the features. The bound adds two errors. The
        error of S is at most `rounding`, and adds at most √(λ_1/λ) · rounding. The second error is
        that of the scores, which are computed from kernel values with the landmarks and the
        coefficients `whitening` z.
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
        following = self.axes.head(k + 1).values[k]  # Eigenvalues after the rank are zero.
        return Remainder(float(following) + self.trace_error + self.rounding, method)


def approximate(rows: Rows, source: Source, centering: Centering, n_threads: int) -> Approximation:
    """Approximate K̄ in one pass over the points; `source` is the kernel on the landmarks."""
    features = LandmarkFeatures(source)
    sums = feature_sums(rows, features, centering, n_threads)
    return approximation(sums, features, centering.center)


def approximation(sums: FeatureSums, features: LandmarkFeatures, center: bool) -> Approximation:
    """Return the approximation of K̄ that the sums over all points determine."""
    offset = sums.shifted / sums.total * center
    scatter = sums.scatter - sums.total * np.outer(offset, offset)
    return Approximation(features, sums, features.origin(center) + offset, scatter)


def eigenvectors(rows: Rows, axes: Axes, centering: Centering, n_threads: int) -> Floats:
    """Return the eigenvectors of K̂̄, of shape (n, k); zeros if the eigenvalue is zero."""
    roots = inverse_roots(axes.values)
    vectors = np.empty((centering.n, len(roots)))

    def work(X: Matrix, where: slice) -> Floats:
        return centering.rooted(axes.scores(X) * roots, where)

    fill(rows, work, n_threads, vectors)
    return vectors
