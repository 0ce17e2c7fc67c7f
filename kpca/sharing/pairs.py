"""Distances or inner products of all pairs of points: the common part of a kernel family."""

from dataclasses import replace
from functools import cached_property

import numpy as np

from kpca.gram import FullGram, PackedGram, TiledGram
from kpca.kernel_pca import KernelPCA
from kpca.kernels import BoundKernel, KernelParameters, get_kernel
from kpca.kernels.bound import UNDERFLOW
from kpca.memory import default_budget
from kpca.source import KernelSource
from kpca.threads import thread_count
from kpca.types import Array, Floats, Matrix


def shared_pairs(estimator: KernelPCA, X: Matrix) -> "SharedPairs | None":
    """Compute the pairs of an estimator's kernel, or None where memory is too short for them.

    In both precisions they may take three quarters of the memory budget.
    """
    budget = estimator.memory_budget or default_budget()
    if 2 * 8 * X.shape[0] ** 2 > budget:
        return None
    return SharedPairs(X, str(estimator.kernel), thread_count(estimator.n_jobs))


class SharedPairs:
    """−‖x − y‖², −‖x − y‖₁ or x · y for every pair of points, whichever a kernel reads.

    A kernel of the family is a link of γ times that plus a constant, so that another parameter
    costs one pass over stored numbers and no distances.

    Parameters
    ----------
    X : array or sparse matrix of shape (n, d)
    kernel : str
        A key of `kpca.kernels.KERNELS`.
    n_threads : int

    Attributes
    ----------
    reach : float
        A bound on −values where the link is an exponential, 0 elsewhere.
    """

    def __init__(self, X: Matrix, kernel: str, n_threads: int = 1) -> None:
        self.X = X
        self.kernel = kernel
        self._n_threads = n_threads
        self._unlinked = _Unlinked(kernel, X)
        self.reach = self._unlinked.farthest

    @cached_property
    def values(self) -> Floats:
        """All of them, of shape (n, n), in float64; computed on first use, if there is any."""
        return FullGram.from_kernel(self._unlinked, self.X, self._n_threads).K

    @cached_property
    def single(self) -> Array:
        """All of them in float32, for passes of low precision, which read them faster."""
        return self.values.astype(np.float32)

    def source(self, parameters: KernelParameters) -> "SharedSource":
        """Give the kernel with these parameters."""
        return SharedSource(self, parameters)

    def linked(self, parameters: KernelParameters, dtype: type = np.float64) -> BoundKernel:
        """Give the kernel with these parameters, bound to the points, in a precision of choice."""
        return _LinkedBlocks(self, parameters, dtype)


class _Unlinked(BoundKernel):
    """A kernel of γ = 1 and c = 0 without its link."""

    def __init__(self, name: str, X: Matrix) -> None:
        super().__init__(name, KernelParameters(gamma=1.0, degree=1.0, coef0=0.0), X)
        self.kernel = replace(self.kernel, link=lambda T, p: None)
        self.farthest, self.reach = self.reach, 0.0  # nothing underflows without exponential


class _LinkedBlocks(BoundKernel):
    """Blocks of a kernel matrix from what is shared; rows and columns go by their places."""

    def __init__(self, pairs: SharedPairs, parameters: KernelParameters, dtype: type) -> None:
        self.name = pairs.kernel
        self.kernel = get_kernel(pairs.kernel)
        self.parameters = parameters
        self.dtype = np.dtype(dtype)
        self._pairs = pairs.values if self.dtype == np.float64 else pairs.single
        self._scale = parameters.gamma if "gamma" in self.kernel.uses else 1.0
        self._offset = parameters.coef0 if "coef0" in self.kernel.uses else 0.0
        self.reach = pairs.reach * self._scale

    def left(self, X: Matrix) -> Array:
        """Places of the rows, all of them: blocks are cut from the points that are shared."""
        return np.arange(X.shape[0])

    def block(self, left: Array, columns: slice, out: Array) -> Array:
        """Fill `out` with k(x_i, x_j) for rows that follow one another, and those in `columns`."""
        np.multiply(self._pairs[left[0] : left[-1] + 1, columns], self._scale, out=out)
        if self._offset:
            out += self._offset
        if self.reach > UNDERFLOW[self.dtype]:
            np.maximum(out, -UNDERFLOW[self.dtype], out=out)
        self.kernel.link(out, self.parameters)
        return out


class SharedSource(KernelSource):
    """A kernel of the registry whose blocks among training points come from `SharedPairs`."""

    def __init__(self, pairs: SharedPairs, parameters: KernelParameters) -> None:
        super().__init__(pairs.X, pairs.kernel, parameters)
        self.pairs = pairs

    def full(self, n_threads: int = 1) -> FullGram:
        """Give the kernel matrix of the training points, stored whole."""
        return FullGram.from_kernel(self.pairs.linked(self.parameters), self.X, n_threads)

    def packed(self, n_threads: int = 1) -> PackedGram:
        """Give one half of the kernel matrix, stored in float32."""
        linked = self.pairs.linked(self.parameters, np.float32)
        return PackedGram.from_kernel(linked, self.X, n_threads)

    def tiled(self, dtype: type, n_threads: int = 1) -> TiledGram:
        """Give the kernel matrix as an operator that links anew in every product."""
        return TiledGram(self.pairs.linked(self.parameters, dtype), self.X, n_threads)
