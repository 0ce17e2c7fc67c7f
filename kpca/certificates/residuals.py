"""Residuals: how far each pair is from an eigenpair."""

import numpy as np

from kpca.operators import CentredGram
from kpca.types import Floats


def residual_norms(
    operator: CentredGram, values: Floats, vectors: Floats, products: Floats | None = None
) -> Floats:
    """Compute ‖K̄a_i − λ_i a_i‖ for each pair, in float64.

    By Weyl's theorem an eigenvalue of K̄ lies within that distance of λ_i.

    Parameters
    ----------
    operator : CentredGram
        K̄.
    values, vectors : ndarray of shape (k,) and (n, k)
    products : ndarray of shape (n, k), optional
        K̄ times the vectors, where they are at hand from a pass in float64.

    Returns
    -------
    ndarray of shape (k,)
    """
    products = operator.matmul(vectors) if products is None else products
    return np.linalg.norm(products - vectors * values, axis=0)
