"""What follows a representation: each task in one function.

A downstream method takes a `Fold`, trains on its training side and yields one
`Outcome` per setting, metric and split. It never sees which side of a
cross-validation it serves.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from pipeline.evaluation.predictors import REGRESSORS, TRAINERS, Options
from pipeline.evaluation.settings import PENALIZED, Outcome, Settings
from pipeline.seeds import sample

_NEIGHBOURS = 5
_TRUSTWORTHINESS_ROWS = 500


@dataclass(frozen=True)
class Fold:
    """Representations of the training and test rows, with what is known of them.

    Attributes
    ----------
    Z_train, Z_test : ndarray of shape (n_train, m) and (n_test, m)
        Scores, or raw features.
    truth_train, truth_test : ndarray or None
        Classes numbered from 0, a numeric target, or nothing.
    X_test : ndarray of shape (n_test, d)
        Test rows in the input space.
    seed : int
        Seed of whatever is random.
    inner : bool
        A fold of the cross-validation: only its test side is asked for, and k-means makes do
        with a quarter of its starts.
    gamma : float
        Parameter of the Gaussian kernel of methods that have one.
    rank : int
        Least rank of the training rows of all folds.
    """

    Z_train: np.ndarray
    Z_test: np.ndarray
    truth_train: Any
    truth_test: Any
    X_test: np.ndarray
    seed: int
    inner: bool = False
    gamma: float = math.nan
    rank: int = 0


def supervised(fold: Fold, settings: Settings, *, method: str) -> Iterator[Outcome]:
    """Classify or regress by one of `TRAINERS`, at every C if it reads one.

    The metric is balanced accuracy for classes, and the correlation for a numeric target.
    """
    metric = "correlation" if method in REGRESSORS else "balanced_accuracy"
    for C in settings.C if method in PENALIZED else (math.nan,):
        options = Options(C, settings.class_weight, fold.gamma, fold.seed)
        rule = TRAINERS[method](fold.Z_train, fold.truth_train, options)
        for split, rows, truth in _sides(fold, fold.Z_train, fold.Z_test):
            value = MEASURES[metric](truth, rule.predict(rows))
            yield Outcome(fold.Z_train.shape[1], method, C, metric, split, value)


def clustering(fold: Fold, settings: Settings, *, method: str) -> Iterator[Outcome]:
    """Find as many clusters as there are classes, by k-means or by spectral clustering.

    A test row goes to the nearest centroid, or to the cluster of its nearest training row.
    """
    from sklearn.cluster import KMeans, SpectralClustering
    from sklearn.metrics import pairwise_distances_argmin

    starts = -(-settings.kmeans_starts // 4) if fold.inner else settings.kmeans_starts
    options = {"n_init": starts, "random_state": fold.seed}
    classes = len(np.unique(fold.truth_train))
    if method == "kmeans":
        model = KMeans(classes, **options).fit(fold.Z_train)
        train, test = model.labels_, model.predict(fold.Z_test)
    else:
        model = SpectralClustering(classes, gamma=fold.gamma, **options).fit(fold.Z_train)
        train = model.labels_
        test = train[pairwise_distances_argmin(fold.Z_test, fold.Z_train)]
    for split, clusters, truth in _sides(fold, train, test):
        for metric, value in agreement(truth, clusters).items():
            yield Outcome(fold.Z_train.shape[1], method, math.nan, metric, split, value)


def neighbourhoods(fold: Fold, settings: Settings) -> Iterator[Outcome]:
    """Trustworthiness (Venna and Kaski 2001) of the scores of new rows.

    Of five neighbours, or as many as ten rows and less allow. Of many rows a seeded sample, since a
    file may be sorted. Only of fewer components than the rank of the rows: with as many, the linear
    kernel would have 1 by construction.
    """
    from sklearn.manifold import trustworthiness

    del settings
    if fold.Z_test.shape[1] >= max(fold.rank, 2):
        return
    rows = sample(len(fold.X_test), _TRUSTWORTHINESS_ROWS)
    X, Z = fold.X_test[rows], fold.Z_test[rows]
    neighbours = min(_NEIGHBOURS, (len(X) - 1) // 2)  # more have no worst order to compare with
    if neighbours > 0:
        value = float(trustworthiness(X, Z, n_neighbors=neighbours))
        yield Outcome(Z.shape[1], "embedding", math.nan, "trustworthiness", "test", value)


METHODS: dict[str, Callable[[Fold, Settings], Iterator[Outcome]]] = {
    **{name: partial(supervised, method=name) for name in TRAINERS},
    **{name: partial(clustering, method=name) for name in ("kmeans", "spectral")},
    "embedding": neighbourhoods,
}


def _sides(
    fold: Fold, train: np.ndarray, test: np.ndarray
) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yield what is scored, with its truth: of an inner fold only the test side."""
    if not fold.inner:
        yield "train", train, fold.truth_train
    yield "test", test, fold.truth_test


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

    if 1 in table.shape:
        return float(table.size == 1)
    of_classes, of_clusters = _entropy(table.sum(axis=1)), _entropy(table.sum(axis=0))
    expected = expected_mutual_information(table, int(table.sum()))
    above = of_classes + of_clusters - _entropy(table[table > 0]) - expected
    room = (of_classes + of_clusters) / 2 - expected
    least = float(np.finfo(np.float64).eps)  # keeps 0/0 of a perfect match at 1
    above, room = (math.copysign(max(abs(value), least), value) for value in (above, room))
    return above / room


def _entropy(counts: np.ndarray) -> float:
    shares = counts / counts.sum()
    return float(-(shares * np.log(shares)).sum())


def _adjusted_rand(table: np.ndarray) -> float:
    n = int(table.sum())
    together, in_classes, in_clusters = (
        int((counts**2).sum()) - n for counts in (table, table.sum(axis=1), table.sum(axis=0))
    )
    if together == in_classes == in_clusters:
        return 1.0
    expected = in_classes * in_clusters / (n * (n - 1))
    return float((together - expected) / ((in_classes + in_clusters) / 2 - expected))


MEASURES: dict[str, Callable[[np.ndarray, np.ndarray], float]] = {
    "balanced_accuracy": balanced_accuracy,
    "correlation": correlation,
}
"""How predictions are scored."""
