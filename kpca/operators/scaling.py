"""One kernel matrix as the solvers see it: about the mean, with values and weights near 1."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kpca.kernels.registry import KernelParameters, get_kernel, moved, origin
from kpca.operators.centering import Centering
from kpca.operators.sources import KernelSource, TrainingKernel
from kpca.types import Array, Floats, Matrix

LARGEST = 1e140  # largest kernel value that is accepted
SMALLEST_VALUE = 1e-290  # smallest size of kernel values that are computed from samples
FAR = 1e12  # ratio to 1 beyond which kernel values and weights are scaled


@dataclass(frozen=True, eq=False)
class Scaled:
    """A kernel and weights near 1, with the numbers that both were divided by."""

    source: Any
    centering: Centering
    kernel: float = 1.0  # divisor of the kernel values
    weights: float = 1.0  # divisor of the weights

    @property
    def factor(self) -> float:
        """Ratio of the eigenvalues of the given K̄ to those of the scaled one."""
        return self.kernel * self.weights


def scale(source: Any, centering: Centering, drawn: Array | None = None) -> Scaled:
    """Return the same problem about the mean, with kernel values and weights near 1.

    Squares of entries neither overflow nor underflow then, in single precision included. The
    divisors are powers of two wherever that keeps every digit, and 1 unless the largest value is
    far from 1. Samples that are `drawn` from all, with these row numbers, stand for others that
    come as they are: they are not shifted, and a linear kernel is scaled as a polynomial of
    degree 1.

    Raises
    ------
    ValueError
        If kernel values overflow or underflow; the message says what to change.
    """
    largest = check_sizes(source.abs_diagonal(), range(source.n) if drawn is None else drawn)
    near = source if drawn is not None else about_mean(source, centering)
    if near is not source:
        largest = float(near.abs_diagonal().max())
    if largest < SMALLEST_VALUE and isinstance(near, KernelSource) and _underflows(near):
        raise ValueError(
            f"Values of the {near.name} kernel underflow: the largest is {largest:.3g}. Scale "
            "the data, or raise gamma or coef0."
        )
    divisor = 1.0
    if _is_far(largest):
        if drawn is not None and isinstance(near, KernelSource) and near.name == "linear":
            near = KernelSource(near.X, "poly", KernelParameters(1.0, 1.0, 0.0))
        near, divisor = _near_one(near, largest)
    weights, unit = centering.weights, 1.0
    if weights is not None and _is_far(heaviest := float(weights.max())):
        unit = 4.0 ** round(math.log2(heaviest) / 2)  # a square, since roots of weights are taken
        centering = replace(centering, weights=weights / unit)
    return Scaled(near, centering, divisor, unit)


def _underflows(source: KernelSource) -> bool:
    """Whether kernel values are tiny though neither the samples nor gamma are zero."""
    used = get_kernel(source.name).uses
    return bool(abs(source.X).max() > 0) and not ("gamma" in used and source.parameters.gamma == 0)


def _is_far(largest: float) -> bool:
    return largest > FAR or 0 < largest < 1 / FAR


def _near_one(source: Any, largest: float) -> tuple[Any, float]:
    """Return a source with values near 1, and the number that they were divided by."""
    if not isinstance(source, KernelSource) or source.name not in ("linear", "poly"):
        divisor = 2.0 ** round(math.log2(largest))
        return source.divided(divisor), divisor
    p = source.parameters
    if source.name == "linear":
        root = 2.0 ** round(math.log2(largest) / 2)
        return source.with_samples(source.X / root), root**2
    each = 2.0 ** round(math.log2(largest) / p.degree)
    scaled = KernelParameters(p.gamma / each, p.degree, p.coef0 / each)
    return KernelSource(source.X, source.name, scaled), each**p.degree


def check_sizes(sizes: Floats, numbers: Sequence[int] | Array) -> float:
    """Return the largest |k(x, x)| of samples, given the numbers of their rows.

    Raises
    ------
    ValueError
        If it is too large; the message names its row, and what to change.
    """
    worst = int(np.argmax(sizes))
    if not sizes[worst] < LARGEST:
        raise ValueError(
            f"Kernel values overflow: they reach {sizes[worst]:.3g} at row {numbers[worst]}, and "
            f"{LARGEST:g} is the limit. Scale the data, or lower gamma, degree or coef0."
        )
    return float(sizes[worst])


def about_mean(source: TrainingKernel, centering: Centering) -> TrainingKernel:
    """Return the same kernel on points without their mean, where centring makes K̄ the same.

    Far from the origin products x·y keep no digits of what centring leaves of them. Kernels of
    x − y shift their points themselves (`BoundKernel`).
    """
    if not isinstance(source, KernelSource) or source.name != "linear":
        return source
    point = origin(source.X, mean_point(source.X, centering))
    away = centering.center and point.any()
    return source.with_samples(moved(source.X, point)) if away else source


def mean_point(X: Matrix, centering: Centering) -> Floats:
    """Return Σ w_i x_i / W, in two steps, so that a constant column has its value for a mean."""
    shifted = origin(X, centering.normalized_weights @ X)
    return shifted + centering.normalized_weights @ moved(X, shifted)


def mean_products(source: TrainingKernel, centering: Centering) -> Floats:
    """Return the means K w/W of a linear kernel, of shape (n,): x_i · Σ w_j x_j / W."""
    return np.asarray(source.X @ mean_point(source.X, centering), dtype=np.float64)
