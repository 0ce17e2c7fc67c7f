"""Sources of kernel values: a named kernel, a callable, or a precomputed matrix.

`about_mean` returns the source that the solvers use.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from math import isfinite
from numbers import Real
from typing import Any, Protocol

import numpy as np

from kpca.kernels.bound import BoundKernel
from kpca.kernels.registry import KernelParameters, get_kernel, moved, origin
from kpca.linalg.resources import blocks, for_blocks
from kpca.operators.grams import Centering, FullGram, Gram, TiledGram, row_sizes
from kpca.types import EPS, FLOAT32, FLOAT64, Array, Floats, Matrix
from kpca.validation import is_sparse, warn

# A tile of 1 MB stays in the cache of one core.
TILE_ROWS = 256
TILE_COLUMNS = 512
SIZES = 1e-100, 1e100  # smallest and largest kernel values and weights that are accepted
# Largest |K_ij − K_ji| relative to max |K_ij| without a warning, per precision of the matrix.
ASYMMETRY = {FLOAT64: 1e-8, FLOAT32: 1e-4}
ROUNDED = 16 * EPS  # largest relative asymmetry that counts as rounding
STRIP = 64


class TrainingKernel(Protocol):
    """Kernel values among training points, and between new points and training points."""

    X: Matrix  # the training points, or their rows of a precomputed kernel matrix
    n: int  # number of training points
    name: Any  # the `kernel` argument of the estimator
    precision: np.dtype = FLOAT64  # type of kernel values
    semidefinite: bool = False  # whether the kernel is known to be positive semidefinite
    feature_count: int | None = None  # number of explicit features, if the kernel has them

    def with_samples(self, X: Matrix) -> "TrainingKernel":
        """Return the same kernel on other points."""

    def full(self, n_threads: int = 1) -> FullGram:
        """Return the kernel matrix of the training points, stored whole."""

    def operator(self, n_threads: int = 1) -> Gram:
        """Return the kernel matrix as an operator in float64 with as little memory as possible."""
        return self.full(n_threads)

    def diagonal(self, X: Matrix) -> Floats:
        """Return k(x, x) for every row x of X, in float64."""

    @property
    def sizes(self) -> Floats:
        """s, of shape (n,), with |k(x_i, x_j)| ≤ √(s_i s_j) if the kernel is semidefinite."""
        return np.abs(self.diagonal(self.X))

    def apply(self, X: Matrix, C: Floats, n_threads: int = 1) -> Floats:
        """Return Σ_i k(x, x_i) C_i for every row x of X, computed in blocks of bounded memory."""


class KernelSource(TrainingKernel):
    """A named kernel of the registry on training points X."""

    def __init__(self, X: Matrix, name: str, parameters: KernelParameters) -> None:
        self.X = X
        self.n = X.shape[0]
        self.name = name
        self.parameters = parameters
        self._kernel = get_kernel(name)
        self.semidefinite = self._kernel.semidefinite(parameters)
        self.feature_count = self._kernel.feature_count(X.shape[1], parameters)

    def with_samples(self, X: Matrix) -> "KernelSource":
        """Return the same kernel on other points."""
        return KernelSource(X, self.name, self.parameters)

    def bound(self, dtype: type = np.float64) -> BoundKernel:
        """Return the kernel bound to the training points, with values of type `dtype`."""
        return BoundKernel(self.name, self.parameters, self.X, dtype)

    @cached_property
    def _bound(self) -> BoundKernel:
        return self.bound()

    def full(self, n_threads: int = 1) -> FullGram:
        """Return the kernel matrix of the training points, stored whole."""
        return FullGram.from_kernel(self.bound(), self.X, n_threads)

    def operator(self, n_threads: int = 1, dtype: type = np.float64) -> Gram:
        """Return K as an operator that stores no kernel values and computes them in `dtype`."""
        return TiledGram(self.bound(dtype), self.X, n_threads)

    def diagonal(self, X: Matrix) -> Floats:
        """Return k(x, x) for every row x of X."""
        with np.errstate(over="ignore"):
            return self._kernel.diagonal(X.astype(np.float64, copy=False), self.parameters)

    @property
    def sizes(self) -> Floats:
        """s, of shape (n,), with |k(x_i, x_j)| ≤ √(s_i s_j)."""
        with np.errstate(over="ignore"):
            return self._kernel.sizes(self.X.astype(np.float64, copy=False), self.parameters)

    def apply(self, X: Matrix, C: Floats, n_threads: int = 1) -> Floats:
        """Return Σ_i k(x, x_i) C_i for every row x of X, computed in blocks of bounded memory."""
        bound = self._bound
        out = np.zeros((X.shape[0], C.shape[1]))

        def work(rows: slice) -> None:
            with np.errstate(over="ignore", invalid="ignore"):  # An overflow shows in `out`.
                features = bound.left(X[rows])
                for columns in blocks(self.n, TILE_COLUMNS):
                    tile = np.empty((features.shape[0], columns.stop - columns.start))
                    out[rows] += bound.block(features, columns, tile) @ C[columns]

        for_blocks(X.shape[0], work, n_threads, TILE_ROWS)
        return out

    def nearest(self, X: Matrix) -> Floats:
        """Return γ times the distance from each row of X to the nearest training point.

        The kernel must depend on a distance only. The result is valid even if the kernel value
        underflows.
        """
        parts = blocks(X.shape[0], TILE_ROWS)
        return np.concatenate([-self._bound.arguments(X[rows]).max(axis=1) for rows in parts])


class AsymmetricKernelWarning(UserWarning):
    """A kernel matrix, precomputed or of a function, is not symmetric, so (K + Kᵀ)/2 is used."""


def relative_asymmetry(K: Matrix, largest: float) -> float:
    """Return max |K_ij − K_ji| / max |K_ij|, and warn if this exceeds `ASYMMETRY`.

    `largest` is max |K_ij|.

    Raises
    ------
    ValueError
        If the matrix is not square.
    """
    if K.shape[0] != K.shape[1]:
        raise ValueError(
            f"Precomputed kernel matrix has shape {K.shape}: it must be a square matrix of the "
            "kernel values among the training points."
        )
    asymmetry = _asymmetry(K) / largest if largest > 0 else 0.0
    if asymmetry > ASYMMETRY[K.dtype]:
        warn(
            f"The kernel matrix is not symmetric: |K − Kᵀ| reaches {asymmetry:.1e} of "
            "its largest entry. (K + Kᵀ)/2 is used.",
            AsymmetricKernelWarning,
        )
    return asymmetry


def mean_of_triangles(K: Matrix) -> Floats:
    """Return (K + Kᵀ)/2 in float64, a new array."""
    dense = K.toarray() if is_sparse(K) else K
    mean = np.add(dense, dense.T, dtype=np.float64)
    mean /= 2
    return mean


def _asymmetry(K: Matrix) -> float:
    """Return max |K_ij − K_ji|, computed by blocks of rows from the diagonal on."""
    if is_sparse(K):
        return float(abs(K - K.T).max())
    largest = 0.0
    for rows in blocks(K.shape[0], STRIP):
        right = K[rows, rows.start :]
        below = K[rows.start :, rows]
        largest = max(largest, float(np.abs(right - below.T).max()))
    return largest


class CallableSource(TrainingKernel):
    """A kernel function of two points, called for each pair, on training points X."""

    def __init__(self, X: Matrix, function: Callable[..., float], options: dict[str, Any]) -> None:
        self.X = X
        self.n = X.shape[0]
        self.name = function
        self._options = options

    def with_samples(self, X: Matrix) -> "CallableSource":
        """Return the same kernel on other points."""
        return CallableSource(X, self.name, self._options)

    def full(self, n_threads: int = 1) -> FullGram:
        """Return the kernel matrix of the training points; each pair is computed once.

        For one pair per row, the function is also called with its arguments swapped. If a value
        then differs, the function is called in both orders for all pairs, and K is treated as a
        matrix that is not symmetric.
        """
        K = np.empty((self.n, self.n))
        for i in range(self.n):
            K[i, : i + 1] = K[: i + 1, i] = self._row(self.X, i, slice(0, i + 1))
        if not self._looks_symmetric(K):
            for i in range(self.n):
                K[i, i + 1 :] = self._row(self.X, i, slice(i + 1, self.n))
            relative_asymmetry(K, float(np.abs(K).max()))
            K = mean_of_triangles(K)
        return FullGram(K, n_threads)

    def _looks_symmetric(self, K: Floats) -> bool:
        rows = np.arange(1, self.n)
        others = np.random.default_rng(0).integers(0, rows)
        pairs = zip(others, rows, strict=True)
        turned = [self._row(self.X, j, slice(i, i + 1))[0] for j, i in pairs]
        apart = np.abs(turned - K[rows, others]).max(initial=0)
        return apart <= ASYMMETRY[K.dtype] * np.abs(K).max()

    def _row(self, X: Matrix, i: int, columns: slice) -> Floats:
        """Return k(x_i, y) for row i of X and the training points y in `columns`.

        Raises
        ------
        ValueError
            If a value is NaN or infinite; the message names the rows.
        """
        if is_sparse(X):
            x = X[[i]]
            points = [self.X[[j]] for j in range(columns.start, columns.stop)]
        else:
            x = X[i]
            points = self.X[columns].copy()
        try:  # A function may write into its arguments, so it gets copies.
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
        """Return k(x, x) for every row x of X."""
        itself = self.with_samples(X)
        return np.concatenate([itself._row(X, i, slice(i, i + 1)) for i in range(itself.n)])

    def apply(self, X: Matrix, C: Floats, n_threads: int = 1) -> Floats:
        """Return Σ_i k(x, x_i) C_i for every row x of X, computed one row at a time."""
        products = np.empty((X.shape[0], *C.shape[1:]))
        for i in range(X.shape[0]):
            products[i] = self._row(X, i, slice(0, self.n)) @ C
        return products


class MatrixSource(TrainingKernel):
    """A precomputed kernel matrix; new points are given as rows K(x, x_i)."""

    def __init__(self, K: Matrix) -> None:
        self.X = K
        self.n = K.shape[0]
        self.name = "precomputed"

    @cached_property
    def _largest(self) -> float:
        return float(self.sizes.max(initial=0))

    @cached_property
    def _asymmetry(self) -> float:
        return relative_asymmetry(self.X, self._largest)

    @property
    def is_stored(self) -> bool:
        """Whether the matrix is used without a copy: symmetric up to rounding, dense, float64."""
        is_rounded = self._asymmetry <= ROUNDED  # Read this first, because it may warn.
        return is_rounded and not is_sparse(self.X) and self.X.dtype == np.float64

    def with_samples(self, X: Array) -> "MatrixSource":
        """Return the source of X, which is the kernel matrix of other points."""
        return MatrixSource(X)

    def full(self, n_threads: int = 1) -> FullGram:
        """Return (K + Kᵀ)/2 in float64, or K itself if the two differ by rounding only."""
        if not self.is_stored:
            return FullGram(mean_of_triangles(self.X), n_threads)
        # K_ij differs from (K_ij + K_ji)/2 by at most half of the asymmetry. This bound is written
        # as e_i + e_j, so that each e_i is a fourth of the asymmetry.
        rounding = np.full(self.n, self._asymmetry * self._largest / 4)
        return FullGram(self.X, n_threads, rounding)

    def diagonal(self, X: Matrix) -> Floats:
        """Raise an error, because rows of kernel values do not contain k(x, x).

        Raises
        ------
        ValueError
            Always; the message says how to pass k(x, x).
        """
        raise ValueError(
            "A precomputed kernel does not say k(x, x) of new points: pass it as `diagonal`."
        )

    @cached_property
    def sizes(self) -> Floats:
        """max_j |K_ij| of each row i."""
        return row_sizes(self.X)

    def apply(self, X: Array, C: Floats, n_threads: int = 1) -> Floats:
        """Return X C for rows X of kernel values."""
        return X @ C


def source_of(
    X: Matrix, kernel: Any, parameters: KernelParameters, options: dict[str, Any] | None = None
) -> TrainingKernel:
    """Return the source of kernel values for the arguments of the estimator.

    X are points of shape (n, d), or a kernel matrix of shape (n, n) for kernel="precomputed".
    `parameters` are those of a named kernel, and `options` the keyword arguments of a function of
    two points.
    """
    if callable(kernel):
        return CallableSource(X, kernel, options or {})
    return MatrixSource(X) if kernel == "precomputed" else KernelSource(X, kernel, parameters)


def check_sizes(
    sizes: Floats, numbers: Sequence[int] | Array, weights: Floats | None = None
) -> None:
    """Raise an error if kernel values or weights are beyond `SIZES`.

    `sizes` bound the kernel values of the samples with the row `numbers` (|k(x, x)| if the kernel
    is semidefinite), and `weights` are the weights of all samples. Within `SIZES`, squares of
    computed values neither overflow nor underflow.

    Raises
    ------
    ValueError
        If a kernel value, or its product with a weight, is beyond `SIZES`. The message says what to
        change.
    """
    largest = float(sizes.max())  # in float64, because the limits exceed the range of float32
    low, high = SIZES
    heaviest = 1.0 if weights is None else weights.max()
    if not largest < high:
        raise ValueError(
            f"Kernel values overflow: they reach {largest:.3g} at row "
            f"{numbers[int(np.argmax(sizes))]}, and {high:g} is the limit. Scale the data, or "
            "lower gamma, degree or coef0."
        )
    if 0 < largest < low:
        raise ValueError(
            f"Kernel values underflow: the largest is {largest:.3g}, and {low:g} is the limit. "
            "Scale the data, or raise gamma or coef0."
        )
    for size in (heaviest, largest * heaviest):
        if largest and not low <= size <= high:
            raise ValueError(
                f"Kernel values with weights are beyond {low:g} to {high:g}: the largest value is "
                f"{largest:.3g}, and the largest weight {heaviest:.3g}. Scale sample_weight."
            )


def check_source(source: TrainingKernel, centering: Centering) -> None:
    """Raise an error if kernel values of training samples are beyond `SIZES`, or all underflow.

    Raises
    ------
    ValueError
        In both cases; the message says what to change.
    """
    sizes = source.sizes
    check_sizes(sizes, range(source.n), centering.weights)
    if sizes.any() or not isinstance(source, KernelSource):
        return
    gamma = source.parameters.gamma if "gamma" in get_kernel(source.name).uses else 1.0
    if gamma > 0 and abs(source.X).max() > 0:
        raise ValueError(
            f"Values of the {source.name} kernel underflow to zero. Scale the data, or raise gamma "
            "or coef0."
        )


def about_mean(source: TrainingKernel, centering: Centering) -> TrainingKernel:
    """Return the `source`; if it is a centred linear kernel, subtract the mean from its points.

    The subtraction does not change K̄. Without it, products x·y far from the origin lose the digits
    that remain after centring. Kernels of x − y shift their points themselves (`BoundKernel`).
    """
    if not isinstance(source, KernelSource) or source.name != "linear":
        return source
    point = origin(source.X, mean_point(source.X, centering))
    away = centering.center and point.any()
    return source.with_samples(moved(source.X, point)) if away else source


def mean_point(X: Matrix, centering: Centering) -> Floats:
    """Return the mean Σ w_i x_i / W, in two steps so that it is exact for a constant column."""
    shifted = origin(X, centering.normalized_weights @ X)
    return shifted + centering.normalized_weights @ moved(X, shifted)


def mean_products(source: TrainingKernel, centering: Centering) -> Floats:
    """Return the means K w/W of a linear kernel, of shape (n,): x_i · Σ w_j x_j / W."""
    return source.X @ mean_point(source.X, centering)
