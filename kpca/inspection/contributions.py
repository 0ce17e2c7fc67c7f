"""Which variables make a point novel: its statistic shared out among them.

References
----------
Sundararajan, Taly, Yan (2017), Axiomatic attribution for deep networks (integrated gradients).
"""

from collections.abc import Callable

import numpy as np

from kpca.inspection.sensitivity import gradients, residual_gradients
from kpca.kernel_pca import KernelPCA
from kpca.kernels import as_dense
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
    ValueError
        For an unknown statistic, or a kernel whose derivative is not known.
    """
    if statistic not in GRADIENTS:
        raise ValueError(f"statistic must be one of {sorted(GRADIENTS)}, got {statistic!r}.")
    X = as_dense(X)
    start = model.denoise(X) if reference is None else np.broadcast_to(reference, X.shape)
    gradient = GRADIENTS[statistic]
    places, weights = np.polynomial.legendre.leggauss(NODES)
    total = np.zeros_like(X)
    for place, weight in zip((places + 1) / 2, weights / 2, strict=True):
        total += weight * gradient(model, start + place * (X - start))
    return (X - start) * total


def _hotelling_gradients(model: KernelPCA, X: Matrix) -> Floats:
    """2 Σ_j z_j ∂z_j/∂x / (λ_j/W)."""
    kept = model.eigenvalues_ > 0
    variances = model.eigenvalues_[kept] / model.expansion().centering.total
    scaled = np.asarray(model.transform(X), dtype=np.float64)[:, kept] / variances
    return 2 * np.einsum("mj,mjf->mf", scaled, gradients(model, X)[:, kept])


GRADIENTS: dict[str, Callable[[KernelPCA, Matrix], Floats]] = {
    "residual": residual_gradients,
    "hotelling": _hotelling_gradients,
}
