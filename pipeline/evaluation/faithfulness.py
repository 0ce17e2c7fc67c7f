"""How well an embedding keeps neighbours and distances."""

from typing import NamedTuple

import numpy as np
from scipy.spatial.distance import cdist
from scipy.stats import spearmanr

NEIGHBOURS = 10


class Faithfulness(NamedTuple):
    """Measures of an embedding, 1 if it keeps the rows as they are.

    Attributes
    ----------
    trustworthiness : float
        Whether neighbours in the embedding are neighbours in the data.
    continuity : float
        Whether neighbours in the data are neighbours in the embedding.
    distances : float
        Spearman's rank correlation of all distances.
    """

    trustworthiness: float
    continuity: float
    distances: float


def faithfulness(
    X: np.ndarray, Z: np.ndarray, among: tuple[np.ndarray, np.ndarray] | None = None
) -> Faithfulness:
    """Return how well an embedding keeps the neighbours of some rows.

    Parameters
    ----------
    X, Z : ndarray of shape (n, d), (n, m)
        Rows, and their places in the embedding.
    among : tuple of ndarray, default=None
        Other rows and their places, among which the neighbours are looked for; None for the rows
        themselves, each without itself. At most a half of them count as neighbours.

    References
    ----------
    Venna and Kaski, "Neighborhood preservation in nonlinear projection methods", ICANN (2001).
    """
    others = (X, Z) if among is None else among
    in_data, in_embedding = (cdist(*sides) for sides in zip((X, Z), others, strict=True))
    if among is None:
        kept = ~np.eye(len(X), dtype=bool)
        in_data, in_embedding = (each[kept].reshape(len(X), -1) for each in (in_data, in_embedding))
    k = max(1, min(NEIGHBOURS, in_data.shape[1] // 2))
    orders = [each.argsort(axis=1, kind="stable") for each in (in_data, in_embedding)]
    ranks = [order.argsort(axis=1) + 1 for order in orders]
    return Faithfulness(
        _kept_neighbours(ranks[0], orders[1], k),
        _kept_neighbours(ranks[1], orders[0], k),
        float(spearmanr(in_data.ravel(), in_embedding.ravel())[0]),
    )


def _kept_neighbours(ranks: np.ndarray, order: np.ndarray, k: int) -> float:
    """Return 1 less how far the k first of an order are from rank k, 0 at the worst."""
    beyond = np.take_along_axis(ranks, order[:, :k], axis=1) - k
    worst = k * (2 * ranks.shape[1] - 3 * k + 1) / 2
    return float(1 - beyond.clip(min=0).sum() / (len(ranks) * worst))
