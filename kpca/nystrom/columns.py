"""Kernel matrices whose columns are read on demand."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from kpca.linalg.resources import ArrayRows
from kpca.operators.grams import FullGram
from kpca.operators.sources import ASYMMETRY, KernelSource
from kpca.types import FLOAT32, FLOAT64, Array, Floats, Matrix
from kpca.validation import check_finite, check_in_memory, checked, is_sparse

# Type of kernel values → largest squared distance of a landmark from the span of the others,
# relative to the largest k(x, x), that counts as rounding. Such a landmark counts as dependent.
NULL = {FLOAT64: 1e-10, FLOAT32: 1e-6}


class KernelColumns:
    """A positive semidefinite kernel matrix whose columns are computed when they are needed.

    `LandmarkKernelPCA` takes a `KernelColumns` as X if ``kernel="precomputed"``. A fit with m
    landmarks then reads (m + 1) n values instead of n²: m columns, and the diagonal.

    Parameters
    ----------
    columns : callable
        ``columns(indices)`` returns K[:, indices], an array or sparse matrix of shape
        (n, len(indices)), for integers from 0 to n − 1.
    diagonal : array-like of shape (n,)
        k(x_i, x_i) of each sample.

    Attributes
    ----------
    n : int
        Number of samples.
    diagonal : ndarray of shape (n,)
        k(x_i, x_i) in float64.

    Raises
    ------
    ValueError
        If `diagonal` is not a one-dimensional array of finite, non-negative numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from kpca import KernelColumns, LandmarkKernelPCA
    >>> words = ["walk", "walked", "talk", "talked", "sing", "singing"]
    >>> def shared(indices):
    ...     return np.array([[len(set(w) & set(words[i])) for i in indices] for w in words])
    >>> K = KernelColumns(shared, [len(set(word)) for word in words])
    >>> model = LandmarkKernelPCA(
    ...     2, kernel="precomputed", n_landmarks=4, landmarks="rpcholesky"
    ... ).fit(K)
    >>> model.transform(shared(model.landmark_indices_)).shape
    (6, 2)
    """

    def __init__(self, columns: Callable[[Array], Any], diagonal: Any) -> None:
        self._columns = columns
        self.diagonal = checked(diagonal, "diagonal", ensure_2d=False, dtype=np.float64)
        if self.diagonal.ndim != 1 or (self.diagonal < 0).any():
            raise ValueError(
                "diagonal must hold k(x, x) of each sample, non-negative, in shape (n,); got shape "
                f"{self.diagonal.shape}, and {self.diagonal.min():g} as the smallest value."
            )
        self.n = len(self.diagonal)
        self.precision = FLOAT64  # type of the values that were read
        self.rows = ArrayRows(np.arange(self.n)[:, None])  # row numbers in place of samples

    def read(self, indices: Array) -> Floats:
        """Return some columns of the kernel matrix.

        Parameters
        ----------
        indices : array of int of shape (m,)
            Indices of the columns, from 0 to n − 1.

        Returns
        -------
        ndarray of shape (n, m)
            K[:, indices] in float64.

        Raises
        ------
        ValueError
            If the function returns anything else than finite numbers in this shape.
        """
        returned = self._columns(indices)
        returned = returned.toarray() if is_sparse(returned) else returned
        if getattr(returned, "dtype", FLOAT64) == FLOAT32:
            self.precision = FLOAT32
        values = np.array(returned, dtype=np.float64)  # copy: the function may reuse its array
        if values.shape != (self.n, len(indices)):
            raise ValueError(
                f"columns(indices) must return shape ({self.n}, {len(indices)}) for "
                f"{len(indices)} indices, got {values.shape}."
            )
        check_finite(values, "columns(indices)")
        return values

    @classmethod
    def of(cls, K: Any) -> "KernelColumns":
        """Return the columns of a stored kernel matrix.

        The matrix is symmetric, so that columns are read as rows, which are contiguous in a file.

        Parameters
        ----------
        K : array, memory map or sparse matrix of shape (n, n), or KernelColumns
            The kernel matrix. A `KernelColumns` is returned as it is.

        Returns
        -------
        KernelColumns

        Raises
        ------
        ValueError
            If the matrix is not square.
        """
        if isinstance(K, cls):
            return K
        check_in_memory(K)
        K = K.tocsr() if is_sparse(K) else np.asarray(K)
        if K.ndim != 2 or K.shape[0] != K.shape[1]:
            raise ValueError(f"A precomputed kernel matrix must be square, got shape {K.shape}.")
        return cls(lambda indices: K[indices].T, K.diagonal())


class ColumnSource:
    """Chosen columns of a kernel matrix; the samples X are row numbers, of shape (n, 1).

    Columns that were read are stored. Sources that `with_samples` returns share them.
    """

    def __init__(self, matrix: KernelColumns, X: Matrix, read: dict[int, Floats] | None = None):
        self.X = X
        self.n = X.shape[0]
        self._matrix = matrix
        self._read = {} if read is None else read

    def with_samples(self, X: Matrix) -> "ColumnSource":
        """Return the same matrix on other samples."""
        return ColumnSource(self._matrix, X, self._read)

    @property
    def precision(self) -> np.dtype:
        """The precision of the values that were read."""
        return self._matrix.precision

    @cached_property
    def columns(self) -> Floats:
        """The columns of the kernel matrix for the samples X, one column per sample."""
        numbers = self.X[:, 0].tolist()
        missing = [number for number in numbers if number not in self._read]
        if missing:
            columns = self._matrix.read(np.array(missing))
            self._read.update(zip(missing, columns.T, strict=True))
        return np.stack([self._read[number] for number in numbers], axis=1)

    def bound(self) -> "ColumnSource":
        """Return self, because the columns already contain the kernel values."""
        return self

    def values(self, X: Matrix) -> Floats:
        """Return k(x, y) for the samples x in X and the samples y of the columns."""
        return self.columns[X[:, 0]]

    def rounding(self, X: Matrix) -> Floats:
        """Return zeros, because the values are considered exact."""
        return np.zeros(X.shape[0])

    def diagonal(self, X: Matrix) -> Floats:
        """Return k(x, x) of the samples in X."""
        return self._matrix.diagonal[X[:, 0]]

    def full(self) -> FullGram:
        """Return the kernel matrix of the samples.

        Raises
        ------
        ValueError
            If the matrix of the samples is not symmetric, or its diagonal differs from the one that
            was given to `KernelColumns`.
        """
        K = self.values(self.X)
        size = self._matrix.diagonal.max(initial=0)
        off = max(abs(K - K.T).max(), abs(K.diagonal() - self.diagonal(self.X)).max())
        if off > ASYMMETRY[self.precision] * size:
            raise ValueError(
                "The columns of the kernel matrix disagree with each other or with its diagonal by "
                f"{off:.2g}: column i must hold k(x_j, x_i) for every sample j."
            )
        return FullGram((K + K.T) / 2)


Source = KernelSource | ColumnSource  # source of kernel values with landmarks
