"""The metrics, one record each, for scores, tables, figures and sentences.

The Snakefile imports this module, and therefore heavy packages are imported inside functions.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

NEIGHBOURS = 5


@dataclass(frozen=True)
class Metric:
    """A metric: what it measures, its function, and its names in figures and sentences."""

    # Kind of output that is measured: "classes", "target", "clusters" or "neighbours". Methods are
    # selected and compared by the first metric of their kind.
    of: str
    # (truth, output) → value, at most 1. Classes and clusters are numbered from 0. For "neighbours"
    # the truth are the rows, and the output are their scores.
    measure: Callable[[Any, Any], float]
    words: str  # name on an axis
    symbol: str  # name next to a number
    margin: float  # smallest difference that matters, stated before any run
    least: float = 0.0  # lower bound of the values


def balanced_accuracy(truth: Any, predicted: Any) -> float:
    """Return the mean recall over the classes of ``truth``."""
    import numpy as np

    members = np.bincount(truth)
    recalls = np.bincount(truth, weights=truth == predicted) / np.maximum(members, 1)
    return float(recalls[members > 0].mean())


def correlation(truth: Any, predicted: Any) -> float:
    """Return Pearson's correlation; 0 if one side is constant."""
    import numpy as np

    a = truth - truth.mean()
    b = predicted - predicted.mean()
    scale = np.linalg.norm(a) * np.linalg.norm(b)
    return float(a @ b / scale) if scale > 0 else 0.0


def adjusted_information(truth: Any, clusters: Any) -> float:
    """Return the adjusted mutual information: 1 for equal partitions, 0 on average for random ones.

    The index is (I − E I)/((H_truth + H_clusters)/2 − E I) with mutual information I, its
    expectation E I for random partitions, and entropies H. Vinh, Epps, Bailey (2010), J. Mach.
    Learn. Res. 11.
    """
    import numpy as np
    from sklearn.metrics.cluster import expected_mutual_information

    table = _contingency(truth, clusters)
    if 1 in table.shape:
        return float(table.size == 1)
    of_classes = _entropy(table.sum(axis=1))
    of_clusters = _entropy(table.sum(axis=0))
    expected = expected_mutual_information(table, int(table.sum()))
    above = of_classes + of_clusters - _entropy(table[table > 0]) - expected
    room = (of_classes + of_clusters) / 2 - expected
    least = float(np.finfo(np.float64).eps)  # turns 0/0, a perfect match, into 1
    above, room = (math.copysign(max(abs(value), least), value) for value in (above, room))
    return float(above / room)


def adjusted_rand(truth: Any, clusters: Any) -> float:
    """Return the adjusted Rand index: 1 for equal partitions, 0 on average for random ones.

    The index counts the pairs of rows that are together in both partitions. Hubert, Arabie (1985),
    J. Classif. 2.
    """
    table = _contingency(truth, clusters)
    n = int(table.sum())
    together, in_classes, in_clusters = (
        int((counts**2).sum()) - n for counts in (table, table.sum(axis=1), table.sum(axis=0))
    )
    if together == in_classes == in_clusters:
        return 1.0
    expected = in_classes * in_clusters / (n * (n - 1))
    return float((together - expected) / ((in_classes + in_clusters) / 2 - expected))


def _contingency(truth: Any, clusters: Any) -> Any:
    """Count the rows of each class in each cluster, without empty classes and clusters."""
    import numpy as np

    width = int(clusters.max()) + 1
    counts = np.bincount(truth * width + clusters, minlength=(int(truth.max()) + 1) * width)
    table = counts.reshape(-1, width)
    filled = table[table.any(axis=1)][:, table.any(axis=0)]
    return np.ascontiguousarray(filled, dtype=np.int64)


def _entropy(counts: Any) -> float:
    import numpy as np

    shares = counts / counts.sum()
    return float(-(shares * np.log(shares)).sum())


def kept_neighbours(X: Any, Z: Any) -> float:
    """Return the trustworthiness of scores Z of rows X, for `NEIGHBOURS` nearest neighbours.

    With ten rows or fewer, the number of neighbours is (n − 1) // 2. Venna, Kaski (2001),
    Neighborhood preservation in nonlinear projection methods, ICANN.
    """
    from sklearn.manifold import trustworthiness

    neighbours = min(NEIGHBOURS, (len(X) - 1) // 2)  # The normalization needs k < n / 2.
    return float(trustworthiness(X, Z, n_neighbors=neighbours))


METRICS = {
    "balanced_accuracy": Metric(
        "classes", balanced_accuracy, words="balanced accuracy", symbol="acc", margin=0.01
    ),
    "ami": Metric(
        "clusters",
        adjusted_information,
        words="adjusted mutual information",
        symbol="AMI",
        margin=0.02,
        least=-1.0,
    ),
    "ari": Metric(
        "clusters",
        adjusted_rand,
        words="adjusted Rand index",
        symbol="ARI",
        margin=0.02,
        least=-1.0,
    ),
    "correlation": Metric(
        "target", correlation, words="correlation", symbol="r", margin=0.02, least=-1.0
    ),
    "trustworthiness": Metric(
        "neighbours", kept_neighbours, words="trustworthiness", symbol="T", margin=0.02
    ),
}


def measures_of(kind: str) -> dict[str, Metric]:
    """Return the metrics for a kind of output, the main one first."""
    return {name: metric for name, metric in METRICS.items() if metric.of == kind}
