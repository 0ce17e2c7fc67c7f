"""Derivatives of kernels in their first argument, summed over training points.

For each kernel, with coefficients C of shape (n, p):

- the *slope* Σ_i C_ij ∂k(x, x_i)/∂x_f, an array of shape (m, p, d), and
- the slope of k(x, x) in x, an array of shape (m, d).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kpca.kernels import KernelParameters, kernel_matrix, squared_norms
from kpca.links import LINKS, argument
from kpca.types import Floats

# (rows x, training points, coefficients, parameters) → slopes.
Slopes = Callable[[Floats, Floats, Floats, KernelParameters], Floats]
OwnSlope = Callable[[Floats, KernelParameters], Floats]


@dataclass(frozen=True)
class Derivative:
    """Slopes of k(x, x_i) and of k(x, x)."""

    slopes: Slopes
    own: OwnSlope


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
    """∂k/∂x = (x̂_i − k x̂)/‖x‖; zero at the origin, where there is no direction."""
    norms = np.sqrt(squared_norms(X))[:, None]
    inverse = np.divide(1, norms, out=np.zeros_like(norms), where=norms > 0)
    lengths = np.sqrt(squared_norms(T))[:, None]
    directions = np.divide(T, lengths, out=np.zeros_like(T), where=lengths > 0)
    unit = X * inverse
    along = (unit @ (directions.T @ C))[:, :, None] * unit[:, None, :]
    return ((directions.T @ C).T - along) * inverse[:, :, None]


def _linked(name: str) -> Derivative:
    """∂k/∂x = γ f′(γ x·x_i + c) x_i, and 2γ f′(γ‖x‖² + c) x for k(x, x)."""
    link = LINKS[name]

    def slopes(X: Floats, T: Floats, C: Floats, p: KernelParameters) -> Floats:
        gamma, constant = argument(name, p)
        return gamma * _each(link.slope(gamma * (X @ T.T) + constant, p), T, C)

    def own(X: Floats, p: KernelParameters) -> Floats:
        gamma, constant = argument(name, p)
        return 2 * gamma * link.slope(gamma * squared_norms(X) + constant, p)[:, None] * X

    return Derivative(slopes, own)


def _constant(X: Floats, _: KernelParameters) -> Floats:
    return np.zeros_like(X)


DERIVATIVES: dict[str, Derivative] = {
    "rbf": Derivative(_gaussian, _constant),
    "laplacian": Derivative(_laplacian, _constant),
    "cosine": Derivative(_cosine, _constant),
    **{name: _linked(name) for name in LINKS},
}
