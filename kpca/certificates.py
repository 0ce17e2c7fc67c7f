"""Certificates: residuals recomputed in float64."""

import numpy as np

from kpca.gram import CentredGram
from kpca.types import Floats


def residuals(
    operator: CentredGram, values: Floats, vectors: Floats, products: Floats | None = None
) -> Floats:
    """‖K̄a_i − λ_i a_i‖ for each pair, in float64.

    By Weyl's theorem an eigenvalue of K̄ lies within that distance of λ_i.

    Parameters
    ----------
    operator : CentredGram
        K̄ in float64.
    values, vectors : ndarray of shape (k,) and (n, k)
    products : ndarray of shape (n, k), optional
        K̄ times the vectors, where they are at hand from a pass in float64.
    """
    if products is None:
        products = operator.matmul(vectors)
    return np.linalg.norm(products - vectors * values, axis=0)
