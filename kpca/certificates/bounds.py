"""Bounds on the eigenvalues left out, λ_{k+1} and below, from eigenpairs and an operator."""

import math
from collections.abc import Iterator

import numpy as np
from scipy.linalg import eigvalsh
from scipy.linalg.lapack import dpotrf, spotrf

from kpca.certificates.completeness import FAILURE, Completeness, Remainder, judge, random_start
from kpca.linalg.block_lanczos import KrylovSpace, block_lanczos
from kpca.operators import CentredGram, FullGram
from kpca.operators.centering import centred_matrix
from kpca.types import Array, Floats


def remaining_trace(operator: CentredGram, values: Floats, norms: Floats) -> Remainder:
    """Bound them by the trace that is left, Σ_{i>k} λ_i ≥ λ_{k+1} for a semidefinite K̄.

    A value is a Rayleigh quotient but for the norm of its residual.
    """
    left = operator.trace - float(values.sum()) + float(norms.sum())
    return Remainder(max(left, 0.0) + _rounding(operator), "remaining trace")


def remaining_norm(operator: CentredGram, values: Floats, norms: Floats) -> Remainder | None:
    """Bound them by the Frobenius norm that is left, where K is stored."""
    square = _squared_norm(operator, operator)
    if square is None:
        return None
    left = square - float((np.maximum(np.abs(values) - norms, 0) ** 2).sum())
    return Remainder(math.sqrt(max(left, 0.0)), "remaining Frobenius norm")


def _rounding(operator: CentredGram) -> float:
    """Bound the rounding of a sum over the diagonal and over the means."""
    eps = float(np.finfo(np.float64).eps)
    return 2 * operator.n * eps * operator.scale + 2 * operator.entry_error


def krylov_complement(
    space: KrylovSpace, k: int, searched: CentredGram, exact: CentredGram
) -> Remainder | None:
    """Bound them by the norm that a Krylov space leaves to its complement, where K is stored.

    k is the number of pairs returned; K̄ comes as it was searched, perhaps in a lower precision,
    and in float64.
    """
    square = _squared_norm(searched, exact)
    if square is None:
        return None
    bound = space.left_out(k, square) + _lost(space, searched)
    # In a lower precision it bounds λ_{k+1}: the pairs were refined since.
    return Remainder(bound, "Krylov complement", counts=searched is not exact)


def krylov_start(space: KrylovSpace, k: int, lowest: float, searched: CentredGram) -> Remainder:
    """Bound them by what a Krylov space from random vectors has seen (`random_start`)."""
    n, columns = space.vectors.shape
    seen = space.following(k) + _lost(space, searched)
    return random_start(seen, space.steps, columns - k, n, lowest)


def _lost(space: KrylovSpace, searched: CentredGram) -> float:
    """Bound the norm of the errors of all products that a space was spanned by."""
    return searched.error(searched.size) * math.sqrt(len(space.values))


def from_the_matrix(
    operator: CentredGram, values: Floats, vectors: Floats, limit: float
) -> Iterator[Remainder]:
    """Yield bounds that cost as much as a fit or more: Cholesky factors, then all that is left.

    The matrix is stored whole, the pairs are of shape (k,) and (n, k), and `limit` is the bound
    that decides.
    """
    for precision in (np.float32, np.float64):
        if remaining_cholesky(operator, values, vectors, limit, precision):
            yield Remainder(limit, "Cholesky factor")
    if isinstance(operator.gram, FullGram):
        left = centred_matrix(operator.gram.K, operator.centering) - (vectors * values) @ vectors.T
        highest = eigvalsh(left, subset_by_index=[operator.n - 1] * 2, overwrite_a=True)[-1]
        yield Remainder(float(highest) + _rounding(operator), "spectrum of the remainder")


def decide(operator: CentredGram, values: Floats, vectors: Floats, tol: float) -> Completeness:
    """Judge eigenpairs by what `from_the_matrix` says."""
    top = max(float(values.max(initial=0)), 0.0)
    limit = max(float(values[-1]) if len(values) else 0.0, _rounding(operator)) + tol * top
    return judge(limit, from_the_matrix(operator, values, vectors, limit))


def _squared_norm(stored: CentredGram, exact: CentredGram) -> float | None:
    """Bound ‖K̄‖_F² = Σ w_i w_j K_ij² − 2W Σ w_i m_i² + (Σ w_i m_i)², m = Kw/W, where K is stored.

    The sums are of the entries as stored, and of exact means.
    """
    centering, square = stored.centering, stored.squared_norm
    if square is None:
        return None
    square = (math.sqrt(square) + stored.entry_error) ** 2
    rounding = 4 * stored.n * float(np.finfo(np.float64).eps) * square
    if centering.center:
        means, share, total = exact.means, centering.share, centering.total
        square += total**2 * (float(share @ means) ** 2 - 2 * float(share @ means**2))
    return square + rounding


def remaining_cholesky(
    operator: CentredGram, values: Floats, vectors: Floats, limit: float, precision: type
) -> bool:
    """Try to prove λ_{k+1} ≤ limit by a Cholesky factor of σI − (K̄ − AΛAᵀ), σ just below the limit.

    The factor exists where every eigenvalue of K̄ − AΛAᵀ is below σ, and by Weyl's inequality
    the largest of them bounds λ_{k+1}(K̄). What rounding may hide is taken off σ beforehand:
    a factor in n dimensions is exact for a matrix within (n + 1) u tr, u = eps/2, and here
    tr ≤ nσ.
    Needs K stored whole and equal weights.

    References
    ----------
    Higham (2002), Accuracy and stability of numerical algorithms, theorem 10.3.
    """
    gram, centering, n = operator.gram, operator.centering, operator.n
    if not isinstance(gram, FullGram) or centering.weights is not None:
        return False
    unit = float(np.finfo(precision).eps) / 2
    sigma = limit - (n + 2) * unit * n * limit - 2 * n * unit * operator.scale
    if sigma <= 0:
        return False
    means = operator.means
    centred_means = means - means.mean() / 2 if centering.center else np.zeros(n)
    ones = np.ones(n)
    left: Array = np.column_stack([vectors * values, centred_means, ones]).astype(precision)
    right: Array = np.column_stack([vectors, ones, centred_means]).astype(precision)
    matrix = left @ right.T
    matrix -= gram.K
    matrix.flat[:: n + 1] += sigma
    factorise = spotrf if precision == np.float32 else dpotrf
    return bool(factorise(matrix.T, lower=0, clean=0, overwrite_a=1)[1] == 0)


def deflated_lanczos(
    operator: CentredGram, vectors: Floats, lowest: float, steps: int, seed: int
) -> Remainder:
    """Bound the largest eigenvalue of (I − AAᵀ)K̄(I − AAᵀ) by Lanczos from a random start."""

    def left(V: Array) -> Floats:
        return V - vectors @ (vectors.T @ V)

    start = np.random.default_rng(seed).standard_normal((operator.n, 1))
    space = block_lanczos(
        start,
        lambda V: left(operator.matmul(left(V))),
        1,
        -1.0,  # never met: the bound is that of all steps
        max_basis=steps,
        max_iter=steps - 1,
    )
    highest = float(space.values[0])
    if space.steps < steps:  # the Krylov space is invariant: nothing was left to see
        return Remainder(highest, "lanczos", FAILURE)
    return random_start(highest, space.steps, 1, operator.n, lowest)
