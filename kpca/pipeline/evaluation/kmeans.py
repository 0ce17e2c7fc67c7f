"""k-means with all its starts side by side.

The starts, the iteration and the stopping rule are those of scikit-learn's `KMeans`, and so are
the random draws, so that the same seed gives the same clusters. There every start is a call of
its own, whose surroundings take longer than the arithmetic of a few hundred rows; here one matrix
product serves all starts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

STEPS = 300
TOLERANCE = 1e-4  # of the movement of the centres, relative to the variance of the rows


@dataclass(frozen=True, eq=False)
class Clusters:
    """The clustering of least inertia.

    Attributes
    ----------
    labels : ndarray of int of shape (n,)
    centres : ndarray of shape (k, m)
    inertia : float
        Σ ‖x − its centre‖².
    """

    labels: np.ndarray
    centres: np.ndarray
    inertia: float

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """Give the nearest centre of each row."""
        return _squared_distances(self.centres, rows).argmin(axis=0)


def kmeans(rows: np.ndarray, k: int, *, starts: int, seed: int) -> Clusters:
    """Cluster rows by k-means from several k-means++ starts.

    Parameters
    ----------
    rows : ndarray of shape (n, m)
    k : int
        Number of clusters, at most n.
    starts : int
        Number of starts.
    seed : int

    References
    ----------
    Arthur, Vassilvitskii (2007), k-means++: the advantages of careful seeding; Lloyd (1982).
    """
    mean = rows.mean(axis=0)
    X = rows - mean
    centres = _spread_starts(X, k, starts, np.random.RandomState(seed))
    labels = np.empty((starts, len(X)), dtype=np.intp)
    tolerance = TOLERANCE * float(X.var(axis=0).mean())
    going = np.arange(starts)
    for _ in range(STEPS):
        found = _nearest(X, centres[going])
        moved = _means(X, found, centres[going])
        shift = np.square(moved - centres[going]).sum(axis=(1, 2))
        settled = (found == labels[going]).all(axis=1)
        labels[going], centres[going] = found, moved
        going = going[~settled & (shift > tolerance)]
        if going.size == 0:
            break
    labels = _nearest(X, centres)
    own = np.take_along_axis(centres, labels[:, :, None], axis=1)
    inertia = np.square(X - own).sum(axis=(1, 2))
    best = int(inertia.argmin())
    return Clusters(labels[best], centres[best] + mean, float(inertia[best]))


def _spread_starts(X: np.ndarray, k: int, starts: int, random: np.random.RandomState) -> np.ndarray:
    """Give k-means++ centres of every start, of shape (starts, k, m): greedy over a few trials."""
    n, trials = len(X), 2 + int(math.log(k))
    draws = random.random_sample((starts, 1 + (k - 1) * trials))
    chosen = np.empty((starts, k), dtype=np.intp)
    chosen[:, 0] = np.minimum((draws[:, 0] * n).astype(np.intp), n - 1)
    nearest = _squared_distances(X[chosen[:, 0]], X)
    for c in range(1, k):
        drawn = draws[:, 1 + (c - 1) * trials : 1 + c * trials] * nearest.sum(axis=1)[:, None]
        reached = nearest.cumsum(axis=1)
        candidates = (reached[:, None, :] < drawn[:, :, None]).sum(axis=2).clip(max=n - 1)
        distances = _squared_distances(X[candidates.ravel()], X).reshape(starts, trials, n)
        np.minimum(distances, nearest[:, None, :], out=distances)
        best = distances.sum(axis=2).argmin(axis=1)
        chosen[:, c] = candidates[np.arange(starts), best]
        nearest = distances[np.arange(starts), best]
    return X[chosen]


def _nearest(X: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """Give the nearest centre of each row, for every start."""
    starts, k, m = centres.shape
    half = X @ centres.reshape(-1, m).T - np.square(centres).sum(axis=2).ravel() / 2
    return half.reshape(len(X), starts, k).argmax(axis=2).T


def _means(X: np.ndarray, labels: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """Give the mean of each cluster; one that lost all its rows takes the farthest row."""
    starts, k, _ = centres.shape
    member = np.zeros((starts, k, len(X)))
    np.put_along_axis(member, labels[:, None, :], 1.0, axis=1)
    counts = member.sum(axis=2)
    sums = member @ X
    for start in np.flatnonzero((counts == 0).any(axis=1)):
        _fill_empty(X, labels[start], centres[start], counts[start], sums[start])
    return sums / counts[:, :, None]


def _fill_empty(
    X: np.ndarray, labels: np.ndarray, centres: np.ndarray, counts: np.ndarray, sums: np.ndarray
) -> None:
    """Move the rows that are farthest from their centres into the empty clusters."""
    empty = np.flatnonzero(counts == 0)
    distances = np.square(X - centres[labels]).sum(axis=1)
    for cluster, row in zip(empty, np.argsort(-distances, kind="stable"), strict=False):
        sums[labels[row]] -= X[row]
        counts[labels[row]] -= 1
        sums[cluster], counts[cluster] = X[row], 1


def _squared_distances(points: np.ndarray, X: np.ndarray) -> np.ndarray:
    """‖p − x‖² for every point and row, of shape (points, rows)."""
    norms = np.square(points).sum(axis=1)[:, None] + np.square(X).sum(axis=1)
    return np.maximum(norms - 2 * points @ X.T, 0)
