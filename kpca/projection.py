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
    landmark_axes_: Floats
    landmark_mean_: Floats

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
        C, _ = self._expansion()
        scores = self._source().apply(X, C, self._threads()) - self.kernel_means_ @ C
        return scores.astype(X.dtype, copy=False)

    def reconstruction_error(self, X: Matrix, diagonal: Array | None = None) -> Array:
        """Squared distance in feature space from each point to the subspace of the components.

        With φ̄ the centred feature map and z the scores, ‖φ̄(x)‖² − ‖z‖², where
        ‖φ̄(x)‖² = k(x, x) − 2 Σ_i w_i k(x, x_i)/W + wᵀKw/W². A model of landmarks takes the
        projection of the mean onto their span.

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
        source, (C, mean) = self._source(), self._expansion()
        own = source.diagonal(X) if diagonal is None else np.asarray(diagonal, dtype=np.float64)
        products = source.apply(X, np.column_stack([C, mean]), self._threads())
        scores = products[:, :-1] - self.kernel_means_ @ C
        squared_mean = mean @ self.kernel_means_
        distance = own - 2 * products[:, -1] + squared_mean - (scores**2).sum(axis=1)
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
        return Centering(len(self.eigenvectors_), bool(self.center), self.sample_weight_)

    def _expansion(self) -> tuple[Floats, Floats]:
        """Give C and m of the axes Σ_i C_ij φ(x_i) and the mean Σ_i m_i φ(x_i), x_i of `X_fit_`."""
        if self._has_landmarks():
            return self.landmark_axes_, self.landmark_mean_
        centering = self._centering()
        axes = centering.coefficients(self.eigenvalues_, self.eigenvectors_)
        return axes, centering.share * bool(self.center)

    def _expanded_scores(self) -> Array:
        """Give the scores of the points of `X_fit_`."""
        return self.transform(self.X_fit_) if self._has_landmarks() else self._training_scores()

    def _has_landmarks(self) -> bool:
        return hasattr(self, "landmark_axes_")

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
