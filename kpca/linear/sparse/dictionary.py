"""Sparse PCA as dictionary learning, which is what scikit-learn's SparsePCA does."""

import numpy as np

from kpca.linear.sparse.loadings import SparseLoadings, unit_columns
from kpca.types import Floats


def dictionary(
    X: Floats, n_components: int, *, l1: float, tol: float, max_iter: int, random_state: int
) -> SparseLoadings:
    """Minimise ½‖X − ZBᵀ‖²_F + λ₁ Σ|B| over codes B and scores Z with columns of norm ≤ 1.

    The scores are free: they need not be projections XB of the data, so that this is matrix
    factorisation more than a search for directions.

    Parameters
    ----------
    X : ndarray of shape (m, d)
        Any root of the covariance matrix. With X = data/√(n − 1), λ₁ is scikit-learn's alpha
        divided by √(n − 1).
    n_components : int
        k.
    l1 : float
        λ₁ of all components.
    tol : float
        Relative change of the objective at which the alternation stops.
    max_iter : int
    random_state : int
        Seed for atoms that fall out of use.

    Returns
    -------
    SparseLoadings

    References
    ----------
    Mairal, Bach, Ponce and Sapiro (2009), Online dictionary learning for sparse coding, ICML;
    ``sklearn.decomposition.dict_learning``.
    """
    # Imported here: sklearn.decomposition costs a second.
    from sklearn.decomposition import dict_learning

    code, _, _, n_iter = dict_learning(
        X.T,
        n_components,
        alpha=l1,
        tol=tol,
        max_iter=max_iter,
        random_state=random_state,
        return_n_iter=True,
    )
    return SparseLoadings(unit_columns(np.asarray(code)), int(n_iter), converged=n_iter < max_iter)
