"""Kernel PCA where the answer is known: points on a circle, and four embeddings as kernel PCA.

The tolerances of the embeddings were set after a first trial, from the gaps between eigenvalues.
"""

import numpy as np
import pandas as pd
from scipy.linalg import eigvalsh
from scipy.sparse.csgraph import laplacian, shortest_path
from scipy.special import ive
from sklearn.manifold import Isomap, locally_linear_embedding, spectral_embedding
from sklearn.neighbors import kneighbors_graph

from kpca.kernel_pca import KernelPCA
from kpca.kernels.bandwidth import median_gamma
from kpca.kernels.bound import kernel_matrix
from kpca.types import Floats
from workflow.job import Tables, script
from workflow.scripts.claims.claim import exactly
from workflow.scripts.experiments.setting import DATASETS, first_split

SPECTRAL = "3-spectral-clustering"
N_CIRCLE = 400
CIRCLE_GAMMA = 2.0
# All solvers that take a Gaussian kernel; "primal" does not, because it needs explicit features.
SOLVERS = ("dense", "arpack", "randomized", "davidson")
NEIGHBOURS = 12
N_COMPONENTS = 3
REGULARISATION = 1e-3  # scikit-learn's default for LLE


def circle_eigenvalues(*, center: bool) -> Floats:
    """Return the eigenvalues n e^(−2γ) I_k(2γ) for k ≤ 5, in decreasing order.

    Each occurs twice, except that k = 0 occurs once, or not at all with centring. They are the
    eigenvalues of a circulant kernel matrix up to terms that are zero in floating point (Twining
    and Taylor 2003, Pattern Recognition 36). I_k is a modified Bessel function.
    """
    orders = np.repeat(np.arange(6), 2)[2 if center else 1 :]
    return np.asarray(N_CIRCLE * ive(orders, 2 * CIRCLE_GAMMA), dtype=np.float64)


def on_circle(solver: str, *, center: bool = True) -> float:
    """Return the largest error of an eigenvalue, relative to λ_1, for points on the unit circle."""
    expected = circle_eigenvalues(center=center)
    angles = 2 * np.pi * np.arange(N_CIRCLE) / N_CIRCLE
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    model = KernelPCA(len(expected), kernel="rbf", gamma=CIRCLE_GAMMA, center=center)
    model.set_params(eigen_solver=solver).fit(circle)
    return np.abs(expected - model.eigenvalues_).max() / expected[0]


def isomap(X: Floats) -> tuple[Floats, Floats]:
    """Return −½ D² and the embedding by Isomap.

    D has the lengths of shortest paths along nearest neighbours.
    """
    graph = kneighbors_graph(X, NEIGHBOURS, mode="distance")
    D = shortest_path(graph.maximum(graph.T), directed=False)
    # Use the dense solver of Isomap, because it has no tolerance.
    theirs = Isomap(n_neighbors=NEIGHBOURS, n_components=N_COMPONENTS, eigen_solver="dense")
    return -(D**2) / 2, theirs.fit_transform(X)


def laplacian_eigenmaps(X: Floats) -> tuple[Floats, Floats]:
    """Return the pseudo-inverse of the graph Laplacian, and the embedding by its eigenmaps."""
    graph = kneighbors_graph(X, NEIGHBOURS)
    adjacency = ((graph + graph.T) / 2).toarray()
    inverse = np.linalg.pinv(np.asarray(laplacian(adjacency)), hermitian=True)
    theirs = spectral_embedding(
        adjacency, n_components=N_COMPONENTS, norm_laplacian=False, random_state=0
    )
    return inverse, theirs


def lle(X: Floats) -> tuple[Floats, Floats]:
    """Return λ_max I − M, where M = (I − W)ᵀ(I − W), and the embedding by LLE."""
    # Each row of W has weights with sum 1 that reconstruct a row of X from its neighbours.
    neighbours = kneighbors_graph(X, NEIGHBOURS).indices.reshape(-1, NEIGHBOURS)
    offsets = X[neighbours] - X[:, None]
    inner = offsets @ offsets.transpose(0, 2, 1)
    ridge = REGULARISATION * np.trace(inner, axis1=1, axis2=2)
    inner += ridge[:, None, None] * np.eye(NEIGHBOURS)
    weights = np.linalg.solve(inner, np.ones((len(X), NEIGHBOURS, 1)))[..., 0]
    W = np.zeros((len(X), len(X)))
    np.put_along_axis(W, neighbours, weights / weights.sum(axis=1, keepdims=True), axis=1)
    R = np.eye(len(X)) - W
    M = R.T @ R
    K = eigvalsh(M)[-1] * np.eye(len(X)) - M
    theirs, _ = locally_linear_embedding(
        X, n_neighbors=NEIGHBOURS, n_components=N_COMPONENTS, eigen_solver="dense"
    )
    return K, theirs


def spectral_clustering(X: Floats) -> tuple[Floats, Floats]:
    """Return D^(−1/2) K D^(−1/2), and the directions of spectral clustering.

    K is the Gaussian kernel matrix with a zero diagonal, and D has its row sums on the diagonal.
    """
    K = kernel_matrix(X, kernel="rbf", gamma=median_gamma(X))
    np.fill_diagonal(K, 0)
    roots = np.sqrt(K.sum(axis=0))
    directions = spectral_embedding(K, n_components=N_COMPONENTS, drop_first=False, random_state=0)
    return K / np.outer(roots, roots), directions * roots[:, None]


EMBEDDINGS = {
    SPECTRAL: spectral_clustering,
    "3-isomap": isomap,
    "3-laplacian-eigenmaps": laplacian_eigenmaps,
    "3-lle": lle,
}


def difference(K: Floats, theirs: Floats, *, center: bool = True) -> float:
    """Return the largest difference between kernel PCA of K and the embedding ``theirs``.

    The columns of both are scaled to norm 1, and their signs are matched.
    """
    model = KernelPCA(N_COMPONENTS, kernel="precomputed", eigen_solver="dense", center=center)
    ours = model.fit(K).eigenvectors_
    A, B = (Z / np.linalg.norm(Z, axis=0) for Z in (ours, theirs))
    return np.abs(A * np.sign((A * B).sum(axis=0)) - B).max()


@script
def measure(*, seed: int) -> Tables:
    """Return the cases, one per claim and solver or dataset."""
    cases = [
        exactly(claim, on_circle(solver, center=center), solver)
        for claim, center in (("3-circle-uncentred", False), ("3-circle", True))
        for solver in SOLVERS
    ]
    for name, spec in DATASETS["neighbours"].items():
        X = first_split(name, spec, seed).X_train
        for claim, both in EMBEDDINGS.items():
            errors = difference(*both(X), center=claim != SPECTRAL)
            cases.append(exactly(claim, errors, name))
    return {"claims": pd.DataFrame(cases)}
