"""Kernels as plain functions in a registry: adding one means adding one entry to `KERNELS`."""

import numpy as np

from kpca.kernels.kernel import Kernel, KernelParameters, is_sparse, squared_norms
from kpca.types import Array, Floats, Matrix


def _append(X: Matrix, *columns: Floats | float) -> Matrix:
    """X with further columns, dense or sparse as X is."""
    extra = np.empty((X.shape[0], len(columns)))
    for j, column in enumerate(columns):
        extra[:, j] = column
    if is_sparse(X):
        from scipy import sparse

        return sparse.hstack([X, sparse.csr_array(extra)], format="csr")
    return np.concatenate([X, extra], axis=1)


def _scaled(X: Matrix, factor: float) -> Matrix:
    return X * np.float64(factor)


def _inner(left: Matrix, right: Matrix, out: Array) -> None:
    if is_sparse(left) or is_sparse(right):
        product = left @ right.T
        out[...] = product.toarray() if is_sparse(product) else product
    else:
        np.matmul(left, right.T, out=out)


def _city_block(left: Matrix, right: Matrix, out: Array) -> None:
    """−‖x − y‖₁ for every pair of rows, one feature at a time so that the block stays in cache."""
    left, right = (M.toarray() if is_sparse(M) else M for M in (left, right))
    out[...] = 0
    difference = np.empty_like(out)
    for x, y in zip(left.T, right.T, strict=True):
        np.subtract(x[:, None], y, out=difference)
        np.abs(difference, out=difference)
        out -= difference


def _unchanged(X: Matrix, _: KernelParameters) -> Matrix:
    return X


def _ones(X: Matrix, _: KernelParameters) -> Floats:
    return np.ones(X.shape[0])


def _no_link(T: Array, _: KernelParameters) -> None:
    pass


def _always(_: KernelParameters) -> bool:
    return True


def _never(_: KernelParameters) -> bool:
    return False


def _unit_rows(X: Matrix, _: KernelParameters) -> Matrix:
    norms = np.sqrt(squared_norms(X))
    inverse = 1 / np.where(norms > 0, norms, 1)
    return X.multiply(inverse[:, None]).tocsr() if is_sparse(X) else X * inverse[:, None]


def _cosine_diagonal(X: Matrix, _: KernelParameters) -> Floats:
    return (squared_norms(X) > 0).astype(np.float64)


def _gaussian_left(X: Matrix, p: KernelParameters) -> Matrix:
    X = _scaled(X, np.sqrt(p.gamma))
    return _append(_scaled(X, 2), -squared_norms(X), 1.0)


def _gaussian_right(X: Matrix, p: KernelParameters) -> Matrix:
    X = _scaled(X, np.sqrt(p.gamma))
    return _append(X, 1.0, -squared_norms(X))


def _gaussian_reach(X: Matrix, p: KernelParameters) -> float:
    return 4 * p.gamma * float(squared_norms(X).max(initial=0))


def _laplacian_reach(X: Matrix, p: KernelParameters) -> float:
    return 2 * p.gamma * float(abs(X).sum(axis=1).max())


def _exponential(T: Array, _: KernelParameters) -> None:
    np.exp(T, out=T)


def _laplacian_features(X: Matrix, p: KernelParameters) -> Matrix:
    return _scaled(X, p.gamma)


def _affine_left(X: Matrix, p: KernelParameters) -> Matrix:
    return _append(_scaled(X, p.gamma), p.coef0)


def _affine_right(X: Matrix, _: KernelParameters) -> Matrix:
    return _append(X, 1.0)


def _power(T: Array, p: KernelParameters) -> None:
    """T ** degree in place; whole degrees by squaring, ten times faster than np.power."""
    if p.degree != int(p.degree) or not 1 <= p.degree <= 64:
        np.power(T, p.degree, out=T)
        return
    base = T.copy()
    for bit in bin(int(p.degree))[3:]:
        np.multiply(T, T, out=T)
        if bit == "1":
            np.multiply(T, base, out=T)


def _poly_diagonal(X: Matrix, p: KernelParameters) -> Floats:
    return (p.gamma * squared_norms(X) + p.coef0) ** p.degree


def _poly_semidefinite(p: KernelParameters) -> bool:
    # A non-negative combination of powers of the linear kernel (Schur product theorem).
    return p.coef0 >= 0 and p.degree == int(p.degree)


def _tanh(T: Array, _: KernelParameters) -> None:
    np.tanh(T, out=T)


def _sigmoid_diagonal(X: Matrix, p: KernelParameters) -> Floats:
    return np.tanh(p.gamma * squared_norms(X) + p.coef0)


def _squared_norms(X: Matrix, _: KernelParameters) -> Floats:
    return squared_norms(X)


KERNELS: dict[str, Kernel] = {
    "linear": Kernel(_unchanged, _unchanged, _no_link, _squared_norms, _always, _inner),
    "cosine": Kernel(_unit_rows, _unit_rows, _no_link, _cosine_diagonal, _always, _inner),
    "rbf": Kernel(
        _gaussian_left,
        _gaussian_right,
        _exponential,
        _ones,
        _always,
        _inner,
        ("gamma",),
        _gaussian_reach,
    ),
    "laplacian": Kernel(
        _laplacian_features,
        _laplacian_features,
        _exponential,
        _ones,
        _always,
        _city_block,
        ("gamma",),
        _laplacian_reach,
    ),
    "poly": Kernel(
        _affine_left,
        _affine_right,
        _power,
        _poly_diagonal,
        _poly_semidefinite,
        _inner,
        ("gamma", "degree", "coef0"),
    ),
    "sigmoid": Kernel(
        _affine_left, _affine_right, _tanh, _sigmoid_diagonal, _never, _inner, ("gamma", "coef0")
    ),
}


def get_kernel(name: str) -> Kernel:
    """Look a kernel up by name.

    Raises
    ------
    ValueError
        If there is no such kernel; the message lists those that there are.
    """
    if name not in KERNELS:
        raise ValueError(f"kernel must be one of {sorted(KERNELS)}, got {name!r}.")
    return KERNELS[name]


def is_matrix_product(name: str) -> bool:
    """Say whether values of a kernel come out of a matrix product, which makes them cheap."""
    return get_kernel(name).product is _inner
