"""Residuals of a model's eigenpairs, computed with the exact kernel matrix."""

import numpy as np

from kpca.base import BaseKernelPCA, check_model
from kpca.operators.expansion import Expansion
from kpca.operators.grams import residual_norms
from kpca.operators.sources import CallableSource, MatrixSource, TrainingKernel, about_mean
from kpca.types import Array, Floats, Matrix
from kpca.validation import NONE, check_argument, checked, checked_samples, integer


def exact_residuals(
    model: BaseKernelPCA, X: Matrix, *, n_rows: int | None = None, seed: int = 0
) -> Floats:
    """Compute ‖K̄a_j − λ_j a_j‖ / λ_1 of every eigenpair by one product with the kernel matrix K̄.

    Parameters
    ----------
    model : KernelPCA or LandmarkKernelPCA
        Fitted model. The `residuals_` of a `LandmarkKernelPCA` are NaN.
    X : array or sparse matrix of shape (n, d)
        Training samples of the model, or the whole kernel matrix of a precomputed kernel.
    n_rows : int or None, default=None
        Number of random rows of K̄ from which the norms are estimated. None takes all rows. A
        callable kernel always takes all rows.
    seed : int, default=0
        Seed of the random rows.

    Returns
    -------
    ndarray of shape (k,)
        Relative residuals in float64.

    Raises
    ------
    TypeError
        If `model` is neither a KernelPCA nor a LandmarkKernelPCA.
    ValueError
        If X does not have one row per training sample, or if the model has no eigenvectors, because
        it was fitted by `partial_fit`.

    Notes
    -----
    K̄ is never stored. The time is that of computing n² kernel values, or n_rows · n values. By
    Weyl's theorem, some eigenvalue of K̄ lies within λ_1 r_j of λ_j, where r_j is the residual. An
    estimate from 128 rows is off by about a tenth. For a narrow kernel, however, the error may be
    in a few rows only, which a random sample can miss.

    References
    ----------
    Parlett (1998), The Symmetric Eigenvalue Problem, SIAM.

    Examples
    --------
    >>> import numpy as np
    >>> from kpca import LandmarkKernelPCA, exact_residuals
    >>> X = np.random.default_rng(0).normal(size=(500, 2))
    >>> model = LandmarkKernelPCA(2, kernel="rbf", n_landmarks=40).fit(X)
    >>> bool((exact_residuals(model, X) < 1e-2).all())
    True
    """
    check_model(model)
    check_argument("n_rows", n_rows, integer(2) | NONE)
    check_argument("seed", seed, integer(0))
    if not hasattr(model, "eigenvectors_"):
        raise ValueError(
            "model has no eigenvectors_, since partial_fit keeps none, nor does a fit on Dask: "
            "call fit with all samples."
        )
    # A model fitted to columns of a kernel matrix does not know how many columns the matrix has,
    # so that X is compared with the eigenvectors below.
    columns = hasattr(model, "landmark_indices_")
    X = checked(X, accept_sparse="csr") if columns else checked_samples(model, X)
    values = model.eigenvalues_
    vectors = model.eigenvectors_
    if X.shape[0] != len(vectors) or (columns and X.shape[1] != len(vectors)):
        raise ValueError(
            f"X has {X.shape[0]} rows, and the model was fitted to {len(vectors)}: pass these."
        )
    expansion = model.expansion()
    source = about_mean(expansion.source.with_samples(X), expansion.centering)
    weights = expansion.centering.normalized_weights
    scale = weights @ source.sizes * expansion.centering.total
    # A callable kernel need not be symmetric, and its symmetric part needs all rows.
    if n_rows is None or n_rows >= len(vectors) or isinstance(source, CallableSource):
        norms = residual_norms(expansion.operator(source), values, vectors)
    else:
        rows = np.random.default_rng(seed).choice(len(vectors), n_rows, p=weights)
        norms = _estimated_norms(expansion, source, vectors, rows)
    return norms / (values.max(initial=0) or scale or 1.0)


def _estimated_norms(
    expansion: Expansion, source: TrainingKernel, vectors: Floats, rows: Array
) -> Floats:
    """Estimate the norms of residuals from random `rows`, drawn in proportion to their weights.

    Let a be an eigenvector, D the diagonal matrix of the weights, W their sum, and z the scores.
    With b = D^½a and u = Kb − √λ z, the squared norm is W times the variance of u over the rows.
    Without centring, it is W times the mean square of u.
    """
    centering = expansion.centering
    samples = source.X[rows]
    if isinstance(source, MatrixSource):
        samples = (samples + source.X[:, rows].T) / 2  # the symmetric part, as in the fit
    products = source.apply(samples, centering.rooted(vectors), expansion.n_threads)
    values = expansion.eigenvalues
    errors = products - centering.scores(values, vectors)[rows] * np.sqrt(values)
    squares = np.square(errors).mean(axis=0)
    if centering.center:
        squares = errors.var(axis=0, ddof=1)
    return np.sqrt(centering.total * squares)
