"""Where kernel values come from: a named kernel, a callable, or a matrix computed beforehand."""

import math
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from kpca.kernels import BoundKernel, KernelParameters, get_kernel, is_sparse
from kpca.linalg.row_blocks import blocks, for_blocks
from kpca.operators import Centering, FullGram, Gram, PackedGram, TiledGram
from kpca.operators.symmetry import whole
from kpca.types import Array, Floats, Matrix

LARGEST = 1e140  # squares of kernel values, summed over all pairs, must stay finite
FAR = 1e12  # of kernel values from 1, beyond which solvers work on scaled ones
NARROW = 40.0  # argument of the exponential from which float32 features are too coarse
ROWS, COLUMNS = 256, 512  # a tile of 1 MB stays in the cache of one core


class Source(Protocol):
    """Kernel values among training points, and between new points and training points."""

    X: Matrix  # the training points, or the rows of kernel values that stand for them
    n: int  # number of training points
    name: Any  # the kernel, as the estimator is given it
    semidefinite: bool = False  # whether the kernel is positive semidefinite for certain

    def on(self, X: Matrix) -> "Source":
        """Give the same kernel on other points."""

    def full(self, n_threads: int = 1) -> FullGram:
        """Give the kernel matrix of the training points, stored whole."""

    def operator(self, n_threads: int = 1) -> Gram:
        """Give the kernel matrix in float64 in as little memory as there is a way."""
        return self.full(n_threads)

    def diagonal(self, X: Matrix) -> Floats:
        """k(x, x) for every row x of X, in float64."""

    def largest(self) -> float:
        """Give the size of the largest kernel value k(x, x) among training points."""
        with np.errstate(over="ignore", invalid="ignore"):
            return float(np.abs(self.diagonal(self.X)).max())

    def apply(self, X: Matrix, C: Floats, n_threads: int = 1) -> Floats:
        """Σ_i k(x, x_i) C_i for every row x of X, in blocks: memory O(block)."""


class KernelSource(Source):
    """A kernel of the registry on training points X."""

    def __init__(self, X: Matrix, name: str, parameters: KernelParameters) -> None:
        self.X, self.n = X, X.shape[0]
        self.name, self.parameters = name, parameters
        self.semidefinite = get_kernel(name).semidefinite(parameters)

    def on(self, X: Matrix) -> "KernelSource":
        """Give the same kernel on other points."""
        return KernelSource(X, self.name, self.parameters)

    def bound(self, dtype: type = np.float64) -> BoundKernel:
        """Bind the kernel to the training points, in a precision of choice.

        Features of float32 blocks are float32 as well but for a narrow kernel: their error grows
        with the argument of the exponential.
        """
        exact = dtype == np.float64 or self.bound().reach > NARROW
        features = np.float64 if exact else np.float32
        return BoundKernel(self.name, self.parameters, self.X, dtype, features)

    def full(self, n_threads: int = 1) -> FullGram:
        """Give the kernel matrix of the training points, stored whole."""
        return FullGram.from_kernel(self.bound(), self.X, n_threads)

    def operator(self, n_threads: int = 1) -> Gram:
        """Give the kernel matrix in float64, as an operator that stores nothing."""
        return self.tiled(np.float64, n_threads)

    def packed(self, n_threads: int = 1) -> PackedGram:
        """Give one half of the kernel matrix, stored in float32."""
        return PackedGram(self.bound(np.float32), self.X, n_threads)

    def tiled(self, dtype: type, n_threads: int = 1) -> Gram:
        """Give the kernel matrix as an operator that stores nothing, in a precision of choice."""
        return TiledGram(self.bound(dtype), self.X, n_threads)

    def diagonal(self, X: Matrix) -> Floats:
        """k(x, x) for every row x of X."""
        return get_kernel(self.name).diagonal(X.astype(np.float64, copy=False), self.parameters)

    def apply(self, X: Matrix, C: Floats, n_threads: int = 1) -> Floats:
        """Σ_i k(x, x_i) C_i for every row x of X, in blocks: memory O(block)."""
        bound, out = self.bound(), np.zeros((X.shape[0], C.shape[1]))

        def work(rows: slice, _: int) -> None:
            left = bound.left(X[rows])
            for columns in blocks(self.n, COLUMNS):
                tile = np.empty((left.shape[0], columns.stop - columns.start))
                out[rows] += bound.block(left, columns, tile) @ C[columns]

        for_blocks(X.shape[0], work, n_threads, ROWS)
        return out


