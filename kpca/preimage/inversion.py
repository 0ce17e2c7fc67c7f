"""The way back of a fitted model, by the method of pre-images that it was given."""

import warnings
from dataclasses import replace

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_array, check_is_fitted

from kpca.preimage import LEARNED, PreImages, PreImageWarning, method
from kpca.projection import Projection
from kpca.subspace import Subspace
from kpca.types import Array, Matrix


class Inversion(Projection):
    """Points of the input space for scores, or for other points."""

    preimage: str
    fit_inverse_transform: bool

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
