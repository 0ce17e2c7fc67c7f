"""The residuals of a fitted model against the exact kernel matrix."""

from kpca.base import BaseKernelPCA, check_model
from kpca.operators.grams import residual_norms
from kpca.types import Floats, Matrix
from kpca.validation import checked, checked_samples


def exact_residuals(model: BaseKernelPCA, X: Matrix) -> Floats:
    """Compute ‖K̄a_j − λ_j a_j‖ / λ_1 of every eigenpair by one product with the kernel matrix K̄.

    Parameters
    ----------
    model : KernelPCA or LandmarkKernelPCA
        Fitted model. The `residuals_` of a `LandmarkKernelPCA` are NaN.
    X : array or sparse matrix of shape (n, d)
        Its training samples, or the whole kernel matrix of a precomputed kernel.

    Returns
    -------
    ndarray of shape (k,)
        Relative residuals in float64.

    Raises
    ------
    TypeError
        If `model` is neither a KernelPCA nor a LandmarkKernelPCA.
    ValueError
        If X does not have as many rows as the model was fitted to, or the model was fitted by
        `partial_fit` and has no eigenvectors.

    Notes
    -----
    K̄ is never stored; the time is that of n² kernel values. By Weyl's theorem an eigenvalue of K̄
    lies within λ_1 times the residual of λ_j.

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
    if not hasattr(model, "eigenvectors_"):
        raise ValueError(
            "model has no eigenvectors_, since partial_fit keeps none, nor does a file of a fit on "
            "Dask: call fit with all samples."
        )
    columns = hasattr(model, "landmark_indices_")  # the model does not know how wide K is
    X = checked(X, accept_sparse="csr") if columns else checked_samples(model, X)
    values, vectors = model.eigenvalues_, model.eigenvectors_
    if X.shape[0] != len(vectors) or (columns and X.shape[1] != len(vectors)):
        raise ValueError(
            f"X has {X.shape[0]} rows, and the model was fitted to {len(vectors)}: pass these."
        )
    expansion = model.expansion()
    operator = expansion.operator(expansion.source.with_samples(X))
    largest = float(values.max(initial=0))
    return residual_norms(operator, values, vectors) / (largest or operator.scale)
