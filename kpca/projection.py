"""Scores of points under a fitted model, and what its components leave of them."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from kpca.gram import Centering
from kpca.kernels import KernelParameters
from kpca.source import CallableSource, KernelSource, MatrixSource, Source
from kpca.symmetry import symmetrised
from kpca.threads import thread_count
from kpca.types import Array, Floats, Matrix


class Projection(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """What a kernel, training points and eigenpairs say about new points."""

    kernel: Any
    kernel_params: dict[str, Any] | None
    degree: float
    coef0: float
    center: bool
    n_jobs: int | None
    gamma_: float
    X_fit_: Matrix
    sample_weight_: Floats | None
    eigenvalues_: Floats
    eigenvectors_: Floats
    kernel_means_: Floats

    def transform(self, X: Matrix) -> Array:
        """Give the scores of points, in blocks: memory O(block), never n × m.

        Parameters
        ----------
        X : array or sparse matrix of shape (m, d), or kernel values of shape (m, n)

        Returns
        -------
        ndarray of shape (m, k)
        """
        X = self._check_new(X)
        C = self._centering().coefficients(self.eigenvalues_, self.eigenvectors_)
        scores = self._source().apply(X, C, self._threads()) - self.kernel_means_ @ C
        return scores.astype(X.dtype, copy=False)

    def reconstruction_error(self, X: Matrix, diagonal: Array | None = None) -> Array:
        """Squared distance in feature space from each point to the subspace of the components.

        With φ̄ the centred feature map and z the scores, ‖φ̄(x)‖² − ‖z‖², where
        ‖φ̄(x)‖² = k(x, x) − 2 Σ_i w_i k(x, x_i)/W + wᵀKw/W².

        Parameters
        ----------
        X : array or sparse matrix of shape (m, d), or kernel values of shape (m, n)
        diagonal : array of shape (m,), optional
            k(x, x) of the new points, needed with a precomputed kernel only.

        Returns
        -------
        ndarray of shape (m,)
            Not negative.
        """
        X = self._check_new(X)
        source, centering = self._source(), self._centering()
        C = centering.coefficients(self.eigenvalues_, self.eigenvectors_)
        own = source.diagonal(X) if diagonal is None else np.asarray(diagonal, dtype=np.float64)
        share_column = centering.share[:, None] * bool(self.center)
        products = source.apply(X, np.hstack([C, share_column]), self._threads())
        scores = products[:, :-1] - self.kernel_means_ @ C
        mean = centering.share @ self.kernel_means_
        distance = own - 2 * products[:, -1] + mean - (scores**2).sum(axis=1)
        return np.maximum(distance, 0)

    def _fit_source(self, X: Matrix) -> Source:
        return MatrixSource(symmetrised(X)) if self.kernel == "precomputed" else self._source()

    def _source(self) -> Source:
        if self.kernel == "precomputed":
            return MatrixSource(self.X_fit_)
        return self._score_source(self.X_fit_)

    def _score_source(self, X: Matrix) -> Source:
        """Give the kernel of this model on other points, such as scores."""
        if callable(self.kernel):
            return CallableSource(X, self.kernel, self.kernel_params or {})
        return KernelSource(X, self.kernel, KernelParameters(self.gamma_, self.degree, self.coef0))

    def _centering(self) -> Centering:
        return Centering(len(self.kernel_means_), bool(self.center), self.sample_weight_)

    def _training_scores(self) -> Array:
        scores = self._centering().scores(self.eigenvalues_, self.eigenvectors_)
        if self.sample_weight_ is not None and not self.sample_weight_.all():
            unweighted = np.flatnonzero(self.sample_weight_ == 0)
            scores[unweighted] = self.transform(self.X_fit_[unweighted])
        return scores.astype(self.X_fit_.dtype, copy=False)

    def _check_new(self, X: Matrix) -> Matrix:
        check_is_fitted(self)
        return validate_data(
            self, X, accept_sparse="csr", reset=False, dtype=[np.float64, np.float32]
        )

    def _threads(self) -> int:
        return thread_count(self.n_jobs)
