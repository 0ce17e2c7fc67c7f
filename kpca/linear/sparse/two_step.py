"""Sparse PCA in two steps: ordinary scores, then an elastic net for each."""

from kpca.linear.sparse.elastic_net import elastic_nets
from kpca.linear.sparse.loadings import SparseLoadings, unit_columns
from kpca.linear.svd import svd
from kpca.types import Floats


def two_step(X: Floats, n_components: int, *, l1: Floats, l2: float) -> SparseLoadings:
    """Regress each ordinary principal score on the variables by an elastic net.

    Where λ₁ = 0 this returns the ordinary loadings for every λ > 0. It is the first half of
    the first iteration of `kpca.linear.sparse.spca.spca`, which goes on.

    Parameters
    ----------
    X : ndarray of shape (m, d)
        Any root of the covariance matrix.
    n_components : int
        k, at most min(m, d).
    l1 : ndarray of shape (k,)
        λ₁ of each component.
    l2 : float
        λ, possibly infinite.

    Returns
    -------
    SparseLoadings

    References
    ----------
    Zou, Hastie and Tibshirani (2006), J. Comput. Graph. Stat. 15, section 3.1.
    """
    B = elastic_nets(X, svd(X, n_components).Vt.T, l1=l1, l2=l2)
    return SparseLoadings(unit_columns(B), n_iter=1, converged=True)
