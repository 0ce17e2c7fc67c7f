"""Variance inflation: training scores spread more than those of new points, and a cure.

A training point takes part in its own kernel expansion, a new point does not: narrow kernels
and late components give new points scores near zero, and what was trained on the one scale is
tested on the other.

References
----------
Abrahamsen, Hansen (2011), A cure for variance inflation in high dimensional kernel principal
component analysis, Journal of Machine Learning Research 12.
"""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin, clone
from sklearn.utils.validation import check_is_fitted

from kpca.arguments import as_points
from kpca.kernel_pca import KernelPCA
from kpca.model_selection.folds import NO_POINTS, held_out
from kpca.rules import Rules, check, of, whole
from kpca.types import Array, Floats, Matrix

_RULES: Rules = {
    "estimator": ("a KernelPCA", (of(KernelPCA),)),
    "folds": ("a whole number from 2", (whole(2),)),
}


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
    scores = held_out(model, lambda fitted, X, _: fitted.transform(X), folds=folds, seed=seed)
    expansion = model.expansion()
    weights = expansion.centering.share
    training = weights @ np.square(expansion.point_scores)
    new = weights @ np.square(scores)
    return np.divide(new, training, out=np.ones_like(training), where=training > 0)


class VarianceCorrected(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Kernel PCA whose scores of new points have the scale of its training scores.

    `fit_transform` gives the training scores as they are, `transform` those of new points
    divided by the square root of `variance_ratios`: use it inside a Pipeline, which calls
    the one in training and the other in testing.

    Parameters
    ----------
    estimator : KernelPCA
    folds : int
        As for `variance_ratios`.

    Attributes
    ----------
    estimator_ : KernelPCA
        Fitted on all points.
    variance_ratios_ : ndarray of shape (k,)
    """

    def __init__(self, estimator: KernelPCA, *, folds: int = 10) -> None:
        self.estimator = estimator
        self.folds = folds

    def fit(self, X: Matrix, y: Any = None) -> Self:
        """Fit the estimator and as many more as there are folds."""
        self.fit_transform(X, y)
        return self

    def fit_transform(self, X: Matrix, y: Any = None) -> Array:
        """Fit, and give the training scores uncorrected, an array of shape (n, k)."""
        check(self, _RULES)
        if self.estimator.eigen_solver == "nystrom":
            raise ValueError(NO_POINTS)
        as_points(X, rows=2)
        self.estimator_ = clone(self.estimator).set_output(transform="default")
        scores = self.estimator_.fit_transform(X, y)
        self.variance_ratios_ = variance_ratios(self.estimator_, folds=self.folds)
        self._n_features_out = scores.shape[1]
        return scores

    def transform(self, X: Matrix) -> Array:
        """Give the corrected scores of new points, an array of shape (m, k)."""
        check_is_fitted(self)
        smallest = np.finfo(np.float64).eps  # below it the scores are rounding, not signal
        as_points(X)
        scores = self.estimator_.transform(X)
        corrected = scores / np.sqrt(np.maximum(self.variance_ratios_, smallest))
        return corrected.astype(scores.dtype, copy=False)
