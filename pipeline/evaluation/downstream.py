"""What follows a representation: each task in one function.

A downstream method takes a `Fold`, trains on its training side and yields one
`Outcome` per setting, metric and split. It never sees which side of a
cross-validation it serves.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn.svm import SVC

from pipeline.evaluation.metrics import agreement, balanced_accuracy, correlation
from pipeline.evaluation.settings import TASKS, Settings
from pipeline.seeds import sample

_NEIGHBOURS = 5
_TRUSTWORTHINESS_ROWS = 500

# libsvm takes hours on rows that nearly coincide; what it has after this many steps is used, and
# scikit-learn's ConvergenceWarning goes to the log.
_SVM_STEPS = 200_000


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
    """

    Z_train: np.ndarray
    Z_test: np.ndarray
    truth_train: Any
    truth_test: Any
    X_test: np.ndarray
    seed: int
    inner: bool = False


class Outcome(NamedTuple):
    """One number: ``C`` is NaN where the method has none."""

    method: str
    C: float
    metric: str
    split: str
    value: float


Downstream = Callable[[Fold, Settings], Iterator[Outcome]]


def linear_svm(fold: Fold, settings: Settings) -> Iterator[Outcome]:
    """Linear soft-margin SVM on scaled scores, one-vs-one for several classes."""
    for scaling in settings.scaling:
        scale = _scale(fold.Z_train, scaling)
        train, test = fold.Z_train * scale, fold.Z_test * scale
        name = "linear_svm" if scaling == "unit" else "linear_svm_whitened"
        for C in settings.C:
            rule = linear_rule(train, fold.truth_train, C)
            yield from _classified(name, C, fold, rule, train, test)


def rbf_svm(fold: Fold, settings: Settings, *, gamma: float) -> Iterator[Outcome]:
    """Gaussian SVM on the rows as they are: a strong baseline."""
    for C in settings.C:
        model = SVC(kernel="rbf", gamma=gamma, C=C, max_iter=_SVM_STEPS).fit(
            fold.Z_train, fold.truth_train
        )
        yield from _classified("rbf_svm", C, fold, model.predict, fold.Z_train, fold.Z_test)


def kmeans(fold: Fold, settings: Settings) -> Iterator[Outcome]:
    """k-means with as many clusters as classes; test rows go to the nearest centroid."""
    from sklearn.cluster import KMeans

    model = KMeans(_classes(fold), n_init=_starts(fold, settings), random_state=fold.seed)
    model.fit(fold.Z_train)
    yield from _clustered("kmeans", fold, model.labels_, model.predict(fold.Z_test))


def spectral(fold: Fold, settings: Settings, *, gamma: float) -> Iterator[Outcome]:
    """Spectral clustering of the rows; a test row takes the cluster of its nearest training row."""
    from sklearn.cluster import SpectralClustering
    from sklearn.metrics import pairwise_distances_argmin

    model = SpectralClustering(
        _classes(fold), gamma=gamma, n_init=_starts(fold, settings), random_state=fold.seed
    )
    train = model.fit_predict(fold.Z_train)
    nearest = pairwise_distances_argmin(fold.Z_test, fold.Z_train)
    yield from _clustered("spectral", fold, train, train[nearest])


def regression(fold: Fold, settings: Settings) -> Iterator[Outcome]:
    """Least squares of the target on the scores: how far it can be read off linearly."""
    del settings
    weights, offset = affine(fold.Z_train, fold.truth_train)
    for split, Z, truth in _sides(fold, fold.Z_train, fold.Z_test):
        value = correlation(truth, Z @ weights + offset)
        yield Outcome("least_squares", math.nan, "correlation", split, value)


