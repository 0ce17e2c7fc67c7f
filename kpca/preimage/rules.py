"""Fixed points of the kernels that have one: Gaussian, and functions of the inner product.

References
----------
Mika, Schölkopf, Smola, Müller, Scholz, Rätsch (1998), Kernel PCA and de-noising in feature
spaces.
"""

import numpy as np

from kpca.kernels import KernelParameters
from kpca.links import LINKS, argument
from kpca.preimage.base import as_dense
from kpca.source import KernelSource
from kpca.types import Array, Floats, Matrix

VANISHING = 1e-10  # a sum this small beside its terms is rounding
LARGE = 1e-3  # a sum of kernel values in [0, 1] from which on it is not looked at closer


def _vanishes(total: Floats, size: Floats) -> Array:
    """Whether sums are zero beside the size of their terms, negative, or not finite."""
    return ~((total > VANISHING * size) & np.isfinite(total) & np.isfinite(size))


def _ratio(numerator: Floats, denominator: Floats, vanishes: Array) -> Floats:
    return numerator / np.where(vanishes, 1.0, denominator)[:, None]


class Gaussian:
    """z ← Σ c_i k(z, x_i) x_i / Σ c_i k(z, x_i)."""

    def __init__(self, source: KernelSource) -> None:
        self._kernel = source.bound()
        # With a column of ones one product gives numerator and denominator.
        self._rows = np.column_stack([as_dense(source.X), np.ones(source.n)])

    def evaluate(self, Z: Floats, C: Floats, work: Floats) -> tuple[Floats, Floats, Array]:
        """For each row: g(z), ‖φ(z) − P‖² − ‖P‖², and whether the denominator vanishes."""
        K = self._kernel.block(self._kernel.left(Z), slice(None), work)
        K *= C
        sums = K @ self._rows
        total = sums[:, -1]
        # The size of the terms takes a pass of its own.
        small, size = total < LARGE, np.zeros_like(total)
        size[small] = np.abs(K[small]).sum(axis=1)
        lost = _vanishes(total, size)
        return _ratio(sums[:, :-1], total, lost), 1 - 2 * total, lost

    def exact(self, C: Floats) -> Floats | None:
        """Give None: there is no closed form."""
        del C
        return None


class InnerProduct:
    """z ← Σ c_i f′(γ x_i·z + c) x_i / f′(γ‖z‖² + c) for k(x, y) = f(γ x·y + c)."""

    def __init__(self, X: Matrix, name: str, parameters: KernelParameters) -> None:
        self.X = X
        self._name, self._parameters = name, parameters
        self._link = LINKS[name]
        self._gamma, self._constant = argument(name, parameters)

    def evaluate(self, Z: Floats, C: Floats, work: Floats) -> tuple[Floats, Floats, Array]:
        """For each row: g(z), ‖φ(z) − P‖² − ‖P‖², and whether the denominator vanishes."""
        with np.errstate(over="ignore", invalid="ignore"):
            T = np.add(self._gamma * (Z @ self.X.T), self._constant, out=work)
            own = self._gamma * np.einsum("ij,ij->i", Z, Z) + self._constant
            slope, value = self._link.slope(own, self._parameters), self._value(own)
            weights = C * self._link.slope(T, self._parameters)
            size = np.abs(weights).sum(axis=1)
            lost = _vanishes(slope, size)
            distance = value - 2 * np.einsum("ij,ij->i", C, self._value(T))
            return _ratio(weights @ self.X, slope, lost), distance, lost | ~np.isfinite(distance)

    def exact(self, C: Floats) -> Floats | None:
        """P read off an orthonormal basis e, z_f = f⁻¹(⟨P, φ(e_f)⟩)/γ, for f odd and c = 0."""
        odd = self._name == "linear" or (
            self._name == "poly" and self._parameters.degree % 2 == 1 and self._constant == 0
        )
        if not odd or self._gamma == 0:
            return None
        inner = C @ self._value(self._gamma * as_dense(self.X))
        return self._link.inverse(inner, self._parameters) / self._gamma

    def _value(self, T: Floats) -> Floats:
        return self._link.value(T, self._parameters)
