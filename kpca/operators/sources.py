"""Sources of kernel values: a named kernel, a callable, or a matrix computed beforehand."""

from collections.abc import Callable
from copy import copy
from functools import cached_property
from math import isfinite
from numbers import Real
from typing import Any, Protocol, Self

import numpy as np

from kpca.kernels import BoundKernel, KernelParameters, get_kernel
from kpca.kernels.registry import as_dense
from kpca.linalg.threads import blocks, for_blocks
from kpca.operators import FullGram, Gram, TiledGram
from kpca.operators.symmetry import ASYMMETRY, is_symmetric, to_dense_symmetric
from kpca.types import Array, Floats, Matrix
from kpca.validation import is_sparse

TILE_ROWS, TILE_COLUMNS = 256, 512  # a tile of 1 MB stays in the cache of one core


class TrainingKernel(Protocol):
    """Kernel values among training points, and between new points and training points."""

    X: Matrix  # the training points, or the rows of kernel values that stand for them
    n: int  # number of training points
    name: Any  # the kernel, as the estimator is given it
    semidefinite: bool = False  # whether the kernel is positive semidefinite for certain
    feature_count: int | None = None  # number of explicit features, if there is a list of them
    divisor: float = 1.0  # of the kernel values

    def with_samples(self, X: Matrix) -> "TrainingKernel":
        """Return the same kernel on other points."""

    def full(self, n_threads: int = 1) -> FullGram:
        """Return the kernel matrix of the training points, stored whole."""

    def operator(self, n_threads: int = 1) -> Gram:
        """Return the kernel matrix in float64 in as little memory as there is a way."""
        return self.full(n_threads)

    def diagonal(self, X: Matrix) -> Floats:
        """k(x, x) for every row x of X, in float64."""

    def abs_diagonal(self) -> Floats:
        """Return |k(x, x)| of each training point x, of shape (n,)."""
        with np.errstate(over="ignore"):
            return np.abs(self.diagonal(self.X))

    def divided(self, divisor: float) -> Self:
        """Return the same kernel divided by a number."""
        other = copy(self)
        other.divisor = self.divisor * divisor
        vars(other).pop("_bound", None)
        return other

    def apply(self, X: Matrix, C: Floats, n_threads: int = 1) -> Floats:
        """Σ_i k(x, x_i) C_i for every row x of X, in blocks: memory O(block)."""


class KernelSource(TrainingKernel):
    """A kernel of the registry on training points X."""

    def __init__(self, X: Matrix, name: str, parameters: KernelParameters) -> None:
        self.X, self.n = X, X.shape[0]
        self.name, self.parameters = name, parameters
        kernel = get_kernel(name)
        self.semidefinite = kernel.semidefinite(parameters)
        self.feature_count = kernel.feature_count(X.shape[1], parameters)

    def with_samples(self, X: Matrix) -> "KernelSource":
        """Return the same kernel on other points."""
        return KernelSource(X, self.name, self.parameters).divided(self.divisor)

    def bound(self, dtype: type = np.float64) -> BoundKernel:
        """Bind the kernel to the training points, in a precision of choice."""
        return BoundKernel(self.name, self.parameters, self.X, dtype, self.divisor)

    @cached_property
    def _bound(self) -> BoundKernel:
        return self.bound()

    def full(self, n_threads: int = 1, dtype: type = np.float64) -> FullGram:
        """Return the kernel matrix of the training points, stored whole."""
        return FullGram.from_kernel(self.bound(dtype), self.X, n_threads)

    def operator(self, n_threads: int = 1, dtype: type = np.float64) -> Gram:
        """Return the kernel matrix as an operator that stores nothing, in a precision of choice."""
        return TiledGram(self.bound(dtype), self.X, n_threads)

    def diagonal(self, X: Matrix) -> Floats:
        """k(x, x) for every row x of X."""
        own = get_kernel(self.name).diagonal(X.astype(np.float64, copy=False), self.parameters)
        return own / self.divisor

    def apply(self, X: Matrix, C: Floats, n_threads: int = 1) -> Floats:
        """Σ_i k(x, x_i) C_i for every row x of X, in blocks: memory O(block)."""
        bound, out = self._bound, np.zeros((X.shape[0], C.shape[1]))

        def work(rows: slice, _: int) -> None:
            with np.errstate(over="ignore", invalid="ignore"):  # what overflows shows in `out`
                left = bound.left(X[rows])
                for columns in blocks(self.n, TILE_COLUMNS):
                    tile = np.empty((left.shape[0], columns.stop - columns.start))
                    out[rows] += bound.block(left, columns, tile) @ C[columns]

        for_blocks(X.shape[0], work, n_threads, TILE_ROWS)
        return out

    def nearest(self, X: Matrix) -> Floats:
        """Return γ times the distance to the nearest training point, for a kernel of a distance.

        It is known where the kernel value itself underflows.
        """
        parts = blocks(X.shape[0], TILE_ROWS)
        return np.concatenate([-self._bound.arguments(X[rows]).max(axis=1) for rows in parts])