class CallableSource(Source):
    """A function of two points, called pair by pair, on training points X."""

    def __init__(self, X: Matrix, function: Callable[..., float], options: dict[str, Any]) -> None:
        self.X, self.n = X, X.shape[0]
        self.name, self._options = function, options

    def on(self, X: Matrix) -> "CallableSource":
        """Give the same kernel on other points."""
        return CallableSource(X, self.name, self._options)

    def full(self, n_threads: int = 1) -> FullGram:
        """Give the kernel matrix of the training points; each pair is computed once."""
        K = np.empty((self.n, self.n))
        for i in range(self.n):
            K[i, : i + 1] = self._row(self.X[[i]], i + 1)
            K[: i + 1, i] = K[i, : i + 1]
            if not np.isfinite(K[i, : i + 1]).all():
                j = int(np.flatnonzero(~np.isfinite(K[i, : i + 1]))[0])
                raise ValueError(
                    f"The kernel of rows {j} and {i} is {K[i, j]}: it must be a finite number."
                )
        return FullGram(K, n_threads)

    def _row(self, x: Matrix, stop: int) -> Array:
        if is_sparse(x):
            points = [self.X[[j]] for j in range(stop)]
        else:
            x, points = x[0], list(self.X[:stop])
        return np.array([self.name(x, y, **self._options) for y in points], dtype=np.float64)

    def diagonal(self, X: Matrix) -> Floats:
        """k(x, x) for every row x of X."""
        points = [X[[i]] if is_sparse(X) else X[i] for i in range(X.shape[0])]
        return np.array([self.name(x, x, **self._options) for x in points], dtype=np.float64)

    def apply(self, X: Matrix, C: Floats, n_threads: int = 1) -> Floats:
        """Σ_i k(x, x_i) C_i for every row x of X, one row at a time."""
        return np.array([self._row(X[[i]], self.n) @ C for i in range(X.shape[0])])


class MatrixSource(Source):
    """A kernel matrix computed beforehand; new points come as rows K(x, x_i)."""

    def __init__(self, K: Matrix, symmetric: bool = True) -> None:
        self.X, self.n, self.name = K, K.shape[0], "precomputed"
        self._symmetric = symmetric

    def on(self, X: Array) -> "MatrixSource":
        """Give the kernel matrix of other points."""
        return MatrixSource(X)

    def full(self, n_threads: int = 1) -> FullGram:
        """Give the matrix itself, in float64, or (K + Kᵀ)/2 where it is not symmetric."""
        return FullGram(whole(self.X, self._symmetric), n_threads)

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
        return float(max(self.X.max(), -self.X.min()))

    def apply(self, X: Array, C: Floats, n_threads: int = 1) -> Floats:
        """X C for rows X of kernel values."""
        return np.asarray(X @ C, dtype=np.float64)


def source_of(
    X: Matrix, kernel: Any, parameters: KernelParameters, options: dict[str, Any] | None = None
) -> Source:
    """Give the source of kernel values that the arguments of the estimator mean.

    X are points of shape (n, d), or a kernel matrix of shape (n, n) for kernel="precomputed". A
    kernel by name has `parameters`, and a function of two points `options`, its keyword arguments.
    """
    if callable(kernel):
        return CallableSource(X, kernel, options or {})
    return MatrixSource(X) if kernel == "precomputed" else KernelSource(X, kernel, parameters)


def about_mean(source: Source, centering: Centering) -> Source:
    """Give the same kernel on points without their mean, where centring makes K̄ the same.

    Far from the origin products x·y keep no digits of what centring leaves of them. Kernels of
    x − y shift their points themselves (`BoundKernel`); sparse points would not stay sparse.
    """
    if not isinstance(source, KernelSource) or source.name != "linear":
        return source
    if not centering.center or is_sparse(source.X):
        return source
    return source.on(source.X - mean_point(source.X, centering))


def mean_point(X: Array, centering: Centering) -> Floats:
    """Give Σ w_i x_i / W, in two steps, so that a constant column has its value for a mean."""
    mean: Floats = centering.share @ X
    return mean + centering.share @ (X - mean)


def mean_products(source: Source, centering: Centering) -> Floats:
    """Give the means K w/W of a linear kernel, of shape (n,): x_i · Σ w_j x_j / W."""
    return np.asarray(source.X @ mean_point(source.X, centering), dtype=np.float64)


def near_one(source: Source, largest: float) -> tuple[Source, float]:
    """Give a source whose kernel values are near 1, and the factor that they were divided by.

    Solvers keep some values in single precision, which ends at 1e38: squares of pixels from 0 to
    255 under a polynomial of degree 6 are beyond it. The factor is a power of two for
    whole degrees, so that nothing is rounded, and 1 unless the largest value is far from 1.
    """
    far = largest > FAR or 0 < largest < 1 / FAR
    if not isinstance(source, KernelSource) or source.name not in ("linear", "poly") or not far:
        return source, 1.0
    p = source.parameters
    if source.name == "linear":
        root = 2.0 ** round(math.log2(largest) / 2)
        return source.on(source.X / root), root**2
    each = 2.0 ** round(math.log2(largest) / p.degree)
    scaled = KernelParameters(p.gamma / each, p.degree, p.coef0 / each)
    return KernelSource(source.X, source.name, scaled), each**p.degree


def check_range(source: Source) -> float:
    """Give the largest kernel value, and refuse one that is too large to be squared and summed.

    Raises
    ------
    ValueError
        Naming the largest, and what to change.
    """
    largest = source.largest()
    if not largest < LARGEST:
        raise ValueError(
            f"Kernel values overflow: they reach {largest:.3g}, and {LARGEST:g} is the limit. "
            "Scale the data, or lower gamma, degree or coef0."
        )
    return largest
