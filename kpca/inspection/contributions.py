"""Which variables make a point novel: its statistic shared out among them.

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

NODES = 24  # nodes of the Gauss–Legendre quadrature along the path
ERROR = 1e-3  # error of a sum over the difference, above which `contributions` warns
STATISTIC_ROUNDING = 1e-9  # relative rounding error of the statistic

STATISTICS = ("residual", "hotelling")


class QuadratureWarning(UserWarning):
    """Contributions do not sum to the difference of the statistic."""


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
        Fitted, with a kernel by name.
    X : array of shape (m, d)
        Samples.
    statistic : {"residual", "hotelling"}, default="residual"
        Reconstruction error, or Hotelling's T².
    reference : array of shape (m, d) or (d,), or None, default=None
        What each sample is compared with. None means the point that the components make of it: its
        pre-image by fixed-point iteration, or for a kernel without that formula the point of the
        model nearest to its projection.

    Returns
    -------
    ndarray of shape (m, d)
        Contributions, in the unit of the statistic.

    Raises
    ------
    TypeError, ValueError
        For an unknown statistic, a kernel whose derivative is not known, and samples or a reference
        that the model does not take.

    Warns
    -----
    QuadratureWarning
        If the contributions of a sample miss their sum by more than a thousandth.

    Notes
    -----
    Let x be the sample, r its reference and S the statistic. Over the variables, contributions sum
    to S(x) − S(r).

    - For the kernels "rbf" and "laplacian" they are Shapley values. A variable that is left out has
      the value of the reference, and a variable gets the mean change of S when it is put in, over
      all orders. Interactions of variables are estimated from two sets of 48 points of the model,
      and exactly from a model with fewer points. They do not move the sum. A quadrature with 12
      nodes makes the sum exact for at most 12 variables. `KernelPCANovelty.explain` states the
      error of each sample.
    - For other kernels they are integrated gradients, (x_f − r_f) ∫₀¹ ∂S/∂x_f (r + t(x − r)) dt, by
      a Gauss–Legendre quadrature with 24 nodes. For linear PCA, the residual, and r the projection
      of x, it is the classical (x_f − r_f)². Gradients are computed for blocks of samples, so the
      memory does not grow with their number.

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
    """Return `contributions`, and per sample an error of shape (m,) in the unit of the statistic.

    It is what the sum of the contributions misses, plus the largest difference between two
    estimates of a Shapley value.
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
    ends = [sensitivity.statistic_at(expansion, statistic, end) for end in (start, points)]
    change = ends[1] - ends[0]
    missed = np.abs(values.sum(axis=1) - change)
    far = missed > ERROR * np.abs(change) + STATISTIC_ROUNDING * np.maximum(*ends)
    if far.any():
        worst = np.argmax(missed * far)
        warn(
            f"Contributions of {far.sum()} samples do not sum to S(x) − S(r); those of row {worst} "
            f"are off by {missed[worst]:.1e}: take a nearer reference, or a wider kernel.",
            QuadratureWarning,
        )
    return values, missed + errors


def _ordinary_points(expansion: Expansion, points: Floats) -> Floats:
    """Return what the components make of dense points: pre-images, or points of the model."""
    scores = expansion.scores(points)
    if expansion.source.name in preimage.WITH_FORMULA:
        return preimage.find("fixed_point", expansion, scores, points).points
    nearest = expansion.point_distances(scores).argmin(axis=1)
    return as_dense(expansion.source.X[nearest])


def _integrated(
    expansion: Expansion, statistic: str, points: Floats, start: Floats
) -> tuple[Floats, Floats]:
    """Return integrated gradients of shape (m, d), whose only error is that of their sum."""
    steps = points - start
    changes = np.zeros_like(points)
    for node, weight in zip(*roots_sh_legendre(NODES), strict=True):
        gradients = sensitivity.statistic_gradients(expansion, statistic, start + node * steps)
        changes += weight * steps * gradients
    return changes, np.zeros(len(points))
