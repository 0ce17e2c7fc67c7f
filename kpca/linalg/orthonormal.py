"""Orthonormal bases of blocks of vectors, computed by matrix products."""

import numpy as np

from kpca.types import Floats

DEPENDENT = 1e-12  # Squared singular values count as zero below this fraction of the largest one.


def orthonormal(block: Floats) -> Floats:
    """Return an orthonormal basis of the span of a block, computed from its Gram matrix.

    Directions that depend linearly on the others up to rounding are left out. After one call, the
    error is proportional to the squared condition number; a second call removes this error.
    """
    gram = block.T @ block
    norms = np.sqrt(np.where(gram.diagonal() > 0, gram.diagonal(), 1))
    values, vectors = np.linalg.eigh(gram / np.outer(norms, norms))
    independent = values > DEPENDENT * values.max(initial=0)
    return block @ (vectors[:, independent] / (norms[:, None] * np.sqrt(values[independent])))


def orthonormalize_against(block: Floats, Q: Floats) -> Floats:
    """Return an orthonormal basis of the part of a block that is orthogonal to Q.

    Directions that lose most of their norm in the second projection are left out, because they
    consist of rounding errors. If no direction remains, the basis has no columns. The block is
    overwritten.
    """
    block -= Q @ (Q.T @ block)
    block = orthonormal(block)
    block -= Q @ (Q.T @ block)
    return orthonormal(block[:, np.linalg.norm(block, axis=0) > 0.5])
