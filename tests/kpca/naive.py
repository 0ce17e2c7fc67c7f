"""Textbook kernel PCA: every matrix written out, slow and plain on purpose.

The other tests compare with it. It shares nothing with the package, so that a mistake cannot agree
with itself.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca.kernels.registry import KERNELS, KernelParameters, exponential

Matrix = NDArray[Any]
Extended = np.longdouble
OF_DISTANCE = [name for name, kernel in KERNELS.items() if kernel.median_power]
EXPONENTIAL = [name for name, kernel in KERNELS.items() if kernel.link is exponential]
SEMIDEFINITE = [name for name, k in KERNELS.items() if k.semidefinite(KernelParameters())]


def _lengths(x):
    norms = np.sqrt((x * x).sum(-1))
    return np.where(norms > 0, norms, 1)


def _matern(s):
    return (1 + s) * np.exp(-s)


# (x, y, parameters) → k(x, y), by the formula, in any precision and along the last axis.
DEFINITIONS = {
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


def used(kernel, **values):
    """Those of some parameters that a kernel reads."""
    return {name: value for name, value in values.items() if name in KERNELS[kernel].uses}


def assert_close(values, expected, bound=1e-8):
    """Entries differ by at most ``bound`` times the largest entry."""
    np.testing.assert_allclose(values, expected, rtol=0, atol=bound * np.abs(expected).max())


def kernel_matrix(
    X,
    Y,
    kernel,
    *,
    gamma=1.0,
    degree=3.0,
    coef0=1.0,
):
    """K_ij = k(x_i, y_j), from the definition of the kernel, in float64 or as precise as X is."""
    X, Y = (np.asarray(M, np.result_type(M, float)) for M in (X, Y))
    parameters = KernelParameters(*(X.dtype.type(p) for p in (gamma, degree, coef0)))
    return np.asarray(DEFINITIONS[kernel](X[:, None], Y[None], parameters))


def kernel_matrix_of(model, X):
    """Return the kernel matrix of a model in extended precision."""
    X = X.astype(Extended)
    if model.kernel == "precomputed":
        return X
    return kernel_matrix(
        X, X, model.kernel, gamma=model.gamma, degree=model.degree, coef0=model.coef0
    )


def centred(K, weights=None, center=True):
    """K̄ = D^½ (I − 1mᵀ) K (I − m1ᵀ) D^½ in the precision of K.

    D holds the weights w and m = w/Σw (m = 0 without centring); unit weights give HKH.
    """
    W = np.ones(len(K)) if weights is None else weights
    W = np.asarray(W, K.dtype)
    if center:
        mean = W / W.sum()
        K = K - (K @ mean)[:, None]
        K = K - mean @ K
    return np.sqrt(W)[:, None] * K * np.sqrt(W)


def residual_norms(A, values, vectors):
    """‖Aa_i − λ_i a_i‖ of computed pairs, in the precision of A."""
    difference = A @ vectors - vectors * values
    return np.sqrt((difference * difference).sum(axis=0))


class NaiveKernelPCA:
    """Every eigenpair of the centred kernel matrix."""

    def __init__(self, K, *, weights=None, center=True):
        self.K = np.asarray(K, float)
        self.weights = np.ones(len(K)) if weights is None else weights
        self.mean = center * self.weights / self.weights.sum()
        self.centred = centred(self.K, self.weights, center)
        ascending, vectors = np.linalg.eigh(self.centred)
        self.eigenvalues = ascending[::-1]
        self.eigenvectors = vectors[:, ::-1]

    def scores(self, K_new, k):
        """Scores of new points on the first k axes; K_new has a row for every new point."""
        scores = self._unsigned(K_new, k)
        training = self._unsigned(self.K, k)
        training = training[self.weights > 0]
        largest = np.abs(training).argmax(axis=0)
        return scores * np.sign(training[largest, range(k)])

    def _unsigned(self, K_new, k):
        differences = K_new - self.mean @ self.K
        differences -= (differences @ self.mean)[:, None]
        axes = np.sqrt(self.weights)[:, None] * self.eigenvectors[:, :k]
        return differences @ axes / np.sqrt(self.eigenvalues[:k])

    def variance_ratios(self, k, denominator="trace"):
        """λ_j over tr(K̄), or over the sum of the positive eigenvalues."""
        positive = denominator == "positive mass"
        total = self.eigenvalues.clip(0).sum() if positive else np.trace(self.centred)
        return self.eigenvalues[:k] / total
