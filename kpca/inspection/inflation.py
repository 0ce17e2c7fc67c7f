"""Variance inflation: training scores spread more than those of new samples.

A training point takes part in its own kernel expansion, a new point does not: narrow kernels
and late components give new points scores near zero, and what was trained on the one scale is
tested on the other.

References
----------
Abrahamsen, Hansen (2011), A cure for variance inflation in high dimensional kernel principal
component analysis, Journal of Machine Learning Research 12.
"""

import numpy as np

from kpca.folds import held_out
from kpca.kernel_pca import KernelPCA, check_model
from kpca.types import Floats


def variance_ratios(model: KernelPCA, *, folds: int = 10, seed: int = 0) -> Floats:
    """Estimate E z_j² of new points over that of training points, without new points.

    Each training point is scored by a model fitted without it.

    Parameters
    ----------
    model : KernelPCA
        Fitted.
    folds : int
        Number of such models; n of them leave out one point each.
    seed : int
        Of the folds.

    Returns
    -------
    ndarray of shape (k,)
        Near 1 where nothing is inflated; 1 for components of eigenvalue zero.

    Raises
    ------
    TypeError, ValueError
        For what is no fitted KernelPCA with its training points, at least two.
    """
    check_model(model)
    if not len(model.eigenvalues_):
        return np.ones(0)
    scores = held_out(model, lambda fitted, X, _: fitted.transform(X), folds=folds, seed=seed)
    expansion = model.expansion()
    weights = expansion.centering.normalized_weights
    training = weights @ np.square(expansion.point_scores)
    new = weights @ np.square(scores)
    return np.divide(new, training, out=np.ones_like(training), where=training > 0)
