"""Decision boundaries of novelty detectors in the plane."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from sklearn.base import OutlierMixin

from kpca.bandwidth import median_gamma
from kpca.kernel_pca import KernelPCA
from kpca.novelty import KernelPCANovelty
from workflow.scripts.input_space.curves import spiral

FALSE_ALARM = 0.05
MULTIPLE = 6.0  # of the median γ
N, NOISE = 250, 0.06


def ring(t: np.ndarray) -> np.ndarray:
    """Return (cos 2πt, sin 2πt)."""
    return np.column_stack([np.cos(2 * np.pi * t), np.sin(2 * np.pi * t)])


def sine(t: np.ndarray) -> np.ndarray:
    """Return two periods of a sine."""
    return np.column_stack([4 * t - 2, np.sin(4 * np.pi * t)])


CURVES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "ring": ring,
    "spiral": spiral,
    "sine": sine,
}


def draw_rows(name: str, rng: np.random.Generator) -> np.ndarray:
    """Draw points along a curve with N(0, 0.06²) on both coordinates."""
    return CURVES[name](rng.uniform(size=N)) + NOISE * rng.standard_normal((N, 2))


def detectors(X: np.ndarray, seed: int) -> dict[str, OutlierMixin]:
    """Fit the detectors whose boundary is drawn, all at one γ and one rate of false alarms."""
    from sklearn.svm import OneClassSVM

    gamma = MULTIPLE * median_gamma(X)
    kernel = KernelPCA(0.95, kernel="rbf", gamma=gamma)

    def limited(estimator: KernelPCA) -> KernelPCANovelty:
        return KernelPCANovelty(estimator, false_alarm=FALSE_ALARM, random_state=seed).fit(X)

    return {
        "residual": limited(kernel),
        "linear": limited(KernelPCA(1, kernel="linear")),
        "one_class_svm": OneClassSVM(gamma=gamma, nu=FALSE_ALARM).fit(X),
    }
