"""Sample weights."""

import numpy as np

from kpca.types import Array, Floats


def check_weights(weights: Array | None, n: int) -> Floats | None:
    """Give sample weights in float64, or None where there are none.

    Raises
    ------
    ValueError
        If they are not n finite non-negative numbers with a positive sum.
    """
    if weights is None:
        return None
    checked = np.array(weights, dtype=np.float64)
    if checked.ndim == 0:
        checked = np.full(n, float(checked))
    if checked.shape != (n,):
        raise ValueError(f"sample_weight must have shape ({n},), got {checked.shape}.")
    if not np.isfinite(checked).all() or (checked < 0).any():
        raise ValueError("sample_weight must be finite and not negative.")
    if not checked.any():
        raise ValueError("sample_weight is zero for every point: at least one must be positive.")
    return checked
