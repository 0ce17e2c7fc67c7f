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

_Keyed = tuple[Matrix, Floats, Array]  # points, their keys, and their indices

MAX_SAMPLE = 20_000  # largest number of sampled points
MOST_BYTES = 3.2e7  # largest number of bytes of the sampled points


@dataclass(frozen=True, eq=False)
class Sample:
    """Sampled points, in the order of the training points.

    If some training points are left out, the others were drawn in proportion to their weights, so
    that each sampled point has weight 1. If none is left out, the points keep their weights.
    """

    points: Matrix  # shape (s, d)
    index: Array  # indices of the points among the training points, of shape (s,)
    weights: Floats  # shape (s,)
    n_weighted: int  # number of training points with a positive weight

    @cached_property
    def share(self) -> Floats:
        """Weights of the sampled points, scaled so that they sum to 1, of shape (s,)."""
        return self.weights / self.weights.sum()


def draw_sample(rows: Rows, landmarks: int, weights: Floats | None, seed: int) -> Sample:
    """Draw a sample in one pass, independently of how the points are divided into blocks.

    Each point gets the key log(u)/w, where u is a uniform random number and w its weight. The
    points with the largest keys are sampled.

    Raises
    ------
    ValueError
        If the number of weights differs from the number of points.
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
    stream = np.random.PCG64(seed)  # The stream of `default_rng`, advanced to these points.
    keys = np.log1p(-np.random.Generator(stream.advance(start)).random(size))
    if weights is None:
        return keys
    chunk_weights = weights[start : start + size]
    # Pad missing weights here, because `draw_sample` refuses a wrong number after the pass.
    chunk_weights = np.pad(chunk_weights, (0, size - len(chunk_weights)))
    return np.divide(keys, chunk_weights, out=np.full(size, -np.inf), where=chunk_weights > 0)


def _largest(points: Matrix, keys: Floats, index: Array, landmarks: int) -> _Keyed:
    """Keep the points with the largest keys, in the order of the training points."""
    # The sample has enough points to choose landmarks from, and few enough to be stored.
    size = int(max(min(MAX_SAMPLE, MOST_BYTES / (8 * max(points.shape[1], 1))), 4 * landmarks))
    order = np.argpartition(-keys, size)[:size] if len(keys) > size else np.arange(len(keys))
    order = np.sort(order[keys[order] > -np.inf])
    return points[order], keys[order], index[order]


def stacked(parts: list[Matrix]) -> Matrix:
    """Return the samples of all parts in one array or sparse matrix."""
    if is_sparse(parts[0]):
        from scipy import sparse

        return sparse.vstack(parts, format="csr")
    return np.concatenate(parts)
