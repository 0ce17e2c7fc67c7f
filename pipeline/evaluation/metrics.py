"""Metrics that are computed a hundred thousand times, each in microseconds."""

import numpy as np


def balanced_accuracy(truth: np.ndarray, predicted: np.ndarray) -> float:
    """Return the mean recall over the classes of ``truth``, which are numbered from 0.

    >>> balanced_accuracy(np.array([0, 0, 0, 1]), np.array([0, 0, 0, 0]))
    0.5
    """
    members = np.bincount(truth)
    recalls = np.bincount(truth, weights=truth == predicted) / np.maximum(members, 1)
    return float(recalls[members > 0].mean())


def correlation(truth: np.ndarray, predicted: np.ndarray) -> float:
    """Return Pearson's correlation; 0 where one side is constant."""
    a, b = truth - truth.mean(), predicted - predicted.mean()
    scale = np.linalg.norm(a) * np.linalg.norm(b)
    return float(a @ b / scale) if scale > 0 else 0.0


def agreement(truth: np.ndarray, clusters: np.ndarray) -> dict[str, float]:
    """Return the adjusted mutual information and the adjusted Rand index of two labellings.

    AMI = (I − E I)/((H_truth + H_clusters)/2 − E I), and ARI likewise for the number of pairs
    that both keep together. Both are 1 for equal partitions and 0 in the mean for random ones.

    Parameters
    ----------
    truth, clusters : ndarray of int of shape (n,)
        Numbered from 0.

    References
    ----------
    Vinh, Epps, Bailey (2010), J. Mach. Learn. Res. 11; Hubert, Arabie (1985), J. Classif. 2.

    Examples
    --------
    >>> agreement(np.array([0, 0, 1, 1]), np.array([1, 1, 0, 0]))
    {'ami': 1.0, 'ari': 1.0}
    """
    table = _contingency(truth, clusters)
    return {"ami": _adjusted_information(table), "ari": _adjusted_rand(table)}


def _contingency(truth: np.ndarray, clusters: np.ndarray) -> np.ndarray:
    """Count the rows of each class in each cluster, without empty classes and clusters."""
    width = int(clusters.max()) + 1
    counts = np.bincount(truth * width + clusters, minlength=(int(truth.max()) + 1) * width)
    table = counts.reshape(-1, width)
    kept = table[table.any(axis=1)][:, table.any(axis=0)]
    return np.ascontiguousarray(kept, dtype=np.int64)


def _adjusted_information(table: np.ndarray) -> float:
    from sklearn.metrics.cluster import expected_mutual_information

    if table.shape == (1, 1):
        return 1.0
    if 1 in table.shape:
        return 0.0
    n = table.sum()
    of_classes, of_clusters = _entropy(table.sum(axis=1)), _entropy(table.sum(axis=0))
    information = of_classes + of_clusters - _entropy(table[table > 0])
    expected = expected_mutual_information(table, int(n))
    above, room = information - expected, (of_classes + of_clusters) / 2 - expected
    return float(_away_from_zero(above) / _away_from_zero(room))


def _entropy(counts: np.ndarray) -> float:
    shares = counts / counts.sum()
    return float(-(shares * np.log(shares)).sum())


def _away_from_zero(value: float) -> float:
    """Keep 0/0 of a perfect match at 1."""
    smallest = float(np.finfo(np.float64).eps)
    return min(value, -smallest) if value < 0 else max(value, smallest)


def _adjusted_rand(table: np.ndarray) -> float:
    n = int(table.sum())
    together = int((table**2).sum()) - n
    in_classes = int((table.sum(axis=1) ** 2).sum()) - n
    in_clusters = int((table.sum(axis=0) ** 2).sum()) - n
    if together == in_classes == in_clusters:
        return 1.0
    expected = in_classes * in_clusters / (n * (n - 1))
    return float((together - expected) / ((in_classes + in_clusters) / 2 - expected))
