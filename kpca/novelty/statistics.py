"""Two statistics of process control: distance within the subspace, and distance from it.

References
----------
Hotelling (1947), Multivariate quality control.
Box (1954), Some theorems on quadratic forms applied in the study of analysis of variance
problems, Annals of Mathematical Statistics 25.
Hoffmann (2007), Kernel PCA for novelty detection, Pattern Recognition 40.
"""

from collections.abc import Callable

import numpy as np

from kpca.arguments import as_numbers, as_points, check_model, check_values
from kpca.kernel_pca import KernelPCA
from kpca.types import Array, Floats, Matrix

_ROUNDING = 1e-9  # of the variance per row


def hotelling(model: KernelPCA, X: Matrix) -> Floats:
    """Give Hotelling's T² = Σ_j z_j² / (λ_j/W): how far out within the subspace.

    Parameters
    ----------
    model : KernelPCA
        Fitted.
    X : array of shape (m, d), or kernel values of shape (m, n)

    Returns
    -------
    ndarray of shape (m,)
        Of the training points its weighted mean is the number of nonzero components.

    Raises
    ------
    TypeError, ValueError
        For what is no fitted KernelPCA, or points that it does not take.
    """
    check_model(model)
    as_points(X)
    kept = model.eigenvalues_ > 0
    variances = model.eigenvalues_[kept] / model.expansion().centering.total
    scores = np.asarray(model.transform(X), dtype=np.float64)[:, kept]
    return (np.square(scores) / variances).sum(axis=1)


# (model, points, their k(x, x) where only a precomputed kernel matrix holds it) → statistic.
STATISTICS: dict[str, Callable[[KernelPCA, Matrix, Array | None], Floats]] = {
    "residual": lambda model, X, diagonal: model.reconstruction_error(X, diagonal),
    "hotelling": lambda model, X, _: hotelling(model, X),
}


def is_rounding(residual: float, model: KernelPCA) -> bool:
    """Whether a residual is rounding error: it is if a model keeps all of the variance."""
    return residual <= _ROUNDING * float(model.eigenvalues_.sum()) / len(model.eigenvectors_)


def hotelling_limit(n: int, n_components: int, false_alarm: float = 0.05) -> float:
    """Give the limit that T² of a new point exceeds with a given probability.

    k (n² − 1) / (n (n − k)) times the quantile of F(k, n − k). It supposes Gaussian scores
    and as much variance in new points as in training points.

    Parameters
    ----------
    n, n_components : int
        Training points and components k < n.
    false_alarm : float
        The probability.

    Raises
    ------
    ValueError
        If k ≥ n: there is no degree of freedom left. For what is no count, or no share.
    """
    check_values(n=n, n_components=n_components, false_alarm=false_alarm)
    from scipy.stats import f as fisher

    if n_components >= n:
        raise ValueError(
            f"T² has no limit with {n_components} components of {n} points: take fewer."
        )
    factor = n_components * (n**2 - 1) / (n * (n - n_components))
    return factor * float(fisher.ppf(1 - false_alarm, n_components, n - n_components))


def residual_limit(errors: Floats, false_alarm: float = 0.05) -> float:
    """Give the limit of reconstruction errors by matching mean and variance to g χ²_h.

    g = v/(2m) and h = 2m²/v with m and v mean and variance of the errors (Box).

    Parameters
    ----------
    errors : array of shape (n,)
        Of points that the model was not fitted to: those of training points are too small.
    false_alarm : float
        Share of such points beyond the limit.

    Raises
    ------
    ValueError
        For fewer than two errors, or what is no error, or no share.
    """
    check_values(false_alarm=false_alarm)
    errors = as_numbers(errors, "errors")
    if len(errors) < 2 or not np.isfinite(errors).all() or errors.min() < 0:
        raise ValueError("errors must be finite numbers from 0, at least two.")
    from scipy.stats import chi2

    mean, variance = float(np.mean(errors)), float(np.var(errors, ddof=1))
    if mean == 0 or variance == 0:
        return mean
    return variance / (2 * mean) * float(chi2.ppf(1 - false_alarm, 2 * mean**2 / variance))
