"""Functions of the inner product as kernels, k(x, y) = f(γ x·y + c): f, f′ and f⁻¹."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from kpca.kernels.registry import KernelParameters, power
from kpca.types import Floats

Function = Callable[[Floats, KernelParameters], Floats]


@dataclass(frozen=True)
class Link:
    """One such kernel: (array, parameters) → f, f′ and f⁻¹, elementwise, as new arrays.

    Where f is not one-to-one the inverse gives the largest argument, and where nothing has that
    value, the nearest that does.
    """

    value: Function
    slope: Function
    inverse: Function


def argument(name: str, parameters: KernelParameters) -> tuple[float, float]:
    """Give γ and c of the argument γ x·y + c."""
    return (1.0, 0.0) if name == "linear" else (parameters.gamma, parameters.coef0)


def _power(T: Floats, p: KernelParameters) -> Floats:
    return power(T.copy(), p.degree)


def _root(K: Floats, p: KernelParameters) -> Floats:
    if p.degree % 2 == 1:
        return np.sign(K) * np.abs(K) ** (1 / p.degree)
    return np.maximum(K, 0) ** (1 / p.degree)


def _artanh(K: Floats, _: KernelParameters) -> Floats:
    bound = 1 - np.finfo(np.float64).eps
    return np.arctanh(np.clip(K, -bound, bound))


LINKS: dict[str, Link] = {
    "linear": Link(lambda T, _: T.copy(), lambda T, _: np.ones_like(T), lambda K, _: K.copy()),
    "poly": Link(_power, lambda T, p: p.degree * _power(T, replace(p, degree=p.degree - 1)), _root),
    "sigmoid": Link(lambda T, _: np.tanh(T), lambda T, _: 1 - np.tanh(T) ** 2, _artanh),
}
