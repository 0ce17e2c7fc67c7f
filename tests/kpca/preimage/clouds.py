"""Points to come back to: noisy curves, and one-point-at-a-time references of the formulas."""

import numpy as np

from kpca import KernelPCA


def half_circle(n: int, noise: float, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, np.pi, n)
    return np.column_stack([np.cos(angle), np.sin(angle)]) + noise * rng.normal(size=(n, 2))


def cloud(n: int = 80, d: int = 4, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, d)) + 0.3


def naive_coefficients(model: KernelPCA, Z: np.ndarray) -> np.ndarray:
    """c_i = u_i − mean(u) + 1/n with u_i = Σ_k z_k a_ik / √λ_k."""
    U = Z @ (model.eigenvectors_ / np.sqrt(model.eigenvalues_)).T
    return U - U.mean(axis=1, keepdims=True) + 1 / U.shape[1]


def naive_loop(
    X: np.ndarray, c: np.ndarray, gamma: float, z: np.ndarray, shortest: float
) -> tuple[np.ndarray, int]:
    """The fixed point of Mika et al. until a step is short, with the number of steps."""
    steps, moved = 0, np.inf
    while moved > shortest and steps < 10_000:
        weights = c * np.exp(-gamma * np.square(X - z).sum(axis=1))
        before, z = z, weights @ X / weights.sum()
        moved, steps = float(np.linalg.norm(z - before)), steps + 1
    return z, steps
