"""Contributions of the input variables to the novelty statistic of a sample.

References
----------
Sundararajan, Taly, Yan (2017), Axiomatic attribution for deep networks (integrated gradients).
Mohammadi, Chau, Muandet (2025), Computing exact Shapley values in polynomial time for
product-kernel methods, arXiv 2505.16516.
"""

import numpy as np
from scipy.special import roots_sh_legendre

from kpca import preimage
from kpca.base import BaseKernelPCA
from kpca.inspection import sensitivity, shapley
from kpca.kernels.registry import as_dense
from kpca.operators.expansion import Expansion
from kpca.types import Floats, Matrix
from kpca.validation import check_argument, checked, checked_samples, one_of, warn

NODES = 24  # number of Gauss–Legendre nodes on the path from the reference to the sample
ERROR = 1e-3  # relative error of a sum of contributions above which a warning is issued
STATISTIC_ROUNDING = 1e-9  # relative rounding error of the statistic

STATISTICS = ("residual", "hotelling")


class QuadratureWarning(UserWarning):
    """Contributions do not sum to the difference of the statistic from that of the reference."""


def contributions(
    model: BaseKernelPCA,
    X: Matrix,
    *,
    statistic: str = "residual",
    reference: Matrix | None = None,
) -> Floats:
    """Split the novelty statistic of samples into contributions of the input variables.

    Parameters
    ----------
    model : KernelPCA or LandmarkKernelPCA
        Fitted model whose kernel is given by name.
    X : array of shape (m, d)
        Samples.
    statistic : {"residual", "hotelling"}, default="residual"
        Reconstruction error, or Hotelling's T².
    reference : array of shape (m, d) or (d,), or None, default=None
        Point that each sample is compared with. None means the pre-image of the sample's projection
        by fixed-point iteration. For kernels without a fixed-point formula, None means the point of
        the model nearest to that projection.

    Returns
    -------
    ndarray of shape (m, d)
        Contributions, in the unit of the statistic.

    Raises
    ------
    TypeError, ValueError
        If the statistic is unknown, if the derivative of the kernel is not known or not finite, or
        if the model does not take the samples or the reference.

    Warns
    -----
    QuadratureWarning
        If the sum of a sample's contributions is off by more than a thousandth.

    Notes
    -----
    Let x be the sample, r its reference and S the statistic. Over the variables, contributions sum
    to S(x) − S(r).

    - For the kernels "rbf" and "laplacian" they are Shapley values: the mean change of S when a
      variable takes its value in x instead of that in r, over all orders of the variables.
      Interactions of variables are estimated from two sets of 48 points of the model. The estimate
      is exact if the model has fewer points, and does not change the sum. The sum is exact for at
      most 12 variables, because the quadrature has 12 nodes. `KernelPCANovelty.explain` states the
      error of each sample.
    - For other kernels they are integrated gradients, (x_f − r_f) ∫₀¹ ∂S/∂x_f (r + t(x − r)) dt, by
      a Gauss–Legendre quadrature with 24 nodes. For the residual of linear PCA, with r the
      projection of x, this is the classical contribution (x_f − r_f)². Gradients are computed for
      blocks of samples, so the memory does not grow with the number of samples.

    References
    ----------
    Sundararajan, Taly, Yan (2017), Axiomatic attribution for deep networks, ICML 34.
    Mohammadi, Chau, Muandet (2025), Computing exact Shapley values in polynomial time for
    product-kernel methods, arXiv 2505.16516.

    Examples
    --------
    >>> import numpy as np
    >>> from kpca import KernelPCA
    >>> t = np.linspace(-1, 1, 20)
    >>> model = KernelPCA(1).fit(np.column_stack([t, 0 * t]))
    >>> abs(contributions(model, [[0.0, 0.5]])).round(3)
    array([[0.  , 0.25]])
    """
    return attributed(model, X, statistic, reference)[0]


def attributed(
    model: BaseKernelPCA, X: Matrix, statistic: str, reference: Matrix | None = None
) -> tuple[Floats, Floats]:
    """Return `contributions` of shape (m, d), and an error for each sample, of shape (m,).

    The error is in the unit of the statistic. It is the error of the sum of the contributions, plus
    the largest difference between two estimates of a Shapley value.
    """
    check_argument("statistic", statistic, one_of(STATISTICS))
    expansion = sensitivity.expansion_of(model)
    points = as_dense(checked_samples(model, X))
    if reference is None:
        start = _ordinary_points(expansion, points)
    else:
        start = np.atleast_2d(checked(reference, "reference", ensure_2d=False, dtype=np.float64))
        if start.shape not in (points.shape, (1, points.shape[1])):
            raise ValueError(
                f"reference has shape {start.shape}, not {points.shape} or {points.shape[1:]}."
            )
    start = np.broadcast_to(start, points.shape)
    is_product = expansion.source.name in shapley.PRODUCT_KERNELS
    share_out = shapley.statistic_values if is_product else _integrated
    values, errors = share_out(expansion, statistic, points, start)
    at_points = sensitivity.statistic_at(expansion, statistic, points)
    at_start = sensitivity.statistic_at(expansion, statistic, start)
    change = at_points - at_start
    missed = np.abs(values.sum(axis=1) - change)
    size = np.maximum(np.abs(at_points), np.abs(at_start))
    far = missed > ERROR * np.abs(change) + STATISTIC_ROUNDING * size
    if far.any():
        worst = np.argmax(missed * far)
        warn(
            f"Contributions of {far.sum()} samples do not sum to S(x) − S(r); those of row {worst} "
            f"are off by {missed[worst]:.1e}: take a nearer reference, or a wider kernel.",
            QuadratureWarning,
        )
    return values, missed + errors


def _ordinary_points(expansion: Expansion, points: Floats) -> Floats:
    """Return the default references of dense points: their pre-images, or points of the model."""
    scores = expansion.scores(points)
    if expansion.source.name in preimage.WITH_FORMULA:
        return preimage.find("fixed_point", expansion, scores, points).points
    nearest = expansion.point_distances(scores).argmin(axis=1)
    return as_dense(expansion.source.X[nearest])


def _integrated(
    expansion: Expansion, statistic: str, points: Floats, start: Floats
) -> tuple[Floats, Floats]:
    """Return integrated gradients of shape (m, d), and errors of 0: only their sum has an error."""
    steps = points - start
    means = np.zeros_like(points)
    for node, weight in zip(*roots_sh_legendre(NODES), strict=True):
        between = start + node * steps
        means += weight * sensitivity.statistic_gradients(expansion, statistic, between)
    return steps * means, np.zeros(len(points))
