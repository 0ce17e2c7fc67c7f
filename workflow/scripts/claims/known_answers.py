"""Kernel PCA where the answer is known: points on a circle, and three embeddings as kernel PCA.

The tolerances of the three embeddings were set after a first trial, from the gaps of eigenvalues.
"""

import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy.linalg import eigvalsh
from scipy.sparse.csgraph import laplacian, shortest_path
from scipy.special import ive
from sklearn.manifold import Isomap, locally_linear_embedding, spectral_embedding
from sklearn.neighbors import kneighbors_graph

from kpca.certificates.definiteness import IndefiniteKernelWarning
from kpca.kernel_pca import KernelPCA
from kpca.types import Floats
from pipeline.datasets.make import make_dataset
from pipeline.job import script
from workflow.scripts.claims.claim import claims_table, exactly

N_CIRCLE, CIRCLE_GAMMA, PAIRS = 400, 2.0, 5
SOLVERS = ("dense", "arpack", "randomized", "krylov", "davidson")
"""Every solver that computes eigenpairs of a Gaussian kernel: "primal" needs explicit features."""

LANDMARKS = {"kmeans": 20, "uniform": 40, "rpcholesky": 20}
"""Choices of landmarks, each with a number of landmarks that leaves an error to be seen."""

NEIGHBOURS, N_COMPONENTS = 12, 3
REGULARISATION = 1e-3  # scikit-learn's default for LLE
DATA: Mapping[str, dict[str, Any]] = {
    "swiss_roll": {"generator": "swiss_roll", "n_train": 400, "n_test": 1},
    "wine": {"sklearn": "wine", "standardize": True},
    "digits": {"sklearn": "digits", "max_rows": 400},
}
"""Datasets whose graph of nearest neighbours is connected."""


def circle(n: int = N_CIRCLE) -> Floats:
    """Return n equally spaced points of the unit circle."""
    angles = 2 * np.pi * np.arange(n) / n
    return np.column_stack([np.cos(angles), np.sin(angles)])


def circle_eigenvalues(orders: range, n: int = N_CIRCLE) -> Floats:
    """Return n e^(−2γ) I_k(2γ) for each order k, twice but for k = 0, in decreasing order.

    The kernel matrix of the circle is circulant. Its eigenvalues are these up to terms of order
    n − k, which are zero in floating point.

    References
    ----------
    Twining, Taylor (2003), The use of kernel principal component analysis to model data
    distributions, Pattern Recognition 36.
    """
    order = np.concatenate([[k] if k == 0 else [k, k] for k in orders])
    return np.asarray(n * ive(order, 2 * CIRCLE_GAMMA), dtype=np.float64)


def on_circle(solver: str, orders: range, **options: Any) -> tuple[KernelPCA, Floats]:
    """Fit the kernel of the circle, and return the model with expected − found eigenvalues."""
    expected = circle_eigenvalues(orders)
    model = KernelPCA(
        len(expected), kernel="rbf", gamma=CIRCLE_GAMMA, eigen_solver=solver, **options
    ).fit(circle())
    return model, expected - model.eigenvalues_


def circle_deviation(solver: str, *, center: bool) -> float:
    """Return the largest deviation of an eigenvalue over the largest eigenvalue.

    Centring removes the eigenvalue of order 0, whose eigenvector is constant, and no other.
    """
    orders = range(1 if center else 0, PAIRS + 1)
    missing = on_circle(solver, orders, center=center)[1]
    return float(np.abs(missing).max() / circle_eigenvalues(orders)[0])


def on_landmarks(landmarks: str) -> dict[str, float]:
    """Return how far landmark eigenvalues are too large, over λ_1, and too small, over the bound.

    They are too small by no more than the missing trace, tr(K − K̂).
    """
    orders = range(1, PAIRS + 1)
    model, missing = on_circle(
        "nystrom", orders, landmarks=landmarks, n_landmarks=LANDMARKS[landmarks]
    )
    return {
        "3-circle-landmarks-sign": max(0.0, float(-missing.min() / circle_eigenvalues(orders)[0])),
        "3-circle-landmarks": float(missing.max() / model.trace_error_),
    }


