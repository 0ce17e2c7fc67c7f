"""Singular value decomposition: full, truncated and randomized, each with its error."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import scipy.linalg
import scipy.sparse
import scipy.sparse.linalg
from numpy.typing import ArrayLike

from kpca.linear.range_finder import multiply, range_finder
from kpca.linear.signs import axis_signs
from kpca.types import Floats

Seed: TypeAlias = int | np.random.Generator | None
Factors: TypeAlias = tuple[Floats, Floats, Floats]


@dataclass(frozen=True)
class SVD:
    """X ≈ U diag(s) Vt, and how good that is.

    Attributes
    ----------
    U : ndarray of shape (n, k)
        Left singular vectors, eigenvectors of XXᵀ.
    s : ndarray of shape (k,)
        Singular values, descending; their squares are the eigenvalues of XᵀX and XXᵀ.
    Vt : ndarray of shape (k, d)
        Right singular vectors in rows; the entry of largest modulus in each is positive.
    residuals : ndarray of shape (k,)
        max(‖Xv − σu‖, ‖Xᵀu − σv‖)/σ₁ of each triplet. Some singular value of X lies within
        σ₁ times it of σ; it cannot say that none larger was missed.
    frobenius_error : float
        ‖X − U diag(s) Vt‖_F, which also bounds the spectral norm. It comes from the difference
        ‖X‖²_F − Σσ² and cannot resolve errors below √eps ‖X‖_F.
    """

    U: Floats
    s: Floats
    Vt: Floats
    residuals: Floats
    frobenius_error: float


def svd(
    X: ArrayLike | scipy.sparse.spmatrix | scipy.sparse.sparray,
    n_components: int | None = None,
    *,
    method: str = "full",
    n_oversamples: int = 10,
    n_iter: int = 4,
    normalizer: str = "LU",
    random_state: Seed = 0,
) -> SVD:
    """Factorise X = U diag(s) Vt and measure the error of the factors.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n, d)
        Sparse for "truncated" and "randomized" only.
    n_components : int or None
        Number k of singular triplets; None keeps all min(n, d).
    method : {"full", "truncated", "randomized"}
        LAPACK; implicitly restarted Lanczos (ARPACK), which needs k < min(n, d); or projection on
        a random sample of the range.
    n_oversamples, n_iter, normalizer
        Extra columns, power iterations and their normaliser, for "randomized" only: see
        `kpca.linear.range_finder.range_finder`.
    random_state : int, Generator or None
        Seed of the start vector or of the test matrix.

    Returns
    -------
    SVD

    Raises
    ------
    ValueError
        If an argument is out of range, or the method does not take this matrix.

    References
    ----------
    Halko, Martinsson and Tropp (2011), Finding structure with randomness, SIAM Review 53.

    Examples
    --------
    >>> svd(np.diag([3.0, 2.0, 1.0]), 2).s
    array([3., 2.])
    """
    if method not in SVD_METHODS:
        raise ValueError(f"method={method!r} is unknown: take one of {list(SVD_METHODS)}")
    matrix = _as_matrix(X, method)
    k = _check_rank(matrix.shape, n_components)
    factors = SVD_METHODS[method](
        matrix,
        k,
        n_oversamples=n_oversamples,
        n_iter=n_iter,
        normalizer=normalizer,
        random_state=random_state,
    )
    return _certified(matrix, *factors, method)


def _as_matrix(X: Any, method: str) -> Any:
    is_sparse = scipy.sparse.issparse(X)
    if is_sparse and method == "full":
        raise ValueError('method="full" takes no sparse matrix: use "truncated" or "randomized"')
    return X.astype(np.float64) if is_sparse else np.asarray(X, dtype=np.float64)


def _check_rank(shape: tuple[int, ...], n_components: int | None) -> int:
    if len(shape) != 2:
        raise ValueError(f"X must be a matrix: it has {len(shape)} dimensions")
    k = min(shape) if n_components is None else n_components
    if not 1 <= k <= min(shape):
        raise ValueError(f"n_components={k} must lie between 1 and min(n, d)={min(shape)}")
    return k


def _full(X: Floats, k: int, **_unused: Any) -> Factors:
    U, s, Vt = scipy.linalg.svd(X, full_matrices=False)
    return U[:, :k], s[:k], Vt[:k]


def _truncated(X: Any, k: int, *, random_state: Seed, **_unused: Any) -> Factors:
    if k >= min(X.shape):
        raise ValueError(
            f'method="truncated" needs n_components={k} below min(n, d)={min(X.shape)}: '
            'use "full" for all of them'
        )
    start = np.random.default_rng(random_state).standard_normal(min(X.shape))
    U, s, Vt = map(np.asarray, scipy.sparse.linalg.svds(X, k, v0=start))
    order = np.argsort(-s)
    return U[:, order], s[order], Vt[order]


def _randomized(X: Any, k: int, *, n_oversamples: int, **options: Any) -> Factors:
    # On the tall side the small factorisation is that of the narrower dimension.
    if X.shape[0] < X.shape[1]:
        V, s, Ut = _randomized(X.T, k, n_oversamples=n_oversamples, **options)
        return Ut.T, s, V.T
    Q = range_finder(X, min(k + n_oversamples, X.shape[1]), **options)
    V, s, Wt = scipy.linalg.svd(multiply(X.T, Q), full_matrices=False, check_finite=False)
    return Q @ Wt[:k].T, s[:k], V[:, :k].T


SVD_METHODS: dict[str, Callable[..., Factors]] = {
    "full": _full,
    "truncated": _truncated,
    "randomized": _randomized,
}


def _certified(X: Any, U: Floats, s: Floats, Vt: Floats, method: str) -> SVD:
    """Sign the factors and measure them by products with X."""
    signs = axis_signs(Vt)
    U, Vt = U * signs, Vt * signs[:, None]
    squares = _squared_norm(X)
    error = float(np.sqrt(max(squares - np.sum(s**2), 0.0)))
    return SVD(U, s, Vt, _residuals(X, U, s, Vt, method) / (s[0] or 1.0), error)


def _residuals(X: Any, U: Floats, s: Floats, Vt: Floats, method: str) -> Floats:
    # The randomized factors fulfil one of the two equations by construction: U = QW from
    # QᵀX = WΣVᵀ gives XᵀU = VΣ (of the transpose, where X is wide).
    n, d = X.shape
    both = method != "randomized"
    residuals = np.zeros_like(s)
    if both or n >= d:
        residuals = np.linalg.norm(multiply(X, Vt.T) - U * s, axis=0)
    if both or n < d:
        right = np.linalg.norm(multiply(X.T, U) - Vt.T * s, axis=0)
        residuals = np.maximum(residuals, right)
    return residuals


def _squared_norm(X: Any) -> float:
    entries = X.reshape(-1) if isinstance(X, np.ndarray) else X.data
    return float(entries @ entries)
