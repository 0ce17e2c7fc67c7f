"""Textbook kernel PCA: every matrix written out, slow and plain on purpose.

The other tests compare with it. It shares nothing with the package, so that a mistake cannot agree
with itself.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca.kernels import KERNELS, KernelParameters
from kpca.kernels.registry import exponential

Matrix = NDArray[np.float64]
OF_DISTANCE = [name for name, kernel in KERNELS.items() if kernel.median_power]
EXPONENTIAL = [name for name, kernel in KERNELS.items() if kernel.link is exponential]
SEMIDEFINITE = [name for name, k in KERNELS.items() if k.semidefinite(KernelParameters())]


def _lengths(x: Matrix) -> Any:
    norms = np.sqrt((x * x).sum(-1))
    return np.where(norms > 0, norms, 1)


def _matern(s: Matrix) -> Any:
    return (1 + s) * np.exp(-s)


# (x, y, parameters) → k(x, y), by the formula, in any precision and along the last axis.
DEFINITIONS: dict[str, Callable[[Matrix, Matrix, KernelParameters], Any]] = {
    "linear": lambda x, y, p: (x * y).sum(-1),
    "poly": lambda x, y, p: (p.gamma * (x * y).sum(-1) + p.coef0) ** p.degree,
    "rbf": lambda x, y, p: np.exp(-p.gamma * ((x - y) ** 2).sum(-1)),
    "laplacian": lambda x, y, p: np.exp(-p.gamma * abs(x - y).sum(-1)),
    "cauchy": lambda x, y, p: 1 / (1 + p.gamma * ((x - y) ** 2).sum(-1)),
    "exponential": lambda x, y, p: np.exp(-np.sqrt(p.gamma * ((x - y) ** 2).sum(-1))),
    "matern32": lambda x, y, p: _matern(np.sqrt(3 * p.gamma * ((x - y) ** 2).sum(-1))),
    "anova": lambda x, y, p: np.exp(-p.gamma * (x - y) ** 2).mean(-1) ** p.degree,
    "sigmoid": lambda x, y, p: np.tanh(p.gamma * (x * y).sum(-1) + p.coef0),
    "cosine": lambda x, y, p: (x * y).sum(-1) / _lengths(x) / _lengths(y),
}


def used(kernel: str, **values: Any) -> dict[str, Any]:
    """Those of some parameters that a kernel reads."""
    return {name: value for name, value in values.items() if name in KERNELS[kernel].uses}


def assert_close(found: Matrix, expected: Matrix, bound: float = 1e-8) -> None:
    """Entries differ by at most ``bound`` times the largest entry."""
    np.testing.assert_allclose(found, expected, rtol=0, atol=bound * np.abs(expected).max())


def kernel_matrix(
    X: Matrix,
    Y: Matrix,
    kernel: str,
    *,
    gamma: float = 1.0,
    degree: float = 3.0,
    coef0: float = 1.0,
) -> Matrix:
    """K_ij = k(x_i, y_j), from the definition of the kernel, in float64 or as precise as X is."""
    X, Y = (np.asarray(M, np.result_type(M, float)) for M in (X, Y))
    parameters = KernelParameters(*(X.dtype.type(p) for p in (gamma, degree, coef0)))
    return np.asarray(DEFINITIONS[kernel](X[:, None], Y[None], parameters))


class NaiveKernelPCA:
    """Every eigenpair of D^½ C K Cᵀ D^½ with C = I − 1mᵀ.

    D holds the weights w and m = w/Σw (m = 0 without centring); unit weights give HKH.
    """

    def __init__(self, K: Matrix, *, weights: Matrix | None = None, center: bool = True) -> None:
        n = len(K)
        self.K = np.asarray(K, float)
        self.weights = np.ones(n) if weights is None else np.asarray(weights, float)
        self.mean = self.weights / self.weights.sum() if center else np.zeros(n)
        self.C = np.eye(n) - np.outer(np.ones(n), self.mean)
        root = np.diag(np.sqrt(self.weights))
        self.centred = root @ self.C @ self.K @ self.C.T @ root
        ascending, vectors = np.linalg.eigh(self.centred)
        self.eigenvalues = ascending[::-1]
        self.eigenvectors = vectors[:, ::-1]

    def scores(self, K_new: Matrix, k: int) -> Matrix:
        """Scores of new points on the first k axes; K_new has a row for every new point."""
        scores, training = self._unsigned(K_new, k), self._unsigned(self.K, k)
        training = training[self.weights > 0]
        largest = np.abs(training).argmax(axis=0)
        return scores * np.sign(training[largest, range(k)])

    def _unsigned(self, K_new: Matrix, k: int) -> Matrix:
        centred = (K_new - self.mean @ self.K) @ self.C.T
        axes = np.sqrt(self.weights)[:, None] * self.eigenvectors[:, :k]
        return centred @ axes / np.sqrt(self.eigenvalues[:k])

    def variance_ratios(self, k: int, denominator: str = "trace") -> Matrix:
        """λ_j over tr(K̄), or over the sum of the positive eigenvalues."""
        positive = denominator == "positive mass"
        total = self.eigenvalues.clip(0).sum() if positive else np.trace(self.centred)
        return self.eigenvalues[:k] / total

    def residuals(self, eigenvalues: Matrix, eigenvectors: Matrix) -> Matrix:
        """‖K̄a_i − λ_i a_i‖ / λ_1 of pairs that someone else computed."""
        difference = self.centred @ eigenvectors - eigenvectors * eigenvalues
        return np.linalg.norm(difference, axis=0) / self.eigenvalues[0]

    def gap(self, k: int) -> float:
        """λ_k − λ_{k+1} over λ_1: what a residual is divided by to bound an angle."""
        return float((self.eigenvalues[k - 1] - self.eigenvalues[k]) / self.eigenvalues[0])
