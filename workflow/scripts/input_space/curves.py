"""Denoising of points around curves: how near each comes to the place on the curve it left.

The distance to the nearest place would be served best by putting all points on one place.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from kpca.kernel_pca import KernelPCA
from kpca.kernels.bandwidth import median_gamma
from pipeline.job import script
from pipeline.seeds import rng_for
from workflow.scripts.input_space.denoising import ALPHA, METHODS, truncated, with_preimage

SIZES = (1, 2, 3, 4, 6, 8, 12, 16)
MULTIPLES = (1.0, 3.0, 10.0)
N_TRAIN, N_TEST, NOISE = 300, 200, 0.08


def half_circle(t: np.ndarray) -> np.ndarray:
    """Return (cos πt, sin πt)."""
    return np.column_stack([np.cos(np.pi * t), np.sin(np.pi * t)])


def spiral(t: np.ndarray) -> np.ndarray:
    """Return a spiral of one and a half turns and radius ¼ to 1¼, equally dense along its arm."""
    s = np.sqrt(0.04 + 0.96 * t)
    angle = 3 * np.pi * s
    return (0.25 + s)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])


CURVES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "half circle": half_circle,
    "spiral": spiral,
}


@dataclass(frozen=True, eq=False)
class Noisy:
    """Points on a curve, and the same points with noise: arrays of shape (n, 2)."""

    clean: np.ndarray
    noisy: np.ndarray

    def error(self, X: np.ndarray) -> float:
        """Root mean squared distance of points from the places they left."""
        return float(np.sqrt(np.square(X - self.clean).sum(axis=1).mean()))


@dataclass(frozen=True, eq=False)
class Cloud:
    """Noisy points around one curve, and the curve itself, of shape (1000, 2)."""

    train: np.ndarray
    validation: Noisy
    test: Noisy
    curve: np.ndarray


def draw_cloud(name: str, rng: np.random.Generator) -> Cloud:
    """Draw points along a curve and add N(0, 0.08²) to both coordinates."""
    curve = CURVES[name]

    def drawn(n: int) -> Noisy:
        clean = curve(rng.uniform(size=n))
        return Noisy(clean, clean + NOISE * rng.standard_normal((n, 2)))

    return Cloud(drawn(N_TRAIN).noisy, drawn(N_TEST), drawn(N_TEST), curve(np.linspace(0, 1, 1000)))


def choose(cloud: Cloud, method: str) -> KernelPCA:
    """Fit one method with the γ and number of components of least error on validation points."""
    if method == "pca":
        return KernelPCA(1, kernel="linear", preimage="fixed_point").fit(cloud.train)
    gamma = median_gamma(cloud.train)
    fitted = [
        KernelPCA(max(SIZES), kernel="rbf", gamma=multiple * gamma).fit(cloud.train)
        for multiple in MULTIPLES
    ]
    candidates = [
        with_preimage(truncated(model, m), method, ALPHA) for model in fitted for m in SIZES
    ]
    seen = cloud.validation
    return min(candidates, key=lambda model: seen.error(model.denoise(seen.noisy)))


@script
def curves(*, seed: int, replicates: int = 5) -> pd.DataFrame:
    """Return the error of test points before and after, which is that of `Noisy`."""
    rows = []
    for name in CURVES:
        for replicate in range(replicates):
            cloud = draw_cloud(name, rng_for(seed, "curves", name, replicate))
            test = cloud.test
            rows.append((name, "none", replicate, 0, np.nan, test.error(test.noisy)))
            for method in METHODS:
                model = choose(cloud, method)
                setting = (len(model.eigenvalues_), model.gamma_)
                error = test.error(model.denoise(test.noisy))
                rows.append((name, method, replicate, *setting, error))
    columns = ["curve", "method", "replicate", "n_components", "gamma", "error"]
    return pd.DataFrame(rows, columns=columns)
