"""Tiles that matter: points sorted so that tiles far from the diagonal can be left out.

For a narrow Gaussian kernel in few dimensions most pairs of points are so far apart that their
kernel value is nothing beside rounding. Sorted along a k-d tree, such pairs fill whole tiles,
which are then known by the boxes around their points and never computed.
"""

from dataclasses import dataclass

import numpy as np

from kpca.types import Array, Floats

NOTHING = 45.0  # e⁻⁴⁵ = 3e-20: a million such entries in a row are below rounding
LEAF = 256
EDGE = 256  # of the tiles by which it is judged whether sorting pays


def kd_order(points: Floats, leaf: int = LEAF) -> Array:
    """Order points along a k-d tree: halves along the longest side of their box, and so on.

    Parameters
    ----------
    points : ndarray of shape (n, d)
    leaf : int
        Points that are left together.

    Returns
    -------
    ndarray of shape (n,)
        Indices, neighbours in the tree beside each other.
    """
    order, waiting = np.arange(len(points)), [slice(0, len(points))]
    while waiting:
        part = waiting.pop()
        size = part.stop - part.start
        if size <= leaf:
            continue
        own = points[order[part]]
        values = own[:, np.ptp(own, axis=0).argmax()]
        middle = -(-(size // 2) // leaf) * leaf  # whole leaves, so that tiles do not straddle
        order[part] = order[part][np.argpartition(values, middle)]
        waiting += [
            slice(part.start, part.start + middle),
            slice(part.start + middle, part.stop),
        ]
    return order


@dataclass(frozen=True, eq=False)
class Boxes:
    """The boxes around blocks of points.

    Attributes
    ----------
    lows, highs : ndarray of shape (b, d)
    """

    lows: Floats
    highs: Floats

    @classmethod
    def around(cls, points: Floats, blocks: list[slice]) -> "Boxes":
        """Give the boxes of consecutive blocks that cover the points."""
        starts = [block.start for block in blocks]
        return cls(np.minimum.reduceat(points, starts), np.maximum.reduceat(points, starts))

    def near(self, i: int, reach: float) -> Array:
        """Give the blocks from i on that may hold a point within a squared distance of block i."""
        below, above = self.lows[i:] - self.highs[i], self.lows[i] - self.highs[i:]
        gaps = np.maximum(np.maximum(below, above), 0)
        return i + np.flatnonzero(np.einsum("ij,ij->i", gaps, gaps) < reach)


def share_near(points: Floats, reach: float) -> float:
    """Give the share of tiles that may hold a pair of points within a squared distance."""
    blocks = [slice(s, min(s + EDGE, len(points))) for s in range(0, len(points), EDGE)]
    boxes, b = Boxes.around(points, blocks), len(blocks)
    return sum(len(boxes.near(i, reach)) for i in range(b)) / (b * (b + 1) / 2)