class CallableSource(TrainingKernel):
    """A function of two points, called pair by pair, on training points X."""

    def __init__(self, X: Matrix, function: Callable[..., float], options: dict[str, Any]) -> None:
        self.X, self.n = X, X.shape[0]
        self.name, self._options = function, options

    def with_samples(self, X: Matrix) -> "CallableSource":
        """Return the same kernel on other points."""
        return CallableSource(X, self.name, self._options)

    def full(self, n_threads: int = 1) -> FullGram:
        """Return the kernel matrix of the training points; each pair is computed once.

        One pair of each row is tried the other way round too. Where that gives another value, all
        pairs are, and K is treated as a matrix that is not symmetric.
        """
        K = np.empty((self.n, self.n))
        for i in range(self.n):
            K[i, : i + 1] = K[: i + 1, i] = self._row(self.X, i, slice(0, i + 1))
        if not self._looks_symmetric(K):
            for i in range(self.n):
                K[i, i + 1 :] = self._row(self.X, i, slice(i + 1, self.n))
            K = to_dense_symmetric(K, is_symmetric(K))
        return FullGram(K / self.divisor, n_threads)

    def _looks_symmetric(self, K: Floats) -> bool:
        rows = np.arange(1, self.n)
        others = np.random.default_rng(0).integers(0, rows)
        pairs = zip(others.tolist(), rows.tolist(), strict=True)
        turned = np.array([self._row(self.X, j, slice(i, i + 1))[0] for j, i in pairs])
        apart = np.abs(turned - K[rows, others]).max(initial=0)
        return bool(apart <= ASYMMETRY[K.dtype] * np.abs(K).max())

    def _row(self, X: Matrix, i: int, columns: slice) -> Floats:
        """k(x_i, y) for row i of X and the training points y in `columns`.

        Raises
        ------
        ValueError
            If a value is NaN or infinite; the message names the rows.
        """
        if is_sparse(X):
            x, points = X[[i]], [self.X[[j]] for j in range(columns.start, columns.stop)]
        else:
            x, points = X[i], self.X[columns].copy()
        try:  # with copies: a function may write into its arguments
            values = [self.name(x.copy(), y, **self._options) for y in points]
        except Exception as error:
            error.add_note(
                "The kernel function was called with two rows of X. For a function of whole arrays "
                "or of other objects pass its matrix, with kernel='precomputed'."
            )
            raise
        for j, value in enumerate(values, columns.start):
            if np.ndim(value) or not isinstance(value, Real | np.ndarray) or not isfinite(value):
                got = f"an array of shape {np.shape(value)}" if np.ndim(value) else repr(value)
                rows = f"rows {i} and {j}" if X is self.X else f"row {i} and training row {j}"
                raise ValueError(
                    f"The kernel function gave {got} for {rows}: it must give one finite number "
                    "for two points. For a function of whole arrays pass its matrix, with "
                    "kernel='precomputed'."
                )
        return np.array(values, dtype=np.float64)

    def diagonal(self, X: Matrix) -> Floats:
        """k(x, x) for every row x of X."""
        own = self.with_samples(X)
        return np.concatenate([own._row(X, i, slice(i, i + 1)) for i in range(own.n)])

    def apply(self, X: Matrix, C: Floats, n_threads: int = 1) -> Floats:
        """Σ_i k(x, x_i) C_i for every row x of X, one row at a time."""
        return np.array([self._row(X, i, slice(0, self.n)) @ C for i in range(X.shape[0])])


class MatrixSource(TrainingKernel):
    """A kernel matrix computed beforehand; new points come as rows K(x, x_i)."""

    def __init__(self, K: Matrix) -> None:
        self.X, self.n, self.name = K, K.shape[0], "precomputed"

    @cached_property
    def _symmetric(self) -> bool:
        return is_symmetric(self.X)

    @property
    def is_stored(self) -> bool:
        """Whether the matrix is taken as it is: dense, in float64, symmetric and not divided."""
        plain = not is_sparse(self.X) and self.X.dtype == np.float64 and self.divisor == 1
        return plain and self._symmetric

    def with_samples(self, X: Array) -> "MatrixSource":
        """Return the kernel matrix of other points."""
        return MatrixSource(X)

    def full(self, n_threads: int = 1) -> FullGram:
        """Return the matrix itself, in float64, or (K + Kᵀ)/2 if it is not symmetric."""
        K = to_dense_symmetric(self.X, self._symmetric)
        return FullGram(K if self.divisor == 1 else K / self.divisor, n_threads)

    def diagonal(self, X: Matrix) -> Floats:
        """Not known: rows of kernel values do not hold k(x, x).

        Raises
        ------
        ValueError
            Always; the message says how to pass it.
        """
        raise ValueError(
            "A precomputed kernel does not say k(x, x) of new points: pass it as `diagonal`."
        )

    def abs_diagonal(self) -> Floats:
        """Return the size of the largest entry of each row."""
        ends = self.X.max(axis=1), -self.X.min(axis=1)
        return np.maximum(*(as_dense(end) for end in ends)).ravel()

    def apply(self, X: Array, C: Floats, n_threads: int = 1) -> Floats:
        """X C for rows X of kernel values."""
        return np.asarray(X @ C, dtype=np.float64)


def source_of(
    X: Matrix, kernel: Any, parameters: KernelParameters, options: dict[str, Any] | None = None
) -> TrainingKernel:
    """Return the source of kernel values that the arguments of the estimator mean.

    X are points of shape (n, d), or a kernel matrix of shape (n, n) for kernel="precomputed". A
    kernel by name has `parameters`, and a function of two points `options`, its keyword arguments.
    """
    if callable(kernel):
        return CallableSource(X, kernel, options or {})
    return MatrixSource(X) if kernel == "precomputed" else KernelSource(X, kernel, parameters)