def neighbourhoods(fold: Fold, settings: Settings) -> Iterator[Outcome]:
    """Trustworthiness (Venna and Kaski 2001) of the scores of new rows.

    Of five neighbours, or as many as ten rows and less allow. Of many rows a seeded sample, since a
    file may be sorted. Only of fewer components than columns: with as many, the linear kernel would
    have 1 by construction.
    """
    from sklearn.manifold import trustworthiness

    del settings
    if fold.Z_test.shape[1] >= max(fold.X_test.shape[1], 2):
        return
    rows = sample(len(fold.X_test), _TRUSTWORTHINESS_ROWS)
    X, Z = fold.X_test[rows], fold.Z_test[rows]
    neighbours = min(_NEIGHBOURS, (len(X) - 1) // 2)  # more have no worst order to compare with
    if neighbours > 0:
        value = float(trustworthiness(X, Z, n_neighbors=neighbours))
        yield Outcome("embedding", math.nan, "trustworthiness", "test", value)


METHODS: dict[str, Callable[..., Iterator[Outcome]]] = {
    "linear_svm": linear_svm,
    "rbf_svm": rbf_svm,
    "kmeans": kmeans,
    "spectral": spectral,
    "regression": regression,
    "neighbourhoods": neighbourhoods,
}

BY_TASK: dict[str, tuple[Downstream, ...]] = {
    task: tuple(METHODS[name] for name in names) for task, names in TASKS.items()
}


def _scale(Z: np.ndarray, scaling: str) -> np.ndarray | float:
    """Return one factor for mean squared norm 1, or one per component for variance 1."""
    squares = np.einsum("ij,ij->j", Z, Z) / len(Z)
    total = squares.sum()
    if total == 0:
        return 1.0
    if scaling == "unit":
        return 1 / math.sqrt(total)
    # A component without variance stays as it is.
    return 1 / np.sqrt(np.where(squares > 1e-12 * total, squares, 1.0))


class _NumberedSVC(SVC):
    """Takes classes that are numbers as they are: checks take as long as most of the fits."""

    def _validate_targets(self, y: np.ndarray) -> np.ndarray:
        self.classes_, numbered = np.unique(y, return_inverse=True)
        self.class_weight_ = np.ones(len(self.classes_))
        return numbered.astype(np.float64)


def affine(Z: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return weights (m, k) and offsets (k,) of the affine map of Z (n, m) nearest to values.

    They are those of least squares. Values are (n, k), or (n,) with one number for an offset.
    """
    design = np.column_stack([Z, np.ones(len(Z))])
    solution = np.linalg.lstsq(design, values, rcond=None)[0]
    return solution[:-1], np.asarray(solution[-1])


def linear_rule(Z: np.ndarray, truth: np.ndarray, C: float) -> Callable[[np.ndarray], np.ndarray]:
    """Train a linear SVM and return its predictions.

    They come from its normals, where libsvm sums over support vectors. Of several classes each
    pair votes, and the first class of most votes wins, as in libsvm.
    """
    model = _NumberedSVC(kernel="linear", C=C, max_iter=_SVM_STEPS).fit(Z, truth)
    normals, offsets, classes = model.coef_, model.intercept_, model.classes_
    if len(classes) == 2:
        return lambda rows: classes[((rows @ normals.T + offsets)[:, 0] > 0).astype(np.intp)]
    first, second = (np.eye(len(classes))[pair] for pair in np.triu_indices(len(classes), k=1))

    def predict(rows: np.ndarray) -> np.ndarray:
        votes = (rows @ normals.T + offsets > 0) @ (first - second) + second.sum(axis=0)
        return np.asarray(classes[votes.argmax(axis=1)])

    return predict


def _classified(
    method: str,
    C: float,
    fold: Fold,
    predict: Callable[[np.ndarray], np.ndarray],
    train: np.ndarray,
    test: np.ndarray,
) -> Iterator[Outcome]:
    for split, rows, truth in _sides(fold, train, test):
        value = balanced_accuracy(truth, predict(rows))
        yield Outcome(method, C, "balanced_accuracy", split, value)


def _clustered(method: str, fold: Fold, train: np.ndarray, test: np.ndarray) -> Iterator[Outcome]:
    for split, clusters, truth in _sides(fold, train, test):
        for metric, value in agreement(truth, clusters).items():
            yield Outcome(method, math.nan, metric, split, value)


def _sides(
    fold: Fold, train: np.ndarray, test: np.ndarray
) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yield what is scored, with its truth: of an inner fold only the test side."""
    if not fold.inner:
        yield "train", train, fold.truth_train
    yield "test", test, fold.truth_test


def _starts(fold: Fold, settings: Settings) -> int:
    return -(-settings.kmeans_starts // 4) if fold.inner else settings.kmeans_starts


def _classes(fold: Fold) -> int:
    return len(np.unique(fold.truth_train))
