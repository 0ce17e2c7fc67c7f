"""Kernels of the inner product as functions, k(x, y) = f(γ x·y + c), and gradients of all kernels.

Gradients are those in the first argument, summed with weights over the second.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from kpca.kernels.bound import kernel_matrix
from kpca.kernels.registry import KernelParameters, power, squared_norms
from kpca.types import Floats

Function = Callable[[Floats, KernelParameters], Floats]
Slopes = Callable[[Floats, Floats, Floats, KernelParameters], Floats]


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
    """Return γ and c of the argument γ x·y + c."""
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


def weighted_gradients(name: str, X: Floats, T: Floats, C: Floats, p: KernelParameters) -> Floats:
    """Return Σ_i C_ij ∂k(x, t_i)/∂x_f at the rows x of X, an array of shape (m, p, d).

    For a function of the inner product ∂k/∂x = γ f′(γ x·t_i + c) t_i.
    """
    if name in SLOPES:
        return SLOPES[name](X, T, C, p)
    gamma, constant = argument(name, p)
    return gamma * _each(LINKS[name].slope(gamma * (X @ T.T) + constant, p), T, C)


def diagonal_gradients(name: str, X: Floats, p: KernelParameters) -> Floats:
    """Return ∂k(x, x)/∂x_f, of shape (m, d): 2γ f′(γ‖x‖² + c) x, or 0 where k(x, x) is constant."""
    if name in SLOPES:
        return np.zeros_like(X)
    gamma, constant = argument(name, p)
    return 2 * gamma * LINKS[name].slope(gamma * squared_norms(X) + constant, p)[:, None] * X


def _each(K: Floats, T: Floats, C: Floats) -> Floats:
    """Σ_i K_mi C_ij T_if, one column of C at a time so that memory stays O(m n)."""
    return np.stack([(K * column) @ T for column in C.T], axis=1)


def _gaussian(X: Floats, T: Floats, C: Floats, p: KernelParameters) -> Floats:
    """∂k/∂x = −2γ k (x − x_i)."""
    K = kernel_matrix(X, T, kernel="rbf", gamma=p.gamma)
    return -2 * p.gamma * ((K @ C)[:, :, None] * X[:, None, :] - _each(K, T, C))


def _laplacian(X: Floats, T: Floats, C: Floats, p: KernelParameters) -> Floats:
    """∂k/∂x_f = −γ k sign(x_f − x_if); zero on the kink itself."""
    K = kernel_matrix(X, T, kernel="laplacian", gamma=p.gamma)
    signs = (np.sign(x[:, None] - t) for x, t in zip(X.T, T.T, strict=True))
    return -p.gamma * np.stack([(K * sign) @ C for sign in signs], axis=2)


def _cosine(X: Floats, T: Floats, C: Floats, _: KernelParameters) -> Floats:
    """∂k/∂x = (x̂_i − k x̂)/‖x‖; zero at the origin, if there is no direction."""
    norms = np.sqrt(squared_norms(X))[:, None]
    inverse = np.divide(1, norms, out=np.zeros_like(norms), where=norms > 0)
    lengths = np.sqrt(squared_norms(T))[:, None]
    directions = np.divide(T, lengths, out=np.zeros_like(T), where=lengths > 0)
    unit = X * inverse
    along = (unit @ (directions.T @ C))[:, :, None] * unit[:, None, :]
    return ((directions.T @ C).T - along) * inverse[:, :, None]


# Kernels whose k(x, x) is constant.
SLOPES: dict[str, Slopes] = {"rbf": _gaussian, "laplacian": _laplacian, "cosine": _cosine}
DIFFERENTIABLE = sorted([*SLOPES, *LINKS])
