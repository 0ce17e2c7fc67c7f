"""Singular value decomposition: full, truncated and randomized, each with its error."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import scipy.linalg
import scipy.sparse
import scipy.sparse.linalg
from numpy.typing import ArrayLike

from kpca.types import Floats
from kpca.validation import check_argument, checked, integer, one_of

Seed: TypeAlias = int | np.random.Generator | None
Factors: TypeAlias = tuple[Floats, Floats, Floats]


@dataclass(frozen=True)
class SVD:
    """Factors of X ≈ U diag(s) Vt, and their errors.

    Attributes
    ----------
    U : ndarray of shape (n, k)
        Left singular vectors, eigenvectors of XXᵀ.
    s : ndarray of shape (k,)
        Singular values, descending; their squares are the eigenvalues of XᵀX and XXᵀ.
    Vt : ndarray of shape (k, d)
        Right singular vectors in rows; the entry of largest modulus in each is positive.
    residuals : ndarray of shape (k,)
        r = max(‖Xv − σu‖, ‖Xᵀu − σv‖)/σ₁ of each triplet (u, σ, v). Some singular value of X lies
        within σ₁ r of σ. A small residual does not show that no larger singular value was missed.
    frobenius_error : float
        ‖X − U diag(s) Vt‖_F, which also bounds the spectral norm of that difference. It is the root
        of ‖X‖²_F − Σσ², so that errors below √eps ‖X‖_F cannot be resolved.
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
        Matrix. It can be sparse for "truncated" and "randomized" only.
    n_components : int or None, default=None
        Number k of singular triplets. None keeps all min(n, d).
    method : {"full", "truncated", "randomized"}, default="full"
        "full" uses LAPACK. "truncated" uses implicitly restarted Lanczos (ARPACK), which needs
        k < min(n, d). "randomized" projects on a random sample of the range.
    n_oversamples : int, default=10
        Extra columns of the random sample, for "randomized" only.
    n_iter : int, default=4
        Number of power iterations, for "randomized" only.
    normalizer : {"LU", "QR", "none"}, default="LU"
        Factorisation between power iterations, for "randomized" only: see
        `sklearn.utils.extmath.randomized_svd`.
    random_state : int, Generator or None, default=0
        Seed of the start vector of "truncated" or of the random sample of "randomized".

    Returns
    -------
    SVD
        Factors `U`, `s` and `Vt`, the residual of each triplet, and the Frobenius error.

    Raises
    ------
    ValueError
        If an argument is out of range, or if X is sparse and ``method="full"``.

    References
    ----------
    Halko, Martinsson and Tropp (2011), Finding structure with randomness, SIAM Review 53.

    Examples
    --------
    >>> svd(np.diag([3.0, 2.0, 1.0]), 2).s
    array([3., 2.])
    """
    for name, value in (("n_oversamples", n_oversamples), ("n_iter", n_iter)):
        check_argument(name, value, integer(0))
    check_argument("method", method, one_of(SVD_METHODS))
    check_argument("normalizer", normalizer, one_of(["LU", "QR", "none"]))
    if scipy.sparse.issparse(X) and method == "full":
        raise ValueError('method="full" takes no sparse matrix: use "truncated" or "randomized"')
    matrix: Any = checked(X, accept_sparse=["csr", "csc"], dtype=np.float64)
    most = min(matrix.shape) - (method == "truncated")
    k = min(matrix.shape) if n_components is None else n_components
    sizes = f"n_samples={matrix.shape[0]}, n_features={matrix.shape[1]}"
    advice = ' (method="full" keeps all components)' if method == "truncated" else ""
    argument = f"n_components of method={method!r} for {sizes}{advice}"
    check_argument(argument, k, integer(1, most))
    options = {"n_oversamples": n_oversamples, "n_iter": n_iter, "normalizer": normalizer}
    U, s, Vt = SVD_METHODS[method](matrix, k, random_state=random_state, **options)
    signs = axis_signs(Vt)
    U = U * signs
    Vt = Vt * signs[:, None]
    entries = matrix.reshape(-1) if isinstance(matrix, np.ndarray) else matrix.data
    error = float(np.sqrt(max(entries @ entries - np.sum(s**2), 0.0)))
    left_errors = np.linalg.norm(matrix @ Vt.T - U * s, axis=0)
    right_errors = np.linalg.norm(matrix.T @ U - Vt.T * s, axis=0)
    return SVD(U, s, Vt, np.maximum(left_errors, right_errors) / (s[0] or 1.0), error)


def axis_signs(axes: Floats) -> Floats:
    """Return +1.0 or −1.0 for each row: the sign of its entry of largest modulus, +1 for zeros.

    Multiplying each row by its sign makes that entry positive, as in
    ``sklearn.decomposition.PCA``. This rule needs no scores, so that data and their covariance
    matrix give the same signs.

    Examples
    --------
    >>> axis_signs(np.array([[0.6, -0.8], [0.0, 0.0]]))
    array([-1.,  1.])
    """
    largest = np.take_along_axis(axes, np.abs(axes).argmax(axis=1, keepdims=True), axis=1)
    return np.where(largest[:, 0] < 0, -1.0, 1.0)


def _full(X: Floats, k: int, **_unused: Any) -> Factors:
    U, s, Vt = scipy.linalg.svd(X, full_matrices=False)
    return U[:, :k], s[:k], Vt[:k]


def _truncated(X: Any, k: int, *, random_state: Seed, **_unused: Any) -> Factors:
    if not abs(X).max():  # ARPACK fails on a zero matrix.
        return np.eye(X.shape[0], k), np.zeros(k), np.eye(k, X.shape[1])
    start = np.random.default_rng(random_state).standard_normal(min(X.shape))
    U, s, Vt = map(np.asarray, scipy.sparse.linalg.svds(X, k, v0=start))
    order = np.argsort(-s)
    return U[:, order], s[order], Vt[order]


def _randomized(X: Any, k: int, *, normalizer: str, random_state: Seed, **options: Any) -> Factors:
    from sklearn.utils.extmath import randomized_svd  # The import takes 0.1 s.

    seed = int(np.random.default_rng(random_state).integers(2**31))
    options |= {"power_iteration_normalizer": normalizer, "random_state": seed}
    return randomized_svd(X, k, **options)


Method = Callable[..., Factors]
SVD_METHODS: dict[str, Method] = {"full": _full, "truncated": _truncated, "randomized": _randomized}
