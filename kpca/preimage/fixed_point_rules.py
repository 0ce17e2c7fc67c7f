"""Fixed points of the kernels that have one: Gaussian, and functions of the inner product.

Each is one kernel's fixed point z ← g(z), the stationary points of ‖φ(z) − P‖². g(z) − z is a
direction of descent wherever the denominator of g is positive.

References
----------
Mika, Schölkopf, Smola, Müller, Scholz, Rätsch (1998), Kernel PCA and de-noising in feature
spaces.
"""

from typing import cast

import numpy as np

from kpca.kernels.derivatives import argument
from kpca.kernels.registry import KERNELS, UNDERFLOW, OfProduct, as_dense
from kpca.operators.sources import KernelSource
from kpca.types import Array, Floats

VANISHING = 1e-10  # a sum this small beside its terms is rounding
CUT_OFF = float(np.exp(-UNDERFLOW[np.dtype(np.float64)]))
LARGE = 1e-3  # a sum of kernel values in [0, 1] from which on it is not looked at closer


def _vanishes(total: Floats, size: Floats) -> Array:
    """Return whether sums vanish relative to their terms, are negative, or are not finite."""
    return ~((total > VANISHING * size) & np.isfinite(total) & np.isfinite(size))


def _ratio(numerator: Floats, denominator: Floats, vanishes: Array) -> Floats:
    return numerator / np.where(vanishes, 1.0, denominator)[:, None]


class Gaussian:
    """z ← Σ c_i k(z, x_i) x_i / Σ c_i k(z, x_i)."""

    def __init__(self, source: KernelSource) -> None:
        self._kernel = source.bound()
        # With a column of ones one product gives numerator and denominator.
        self._rows = np.column_stack([as_dense(source.X), np.ones(source.n)])

    def evaluate(self, Z: Floats, C: Floats) -> tuple[Floats, Floats, Array]:
        """For each row, with its coefficients: g(z), ‖φ(z) − P‖² − ‖P‖², whether g vanishes."""
        K, size = self._kernel.values(Z), np.zeros(len(Z))
        K *= C
        sums = K @ self._rows
        total = sums[:, -1]
        small = total < LARGE
        if small.any():  # the size of the terms takes a pass of its own
            terms = np.abs(K[small]).sum(axis=1)
            # Where the exponential is cut off far out, all values are alike and say nothing.
            flat = terms <= 2 * CUT_OFF * np.abs(C[small]).sum(axis=1)
            size[small] = np.where(flat, np.inf, terms)
        lost = _vanishes(total, size)
        return _ratio(sums[:, :-1], total, lost), 1 - 2 * total, lost


class InnerProduct:
    """z ← Σ c_i f′(γ x_i·z + c) x_i / f′(γ‖z‖² + c) for k(x, y) = f(γ x·y + c)."""

    def __init__(self, source: KernelSource) -> None:
        self.X, self._name, self._parameters = source.X, source.name, source.parameters
        self._link = cast(OfProduct, KERNELS[source.name].of_product)
        self._gamma, self._constant = argument(source.name, source.parameters)

    def evaluate(self, Z: Floats, C: Floats) -> tuple[Floats, Floats, Array]:
        """As for `Gaussian`."""
        with np.errstate(over="ignore", invalid="ignore"):
            T = self._gamma * (Z @ self.X.T) + self._constant
            inner = np.einsum("ij,ij->i", C, self._value(T))
            weights = C * self._link.slope(T, self._parameters)
            size, sums = np.abs(weights).sum(axis=1), weights @ self.X
            own = self._gamma * np.einsum("ij,ij->i", Z, Z) + self._constant
            slope, distance = self._link.slope(own, self._parameters), self._value(own) - 2 * inner
            lost = _vanishes(slope, size)
            return _ratio(sums, slope, lost), distance, lost | ~np.isfinite(distance)

    def exact(self, C: Floats) -> Floats | None:
        """P read off an orthonormal basis e, z_f = f⁻¹(⟨P, φ(e_f)⟩)/γ, for f odd and c = 0.

        Correct where the projection has a pre-image at all.
        """
        odd = self._name == "linear" or (
            self._name == "poly" and self._parameters.degree % 2 == 1 and self._constant == 0
        )
        if not odd or self._gamma == 0:
            return None
        inner = C @ self._value(self._gamma * as_dense(self.X))
        return self._link.inverse(inner, self._parameters) / self._gamma

    def _value(self, T: Floats) -> Floats:
        return self._link.value(T, self._parameters)


FixedPoint = Gaussian | InnerProduct
