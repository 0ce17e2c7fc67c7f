"""The residuals of a fitted model against the exact kernel matrix."""

from kpca.kernel_pca import KernelPCA, check_model
from kpca.operators.grams import residual_norms
from kpca.types import Floats, Matrix
from kpca.validation import checked, checked_samples


def exact_residuals(model: KernelPCA, X: Matrix) -> Floats:
    """Compute ‖K̄a_j − λ_j a_j‖ / λ_1 of every eigenpair by one product with the kernel matrix K̄.

    Parameters
    ----------
    model : KernelPCA
        Fitted model, such as one with ``eigen_solver="nystrom"``, whose `residuals_` are NaN.
    X : array or sparse matrix of shape (n, d)
        Its training samples, or the whole kernel matrix of a precomputed kernel.

    Returns
    -------
    ndarray of shape (k,)
        Relative residuals in float64.

    Raises
    ------
    TypeError
        If `model` is not a KernelPCA.
    ValueError
        If X does not have as many rows as the model was fitted to.

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
    >>> from kpca import KernelPCA, exact_residuals
    >>> X = np.random.default_rng(0).normal(size=(500, 2))
    >>> model = KernelPCA(2, kernel="rbf", eigen_solver="nystrom", n_landmarks=40).fit(X)
    >>> bool((exact_residuals(model, X) < 1e-2).all())
    True
    """
    check_model(model)
    columns = hasattr(model, "landmark_indices_")  # the model does not know how wide K is
    X = checked(X, accept_sparse="csr") if columns else checked_samples(model, X)
    values, vectors = model.eigenvalues_, model.eigenvectors_
    if X.shape[0] != len(vectors) or (columns and X.shape[1] != len(vectors)):
        raise ValueError(
            f"X has {X.shape[0]} rows, and the model was fitted to {len(vectors)}: pass these."
        )
    expansion = model.expansion()
    operator, factor = expansion.operator(expansion.source.with_samples(X))
    values = values / factor
    largest = float(values.max(initial=0))
    return residual_norms(operator, values, vectors) / (largest or operator.scale)
