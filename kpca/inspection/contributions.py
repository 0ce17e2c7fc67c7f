"""Which variables make a point novel: its statistic shared out among them.

References
----------
Sundararajan, Taly, Yan (2017), Axiomatic attribution for deep networks (integrated gradients).
"""

from collections.abc import Callable

import numpy as np

from kpca.arguments import as_points, check_values, points_of
from kpca.expansion import Expansion
from kpca.inspection.sensitivity import (
    expansion_of,
    hotelling_gradients,
    residual_gradients,
    rows_at_once,
)
from kpca.kernel_pca import KernelPCA
from kpca.kernels import as_dense
from kpca.linalg.threads import blocks
from kpca.types import Floats, Matrix

NODES = 24  # of the Gauss–Legendre quadrature along the path


def contributions(
    model: KernelPCA,
    X: Matrix,
    *,
    statistic: str = "residual",
    reference: Matrix | None = None,
) -> Floats:
    """Share the statistic of points out among the input variables.

    (x_f − r_f) ∫₀¹ ∂S/∂x_f (r + t(x − r)) dt, which sums to S(x) − S(r) over the variables.
    For linear PCA, the residual and r the projection of x, that is the classical (x_f − r_f)².
    Gradients are taken for blocks of points, so that those of all points are never held at once.

    Parameters
    ----------
    model : KernelPCA
        Fitted, with a kernel by name.
    X : array of shape (m, d)
    statistic : {"residual", "hotelling"}
    reference : array of shape (m, d) or (d,), optional
        What each point is compared with; by default ``model.denoise(X)``, the point as the
        components see it.

    Returns
    -------
    ndarray of shape (m, d)

    Raises
    ------
    TypeError, ValueError
        For an unknown statistic, a kernel whose derivative is not known, and points or a reference
        that the model does not take.
    """
    check_values(statistic=statistic)
    expansion, gradient = expansion_of(model), GRADIENTS[statistic]
    points = as_dense(points_of(model, X))
    if reference is None:
        # A frame keeps the names of its variables, which the model may ask for.
        start = model.denoise(X if hasattr(X, "columns") else points)
    else:
        start = as_dense(as_points(reference, "reference", single=True))
        if start.shape not in (points.shape, (1, points.shape[1])):
            raise ValueError(
                f"reference must be a point of {points.shape[1]} variables, or one for each of the "
                f"{len(points)} points, got shape {start.shape}."
            )
    steps = points - start
    total = np.zeros_like(points)
    places, weights = np.polynomial.legendre.leggauss(NODES)
    for block in blocks(len(points), rows_at_once(expansion)):
        for place, weight in zip((places - 1) / 2, weights / 2, strict=True):
            total[block] += weight * gradient(expansion, points[block] + place * steps[block])
    return steps * total


GRADIENTS: dict[str, Callable[[Expansion, Floats], Floats]] = {
    "residual": residual_gradients,
    "hotelling": hotelling_gradients,
}
