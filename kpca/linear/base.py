"""Base class of linear reductions: project on axes, and map back."""

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from kpca.types import Floats
from kpca.validation import check_scores, checked


class LinearReduction(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Project centred samples on the rows W of `components_`, which need not be orthogonal.

    A subclass sets `components_` (k, d) and `mean_` (d,) in `fit`.
    """

    components_: Floats
    mean_: Floats

    def _scale(self) -> Floats | float:
        """Return the number by which scores are divided, or one number per component."""
        return 1.0

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def transform(self, X: ArrayLike) -> Floats:
        """Return the scores (X − mean) Wᵀ, scaled to variance 1 if the reduction whitens them.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Samples.

        Returns
        -------
        ndarray of shape (n, k)
            Scores.
        """
        check_is_fitted(self)
        rows = checked(X, owner=self, dtype=np.float64, reset=False)
        return (rows - self.mean_) @ self.components_.T / self._scale()

    def inverse_transform(self, X: ArrayLike) -> Floats:
        """Return the points that have the scores X and lie in the span of the components.

        Parameters
        ----------
        X : array-like of shape (n, k)
            Scores.

        Returns
        -------
        ndarray of shape (n, d)
            mean + z (WWᵀ)⁺ W for each row z. If z are the scores of a sample, this is the point of
            mean + span(W) nearest to that sample, even if the rows of W are not orthogonal.

        Raises
        ------
        ValueError
            If the number of columns of X is not the number of components.
        """
        check_is_fitted(self)
        scores = checked(X, dtype=np.float64)
        check_scores(scores, len(self.components_), type(self).__name__)
        scores = scores * self._scale()
        return scores @ np.linalg.pinv(self.components_).T + self.mean_

    def reconstruction_error(self, X: ArrayLike) -> Floats:
        """Return each row's squared distance to the span of the components.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Training or new samples.

        Returns
        -------
        ndarray of shape (n,)
            ‖x − x̂‖², where x̂ is the point of mean + span(W) nearest to x.
        """
        scores = self.transform(X)
        distance = np.asarray(X, dtype=np.float64) - self.inverse_transform(scores)
        return np.sum(distance**2, axis=1)
