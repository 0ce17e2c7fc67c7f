"""A random sample of the training points, drawn in one pass.

References
----------
Efraimidis, Spirakis (2006), Weighted random sampling with a reservoir, Information Processing
Letters 97.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kpca.linalg.resources import Rows
from kpca.types import Array, Floats, Matrix
from kpca.validation import is_sparse

_Keyed = tuple[Matrix, Floats, Array]  # points, their keys, where they stand

MAX_SAMPLE = 20_000  # points
MOST_BYTES = 3.2e7


@dataclass(frozen=True, eq=False)
class Sample:
    """Sampled points, in the order of the training points.

    Their weights are 1 where points were left out, since those that stay were drawn in proportion
    to their weights, and the weights themselves where none was.
    """

    points: Matrix  # shape (s, d)
    index: Array  # shape (s,): their indices among the training points
    weights: Floats  # shape (s,)
    n_weighted: int  # number of training points with a positive weight

    @cached_property
    def share(self) -> Floats:
        """Weight of each sampled point, of shape (s,); the weights sum to 1."""
        return self.weights / self.weights.sum()


def draw_sample(rows: Rows, landmarks: int, weights: Floats | None, seed: int) -> Sample:
    """Draw a sample in one pass; it depends on the points, and not on their blocks.

    Each point draws the key log(u)/w with u uniform, and the largest keys stay.

    Raises
    ------
    ValueError
        If the number of weights is not that of the points.
    """

    def drawn(chunk: Matrix, start: int) -> _Keyed:
        keys = _keys(chunk.shape[0], start, weights, seed)
        return _largest(chunk, keys, np.arange(start, start + len(keys)), landmarks)

    def join(one: _Keyed, other: _Keyed) -> _Keyed:
        keys, index = (np.concatenate([one[i], other[i]]) for i in (1, 2))
        return _largest(stacked([one[0], other[0]]), keys, index, landmarks)

    points, _, index = rows.reduce(drawn, join)
    n = rows.n or 0  # The pass has counted the rows.
    if weights is not None and len(weights) != n:
        raise ValueError(f"sample_weight must have shape ({n},), got {weights.shape}.")
    n_weighted = n if weights is None else int(np.count_nonzero(weights))
    point_weights = np.ones(len(index))
    if weights is not None and n_weighted == len(index):
        point_weights = weights[index]
    return Sample(points, index, point_weights, n_weighted)


def _keys(size: int, start: int, weights: Floats | None, seed: int) -> Floats:
    stream = np.random.PCG64(seed)  # `default_rng` draws from it, advanced to these points.
    keys = np.log1p(-np.random.Generator(stream.advance(start)).random(size))
    if weights is None:
        return keys
    chunk_weights = weights[start : start + size]
    chunk_weights = np.pad(
        chunk_weights, (0, size - len(chunk_weights))
    )  # too few weights are refused at the end
    return np.divide(keys, chunk_weights, out=np.full(size, -np.inf), where=chunk_weights > 0)


def _largest(points: Matrix, keys: Floats, index: Array, landmarks: int) -> _Keyed:
    """Keep the points with the largest keys, in the order of the training points."""
    # Enough to choose landmarks from, and few enough to be held.
    size = int(max(min(MAX_SAMPLE, MOST_BYTES / (8 * max(points.shape[1], 1))), 4 * landmarks))
    order = np.argpartition(-keys, size)[:size] if len(keys) > size else np.arange(len(keys))
    order = np.sort(order[keys[order] > -np.inf])
    return points[order], keys[order], index[order]


def stacked(parts: list[Matrix]) -> Matrix:
    """Put samples one after the other."""
    if is_sparse(parts[0]):
        from scipy import sparse

        return sparse.vstack(parts, format="csr")
    return np.concatenate(parts)
