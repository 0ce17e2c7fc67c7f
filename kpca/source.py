"""Where kernel values come from: a named kernel, a callable, or a matrix computed beforehand."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from kpca.blocks import for_blocks
from kpca.gram import FullGram, Gram, PackedGram, TiledGram
from kpca.kernels import BoundKernel, KernelParameters, get_kernel, is_sparse
from kpca.types import Array, Floats, Matrix

NARROW = 40.0  # argument of the exponential from which float32 features are too coarse
ROWS, COLUMNS = 256, 512  # a tile of 1 MB stays in the cache of one core


class Source(Protocol):
    """Kernel values among training points, and between new points and training points.

    Attributes
    ----------
    n : int
        Number of training points.
    semidefinite : bool
        Whether the kernel is positive semidefinite for certain.
    """

    n: int
    semidefinite: bool

    def full(self, n_threads: int = 1) -> FullGram:
        """Give the kernel matrix of the training points, stored whole."""

    def apply(self, X: Matrix, C: Floats, n_threads: int = 1) -> Floats:
        """Σ_i k(x, x_i) C_i for every row x of X, in blocks: memory O(block)."""

    def diagonal(self, X: Matrix) -> Floats:
        """k(x, x) for every row x of X, in float64."""

    def largest(self) -> float:
        """Give the size of the largest kernel value k(x, x) among training points."""

    def operator(self, n_threads: int = 1) -> Gram:
        """Give the kernel matrix in float64 in as little memory as there is a way."""


class KernelSource:
    """A kernel of the registry on training points X."""

    def __init__(self, X: Matrix, name: str, parameters: KernelParameters) -> None:
        self.X = X
        self.name = name
        self.parameters = parameters
        self.n = X.shape[0]
        self.semidefinite = get_kernel(name).semidefinite(parameters)

    @cached_property
    def _reach(self) -> float:
        """Bound the argument of the exponential among the training points."""
        return self.bound().reach

    def bound(self, dtype: type = np.float64, features: type = np.float64) -> BoundKernel:
        """Bind the kernel to the training points, in a precision of choice."""
        return BoundKernel(self.name, self.parameters, self.X, dtype, features)

    def full(self, n_threads: int = 1) -> FullGram:
        """Give the kernel matrix of the training points, stored whole."""
        return FullGram.from_kernel(self.bound(), self.X, n_threads)

    def operator(self, n_threads: int = 1) -> Gram:
        """Give the kernel matrix in float64, as an operator that stores nothing."""
        return self.tiled(np.float64, n_threads)

    def packed(self, n_threads: int = 1) -> PackedGram:
        """Give one half of the kernel matrix, stored in float32."""
        bound = self.bound(np.float32, self._features())
        return PackedGram.from_kernel(bound, self.X, n_threads)

    def tiled(self, dtype: type, n_threads: int = 1) -> Gram:
        """Give the kernel matrix as an operator that stores nothing, in a precision of choice."""
        features = np.float64 if dtype == np.float64 else self._features()
        return TiledGram(self.bound(dtype, features), self.X, n_threads)

    def _features(self) -> type:
        """Choose a precision for the features of float32 blocks: float64 for a narrow kernel.

        The error of float32 features grows with the argument of the exponential.
        """
        return np.float64 if self._reach > NARROW else np.float32

    def diagonal(self, X: Matrix) -> Floats:
        """k(x, x) for every row x of X."""
        return get_kernel(self.name).diagonal(X.astype(np.float64, copy=False), self.parameters)

    def largest(self) -> float:
        """Give the size of the largest kernel value k(x, x) among training points."""
        with np.errstate(over="ignore", invalid="ignore"):
            return float(np.abs(self.diagonal(self.X)).max())

    def apply(self, X: Matrix, C: Floats, n_threads: int = 1) -> Floats:
        """Σ_i k(x, x_i) C_i for every row x of X, in blocks: memory O(block)."""
        bound = self.bound()
        out = np.zeros((X.shape[0], C.shape[1]))

        def work(rows: slice, _: int) -> None:
            apply_rows(bound, bound.left(X[rows]), C, out[rows])

        for_blocks(X.shape[0], work, n_threads, ROWS)
        return out


def apply_rows(kernel: BoundKernel, left: Matrix, C: Floats, out: Floats) -> None:
    """Add K C to `out` for the rows of `left`, tile by tile."""
    height, n = left.shape[0], C.shape[0]
    for start in range(0, n, COLUMNS):
        columns = slice(start, min(n, start + COLUMNS))
        tile = kernel.block(left, columns, np.empty((height, columns.stop - start)))
        out += tile @ C[columns]


class CallableSource:
    """A function of two points, called pair by pair, on training points X."""

    semidefinite = False

    def __init__(self, X: Matrix, function: Callable[..., float], options: dict[str, Any]) -> None:
        self.X = X
        self.n = X.shape[0]
        self._function = function
        self._options = options

    def full(self, n_threads: int = 1) -> FullGram:
        """Give the kernel matrix of the training points; each pair is computed once."""
        K = np.empty((self.n, self.n))
        for i in range(self.n):
            K[i, : i + 1] = self._row(self.X[[i]], i + 1)
            K[: i + 1, i] = K[i, : i + 1]
        return FullGram(K, n_threads)

    def _row(self, x: Matrix, stop: int) -> Array:
        if is_sparse(x):
            points = [self.X[[j]] for j in range(stop)]
        else:
            x, points = x[0], list(self.X[:stop])
        return np.array([self._function(x, y, **self._options) for y in points], dtype=np.float64)

    def operator(self, n_threads: int = 1) -> Gram:
        """Give the kernel matrix, stored whole."""
        return self.full(n_threads)

    def diagonal(self, X: Matrix) -> Floats:
        """k(x, x) for every row x of X."""
        points = [X[[i]] if is_sparse(X) else X[i] for i in range(X.shape[0])]
        return np.array([self._function(x, x, **self._options) for x in points], dtype=np.float64)

    def largest(self) -> float:
        """Give the size of the largest kernel value k(x, x) among training points."""
        return float(np.abs(self.diagonal(self.X)).max())

    def apply(self, X: Matrix, C: Floats, n_threads: int = 1) -> Floats:
        """Σ_i k(x, x_i) C_i for every row x of X, one row at a time."""
        return np.array([self._row(X[[i]], self.n) @ C for i in range(X.shape[0])])


class MatrixSource:
    """A kernel matrix computed beforehand; new points come as rows K(x, x_i)."""

    semidefinite = False

    def __init__(self, K: Array) -> None:
        self.K = K
        self.n = K.shape[0]

    def full(self, n_threads: int = 1) -> FullGram:
        """Give the matrix itself, in float64."""
        return FullGram(np.asarray(self.K, dtype=np.float64), n_threads)

    def operator(self, n_threads: int = 1) -> Gram:
        """Give the kernel matrix, stored whole."""
        return self.full(n_threads)

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

    def largest(self) -> float:
        """Give the size of the largest entry."""
        return float(max(self.K.max(), -self.K.min()))

    def apply(self, X: Array, C: Floats, n_threads: int = 1) -> Floats:
        """X C for rows X of kernel values."""
        return np.asarray(X @ C, dtype=np.float64)
