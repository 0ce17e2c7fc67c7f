"""Kernels as plain functions in a registry.

Every kernel but the laplacian is an elementwise *link* of one inner product between
*features* of the two points, k(x, y) = link(left(x) · right(y)): one matrix product and one
pass in place give a whole block of the kernel matrix. The laplacian takes the city-block
distance in place of the inner product. Adding a kernel means adding one entry to `KERNELS`.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kpca.types import Array, Floats, Matrix


@dataclass(frozen=True)
class KernelParameters:
    """The parameters of a kernel, by scikit-learn's names; each kernel reads its own."""

    gamma: float = 1.0
    degree: float = 3.0
    coef0: float = 1.0


# Beyond these the exponential is nothing beside 1; left alone it would underflow, which is slow.
UNDERFLOW = {np.dtype(np.float64): 300.0, np.dtype(np.float32): 50.0}

Features = Callable[[Matrix, KernelParameters], Matrix]


@dataclass(frozen=True)
class Kernel:
    """One kernel: features of both sides, how they meet, and the link on top.

    Attributes
    ----------
    left, right : callable
        (X, parameters) → features, one row a point.
    link : callable
        (T, parameters) → None, applied in place to the block T of products.
    diagonal : callable
        (X, parameters) → k(x_i, x_i).
    semidefinite : callable
        parameters → whether the kernel is positive semidefinite for certain.
    product : callable
        (left, right, out) → None, by default the inner products.
    uses : tuple of str
        Names of the parameters that the kernel reads.
    reach : callable, optional
        (X, parameters) → a bound on the negated argument of the exponential among the rows of
        X. It marks the kernels of x − y, whose data are centred first, against cancellation.
    """

    left: Features
    right: Features
    link: Callable[[Array, KernelParameters], None]
    diagonal: Callable[[Matrix, KernelParameters], Floats]
    semidefinite: Callable[[KernelParameters], bool]
    product: Callable[[Matrix, Matrix, Array], None]
    uses: tuple[str, ...] = ()
    reach: Callable[[Matrix, KernelParameters], float] | None = None


def is_sparse(X: Matrix) -> bool:
    """Say whether X is a scipy.sparse matrix, without importing scipy.sparse."""
    return hasattr(X, "tocsr")


def squared_norms(X: Matrix) -> Floats:
    """Squared Euclidean norm of each row, in float64."""
    if is_sparse(X):
        return np.asarray(X.multiply(X).sum(axis=1), dtype=np.float64).ravel()
    return np.einsum("ij,ij->i", X, X, dtype=np.float64)


def _append(X: Matrix, *columns: Floats | float) -> Matrix:
    """X with further columns, dense or sparse as X is."""
    extra = np.column_stack([np.broadcast_to(c, X.shape[0]) for c in columns])
    if is_sparse(X):
        from scipy import sparse

        return sparse.hstack([X, sparse.csr_array(extra)], format="csr")
    return np.hstack([X, extra])


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


class BoundKernel:
    """A kernel with its parameters, bound to the points of its right-hand side.

    Parameters
    ----------
    name : str
        A key of `KERNELS`.
    parameters : KernelParameters
    Y : array or sparse matrix of shape (n, d)
        The points of the right-hand side, in fitting the training points.
    dtype : dtype
        Precision of the blocks.
    features : dtype, optional
        Precision of the features and their products, by default float64. With float32 blocks
        this leaves rounding errors that differ from entry to entry and so average out; float32
        features make errors common to a whole row, which do not.
    """

    def __init__(
        self,
        name: str,
        parameters: KernelParameters,
        Y: Matrix,
        dtype: type = np.float64,
        features: type = np.float64,
    ) -> None:
        self.name = name
        self.kernel = get_kernel(name)
        self.parameters = parameters
        self.dtype = np.dtype(dtype)
        self._feature_dtype = np.dtype(features)
        self._shift = None if self.kernel.reach is None or is_sparse(Y) else Y.mean(axis=0)
        Y = self._shifted(Y)
        self.reach = 0.0 if self.kernel.reach is None else self.kernel.reach(Y, parameters)
        self.right = self._features(self.kernel.right, Y)

    def _shifted(self, X: Matrix) -> Matrix:
        if is_sparse(X) and self._shift is not None:
            X = X.toarray()
        X = X.astype(np.float64, copy=False)
        return X if self._shift is None else X - self._shift

    def _features(self, side: Features, X: Matrix) -> Matrix:
        with np.errstate(over="ignore", invalid="ignore"):
            features = side(X, self.parameters).astype(self._feature_dtype, copy=True)
            finite = np.isfinite(squared_norms(features).sum())
        if not finite:
            raise ValueError(
                f"The {self.name} kernel overflows on data as large as {abs(X).max():.3g}: scale "
                "the data, or lower gamma."
            )
        return features

    def left(self, X: Matrix) -> Matrix:
        """Features of the points of a left-hand side, to be passed to `block`."""
        return self._features(self.kernel.left, self._shifted(X))

    def block(self, left: Matrix, columns: slice, out: Array) -> Array:
        """Fill `out` with k(x_i, y_j) for the rows of `left` and the bound points in `columns`."""
        if self._feature_dtype == self.dtype:
            self.kernel.product(left, self.right[columns], out)
        else:
            product = np.empty(out.shape, self._feature_dtype)
            self.kernel.product(left, self.right[columns], product)
            out[...] = product
        if self.reach > UNDERFLOW[self.dtype]:
            np.maximum(out, -UNDERFLOW[self.dtype], out=out)
        self.kernel.link(out, self.parameters)
        return out

    def diagonal(self, X: Matrix) -> Floats:
        """k(x_i, x_i) in float64."""
        return self.kernel.diagonal(X.astype(np.float64, copy=False), self.parameters)


def kernel_matrix(
    X: Matrix,
    Y: Matrix | None = None,
    *,
    kernel: str = "rbf",
    gamma: float | None = None,
    degree: float = 3,
    coef0: float = 1,
) -> Floats:
    """Compute the kernel matrix K_ij = k(x_i, y_j) in float64.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
    Y : array or sparse matrix of shape (m, d), optional
        By default X itself.
    kernel : {"linear", "poly", "rbf", "sigmoid", "laplacian", "cosine"}
        linear x·y; poly (γ x·y + c)^d; rbf exp(−γ‖x−y‖²); sigmoid tanh(γ x·y + c);
        laplacian exp(−γ‖x−y‖₁); cosine x·y / (‖x‖‖y‖).
    gamma : float, optional
        By default 1/d.
    degree, coef0 : float
        Degree and constant c of the polynomial and sigmoid kernels.

    Returns
    -------
    ndarray of shape (n, m)

    Raises
    ------
    ValueError
        If the kernel is not known.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0]])
    >>> kernel_matrix(X, kernel="rbf", gamma=1.0).round(4)
    array([[1.    , 0.3679],
           [0.3679, 1.    ]])
    """
    parameters = KernelParameters(1 / X.shape[1] if gamma is None else gamma, degree, coef0)
    bound = BoundKernel(kernel, parameters, X if Y is None else Y)
    out = np.empty((X.shape[0], bound.right.shape[0]))
    return bound.block(bound.left(X), slice(None), out)
