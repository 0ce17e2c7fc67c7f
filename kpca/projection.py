"""Scores of points under a fitted model, what its components leave of them, and the way back."""

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from kpca.expansion import Subspace
from kpca.kernels import KernelParameters
from kpca.linalg.threads import thread_count
from kpca.operators import Centering
from kpca.operators.sources import CallableSource, KernelSource, MatrixSource, Source
from kpca.operators.symmetry import symmetrised
from kpca.preimage import LEARNED, PreImages, PreImageWarning, method
from kpca.types import Array, Floats, Matrix


class Projection(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """What a kernel, training points and eigenpairs say about new points."""

    kernel: Any
    kernel_params: dict[str, Any] | None
    degree: float
    coef0: float
    center: bool
    n_jobs: int | None
    preimage: str
    fit_inverse_transform: bool
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

    def inverse_transform(self, X: Array) -> Array:
        """Give points of the input space whose images are near the given scores.

        Parameters
        ----------
        X : array of shape (m, k)
            Scores. There is nothing but them, so that iterations begin at training points.

        Returns
        -------
        ndarray of shape (m, d)
            Pre-images that did not converge are warned about; `find_preimages` says which.
        """
        return self._points(self._find(X, None), np.asarray(X).dtype)

    def denoise(self, X: Matrix) -> Array:
        """Project points on the components and give pre-images of the projections.

        Parameters
        ----------
        X : array of shape (m, d), or kernel values of shape (m, n)
            Where iterations begin.

        Returns
        -------
        ndarray of shape (m, d)
        """
        self._check_learned()  # a refusal comes before the work
        X = self._check_new(X)
        return self._points(self._find(self.transform(X), X), X.dtype)

    def find_preimages(self, X: Array, start: Matrix | None = None) -> PreImages:
        """Give pre-images of scores together with what is known about them.

        Parameters
        ----------
        X : array of shape (m, k)
            Scores.
        start : array of shape (m, d), optional
            Where iterations begin; by default at training points.

        Returns
        -------
        kpca.preimage.PreImages
            Points, convergence, iterations, and the distance left in feature space.
        """
        found = self._find(X, None if start is None else self._check_new(start))
        if self.kernel == "precomputed":
            return found
        distances = Subspace(self).distances(self, np.asarray(X, np.float64), found.points)
        return replace(found, distances=distances)

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

    def _check_preimage(self, X_original: Matrix | None) -> None:
        if self.fit_inverse_transform and self.kernel == "precomputed" and X_original is None:
            raise ValueError(
                "Cannot fit_inverse_transform with a precomputed kernel alone: pass the points "
                "behind it, fit(K, X_original=X)."
            )

    def _check_learned(self) -> None:
        check_is_fitted(self)
        if self.preimage == LEARNED and not self.fit_inverse_transform:
            raise NotFittedError(
                "The fit_inverse_transform parameter was not set to True when instantiating and "
                "hence the inverse transform is not available. preimage='fixed_point' and 'mds' "
                "need no fit."
            )

    def _find(self, Z: Array, start: Matrix | None) -> PreImages:
        self._check_learned()
        Z = check_array(Z, dtype=[np.float64, np.float32])
        if Z.shape[1] != len(self.eigenvalues_):
            raise ValueError(
                f"X has {Z.shape[1]} columns, but this KernelPCA has {len(self.eigenvalues_)} "
                "components: pass scores as transform gives them."
            )
        found: PreImages = method(self.preimage).find(self, Z, start)
        return found

    def _points(self, found: PreImages, dtype: np.dtype) -> Array:
        if failed := int(np.count_nonzero(~found.converged)):
            warnings.warn(
                f"{failed} of {len(found.points)} pre-images did not converge; find_preimages "
                "says which, and how far they are. More components or a wider kernel help.",
                PreImageWarning,
                stacklevel=3,
            )
        return found.points.astype(dtype, copy=False)
