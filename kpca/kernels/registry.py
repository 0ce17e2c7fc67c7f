"""Kernels as plain functions in a registry: adding one means adding one entry to `KERNELS`.

Every kernel but the laplacian is an elementwise *link* of one inner product between
*features* of the two points, k(x, y) = link(left(x) · right(y)): one matrix product and one
pass in place give a whole block of the kernel matrix. The laplacian takes the city-block
distance in place of the inner product.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from kpca.types import Array, Floats, Matrix
from kpca.validation import is_sparse


@dataclass(frozen=True)
class KernelParameters:
    """The parameters of a kernel, by scikit-learn's names; each kernel reads its own."""

    gamma: float = 1.0
    degree: float = 3.0
    coef0: float = 1.0


def as_dense(X: Matrix) -> Floats:
    """Rows as a dense array in float64."""
    return np.asarray(X.toarray() if is_sparse(X) else X, dtype=np.float64)


def squared_norms(X: Matrix) -> Floats:
    """Squared Euclidean norm of each row, in float64."""
    if is_sparse(X):
        return np.asarray(X.multiply(X).sum(axis=1), dtype=np.float64).ravel()
    return np.einsum("ij,ij->i", X, X, dtype=np.float64)


def origin(X: Matrix, mean: Array) -> Floats:
    """Return the point that rows are to be counted from where only their differences matter.

    It is their mean, but zero in columns of a sparse X of which less than half is stored: there
    the spread is no less than the mean, and entries would have to be filled in.
    """
    point: Floats = np.array(mean, dtype=np.float64).ravel()
    if is_sparse(X):
        point[2 * np.bincount(X.indices, minlength=X.shape[1]) < X.shape[0]] = 0
    return point


def moved(X: Matrix, point: Floats) -> Matrix:
    """X − point; of a sparse X the columns are filled in which the point is not zero."""
    if not is_sparse(X):
        return X - point
    n, columns = X.shape[0], np.flatnonzero(point)
    ends = len(columns) * np.arange(n + 1)
    return X - type(X)((np.tile(point[columns], n), np.tile(columns, n), ends), shape=X.shape)


def inner_products(left: Matrix, right: Matrix, out: Array) -> None:
    """Fill `out` with the inner products of the rows of two arrays, dense or sparse."""
    if is_sparse(left) or is_sparse(right):
        product = left @ right.T
        out[...] = product.toarray() if is_sparse(product) else product
    else:
        np.matmul(left, right.T, out=out)


def finite(values: Array, dtype: Any = np.float64) -> Array:
    """Return values of new points, a row each, in a precision.

    Raises
    ------
    ValueError
        Where those of a point are not finite, naming the first.
    """
    with np.errstate(over="ignore"):
        values = values.astype(dtype, copy=False)
    if not np.isfinite(values).all():
        row = int(np.argmax(~np.isfinite(values.reshape(len(values), -1)).all(axis=1)))
        raise ValueError(
            f"Kernel values overflow {values.dtype} at row {row} of X: scale it, or leave it out."
        )
    return values


Features = Callable[[Matrix, KernelParameters], Matrix]


@dataclass(frozen=True)
class Kernel:
    """One kernel: features of both sides, how they meet, and the link on top."""

    # (X, parameters) → features, one row a point; by default X itself.
    left: Features = lambda X, _: X
    right: Features = lambda X, _: X
    # Applied in place to the block T of products.
    link: Callable[[Array, KernelParameters], object] = lambda T, _: None
    diagonal: Callable[[Matrix, KernelParameters], Floats] = lambda X, _: np.ones(X.shape[0])
    # Whether the kernel is positive semidefinite for certain.
    semidefinite: Callable[[KernelParameters], bool] = lambda _: True
    # (d, parameters) → number of explicit features, None if there is no finite list of them.
    feature_count: Callable[[int, KernelParameters], int | None] = lambda d, _: None
    # (left, right, out) → None, by default the inner products, which make values cheap.
    product: Callable[[Matrix, Matrix, Array], None] = inner_products
    uses: tuple[str, ...] = ()  # names of the parameters that the kernel reads
    # Whether it is a kernel of x − y, whose data are centred first, against cancellation.
    of_differences: bool = False
    # (X, parameters) → a bound on −T among the rows of X, T the block of products, at most 0.
    largest_argument: Callable[[Matrix, KernelParameters], float] = lambda X, _: 0.0
    # Whether the link is the exponential, so that T is clipped where it would underflow.
    exponential: bool = False
    # Power of the coordinates' differences whose sums the median distance is of, if γ is its
    # inverse.
    median_power: int | None = None
    # (X, parameters) → c, of shape (n,): where every term of the argument is off by a share δ, a
    # value is off by at most δ (c(x) + c(y)). Degrees are 0, or 1 and more.
    error_weight: Callable[[Matrix, KernelParameters], Floats] = lambda X, _: squared_norms(X) / 2
    # The same from differences alone, for arguments of which inner products and a mean taken off
    # keep no digits.
    by_differences: "Kernel | None" = None


