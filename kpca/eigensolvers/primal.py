"""The primal solver: eigenpairs from the covariance of explicit features, if these are few.

Let K = FFᵀ, and let F̄ be the centred features. Then K̄ = F̄F̄ᵀ and F̄ᵀF̄ share their nonzero
eigenvalues, and if z is an eigenvector of F̄ᵀF̄ for λ, F̄z/√λ is an eigenvector of K̄. The features
of a linear kernel are the inputs, and those of a polynomial kernel are scaled monomials.
"""

from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np

from kpca.certificates.completeness import Remainder
from kpca.certificates.decomposition import Problem, Solution
from kpca.kernels.registry import KernelParameters, as_dense
from kpca.operators.grams import CentredGram
from kpca.operators.sources import KernelSource
from kpca.types import EPS, FLOAT64, Array, Floats

MAX_FEATURES = 2000


def memory(problem: Problem) -> float:
    """Estimate the bytes of the features, of their centred copy and of the components."""
    n = problem.n
    k = problem.n_components
    count = problem.source.feature_count or 0
    return 8 * n * (2 * count + 1 + 4 * (k if problem.pad else min(k, count))) + 1.1e5


def features(source: KernelSource) -> Floats:
    """Return F with K = FFᵀ: the inputs (linear kernel) or scaled monomials (polynomial kernel)."""
    X = as_dense(source.X)
    return X if source.name == "linear" else monomials(X, source.parameters)


def monomials(X: Floats, p: KernelParameters) -> Floats:
    """Return the features of (γ x·y + c)^d, of shape (n, number of monomials).

    A feature is √(multinomial coefficient · c^(d − |α|)) (√γ x)^α, where α are the exponents of the
    variables, and |α| is their sum.
    """
    degree = int(p.degree)
    scaled = X * np.sqrt(p.gamma)
    totals = range(degree + 1) if p.coef0 > 0 else [degree]
    columns = []
    for total in totals:
        for chosen in combinations_with_replacement(range(X.shape[1]), total):
            repeats = [chosen.count(i) for i in set(chosen)]
            ways = factorial(degree) / (prod(map(factorial, repeats)) * factorial(degree - total))
            weight = np.sqrt(ways * p.coef0 ** (degree - total))
            columns.append(weight * scaled[:, list(chosen)].prod(axis=1))
    return np.column_stack(columns)


class FeatureGram:
    """K = F Fᵀ as an operator, with F of shape (n, D) in float64."""

    dtype = FLOAT64

    def __init__(self, F: Floats) -> None:
        self.F = F
        self.n = F.shape[0]
        self.terms = sum(F.shape)
        self.rounding = 32 * EPS * self.diagonal  # rounding of the monomials

    @property
    def diagonal(self) -> Floats:
        """The diagonal of K."""
        return np.einsum("ij,ij->i", self.F, self.F)

    @property
    def sizes(self) -> Floats:
        """The diagonal of K, which bounds the entries of the semidefinite K."""
        return self.diagonal

    def matmul(self, V: Array) -> Floats:
        """Return K V."""
        return self.F @ (self.F.T @ V)


def solve(problem: Problem) -> Solution:
    """Compute eigenpairs of K̄ from those of the covariance of its features.

    Raises
    ------
    ValueError
        If the kernel has no explicit features, or more than 2000 of them.
    """
    count = problem.source.feature_count
    if count is None or count > MAX_FEATURES or not isinstance(problem.source, KernelSource):
        raise ValueError(
            f"eigen_solver='primal' needs a linear or polynomial kernel of at most {MAX_FEATURES} "
            f"explicit features, not {count}: use 'auto'."
        )
    F = features(problem.source)
    centred = problem.centering.apply_left(F)
    values, Z = np.linalg.eigh(centred.T @ centred)
    values = values[::-1]
    Z = Z[:, ::-1]
    k = problem.n_components if problem.pad else min(problem.n_components, count)
    vectors = _orthonormal(centred @ Z[:, :k], k, problem)
    leading = np.pad(np.maximum(values[:k], 0), (0, max(k - count, 0)))
    following = values[k:].max(initial=0)
    operator = CentredGram(FeatureGram(F), problem.centering)
    remainder = Remainder(following + operator.backward_error, "explicit features")
    return Solution(leading, vectors, operator, remainders=(remainder,))


def _orthonormal(columns: Floats, k: int, problem: Problem) -> Floats:
    """Return k orthonormal vectors, from the columns in order and then from random vectors.

    Random vectors replace columns that vanish or are missing. They can do so, because vectors
    orthogonal to all nonzero columns lie in the null space of K̄.
    """
    norms = np.linalg.norm(columns, axis=0)
    alive = np.count_nonzero(norms > 1e-14 * norms.max(initial=0))
    noise = np.random.default_rng(problem.seed).standard_normal((problem.n, k - alive))
    vectors, R = np.linalg.qr(np.hstack([columns[:, :alive], noise]))
    return vectors * np.copysign(1, R.diagonal())
