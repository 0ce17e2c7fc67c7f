"""Which embedding in the plane can be trusted: measures of seven methods on the same splits."""

import warnings
from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd
from scipy.spatial import procrustes

from kpca import KernelPCA
from pipeline.datasets.dataset import describe, load_dataset
from pipeline.evaluation.faithfulness import LEAST, NEIGHBOURS, Faithfulness, faithfulness
from pipeline.job import script
from pipeline.seeds import sample, seed_for
from pipeline.store import write_table
from pipeline.tables.comparison import overlaps
from pipeline.tables.statistics import interval

MEASURES = ("training", *Faithfulness._fields, "alone", "seeds", "bootstraps")
SECONDS = ("fit", "transform")
KEYS = ["dataset", "method", "measure"]
MOST_TEST_ROWS, ALONE_ROWS = 500, 20
SAME_PLACE = 1e-6
"""A row that moves by less, relative to the size of the embedding, has stayed in its place."""


def methods(seed: int, n: int) -> dict[str, Any]:
    """Return an estimator of each method for so many rows; UMAP only if it is installed."""
    from sklearn.decomposition import PCA
    from sklearn.manifold import TSNE, Isomap, LocallyLinearEmbedding, SpectralEmbedding

    near, seeded = {"n_neighbors": min(NEIGHBOURS, n // 2)}, {"random_state": seed}
    found = {
        "PCA": PCA(2),
        "kernel PCA": KernelPCA(2, kernel="rbf", gamma="median", **seeded),
        "Isomap": Isomap(**near),
        "LLE": LocallyLinearEmbedding(**near, **seeded),
        "spectral embedding": SpectralEmbedding(**near, **seeded),
        "t-SNE": TSNE(perplexity=min(30.0, n / 4), **seeded),
    }
    try:  # no part of the pinned versions, hence unknown to mypy
        from umap import UMAP  # type: ignore[import-not-found]
    except ImportError:
        return found
    return found | {"UMAP": UMAP(**seeded)}


def _measured(
    method: str, X: np.ndarray, X_test: np.ndarray, seed: int, seeds: int, bootstraps: int
) -> Iterator[tuple[str, float]]:
    """Yield the measures of a method on one replicate, and its seconds."""
    start = perf_counter()
    model, Z = _fitted(method, X, seed)
    yield "fit", perf_counter() - start
    yield "training", faithfulness(X, Z).trustworthiness
    if hasattr(model, "transform"):
        start = perf_counter()
        Z_test = model.transform(X_test)
        yield "transform", perf_counter() - start
        yield from faithfulness(X_test, Z_test, (X, Z))._asdict().items()
        alone = np.vstack([model.transform(row[None]) for row in X_test[:ALONE_ROWS]])
        moved = np.linalg.norm(alone - Z_test[:ALONE_ROWS], axis=1)
        yield "alone", float(np.mean(moved <= SAME_PLACE * Z.std()))
    others = [_fitted(method, X, seed + number)[1] for number in range(1, seeds + 1)]
    yield "seeds", float(np.mean([_agreement(Z, other) for other in others]))
    agreements = []
    for number in range(bootstraps):
        drawn = np.unique(np.random.default_rng([seed, number]).integers(len(X), size=len(X)))
        agreements.append(_agreement(Z[drawn], _fitted(method, X[drawn], seed)[1]))
    yield "bootstraps", float(np.mean(agreements))


def _fitted(method: str, X: np.ndarray, seed: int) -> tuple[Any, np.ndarray]:
    model = methods(seed, len(X))[method]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of graphs that are not connected
        return model, np.asarray(model.fit_transform(X), dtype=np.float64)


def _agreement(Z: np.ndarray, other: np.ndarray) -> float:
    """Return 1 less the fraction of the variance that no rotation and scale brings together."""
    return 1.0 - float(procrustes(Z, other)[2])


def _means(values: pd.DataFrame, overlap: dict[str, float | None]) -> pd.DataFrame:
    """Return the mean over replicates with its 95 % CI; empty where a method has no measure."""
    rows = []
    for key, found in values.groupby(KEYS, sort=False)["value"]:
        dataset, _, measure = map(str, key)
        limits, ratio = (LEAST.get(measure, 0.0), 1.0), overlap[dataset]
        rows.append((*key, *interval(found.to_numpy(), test_over_train=ratio, limits=limits)[:3]))
    measured = pd.DataFrame(rows, columns=[*KEYS, "mean", "low", "high"])
    tried = values[KEYS[:2]].drop_duplicates().merge(pd.Series(MEASURES, name="measure"), "cross")
    return tried.merge(measured, "left", KEYS)


@script
def embeddings(
    datasets: Sequence[str],
    *,
    rows: int,
    replicates: int,
    seeds: int,
    bootstraps: int,
    seed: int,
    paths: Sequence[str],
) -> None:
    """Write the mean of each measure with its 95 % CI, by dataset and method, and seconds.

    Parameters
    ----------
    datasets : sequence of str
        Files of datasets. Those with a single column are left out.
    rows : int
        Most training rows of a replicate.
    replicates : int
        Most replicates of a dataset.
    seeds, bootstraps : int
        Fits with other seeds, and to samples of the training rows with replacement, that are
        compared with the fit of a replicate.
    seed : int
        Root seed.
    paths : sequence of str
        Where the measures go, and the median seconds of a fit and of a `transform` if there is a
        second one. Measures are ``training``, the trustworthiness of training rows; those of
        `Faithfulness` for held-out rows among training rows; ``alone``, the fraction of held-out
        rows with the same place alone and in a batch; and ``seeds`` and ``bootstraps``, the
        agreement of other fits with this one after Procrustes rotation. A method without
        `transform` has no measure of held-out rows.
    """
    found: list[tuple[str, str, str, int, float]] = []
    overlap: dict[str, float | None] = {}
    for dataset in map(load_dataset, datasets):
        if dataset.split(0).X_train.shape[1] < 2:
            continue
        for replicate in range(min(replicates, dataset.replicates)):
            split = dataset.split(replicate)
            X = split.X_train[sample(len(split.X_train), rows)]
            X_test = split.X_test[sample(len(split.X_test), MOST_TEST_ROWS)]
            own = seed_for(seed, dataset.seed_axis, replicate, "embeddings")
            for method in methods(own, len(X)):
                for measure, value in _measured(method, X, X_test, own, seeds, bootstraps):
                    found.append((dataset.name, method, measure, replicate, value))
        overlap |= overlaps(pd.DataFrame([describe(dataset)]))
    values = pd.DataFrame(found, columns=[*KEYS, "replicate", "value"])
    timed = values[values["measure"].isin(SECONDS)]
    seconds = timed.groupby(KEYS, sort=False)["value"].median().unstack().reindex(columns=SECONDS)
    for table, path in zip((_means(values, overlap), seconds.reset_index()), paths, strict=False):
        write_table(table, path)
