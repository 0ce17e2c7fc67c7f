"""How well embeddings in the plane keep neighbours and distances, and how reproducible they are."""

import warnings
from collections.abc import Callable, Mapping
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.spatial import procrustes
from scipy.spatial.distance import cdist
from scipy.stats import spearmanr

from kpca.linear.pca import PCA
from kpca.study.datasets.dataset import Dataset, FloatArray
from kpca.study.evidence.comparison import ENDS, GAINS
from kpca.study.evidence.statistics import interval
from kpca.study.seeds import sample, seed_for

NEIGHBOURS = 10
SECONDS = ("fit", "transform")
# Measures of training rows, in the order of `Faithfulness`.
TRAINING = ("training", "training_continuity", "training_distances")
KEYS = ["dataset", "method", "measure"]
# Smallest possible value of a measure, if it is not 0; the largest possible value is 1.
LEAST = {"distances": -1.0, "training_distances": -1.0}
# Method → its columns in the embedding of a run, such as ``pca_1``.
PLANES = {"kernel PCA": "view", "PCA": "pca", "t-SNE": "tsne", "UMAP": "umap"}
ALL = 1 - 1e-9  # smallest fraction of the variance that counts as all, because of rounding
MOST_TEST_ROWS = 500
ALONE_ROWS = 20
# Largest movement of a row, relative to the size of the embedding, that counts as no movement.
SAME_PLACE = 1e-6


class Faithfulness(NamedTuple):
    """How well an embedding keeps neighbours and distances; the best value of each measure is 1."""

    trustworthiness: float  # whether neighbours in the embedding are neighbours in the data
    continuity: float  # whether neighbours in the data are neighbours in the embedding
    distances: float  # Spearman's rank correlation of all distances


def faithfulness(
    X: FloatArray, Z: FloatArray, among: tuple[FloatArray, FloatArray] | None = None
) -> Faithfulness:
    """Return how well an embedding Z keeps the neighbours of the rows X.

    Neighbours are searched among the rows X or, if ``among`` is given, among other rows, whose data
    and embedding it holds. Venna and Kaski, "Neighborhood preservation in nonlinear projection
    methods", ICANN (2001).
    """
    in_data, in_embedding = map(cdist, (X, Z), among or (X, Z))
    if among is None:
        others = ~np.eye(len(X), dtype=bool)
        in_data = in_data[others].reshape(len(X), -1)
        in_embedding = in_embedding[others].reshape(len(X), -1)
    return Faithfulness(
        _kept_neighbours(in_data, in_embedding),
        _kept_neighbours(in_embedding, in_data),
        float(spearmanr(in_data.ravel(), in_embedding.ravel())[0]),
    )


