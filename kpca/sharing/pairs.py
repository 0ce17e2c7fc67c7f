"""Distances or inner products of all pairs of points: the common part of a kernel family."""

from dataclasses import replace
from functools import cached_property

import numpy as np

from kpca.gram import FullGram, PackedGram, TiledGram
from kpca.kernel_pca import KernelPCA
from kpca.kernels import BoundKernel, Kernel, KernelParameters, get_kernel
from kpca.kernels.bound import UNDERFLOW
from kpca.memory import default_budget
from kpca.source import KernelSource
from kpca.threads import thread_count
from kpca.types import Array, Floats, Matrix


def there_is_room(estimator: KernelPCA, n: int) -> bool:
    """Whether pairs of n points, in both precisions, leave a quarter of the memory budget."""
    return 2 * 8 * n**2 <= (estimator.memory_budget or default_budget())


def shared_pairs(estimator: KernelPCA, X: Matrix) -> "SharedPairs | None":
    """Give the pairs of an estimator's kernel, or None where memory is too short for them."""
    if not there_is_room(estimator, X.shape[0]):
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
    """

    def __init__(self, X: Matrix, kernel: str, n_threads: int = 1) -> None:
        self.X = X
        self.kernel = kernel
        self._n_threads = n_threads
        self.unlinked = Unlinked(kernel, X)

    @cached_property
    def values(self) -> Floats:
        """All of them, of shape (n, n), in float64; computed on first use, if there is any."""
        return FullGram.from_kernel(self.unlinked, self.X, self._n_threads).K

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


class Unlinked(BoundKernel):
    """A kernel of γ = 1 and c = 0 without its link: what its parameters have in common."""

    def __init__(self, name: str, X: Matrix) -> None:
        super().__init__(name, KernelParameters(gamma=1.0, degree=1.0, coef0=0.0), X)
        self.kernel = replace(self.kernel, link=lambda T, p: None)
        self.farthest, self.reach = self.reach, 0.0  # nothing underflows without exponential

    def linking(self, parameters: KernelParameters) -> "Linking":
        """Give the way from there to kernel values."""
        return Linking(get_kernel(self.name), parameters, self.farthest)


class Linking:
    """From what all parameters of a kernel have in common to its values for some of them.

    Parameters
    ----------
    kernel : Kernel
    parameters : KernelParameters
    farthest : float
        A bound on the size of what is shared where the link is an exponential, 0 elsewhere.
    """

    def __init__(self, kernel: Kernel, parameters: KernelParameters, farthest: float) -> None:
        self.kernel, self.parameters = kernel, parameters
        self._scale = parameters.gamma if "gamma" in kernel.uses else 1.0
        self._offset = parameters.coef0 if "coef0" in kernel.uses else 0.0
        self.reach = farthest * self._scale

    def __call__(self, shared: Array, out: Array) -> Array:
        """Fill `out` with kernel values."""
        np.multiply(shared, self._scale, out=out)
        if self._offset:
            out += self._offset
        if self.reach > UNDERFLOW[out.dtype]:
            np.maximum(out, -UNDERFLOW[out.dtype], out=out)
        self.kernel.link(out, self.parameters)
        return out


class _LinkedBlocks(BoundKernel):
    """Blocks of a kernel matrix from what is shared; rows and columns go by their places."""

    def __init__(self, pairs: SharedPairs, parameters: KernelParameters, dtype: type) -> None:
        self._linking = pairs.unlinked.linking(parameters)
        self.kernel, self.parameters = self._linking.kernel, parameters
        self.dtype = np.dtype(dtype)
        self._pairs = pairs.values if self.dtype == np.float64 else pairs.single

    def left(self, X: Matrix) -> Array:
        """Places of the rows, all of them: blocks are cut from the points that are shared."""
        return np.arange(X.shape[0])

    def block(self, left: Array, columns: slice, out: Array) -> Array:
        """Fill `out` with k(x_i, x_j) for rows that follow one another, and those in `columns`."""
        return self._linking(self._pairs[left[0] : left[-1] + 1, columns], out)


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