def _with_columns(X: Matrix, *columns: Floats | float) -> Matrix:
    """X with further columns, dense or sparse as X is."""
    extra = np.empty((X.shape[0], len(columns)))
    for j, column in enumerate(columns):
        extra[:, j] = column
    if is_sparse(X):
        from scipy import sparse

        return sparse.hstack([X, sparse.csr_array(extra)], format="csr")
    return np.concatenate([X, extra], axis=1)


def _city_block(left: Matrix, right: Matrix, out: Array) -> None:
    """−‖x − y‖₁ for every pair of rows, one feature at a time so that the block stays in cache."""
    left, right = (M.toarray() if is_sparse(M) else M for M in (left, right))
    out[...] = 0
    difference = np.empty_like(out)
    for x, y in zip(left.T, right.T, strict=True):
        np.subtract(x[:, None], y, out=difference)
        np.abs(difference, out=difference)
        out -= difference


def _squared_distances(left: Matrix, right: Matrix, out: Array) -> None:
    """−‖x − y‖² for every pair of rows, from their differences."""
    left, right = (M.toarray() if is_sparse(M) else M for M in (left, right))
    out[...] = 0
    for x, y in zip(left.T, right.T, strict=True):
        out -= np.subtract.outer(x, y) ** 2


def _by_differences(product: Callable[[Matrix, Matrix, Array], None], power: int) -> Kernel:
    """Return exp(−γ Σ_f |x_f − y_f|^power) from differences.

    Points are scaled by the power of two next to the root of γ, which takes none of their digits.
    """

    def scale(p: KernelParameters) -> float:
        return 2.0 ** round(np.log2(p.gamma) / power)

    def scaled(X: Matrix, p: KernelParameters) -> Matrix:
        return X * scale(p)

    def link(T: Array, p: KernelParameters) -> None:
        T *= p.gamma / scale(p) ** power
        np.exp(T, out=T)

    return Kernel(scaled, scaled, link, product=product, error_weight=_half)


def _half(X: Matrix, _: KernelParameters) -> Floats:
    return np.full(X.shape[0], 0.5)


def _times(X: Matrix, factors: Floats) -> Matrix:
    """Rows of X times a number each."""
    return X.multiply(factors[:, None]).tocsr() if is_sparse(X) else X * factors[:, None]


def _unit_rows(X: Matrix, _: KernelParameters) -> Matrix:
    squares = squared_norms(X)
    if not (squares > 1e-300).all() or not (squares < np.inf).all():
        # Squares of very large or small numbers; a power of two takes nothing from their digits.
        largest = as_dense(abs(X).max(axis=1)).ravel()
        X = _times(X, np.ldexp(1.0, -np.clip(np.frexp(largest)[1], -1000, 1000)))
        squares = squared_norms(X)
    norms = np.sqrt(squares)
    return _times(X, 1 / np.where(norms > 0, norms, 1))


def _far(X: Matrix, limit: float) -> Matrix:
    """X with entries beyond ±limit cut off, where a kernel of x − y is zero all the same."""
    limit /= X.shape[1]
    return X.minimum(limit).maximum(-limit) if is_sparse(X) else np.clip(X, -limit, limit)


def _gaussian_left(X: Matrix, p: KernelParameters) -> Matrix:
    X = _far(X * np.sqrt(p.gamma), 1e150)  # bound points have finite fourth powers: below 1e77
    return _with_columns(2 * X, -squared_norms(X), 1.0)


def _gaussian_right(X: Matrix, p: KernelParameters) -> Matrix:
    X = X * np.sqrt(p.gamma)
    return _with_columns(X, 1.0, -squared_norms(X))


def _affine_left(X: Matrix, p: KernelParameters) -> Matrix:
    return _with_columns(X * np.sqrt(p.gamma), p.coef0)


