"""Pre-images learned by kernel ridge regression from scores to points, as in scikit-learn.

With Z the scores of the training points, the coefficients B = (K(Z, Z) + αI)⁻¹ X give the
pre-image of a score z as k(z, Z) B. The kernel between scores is the model's own, and where
that was computed beforehand the Gaussian kernel at the median distance.

References
----------
Bakır, Weston, Schölkopf (2004), Learning to find pre-images.
"""

from typing import Any

import numpy as np
from scipy.linalg import LinAlgError, solve

from kpca.kernels import KernelParameters, is_sparse
from kpca.kernels.bandwidth import median_gamma
from kpca.operators.sources import KernelSource, Source
from kpca.preimage.base import PreImages
from kpca.types import Array, Matrix


def fit(model: Any, X: Matrix, scores: Array) -> None:
    """Learn ``dual_coef_`` of shape (n, d) from the training points and their scores.

    Raises
    ------
    NotImplementedError
        For sparse X, as in scikit-learn.
    ValueError
        If the regularised matrix is not positive definite; the message names the remedy.
    """
    if is_sparse(X):
        raise NotImplementedError("Inverse transform not implemented for sparse matrices!")
    K = _source(model, scores).full().K
    K.flat[:: len(K) + 1] += model.alpha
    try:
        coefficients = solve(K, X, assume_a="pos", overwrite_a=True)
    except LinAlgError as error:
        raise ValueError(
            f"K(scores) + αI is not positive definite for kernel={model.kernel!r} and "
            f"alpha={model.alpha:g}: raise alpha."
        ) from error
    model.dual_coef_ = coefficients.astype(X.dtype, copy=False)
    model.X_transformed_fit_ = scores


def find(model: Any, Z: Array, start: Matrix | None) -> PreImages:
    """Points k(z, Z) B for scores z: the regression starts from nothing but the scores."""
    del start
    source = _source(model, model.X_transformed_fit_)
    dual = np.asarray(model.dual_coef_, dtype=np.float64)
    return PreImages.in_closed_form(source.apply(Z, dual, model._threads()))


def _source(model: Any, scores: Array) -> Source:
    if model.kernel == "precomputed":
        return KernelSource(scores, "rbf", KernelParameters(median_gamma(scores)))
    source: Source = model._score_source(scores)
    return source
