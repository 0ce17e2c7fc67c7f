"""Pre-images one point at a time: the printed fixed point in a plain loop."""

from __future__ import annotations

import numpy as np

from kpca import KernelPCA
from kpca.preimage.fixed_point import MAX_ITER, TOL
from kpca.subspace import Subspace
from kpca.types import Floats


class OneByOne(KernelPCA):
    """Our model of a Gaussian kernel, but for how it looks for pre-images."""

    def denoise(self, X: Floats) -> Floats:
        """Iterate z ← Σ c_i k(z, x_i) x_i / Σ c_i k(z, x_i) from each point to our tolerance."""
        coefficients = Subspace(self).coefficients(self.transform(X))
        shortest = TOL * np.sqrt(self.X_fit_.var(axis=0).sum())
        return np.array(
            [self._settled(z, c, shortest) for z, c in zip(X, coefficients, strict=True)]
        )

    def _settled(self, z: Floats, c: Floats, shortest: float) -> Floats:
        for _ in range(MAX_ITER):
            weights = c * np.exp(-self.gamma_ * np.square(self.X_fit_ - z).sum(axis=1))
            before, z = z, weights @ self.X_fit_ / weights.sum()
            if np.linalg.norm(z - before) <= shortest:
                break
        return z