def _affine_right(X: Matrix, p: KernelParameters) -> Matrix:
    return _with_columns(X * np.sqrt(p.gamma), 1.0)


def power(T: Array, degree: float) -> Array:
    """T ** degree in place; whole degrees by squaring, ten times faster than np.power."""
    if degree != int(degree) or not 1 <= degree <= 64:
        return np.power(T, degree, out=T)
    base = T.copy()
    for bit in bin(int(degree))[3:]:
        np.multiply(T, T, out=T)
        if bit == "1":
            np.multiply(T, base, out=T)
    return T


def _with_power(T: Array, p: KernelParameters) -> Array:
    """T, where its power is a real number, and an error elsewhere."""
    if p.degree != int(p.degree) and (T < 0).any():
        raise ValueError(
            f"The poly kernel of degree={p.degree:g} is no real number where γ x·y + coef0 is "
            f"negative, and it reaches {T.min():.3g}: take an integer degree, or data and coef0 "
            "that are not negative."
        )
    return T


def _is_whole(p: KernelParameters) -> bool:
    """Whether a polynomial is a non-negative combination of powers of the linear kernel.

    It is positive semidefinite then, by the Schur product theorem.
    """
    return p.coef0 >= 0 and p.degree == int(p.degree)


def _monomials(d: int, p: KernelParameters) -> int | None:
    if not (_is_whole(p) and 1 <= p.degree <= 8):
        return None
    return comb(d + int(p.degree) - (p.coef0 == 0), int(p.degree))


KERNELS: dict[str, Kernel] = {
    "linear": Kernel(diagonal=lambda X, _: squared_norms(X), feature_count=lambda d, _: d),
    "cosine": Kernel(
        _unit_rows,
        _unit_rows,
        diagonal=lambda X, p: (squared_norms(_unit_rows(X, p)) > 0).astype(np.float64),
        error_weight=_half,
    ),
    "rbf": Kernel(
        _gaussian_left,
        _gaussian_right,
        link=lambda T, _: np.exp(T, out=T),
        uses=("gamma",),
        of_differences=True,
        exponential=True,
        median_power=2,
        largest_argument=lambda X, p: 4 * p.gamma * float(squared_norms(X).max(initial=0)),
        error_weight=lambda X, p: 2 * p.gamma * squared_norms(X),
        by_differences=_by_differences(_squared_distances, 2),
    ),
    "laplacian": Kernel(
        lambda X, p: _far(X * p.gamma, 1e300),
        lambda X, p: X * p.gamma,
        link=lambda T, _: np.exp(T, out=T),
        product=_city_block,
        uses=("gamma",),
        of_differences=True,
        exponential=True,
        median_power=1,
        largest_argument=lambda X, p: 2 * p.gamma * float(abs(X).sum(axis=1).max()),
        error_weight=lambda X, p: p.gamma * np.asarray(abs(X).sum(axis=1)).ravel(),
        by_differences=_by_differences(_city_block, 1),
    ),
    "poly": Kernel(
        _affine_left,
        _affine_right,
        link=lambda T, p: power(_with_power(T, p), p.degree),
        diagonal=lambda X, p: _with_power(p.gamma * squared_norms(X) + p.coef0, p) ** p.degree,
        semidefinite=_is_whole,
        feature_count=_monomials,
        uses=("gamma", "degree", "coef0"),
        error_weight=lambda X, p: (
            p.degree / 2 * (p.gamma * squared_norms(X) + abs(p.coef0)) ** p.degree
        ),
    ),
    "sigmoid": Kernel(
        _affine_left,
        _affine_right,
        link=lambda T, _: np.tanh(T, out=T),
        diagonal=lambda X, p: np.tanh(p.gamma * squared_norms(X) + p.coef0),
        semidefinite=lambda _: False,
        uses=("gamma", "coef0"),
        # Values are from −1 to 1, whatever the argument.
        error_weight=lambda X, p: np.minimum(p.gamma * squared_norms(X) + abs(p.coef0), 1e16) / 2,
    ),
}


def get_kernel(name: str) -> Kernel:
    """Look a kernel up by name.

    Raises
    ------
    ValueError
        If there is no such kernel; the message lists those that there are.
    """
    if not isinstance(name, str) or name not in KERNELS:
        raise ValueError(f"kernel must be one of {sorted(KERNELS)}, got {name!r}.")
    return KERNELS[name]
