"""What every sparse method returns."""

from dataclasses import dataclass

import numpy as np

from kpca.types import Floats


@dataclass(frozen=True)
class SparseLoadings:
    """Sparse directions and how the method that found them ended.

    Attributes
    ----------
    loadings : ndarray of shape (d, k)
        Columns of norm 1, or 0 where the penalty leaves nothing. They are in general neither
        orthogonal nor sorted by variance.
    n_iter : int
        Iterations, the most of any component where each has its own.
    converged : bool
        Whether the last iteration changed the loadings by less than the tolerance.
    """

    loadings: Floats
    n_iter: int
    converged: bool


def unit_columns(B: Floats) -> Floats:
    """Return B with columns of norm 1; a column of zeros stays.

    Parameters
    ----------
    B : ndarray of shape (d, k)

    Returns
    -------
    ndarray of shape (d, k)
    """
    lengths = np.linalg.norm(B, axis=0)
    return B / np.where(lengths > 0, lengths, 1.0)