def difference(ours: Floats, theirs: Floats) -> float:
    """Return the largest difference of two embeddings whose columns are scaled to norm 1.

    The sign of a column is arbitrary.
    """
    A, B = (Z / np.linalg.norm(Z, axis=0) for Z in (ours, theirs))
    return float(np.abs(A * np.sign((A * B).sum(axis=0)) - B).max())


def embedded(K: Floats) -> Floats:
    """Return the leading unit eigenvectors of a centred kernel matrix, by LAPACK."""
    model = KernelPCA(N_COMPONENTS, kernel="precomputed", eigen_solver="dense")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IndefiniteKernelWarning)  # geodesic distances
        return model.fit(K).eigenvectors_


def isomap(X: Floats) -> float:
    """Compare kernel PCA of −½ D², D the shortest paths between neighbours, with Isomap."""
    graph = kneighbors_graph(X, NEIGHBOURS, mode="distance")
    D = shortest_path(graph.maximum(graph.T), directed=False)
    # The dense solver of Isomap has no tolerance of its own.
    theirs = Isomap(n_neighbors=NEIGHBOURS, n_components=N_COMPONENTS, eigen_solver="dense")
    return difference(embedded(-(D**2) / 2), theirs.fit_transform(X))


def laplacian_eigenmaps(X: Floats) -> float:
    """Compare kernel PCA of the pseudo-inverse of the graph Laplacian with its eigenmaps."""
    graph = kneighbors_graph(X, NEIGHBOURS)
    adjacency = ((graph + graph.T) / 2).toarray()
    theirs = spectral_embedding(
        adjacency, n_components=N_COMPONENTS, norm_laplacian=False, random_state=0
    )
    inverse = np.linalg.pinv(np.asarray(laplacian(adjacency)), hermitian=True)
    return difference(embedded(inverse), theirs)


def lle(X: Floats) -> float:
    """Compare kernel PCA of λ_max I − M, M = (I − W)ᵀ(I − W), with LLE."""
    R = np.eye(len(X)) - reconstruction_weights(X)
    M = R.T @ R
    K = float(eigvalsh(M)[-1]) * np.eye(len(X)) - M
    theirs, _ = locally_linear_embedding(
        X, n_neighbors=NEIGHBOURS, n_components=N_COMPONENTS, eigen_solver="dense"
    )
    return difference(embedded(K), theirs)


def reconstruction_weights(X: Floats) -> Floats:
    """Return W of shape (n, n): weights of sum 1 that rebuild each row from its neighbours."""
    neighbours = kneighbors_graph(X, NEIGHBOURS).indices.reshape(-1, NEIGHBOURS)
    offsets = X[neighbours] - X[:, None]
    inner = offsets @ offsets.transpose(0, 2, 1)
    ridge = REGULARISATION * np.trace(inner, axis1=1, axis2=2)
    inner += ridge[:, None, None] * np.eye(NEIGHBOURS)
    weights = np.linalg.solve(inner, np.ones((len(X), NEIGHBOURS, 1)))[..., 0]
    W = np.zeros((len(X), len(X)))
    np.put_along_axis(W, neighbours, weights / weights.sum(axis=1, keepdims=True), axis=1)
    return W


EMBEDDINGS: Mapping[str, Callable[[Floats], float]] = {
    "3-isomap": isomap,
    "3-laplacian-eigenmaps": laplacian_eigenmaps,
    "3-lle": lle,
}


@script
def measure(*, seed: int) -> dict[str, pd.DataFrame]:
    """Return the cases: a solver, a choice of landmarks, or a dataset each."""
    cases = [
        exactly(claim, circle_deviation(solver, center=center), solver)
        for claim, center in (("3-circle-uncentred", False), ("3-circle", True))
        for solver in SOLVERS
    ]
    for how in LANDMARKS:
        cases += [exactly(claim, value, how) for claim, value in on_landmarks(how).items()]
    for name, spec in DATA.items():
        X = make_dataset(name, spec, seed=seed, replicates=1).split(0).X_train
        cases += [exactly(claim, compare(X), name) for claim, compare in EMBEDDINGS.items()]
    return {"claims": claims_table(cases)}
