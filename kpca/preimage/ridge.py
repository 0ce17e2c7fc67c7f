"""Pre-images learned by kernel ridge regression from scores to points, as in scikit-learn.

If Z are the scores of the training points X, the pre-image of a score z is k(z, Z) B with the
coefficients B = (K(Z, Z) + αI)⁻¹ X. The kernel k between scores is the kernel of the model. For a
precomputed kernel, it is the Gaussian kernel at the median distance.

References
----------
Bakır, Weston, Schölkopf (2004), Learning to find pre-images.
"""

import numpy as np
from scipy.linalg import LinAlgError, solve

from kpca.kernels.bandwidth import median_gamma
from kpca.kernels.registry import KernelParameters
from kpca.operators.sources import KernelSource, MatrixSource, TrainingKernel
from kpca.preimage.base import PreImages
from kpca.types import Array, Matrix
from kpca.validation import is_sparse

BYTES = 24  # bytes divided by n²: the kernel matrix of n scores, and the workspace of LAPACK


def learn_coefficients(source: TrainingKernel, X: Matrix, scores: Array, alpha: float) -> Array:
    """Return the coefficients B, of shape (n, d), that map scores of shape (n, k) to points X.

    Raises
    ------
    NotImplementedError
        If X is sparse, as in scikit-learn.
    ValueError
        If there are no components, or the regularised matrix is not positive definite; the message
        names the remedy.
    """
    if is_sparse(X):
        raise NotImplementedError("Inverse transform not implemented for sparse matrices!")
    if not scores.shape[1]:
        raise ValueError(
            "The model has no components, because its training samples do not differ, and ridge "
            "pre-images are learned from scores: fit it to samples that differ."
        )
    K = _between_scores(source, scores).full().K
    K.flat[:: len(K) + 1] += alpha
    try:
        coefficients = solve(K, X, assume_a="pos", overwrite_a=True)
    except LinAlgError as error:
        raise ValueError(
            f"K(scores) + αI is not positive definite for {source.name!r}: raise alpha={alpha:g}."
        ) from error
    return coefficients.astype(X.dtype, copy=False)


def find(
    source: TrainingKernel, scores: Array, B: Array, Z: Array, n_threads: int = 1
) -> PreImages:
    """Return the pre-images k(z, scores) B of the rows z of Z.

    `source` and `scores` are the arguments of `learn_coefficients`, and B is its result.
    """
    dual = np.asarray(B, dtype=np.float64)
    points = _between_scores(source, scores).apply(Z, dual, n_threads)
    m = len(Z)
    return PreImages(points, np.ones(m, bool), np.zeros(m, np.int64), np.full(m, np.nan))


def _between_scores(source: TrainingKernel, scores: Array) -> TrainingKernel:
    if isinstance(source, MatrixSource):
        return KernelSource(scores, "rbf", KernelParameters(median_gamma(scores)))
    return source.with_samples(scores)
