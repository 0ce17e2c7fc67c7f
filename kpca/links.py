"""Functions of the inner product as kernels, k(x, y) = f(γ x·y + c): f, f′ and f⁻¹."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from kpca.kernels import KernelParameters, get_kernel
from kpca.types import Floats

Function = Callable[[Floats, KernelParameters], Floats]


@dataclass(frozen=True)
class Link:
    """One such kernel.

    Attributes
    ----------
    value, slope, inverse : callable
        (array, parameters) → f, f′ and f⁻¹, elementwise, as new arrays. Where f is not
        one-to-one the inverse gives the largest argument, and where nothing has that value,
        the nearest that does.
    """

    value: Function
    slope: Function
    inverse: Function


def argument(name: str, parameters: KernelParameters) -> tuple[float, float]:
    """Give γ and c of the argument γ x·y + c."""
    return (1.0, 0.0) if name == "linear" else (parameters.gamma, parameters.coef0)


def _same(T: Floats, _: KernelParameters) -> Floats:
    return T.copy()


def _one(T: Floats, _: KernelParameters) -> Floats:
    return np.ones_like(T)


def _power(T: Floats, p: KernelParameters) -> Floats:
    out = T.copy()
    get_kernel("poly").link(out, p)
    return out


def _power_slope(T: Floats, p: KernelParameters) -> Floats:
    return p.degree * _power(T, replace(p, degree=p.degree - 1))


def _root(K: Floats, p: KernelParameters) -> Floats:
    if p.degree % 2 == 1:
        return np.sign(K) * np.abs(K) ** (1 / p.degree)
    return np.maximum(K, 0) ** (1 / p.degree)


def _tanh_slope(T: Floats, _: KernelParameters) -> Floats:
    return 1 - np.tanh(T) ** 2


def _artanh(K: Floats, _: KernelParameters) -> Floats:
    bound = 1 - np.finfo(np.float64).eps
    return np.arctanh(np.clip(K, -bound, bound))


LINKS: dict[str, Link] = {
    "linear": Link(_same, _one, _same),
    "poly": Link(_power, _power_slope, _root),
    "sigmoid": Link(lambda T, _: np.tanh(T), _tanh_slope, _artanh),
}
