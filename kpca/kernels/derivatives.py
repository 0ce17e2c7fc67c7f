"""Gradients of kernels with respect to the first argument, as weighted sums over the second."""

from typing import cast

import numpy as np

from kpca.kernels.bound import BoundKernel
from kpca.kernels.registry import KERNELS, KernelParameters, OfProduct, squared_norms
from kpca.types import Floats


def argument(name: str, parameters: KernelParameters) -> tuple[float, float]:
    """Return γ and c of the argument γ x·y + c of a kernel of the inner product."""
    return (1.0, 0.0) if name == "linear" else (parameters.gamma, parameters.coef0)


def weighted_gradients(name: str, X: Floats, T: Floats, C: Floats, p: KernelParameters) -> Floats:
    """Return Σ_i C_ij ∂k(x, t_i)/∂x_f for each row x of X, column j of C and feature f.

    The t_i are the rows of T. The axes of the result belong to x, j and f, in this order.

    For a function of the inner product, ∂k/∂x = γ f′(γ x·t_i + c) t_i. For a function of the
    squared Euclidean distance, ∂k/∂x = −2γ f′ (x − t_i). For a function of the city-block distance,
    ∂k/∂x_f = −γ f′ sign(x_f − t_if), which is zero at the kink x_f = t_if.
    """
    kernel = KERNELS[name]
    if kernel.gradients is not None:
        return kernel.gradients(X, T, C, p)
    if kernel.of_product is not None:
        gamma, constant = argument(name, p)
        return gamma * _each(_slope(name, gamma * (X @ T.T) + constant, p), T, C)
    assert kernel.slope is not None  # Every kernel has one of the three kinds of derivatives.
    S = kernel.slope(BoundKernel(name, p, T).arguments(X))
    if kernel.median_power == 2:
        # Far from the origin, the difference of the two sums would lose digits. The median is near
        # most points, even if a few are far away. Some of the points suffice.
        middle = np.median(T[:: max(1, len(T) // 1000)], axis=0)
        X = X - middle
        T = T - middle
        return -2 * p.gamma * ((S @ C)[:, :, None] * X[:, None, :] - _each(S, T, C))
    signs = (np.sign(x[:, None] - t) for x, t in zip(X.T, T.T, strict=True))
    return -p.gamma * np.stack([(S * sign) @ C for sign in signs], axis=2)


def diagonal_gradients(name: str, X: Floats, p: KernelParameters) -> Floats:
    """Return ∂k(x, x)/∂x_f, of shape (m, d): 2γ f′(γ‖x‖² + c) x, or 0 where k(x, x) is constant."""
    if KERNELS[name].of_product is None:
        return np.zeros_like(X)
    gamma, constant = argument(name, p)
    return 2 * gamma * _slope(name, gamma * squared_norms(X) + constant, p)[:, None] * X


def _slope(name: str, T: Floats, p: KernelParameters) -> Floats:
    """Return f′(T) of a kernel f(γ x·y + c).

    Raises
    ------
    ValueError
        If a derivative is not finite; the message names its argument.
    """
    with np.errstate(all="ignore"):
        slope = cast(OfProduct, KERNELS[name].of_product).slope(T, p)
    undefined = ~np.isfinite(slope)
    if undefined.any():
        remedy = "take an integer degree, or raise coef0"
        if p.degree == int(p.degree):
            remedy = "scale the data"
        raise ValueError(
            f"The {name} kernel has no finite derivative where γ x·y + coef0 is "
            f"{T[undefined][0]:.3g}: {remedy}."
        )
    return slope


def _each(K: Floats, T: Floats, C: Floats) -> Floats:
    """Return Σ_i K_mi C_ij T_if, for one column of C at a time so that memory stays O(m n)."""
    sums = np.empty((len(K), C.shape[1], T.shape[1]))
    for j, column in enumerate(C.T):
        sums[:, j] = (K * column) @ T
    return sums
