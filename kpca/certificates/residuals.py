"""Residuals: how far each pair is from an eigenpair."""

import numpy as np

from kpca.operators import CentredGram
from kpca.types import Floats


def residual_norms(
    operator: CentredGram, values: Floats, vectors: Floats, products: Floats | None = None
) -> Floats:
    """Compute ‖K̄a_i − λ_i a_i‖ for each pair, in float64, of shape (k,).

    By Weyl's theorem an eigenvalue of K̄ lies within that distance of λ_i. `vectors`, of shape
    (n, k), may come with their `products` with K̄, where these are at hand from a pass in float64.
    """
    products = operator.matmul(vectors) if products is None else products
    return np.linalg.norm(products - vectors * values, axis=0)
