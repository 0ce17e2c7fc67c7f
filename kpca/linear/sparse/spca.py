"""Sparse PCA by the alternation of Zou, Hastie and Tibshirani, and by its first step."""

import numpy as np
import scipy.linalg

from kpca.linear.sparse.elastic_net import elastic_nets
from kpca.linear.sparse.loadings import SparseLoadings, unit_columns
from kpca.linear.svd import svd
from kpca.types import Floats


def spca(
    X: Floats, n_components: int, *, l1: Floats, l2: float, tol: float, max_iter: int
) -> SparseLoadings:
    """Minimise ‖X − XBAᵀ‖² + λ Σ‖b_j‖² + Σ λ₁ⱼ‖b_j‖₁ over B and AᵀA = I, in turn.

    With A fixed, B is one elastic net for each component; with B fixed, A = UVᵀ from the SVD
    XᵀXB = UDVᵀ. Both steps lower the objective. A starts at the ordinary loadings, and the
    columns of B are normalised at the end. The limit is a stationary point: the problem is not
    convex.

    Parameters
    ----------
    X : ndarray of shape (m, d)
        Any root of the covariance matrix; only XᵀX matters.
    n_components : int
        k, at most min(m, d).
    l1 : ndarray of shape (k,)
        λ₁ of each component.
    l2 : float
        λ; infinity gives the soft-thresholding case for d ≫ n.
    tol : float
        Largest change of a normalised loading at which the alternation stops.
    max_iter : int

    Returns
    -------
    SparseLoadings

    References
    ----------
    Zou, Hastie and Tibshirani (2006), Sparse principal component analysis, J. Comput. Graph.
    Stat. 15, algorithm 1 and section 4.
    """
    A = svd(X, n_components).Vt.T
    B = elastic_nets(X, A, l1=l1, l2=l2)
    for n_iter in range(1, max_iter + 1):
        before = unit_columns(B)
        A = procrustes(X.T @ (X @ B))
        B = elastic_nets(X, A, l1=l1, l2=l2, start=B)
        if np.max(np.abs(unit_columns(B) - before)) < tol:
            return SparseLoadings(unit_columns(B), n_iter, converged=True)
    return SparseLoadings(unit_columns(B), max_iter, converged=False)


def two_step(X: Floats, n_components: int, *, l1: Floats, l2: float) -> SparseLoadings:
    """Regress each ordinary principal score on the variables by an elastic net.

    Where λ₁ = 0 this returns the ordinary loadings for every λ > 0. It is the first half of the
    first iteration of `spca`, whose arguments it takes, and which goes on.

    References
    ----------
    Zou, Hastie and Tibshirani (2006), J. Comput. Graph. Stat. 15, section 3.1.
    """
    B = elastic_nets(X, svd(X, n_components).Vt.T, l1=l1, l2=l2)
    return SparseLoadings(unit_columns(B), n_iter=1, converged=True)


def procrustes(M: Floats) -> Floats:
    """Return the A with orthonormal columns that maximises tr(AᵀM).

    A = UVᵀ of the thin SVD M = UDVᵀ.

    Parameters
    ----------
    M : ndarray of shape (d, k)

    Returns
    -------
    ndarray of shape (d, k)
    """
    U, _, Vt = scipy.linalg.svd(M, full_matrices=False)
    rotation: Floats = U @ Vt
    return rotation
