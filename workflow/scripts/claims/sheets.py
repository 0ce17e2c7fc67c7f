"""Ways to lay a rolled sheet flat: kernel PCA with one kernel or another, Isomap and LLE."""

from __future__ import annotations

import warnings

import numpy as np
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree, shortest_path
from scipy.spatial.distance import pdist, squareform

from kpca.bandwidth import median_gamma
from kpca.definiteness import IndefiniteKernelWarning
from kpca.kernel_pca import KernelPCA

COMPONENTS = 10
NEIGHBOURS = 6
"""Of the geodesic distances where γ is in question."""


def embed(
    X: np.ndarray, method: str, parameter: float, *, along: np.ndarray | None = None
) -> np.ndarray:
    """Return the coordinates that a method gives.

    Parameters
    ----------
    X : array of shape (n, d)
    method : str
        "geodesic" and "lle" (two coordinates, by the number of neighbours), "geodesic_gaussian"
        (by the multiple of γ), or a kernel of `kernel_scores`.
    parameter : float
    along : array of shape (n, n), optional
        Geodesic distances by `NEIGHBOURS`, where they are known already.
    """
    if method == "lle":
        return lle(X, int(parameter))
    if method == "geodesic":
        return geodesic_scores(geodesic_distances(X, int(parameter)))
    if method == "geodesic_gaussian":
        D = geodesic_distances(X, NEIGHBOURS) if along is None else along
        return geodesic_gaussian_scores(D, parameter)
    return kernel_scores(X, method, parameter)


def kernel_scores(X: np.ndarray, kernel: str, parameter: float) -> np.ndarray:
    """Return the leading scores of kernel PCA.

    Parameters
    ----------
    X : array of shape (n, d)
    kernel : str
        Of `kpca.kernels`.
    parameter : float
        The degree of "poly", with c = 1 and the median γ; else the multiple of the median γ.
    """
    gamma = median_gamma(X, kernel)
    if kernel == "poly":
        model = KernelPCA(COMPONENTS, kernel=kernel, gamma=gamma, degree=parameter, coef0=1)
    else:
        model = KernelPCA(COMPONENTS, kernel=kernel, gamma=parameter * gamma)
    return model.fit_transform(X - X.mean(axis=0))


def geodesic_distances(X: np.ndarray, neighbours: int) -> np.ndarray:
    """Return the shortest paths along the graph of nearest neighbours.

    Where the graph falls apart, the shortest edges that join its parts are added: those of
    the minimum spanning tree of all points.

    Parameters
    ----------
    X : array of shape (n, d)
    neighbours : int
        Of each point; an edge leads both ways.

    Returns
    -------
    array of shape (n, n)

    References
    ----------
    Tenenbaum, de Silva and Langford, "A global geometric framework for nonlinear
    dimensionality reduction", Science 290 (2000).

    Examples
    --------
    >>> geodesic_distances(np.array([[0.0, 0], [1, 0], [1, 1]]), 1)[0, 2]
    np.float64(2.0)
    """
    from sklearn.neighbors import kneighbors_graph

    edges = kneighbors_graph(X, neighbours, mode="distance")
    if connected_components(edges, directed=False)[0] > 1:
        edges = edges.maximum(minimum_spanning_tree(squareform(pdist(X))))
    return np.asarray(shortest_path(edges, directed=False))


def geodesic_scores(D: np.ndarray) -> np.ndarray:
    """Return two scores of kernel PCA whose kernel matrix is −½ D², D geodesic distances.

    Centring turns −½ D² into the Gram matrix of classical scaling, so that these are the
    coordinates of Isomap: the one difference between the two methods is the kernel.
    """
    with warnings.catch_warnings():
        # Distances on a graph are not Euclidean: eigenvalues below those asked for are negative.
        warnings.simplefilter("ignore", IndefiniteKernelWarning)
        return KernelPCA(2, kernel="precomputed").fit_transform(-0.5 * D**2)


def geodesic_gaussian_scores(D: np.ndarray, multiple: float) -> np.ndarray:
    """Return the leading scores of kernel PCA with exp(−γ D²), D geodesic distances.

    γ is a multiple of 1 / median D². The matrix can be indefinite.
    """
    squares = D**2
    gamma = multiple / np.median(squares[np.triu_indices(len(D), 1)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IndefiniteKernelWarning)
        model = KernelPCA(COMPONENTS, kernel="precomputed", indefinite="clip")
        return model.fit_transform(np.exp(-gamma * squares))


def isomap(X: np.ndarray, neighbours: int) -> np.ndarray:
    """Return scikit-learn's two coordinates of Isomap."""
    from sklearn.manifold import Isomap

    return np.asarray(Isomap(n_neighbors=neighbours, n_components=2).fit_transform(X))


def lle(X: np.ndarray, neighbours: int) -> np.ndarray:
    """Return scikit-learn's two coordinates of locally linear embedding."""
    from sklearn.manifold import LocallyLinearEmbedding

    model = LocallyLinearEmbedding(n_neighbors=neighbours, n_components=2, eigen_solver="dense")
    return np.asarray(model.fit_transform(X))
