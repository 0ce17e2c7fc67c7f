"""Which variables make a point novel: its statistic shared out among them.

References
----------
Sundararajan, Taly, Yan (2017), Axiomatic attribution for deep networks (integrated gradients).
"""

from collections.abc import Callable

import numpy as np

from kpca.base import BaseKernelPCA
from kpca.expansion import Expansion
from kpca.inspection import sensitivity
from kpca.kernels.registry import as_dense
from kpca.linalg.resources import blocks
from kpca.types import Floats, Matrix
from kpca.validation import check_argument, checked, checked_samples, one_of
from kpca.warning import warn

NODES = 24  # of the Gauss–Legendre quadrature along the path
ERROR = 1e-3  # of the difference shared out, from which on the quadrature is warned about
STATISTIC_ROUNDING = 1e-9  # of the statistic

Statistic = Callable[[Expansion, Floats], Floats]


class QuadratureWarning(UserWarning):
    """Contributions do not sum to the difference of the statistic."""


def contributions(
    model: BaseKernelPCA, X: Matrix, *, statistic: str = "residual", reference: Matrix | None = None
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
        What each sample is compared with. None means ``model.denoise(X)``.

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
    The contribution of variable f is (x_f − r_f) ∫₀¹ ∂S/∂x_f (r + t(x − r)) dt, with x the sample,
    r its reference and S the statistic. Over the variables it sums to S(x) − S(r). A Gauss–Legendre
    quadrature with 24 nodes computes the integral. For linear PCA, the residual, and r the
    projection of x, it is the classical (x_f − r_f)². Gradients are computed for blocks of samples,
    so the memory does not grow with their number.

    References
    ----------
    Sundararajan, Taly, Yan (2017), Axiomatic attribution for deep networks, ICML 34.

    Examples
    --------
    >>> import numpy as np
    >>> from kpca import KernelPCA
    >>> t = np.linspace(-1, 1, 20)
    >>> model = KernelPCA(1, preimage="fixed_point").fit(np.column_stack([t, 0 * t]))
    >>> abs(contributions(model, [[0.0, 0.5]])).round(3)
    array([[0.  , 0.25]])
    """
    check_argument("statistic", statistic, one_of(WITH_GRADIENTS))
    expansion, (value, gradient) = sensitivity.expansion_of(model), WITH_GRADIENTS[statistic]
    points = as_dense(checked_samples(model, X))
    if reference is None:
        # A frame keeps the names of its variables, which the model may ask for.
        start = model.denoise(X if hasattr(X, "columns") else points)
    else:
        start = np.atleast_2d(checked(reference, "reference", ensure_2d=False, dtype=np.float64))
        if start.shape not in (points.shape, (1, points.shape[1])):
            raise ValueError(
                f"reference has shape {start.shape}, not {points.shape} or {points.shape[1:]}."
            )
    steps = points - start
    total, ends = np.zeros_like(points), np.empty((2, len(points)))
    start = np.broadcast_to(start, points.shape)
    places, weights = np.polynomial.legendre.leggauss(NODES)
    for block in blocks(len(points), sensitivity.rows_at_once(expansion)):
        for place, weight in zip((places - 1) / 2, weights / 2, strict=True):
            total[block] += weight * gradient(expansion, points[block] + place * steps[block])
        ends[:, block] = value(expansion, points[block]), value(expansion, start[block])
    shares = steps * total
    apart = np.abs(ends[0] - ends[1])
    missed = np.abs(shares.sum(axis=1) - (ends[0] - ends[1]))
    far = missed > ERROR * apart + STATISTIC_ROUNDING * ends.max(axis=0)
    if far.any():
        worst = int(np.argmax(missed * far))
        warn(
            f"Contributions of {far.sum()} samples do not sum to S(x) − S(r); those of row {worst} "
            f"are off by {missed[worst]:.1e}: take a nearer reference, or a wider kernel.",
            QuadratureWarning,
        )
    return shares


# (value, gradient) of each statistic, of dense points.
WITH_GRADIENTS: dict[str, tuple[Statistic, Statistic]] = {
    "residual": (Expansion.squared_distances, sensitivity.residual_gradients),
    "hotelling": (sensitivity.hotelling_values, sensitivity.hotelling_gradients),
}