def _kept_neighbours(distances: FloatArray, others: FloatArray) -> float:
    """Return how far the nearest rows by ``others`` are also nearest by ``distances``, from 0 to 1.

    Both are distances to the same rows. Each of the k nearest rows by ``others`` has a rank by
    ``distances``, which exceeds k by an amount if the row is not among the k nearest there. The
    result is 1 minus the sum of these amounts, relative to the largest possible sum.
    """
    n, many = distances.shape
    k = max(1, min(NEIGHBOURS, many // 2))
    ranks = distances.argsort(axis=1, kind="stable").argsort(axis=1) + 1
    nearest = others.argsort(axis=1, kind="stable")[:, :k]
    beyond = np.take_along_axis(ranks, nearest, axis=1) - k
    worst = k * (2 * many - 3 * k + 1) / 2
    return float(1 - beyond.clip(min=0).sum() / (n * worst))


def plane_share(X: FloatArray) -> float:
    """Return the fraction of the variance that two components of PCA keep."""
    return float(PCA().fit(X).explained_variance_ratio_[:2].sum())


def neighbour_methods(seed: int, n: int) -> dict[str, Any]:
    """Return t-SNE for n rows, and UMAP if it is installed."""
    from sklearn.manifold import TSNE

    methods: dict[str, Any] = {"t-SNE": TSNE(perplexity=min(30.0, n / 4), random_state=seed)}
    try:  # UMAP is not among the pinned packages, so mypy cannot find it.
        from umap import UMAP  # type: ignore[import-not-found]
    except ImportError:
        return methods
    return methods | {"UMAP": UMAP(random_state=seed)}


def measured(
    dataset: Dataset,
    methods: Callable[[int, int, int], Mapping[str, Any]],
    *,
    rows: int,
    replicates: int,
    seeds: int = 0,
    bootstraps: int,
    seed: int,
) -> pd.DataFrame:
    """Return the measures and run times of each replicate, with columns `KEYS`, value, replicate.

    ``methods`` returns new estimators by name for a replicate, a seed and a number of rows. An
    estimator without `transform` has no measures of held-out rows. docs/columns-studies.md explains
    the measures.
    """
    values = []
    for replicate in range(min(replicates, dataset.replicates)):
        split = dataset.split(replicate)
        X = split.X_train[sample(len(split.X_train), rows)]
        X_test = split.X_test[sample(len(split.X_test), MOST_TEST_ROWS)]
        first = seed_for(seed, dataset.seed_axis, replicate, "embeddings")
        of_seed = partial(methods, replicate)
        for method, model in of_seed(first, len(X)).items():
            start = perf_counter()
            Z = _embedded(model, X)
            measures: dict[str, Any] = {"fit": perf_counter() - start}
            measures |= zip(TRAINING, faithfulness(X, Z), strict=True)
            if hasattr(model, "transform"):
                start = perf_counter()
                Z_test = model.transform(X_test)
                measures["transform"] = perf_counter() - start
                measures |= faithfulness(X_test, Z_test, (X, Z))._asdict()
                alone = np.vstack([model.transform(row[None]) for row in X_test[:ALONE_ROWS]])
                moved = np.linalg.norm(alone - Z_test[:ALONE_ROWS], axis=1)
                measures["alone"] = np.mean(moved <= SAME_PLACE * Z.std())
            if seeds:
                others = [of_seed(first + n, len(X))[method] for n in range(1, seeds + 1)]
                measures["seeds"] = np.mean([_agreement(other, X, Z) for other in others])
            repeats = []
            for number in range(bootstraps):
                rng = np.random.default_rng([first, number])
                drawn = np.unique(rng.integers(len(X), size=len(X)))
                repeated = of_seed(first, len(drawn))[method]
                repeats.append(_agreement(repeated, X[drawn], Z[drawn]))
            measures["bootstraps"] = np.mean(repeats)
            values += [(dataset.name, method, *pair, replicate) for pair in measures.items()]
    return pd.DataFrame(values, columns=[*KEYS, "value", "replicate"])


def _embedded(model: Any, X: FloatArray) -> FloatArray:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Graphs that are not connected raise a warning.
        return np.asarray(model.fit_transform(X), dtype=np.float64)


def _agreement(model: Any, X: FloatArray, Z: FloatArray) -> float:
    """Return 1 minus the Procrustes disparity between Z and the embedding of X by a model."""
    return 1.0 - float(procrustes(Z, _embedded(model, X))[2])


def means(values: pd.DataFrame, overlap: Mapping[str, float | None]) -> pd.DataFrame:
    """Return means of the values of `measured`, and of their differences from PCA, with 95 % CIs.

    Cells are empty if a method lacks a measure that another method of the dataset has.
    """
    rows = []
    for dataset, mine in values[~values["measure"].isin(SECONDS)].groupby("dataset", sort=False):
        every = pd.MultiIndex.from_product([mine["method"].unique(), mine["measure"].unique()])
        table = mine.pivot(index=KEYS[1:], columns="replicate", values="value").reindex(every)
        ratio = overlap[str(dataset)]
        for key, scores in zip(every, table.to_numpy(), strict=True):
            limits = LEAST.get(key[1], 0.0), 1.0
            ends = interval(scores, test_over_train=ratio, limits=limits)
            of_pca = table.loc["PCA", key[1]].to_numpy()
            gain = interval(scores - of_pca, test_over_train=ratio)
            rows.append((dataset, *key, *ends[:3], *gain[:3]))
    return pd.DataFrame(rows, columns=[*KEYS, *ENDS, *GAINS])
