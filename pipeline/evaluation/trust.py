"""How far embeddings in the plane can be trusted: their measures on one replicate, and means."""

import warnings
from collections.abc import Callable, Iterator, Mapping
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd
from scipy.spatial import procrustes
from scipy.spatial.distance import cdist
from scipy.stats import mode
from sklearn.base import clone
from sklearn.metrics import balanced_accuracy_score, r2_score

from pipeline.evaluation.faithfulness import NEIGHBOURS, Faithfulness, faithfulness
from pipeline.tables.statistics import interval

Methods = Callable[[int, int], Mapping[str, Any]]
"""What returns estimators by name for a seed and a number of rows."""

TRAINING = ("training", "training_continuity", "training_distances")
"""Measures of training rows, in the order of `Faithfulness`."""

MEASURES = (*TRAINING, *Faithfulness._fields, "alone", "seeds", "bootstraps")
SECONDS = ("fit", "transform")
KEYS = ["dataset", "method", "measure"]
LEAST = {"distances": -1.0, "training_distances": -1.0, "target": -np.inf}
"""Least value of a measure, if it is not 0; the largest is 1."""

ALONE_ROWS = 20
SAME_PLACE = 1e-6
"""A row that moves by less, relative to the size of the embedding, has stayed in its place."""


def neighbour_methods(seed: int, n: int) -> dict[str, Any]:
    """Return t-SNE for so many rows, and UMAP if it is installed."""
    from sklearn.manifold import TSNE

    found = {"t-SNE": TSNE(perplexity=min(30.0, n / 4), random_state=seed)}
    try:  # no part of the pinned versions, hence unknown to mypy
        from umap import UMAP  # type: ignore[import-not-found]
    except ImportError:
        return found
    return found | {"UMAP": UMAP(random_state=seed)}


def measures(
    methods: Methods,
    X: np.ndarray,
    X_test: np.ndarray,
    *,
    seed: int,
    seeds: int = 0,
    bootstraps: int,
    answer: Mapping[str, np.ndarray] | None = None,
) -> Iterator[tuple[str, str, float]]:
    """Yield method, measure and value on one replicate, with seconds.

    docs/columns.md names the measures. Held-out rows are placed among training rows, if the method
    has `transform`. ``answer`` has the ``label`` or the ``target`` of the training rows.
    """
    for method in methods(seed, len(X)):

        def fitted(X: np.ndarray, seed: int, method: str = method) -> tuple[Any, np.ndarray]:
            model = clone(methods(seed, len(X))[method])
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of graphs that are not connected
                return model, np.asarray(model.fit_transform(X), dtype=np.float64)

        start = perf_counter()
        model, Z = fitted(X, seed)
        found = {"fit": perf_counter() - start} | dict(
            zip(TRAINING, faithfulness(X, Z), strict=True)
        )
        if hasattr(model, "transform"):
            start = perf_counter()
            Z_test = model.transform(X_test)
            found["transform"] = perf_counter() - start
            found |= faithfulness(X_test, Z_test, (X, Z))._asdict()
            alone = np.vstack([model.transform(row[None]) for row in X_test[:ALONE_ROWS]])
            moved = np.linalg.norm(alone - Z_test[:ALONE_ROWS], axis=1)
            found["alone"] = float(np.mean(moved <= SAME_PLACE * Z.std()))
        others = [fitted(X, seed + number)[1] for number in range(1, seeds + 1)]
        if others:
            found["seeds"] = float(np.mean([_agreement(Z, other) for other in others]))
        agreements = []
        for number in range(bootstraps):
            drawn = np.unique(np.random.default_rng([seed, number]).integers(len(X), size=len(X)))
            agreements.append(_agreement(Z[drawn], fitted(X[drawn], seed)[1]))
        found["bootstraps"] = float(np.mean(agreements))
        for name, values in (answer or {}).items():
            found[name] = by_neighbours(Z, values, classes=name == "label")
        yield from ((method, *measured) for measured in found.items())


def by_neighbours(Z: np.ndarray, answer: np.ndarray, *, classes: bool) -> float:
    """Return how well the nearest neighbours of each row tell its answer, the row itself left out.

    It is the balanced accuracy of most votes, or the R² of their mean.
    """
    apart = cdist(Z, Z)
    np.fill_diagonal(apart, np.inf)
    k = max(1, min(NEIGHBOURS, len(Z) // 2))
    votes = answer[apart.argsort(axis=1, kind="stable")[:, :k]]
    if classes:
        return float(balanced_accuracy_score(answer, mode(votes, axis=1).mode))
    return float(r2_score(answer, votes.mean(axis=1)))


def means(values: pd.DataFrame, overlap: Mapping[str, float | None]) -> pd.DataFrame:
    """Return the mean of each measure over replicates, and of its difference from PCA.

    Both have 95 % CIs. ``values`` has the columns `KEYS`, replicate, value.
    """
    rows = []
    of_key = {
        tuple(map(str, key)): each.set_index("replicate")["value"]
        for key, each in values.groupby(KEYS, sort=False)
    }
    for (dataset, method, measure), found in of_key.items():
        ratio, limits = overlap[dataset], (LEAST.get(measure, 0.0), 1.0)
        ends = interval(found.to_numpy(), test_over_train=ratio, limits=limits)[:3]
        gain: tuple[float, ...] = (np.nan,) * 3
        if method != "PCA":
            away = found - of_key[dataset, "PCA", measure]
            gain = interval(away.to_numpy(), test_over_train=ratio)[:3]
        rows.append((dataset, method, measure, *ends, *gain))
    return pd.DataFrame(
        rows, columns=[*KEYS, "mean", "low", "high", "gain", "gain_low", "gain_high"]
    )


def _agreement(Z: np.ndarray, other: np.ndarray) -> float:
    """Return 1 less the fraction of the variance that no rotation and scale brings together."""
    return 1.0 - float(procrustes(Z, other)[2])
