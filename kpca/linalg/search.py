"""What the searches of this folder share: orthonormal bases, and a line a pass.

The lines go through the logger ``kpca``, where a fit takes long.
"""

import logging
import time
from collections.abc import Callable

import numpy as np

from kpca.types import Array, Floats

logger = logging.getLogger("kpca")
QUIET = 2.0  # seconds before the first line

Product = Callable[[Array], Floats]  # of a symmetric matrix with a block of vectors

DEPENDENT = 1e-12  # squared singular values below this share of the largest are dropped


def orthonormal(block: Floats) -> Floats:
    """Give an orthonormal basis of the span of a block by its Gram matrix.

    Directions that depend on the others to rounding are left out. One call leaves an error of
    the squared condition number, two calls none.
    """
    norms = np.linalg.norm(block, axis=0)
    block = block[:, norms > 0] / norms[norms > 0]
    if block.shape[1] == 0:
        return block
    values, vectors = np.linalg.eigh(block.T @ block)
    kept = values > DEPENDENT * values[-1]
    return block @ (vectors[:, kept] / np.sqrt(values[kept]))


def following(block: Floats, Q: Floats) -> Floats:
    """Give an orthonormal basis of a block that is orthogonal to Q but for rounding.

    What Q takes most of when it is taken off once more was rounding alone: where the space is
    exhausted nothing is left.
    """
    block = orthonormal(block)
    block = block - Q @ (Q.T @ block)
    return orthonormal(block[:, np.linalg.norm(block, axis=0) > 0.5])


def tell(number: int, residual: float, start: float) -> None:
    """Log a pass of a search that began at `start`; silent for the first two seconds."""
    seconds = time.monotonic() - start
    if seconds >= QUIET:
        logger.info("pass %d: residual %.1e after %.0f s", number, residual, seconds)
