"""One rule for the sign of a direction."""

import numpy as np

from kpca.types import Floats


def axis_signs(axes: Floats) -> Floats:
    """Return the sign of the entry of largest modulus in each row (+1 for a row of zeros).

    Multiplying each row by its sign makes that entry positive, which is the rule of
    ``sklearn.decomposition.PCA``: it needs no scores, so that data and a covariance matrix give
    the same signs.

    Parameters
    ----------
    axes : ndarray of shape (k, d)
        One direction a row.

    Returns
    -------
    ndarray of shape (k,)
        +1.0 or −1.0.

    Examples
    --------
    >>> axis_signs(np.array([[0.6, -0.8], [0.0, 0.0]]))
    array([-1.,  1.])
    """
    largest = np.take_along_axis(axes, np.abs(axes).argmax(axis=1, keepdims=True), axis=1)
    return np.where(largest[:, 0] < 0, -1.0, 1.0)
