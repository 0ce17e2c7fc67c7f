"""The metrics: one record each, which scores, tables, figures and sentences read.

Imported while the Snakefile is parsed, hence functions import what is heavy.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

NEIGHBOURS = 5


@dataclass(frozen=True)
class Metric:
    """What is measured, how, and what is said of it."""

    # What a method gives: "classes", "target", "clusters" or "neighbours". The first metric of a
    # kind is the one by which its methods are selected and compared.
    of: str
    # (truth, what was given) → value, at most 1. Classes and clusters are numbered from 0; of
    # neighbours, these are rows and their places.
    measure: Callable[[Any, Any], float]
    words: str  # its name on an axis
    symbol: str  # its name next to a number
    margin: float  # smallest difference that matters, stated before any run
    least: float = 0.0  # a number that no value is below


def balanced_accuracy(truth: Any, predicted: Any) -> float:
    """Return the mean recall over the classes of ``truth``."""
    import numpy as np

    members = np.bincount(truth)
    recalls = np.bincount(truth, weights=truth == predicted) / np.maximum(members, 1)
    return float(recalls[members > 0].mean())


def correlation(truth: Any, predicted: Any) -> float:
    """Return Pearson's correlation; 0 where one side is constant."""
    import numpy as np

    a = truth - truth.mean()
    b = predicted - predicted.mean()
    scale = np.linalg.norm(a) * np.linalg.norm(b)
    return float(a @ b / scale) if scale > 0 else 0.0


def adjusted_information(truth: Any, clusters: Any) -> float:
    """Return (I − E I)/((H_truth + H_clusters)/2 − E I): 1 if equal, 0 in the mean at random.

    Vinh, Epps, Bailey (2010), J. Mach. Learn. Res. 11.
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
    least = float(np.finfo(np.float64).eps)  # keeps 0/0 of a perfect match at 1
    above, room = (math.copysign(max(abs(value), least), value) for value in (above, room))
    return float(above / room)


def adjusted_rand(truth: Any, clusters: Any) -> float:
    """Return what `adjusted_information` does, for the number of pairs that both keep together.

    Hubert, Arabie (1985), J. Classif. 2.
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
    """Return the trustworthiness of five neighbours, or as many as ten rows and less allow.

    Venna, Kaski (2001), Neighborhood preservation in nonlinear projection methods, ICANN.
    """
    from sklearn.manifold import trustworthiness

    neighbours = min(NEIGHBOURS, (len(X) - 1) // 2)  # more have no worst order to compare with
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
    """Return the metrics of what a method gives, the main one first."""
    return {name: metric for name, metric in METRICS.items() if metric.of == kind}
