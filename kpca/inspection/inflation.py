"""Variance inflation: training scores spread more than those of new samples.

A training point is part of its own kernel expansion, whereas a new point is not. Therefore narrow
kernels and late components give new points scores near zero. A predictor that was trained on the
scale of training scores is then applied to scores of another scale.

References
----------
Abrahamsen, Hansen (2011), A cure for variance inflation in high dimensional kernel principal
component analysis, Journal of Machine Learning Research 12.
"""

import numpy as np

from kpca.base import check_model
from kpca.folds import held_out
from kpca.kernel_pca import KernelPCA
from kpca.types import Floats


def variance_ratios(model: KernelPCA, *, folds: int = 10, seed: int = 0) -> Floats:
    """Estimate the variance of new samples' scores relative to training scores, per component.

    Parameters
    ----------
    model : KernelPCA
        Fitted model.
    folds : int, default=10
        Number of folds. For each of them, a model is fitted without its samples. n folds leave out
        one sample each.
    seed : int, default=0
        Seed of the folds.

    Returns
    -------
    ndarray of shape (k,)
        Ratios, which are near 1 if the training scores are not inflated, and below 1 if they are.
        Components with eigenvalue zero have the ratio 1.

    Raises
    ------
    TypeError
        If `model` is not a KernelPCA.
    ValueError
        If the model does not hold its training samples, or there is only one.

    Notes
    -----
    The ratio is E z_j² of new samples over that of training samples. No new samples are needed:
    each training sample is scored by a model that was fitted without it.

    References
    ----------
    Abrahamsen, Hansen (2011), A cure for variance inflation in high dimensional kernel principal
    component analysis, Journal of Machine Learning Research 12.

    Examples
    --------
    >>> import numpy as np
    >>> from kpca import KernelPCA
    >>> X = np.random.default_rng(0).normal(size=(60, 5))
    >>> narrow = KernelPCA(2, kernel="rbf", gamma=1.0).fit(X)
    >>> bool((variance_ratios(narrow) < 0.5).all())
    True
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
