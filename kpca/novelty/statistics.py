"""Two novelty statistics, which grow far from the training samples, and conformal p-values.

References
----------
Hotelling (1947), Multivariate quality control.
Hoffmann (2007), Kernel PCA for novelty detection, Pattern Recognition 40.
Vovk (2015), Cross-conformal predictors, Annals of Mathematics and Artificial Intelligence 74.
Bates, Candès, Lei, Romano, Sesia (2023), Testing for outliers with conformal p-values, Annals of
Statistics 51.
"""

from typing import Any

import numpy as np

from kpca.base import BaseKernelPCA, check_model
from kpca.inspection.contributions import STATISTICS
from kpca.inspection.sensitivity import statistic_at
from kpca.kernels.bandwidth import power_of
from kpca.types import EPS, Array, Floats, Matrix
from kpca.validation import check_argument, checked_samples, one_of, warn

SATURATED = 0.99  # fraction of the largest possible residual above which a distance is added

_ROUNDING = 1e-9  # rounding error of a residual relative to the variance
_UNITS = 64 * EPS  # rounding error of a residual relative to the largest term of its formula


def hotelling(model: BaseKernelPCA, X: Matrix) -> Floats:
    """Return Hotelling's T² of samples: how far they are from the mean within the subspace.

    Parameters
    ----------
    model : KernelPCA or LandmarkKernelPCA
        Fitted model.
    X : array or sparse matrix of shape (m, d), or kernel values of shape (m, n)
        Samples.

    Returns
    -------
    ndarray of shape (m,)
        T², which has no unit. Its weighted mean over the training samples is the number of
        components with nonzero eigenvalue.

    Raises
    ------
    TypeError
        If `model` is neither a KernelPCA nor a LandmarkKernelPCA.
    ValueError
        If the model does not take X.

    Notes
    -----
    T² = Σ_j z_j² / (λ_j/W), where z_j are the scores and W is the sum of the weights.

    References
    ----------
    Hotelling (1947), Multivariate quality control.

    Examples
    --------
    >>> import numpy as np
    >>> from kpca import KernelPCA
    >>> X = np.array([[0.0, 0.0], [3.0, 4.0], [0.0, 1.0]])
    >>> float(hotelling(KernelPCA().fit(X), X).mean().round(3))
    2.0
    """
    check_model(model)
    return statistic_at(model.expansion(), "hotelling", checked_samples(model, X))


def check_statistic(statistic: str, kernel: Any) -> None:
    """Check that a statistic suits a kernel, and warn if it does not find samples far away.

    Raises
    ------
    ValueError
        If the statistic is "residual" and the kernel is precomputed.
    """
    if statistic == "residual" and kernel == "precomputed":
        raise ValueError(
            "The residual of a new sample needs k(x, x), which a precomputed kernel does not say: "
            "give the kernel by name or as a function, or take the statistic 'hotelling'."
        )
    # A kernel of a distance vanishes far from the training samples.
    if statistic == "hotelling" and isinstance(kernel, str) and power_of(kernel):
        warn(
            f"Hotelling's T² finds no far samples with the {kernel} kernel, which is 0 there. "
            "Take the statistic 'residual', or a linear or polynomial kernel."
        )


def is_rounding(residual: Any, model: BaseKernelPCA) -> Any:
    """Return whether residuals are rounding errors, as in a model that keeps all variance."""
    expansion = model.expansion()
    variance = model.eigenvalues_.sum() / expansion.centering.total
    return residual <= _ROUNDING * variance + _UNITS * abs(expansion.squared_mean)


def novelty_scores(
    model: BaseKernelPCA, X: Matrix, diagonal: Array | None = None, *, statistic: str
) -> Floats:
    """Return a novelty statistic of samples that keeps growing far from the training samples.

    Parameters
    ----------
    model : KernelPCA or LandmarkKernelPCA
        Fitted model.
    X : array or sparse matrix of shape (m, d), or kernel values of shape (m, n)
        Samples.
    diagonal : array of shape (m,) or None, default=None
        k(x, x) of each sample, which the residual of a precomputed kernel needs.
    statistic : {"residual", "hotelling"}
        "residual" is `KernelPCA.reconstruction_error`, "hotelling" is `hotelling`.

    Returns
    -------
    ndarray of shape (m,)
        Statistics, which are higher for more novel samples.

    Raises
    ------
    TypeError
        If `model` is neither a KernelPCA nor a LandmarkKernelPCA.
    ValueError
        If the statistic is unknown, or the model does not take X.

    Notes
    -----
    If a kernel vanishes at large distances, the residual has an upper bound. If a residual exceeds
    99 % of that bound, γ times the distance to the nearest training sample is added. A residual
    that is a rounding error, at most 1e-9 of the variance, is set to 0.

    References
    ----------
    Hoffmann (2007), Kernel PCA for novelty detection, Pattern Recognition 40.

    Examples
    --------
    >>> import numpy as np
    >>> from kpca import KernelPCA
    >>> X = np.random.default_rng(0).normal(size=(50, 2))
    >>> model = KernelPCA(5, kernel="rbf").fit(X)
    >>> near, far, farther = novelty_scores(model, [[0, 0], [9, 9], [99, 99]], statistic="residual")
    >>> bool(near < far < farther)
    True
    """
    check_model(model)
    check_argument("statistic", statistic, one_of(STATISTICS))
    if statistic == "hotelling":
        return hotelling(model, X)
    values = np.asarray(model.reconstruction_error(X, diagonal))
    values[is_rounding(values, model)] = 0
    expansion = model.expansion()
    source: Any = expansion.source
    if power_of(source.name):
        far = 1 + expansion.squared_mean - expansion.offsets @ expansion.offsets
        rows = np.flatnonzero(values >= SATURATED * far)
        if rows.size:
            values[rows] = far * (SATURATED + source.nearest(checked_samples(model, X)[rows]))
    return values


def conformal_pvalues(scores: Floats, calibration: Floats) -> Floats:
    """Return (1 + number of calibration scores at or above a score) / (n + 1) for each score.

    Parameters
    ----------
    scores : ndarray of shape (m,)
        Scores of new samples.
    calibration : ndarray of shape (n,)
        Sorted scores of ordinary samples that the model was not fitted to. If there are none, the
        p-values are NaN.
    """
    n = len(calibration)
    if n == 0:
        return np.full_like(scores, np.nan)
    return (1 + n - np.searchsorted(calibration, scores)) / (n + 1)


def conformal_limit(calibration: Floats, alpha: float) -> float:
    """Return the limit that scores exceed if and only if their p-value is at most `alpha`.

    `calibration` is sorted. The limit is infinite if it has fewer than 1/alpha − 1 scores.
    """
    n = len(calibration)
    exceeding = int(alpha * (n + 1) * (1 + 1e-12))  # how many scores are at or above the limit
    return float(np.append(calibration, np.inf)[n - exceeding])
