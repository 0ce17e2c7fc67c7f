"""Fixed points of the kernels that have one: Gaussian, and functions of the inner product.

Each is one kernel's fixed point z ← g(z), the stationary points of ‖φ(z) − P‖². g(z) − z is a
direction of descent wherever the denominator of g is positive.

References
----------
Mika, Schölkopf, Smola, Müller, Scholz, Rätsch (1998), Kernel PCA and de-noising in feature
spaces.
"""

from collections.abc import Iterator
from typing import cast

import numpy as np

from kpca.kernels.derivatives import argument
from kpca.kernels.registry import KERNELS, UNDERFLOW, OfProduct, as_dense
from kpca.linalg.threads import blocks
from kpca.operators.sources import KernelSource
from kpca.types import Array, Floats

VANISHING = 1e-10  # a sum this small beside its terms is rounding
CACHED = 1 << 17  # of a block of kernel values: 1 MB; of fewer, threads wait for one another
CUT_OFF = float(np.exp(-UNDERFLOW[np.dtype(np.float64)]))
LARGE = 1e-3  # a sum of kernel values in [0, 1] from which on it is not looked at closer


def _vanishes(total: Floats, size: Floats) -> Array:
    """Return whether sums vanish relative to their terms, are negative, or are not finite."""
    return ~((total > VANISHING * size) & np.isfinite(total) & np.isfinite(size))


def _in_cache(C: Floats, rows: Array) -> Iterator[tuple[slice, Floats, Floats]]:
    """Parts of the rows whose kernel values stay in the cache: coefficients, and room for values.

    What is yielded is valid until the next part.
    """
    parts = blocks(len(rows), max(1, CACHED // C.shape[1]))
    room, gathered = np.empty((2, parts[0].stop, C.shape[1]))
    for part in parts:
        height = part.stop - part.start
        if len(rows) == len(C):  # until the first points leave
            yield part, C[part], room[:height]
        else:
            # Without the mode there would be a copy more, for safety.
            yield part, C.take(rows[part], 0, gathered[:height], mode="clip"), room[:height]


def _ratio(numerator: Floats, denominator: Floats, vanishes: Array) -> Floats:
    return numerator / np.where(vanishes, 1.0, denominator)[:, None]


class Gaussian:
    """z ← Σ c_i k(z, x_i) x_i / Σ c_i k(z, x_i)."""

    def __init__(self, source: KernelSource) -> None:
        self._kernel = source.bound()
        # With a column of ones one product gives numerator and denominator.
        self._rows = np.column_stack([as_dense(source.X), np.ones(source.n)])

    def evaluate(self, Z: Floats, C: Floats, rows: Array) -> tuple[Floats, Floats, Array]:
        """For each row: g(z), ‖φ(z) − P‖² − ‖P‖², and whether the denominator vanishes.

        The coefficients of Z are ``C[rows]``, with ``rows`` ascending.
        """
        sums, size = np.empty((len(Z), self._rows.shape[1])), np.zeros(len(Z))
        left = self._kernel.left(Z)
        for part, coefficients, room in _in_cache(C, rows):
            K = self._kernel.block(left[part], slice(None), room)
            K *= coefficients
            np.matmul(K, self._rows, out=sums[part])
            small = sums[part, -1] < LARGE
            if small.any():  # the size of the terms takes a pass of its own
                terms = np.abs(K[small]).sum(axis=1)
                # If the exponential is cut off far out, all values are equal and say nothing.
                flat = terms <= 2 * CUT_OFF * np.abs(coefficients[small]).sum(axis=1)
                size[part][small] = np.where(flat, np.inf, terms)
        total = sums[:, -1]
        lost = _vanishes(total, size)
        return _ratio(sums[:, :-1], total, lost), 1 - 2 * total, lost


class InnerProduct:
    """z ← Σ c_i f′(γ x_i·z + c) x_i / f′(γ‖z‖² + c) for k(x, y) = f(γ x·y + c)."""

    def __init__(self, source: KernelSource) -> None:
        self.X, self._name, self._parameters = source.X, source.name, source.parameters
        self._link = cast(OfProduct, KERNELS[source.name].of_product)
        self._gamma, self._constant = argument(source.name, source.parameters)

    def evaluate(self, Z: Floats, C: Floats, rows: Array) -> tuple[Floats, Floats, Array]:
        """As for `Gaussian`."""
        sums, size, inner = np.empty_like(Z), np.empty(len(Z)), np.empty(len(Z))
        with np.errstate(over="ignore", invalid="ignore"):
            for part, coefficients, room in _in_cache(C, rows):
                T = np.add(self._gamma * (Z[part] @ self.X.T), self._constant, out=room)
                inner[part] = np.einsum("ij,ij->i", coefficients, self._value(T))
                weights = coefficients * self._link.slope(T, self._parameters)
                size[part] = np.abs(weights).sum(axis=1)
                sums[part] = weights @ self.X
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
