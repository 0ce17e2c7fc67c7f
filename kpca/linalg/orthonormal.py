"""Orthonormal bases of blocks of vectors, by products of blocks."""

import numpy as np

from kpca.types import Floats

DEPENDENT = 1e-12  # squared singular value over the largest one that counts as zero


def orthonormal(block: Floats) -> Floats:
    """Return an orthonormal basis of the span of a block by its Gram matrix.

    Directions that depend on the others to rounding are left out. One call leaves an error of
    the squared condition number, two calls none.
    """
    gram = block.T @ block
    norms = np.sqrt(np.where(gram.diagonal() > 0, gram.diagonal(), 1))
    values, vectors = np.linalg.eigh(gram / np.outer(norms, norms))
    independent = values > DEPENDENT * values.max(initial=0)
    return block @ (vectors[:, independent] / (norms[:, None] * np.sqrt(values[independent])))


def orthonormalize_against(block: Floats, Q: Floats) -> Floats:
    """Return an orthonormal basis of a block that is orthogonal to Q but for rounding.

    Directions that lose most of their norm in the second projection were rounding errors, and are
    left out. If the space is exhausted, nothing is left. The block itself is overwritten.
    """
    block -= Q @ (Q.T @ block)
    block = orthonormal(block)
    block -= Q @ (Q.T @ block)
    return orthonormal(block[:, np.linalg.norm(block, axis=0) > 0.5])
