"""What follows a representation: every method of `METHODS` trained on one side, and measured."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeline.evaluation.methods import METHODS, Options
from pipeline.evaluation.metrics import measures_of
from pipeline.evaluation.predictors import train
from pipeline.evaluation.settings import Outcome, Settings
from pipeline.seeds import sample

_NEIGHBOUR_ROWS = 500

# C, side, truth, and what a method gives for the rows of this side.
_Given = tuple[float, str, Any, Any]


@dataclass(frozen=True)
class Fold:
    """Representations of the training and test rows, with what is known of them."""

    Z_train: np.ndarray  # scores, or raw features, of shape (n_train, m)
    Z_test: np.ndarray
    truth_train: Any  # classes numbered from 0, a numeric target, or nothing
    truth_test: Any
    X_test: np.ndarray  # test rows in the input space
    seed: int  # of whatever is random
    # In cross-validation only the test side counts, with a quarter of the starts of k-means.
    inner: bool = False
    gamma: float = math.nan  # of the Gaussian kernel of methods that have one
    rank: int = 0  # the least one of the training rows of all folds


def outcomes(fold: Fold, settings: Settings, name: str) -> Iterator[Outcome]:
    """Train a method, and yield an outcome per C, side and metric; an inner fold has no train."""
    gives = METHODS[name].gives
    given = {"clusters": _clustered, "neighbours": _placed}.get(gives, _predicted)
    for C, split, truth, found in given(fold, settings, name):
        if split == "test" or not fold.inner:
            for metric, record in measures_of(gives).items():
                value = record.measure(truth, found)
                yield Outcome(fold.Z_train.shape[1], name, C, metric, split, value)


def _predicted(fold: Fold, settings: Settings, name: str) -> Iterator[_Given]:
    for C in settings.C if METHODS[name].tuned else (math.nan,):
        options = Options(C, settings.class_weight, fold.gamma, fold.seed)
        rule = train(name, fold.Z_train, fold.truth_train, options)
        if not fold.inner:
            yield C, "train", fold.truth_train, rule.predict(fold.Z_train)
        yield C, "test", fold.truth_test, rule.predict(fold.Z_test)


def _clustered(fold: Fold, settings: Settings, name: str) -> Iterator[_Given]:
    """Find as many clusters as classes; a test row joins the nearest centroid or training row."""
    from sklearn.cluster import KMeans, SpectralClustering
    from sklearn.metrics import pairwise_distances_argmin

    starts = -(-settings.kmeans_starts // 4) if fold.inner else settings.kmeans_starts
    options = {"n_init": starts, "random_state": fold.seed}
    classes = len(np.unique(fold.truth_train))
    if name == "kmeans":
        model = KMeans(classes, **options).fit(fold.Z_train)
        test = model.predict(fold.Z_test)
    else:
        model = SpectralClustering(classes, gamma=fold.gamma, **options).fit(fold.Z_train)
        test = model.labels_[pairwise_distances_argmin(fold.Z_test, fold.Z_train)]
    yield math.nan, "train", fold.truth_train, model.labels_
    yield math.nan, "test", fold.truth_test, test


def _placed(fold: Fold, settings: Settings, name: str) -> Iterator[_Given]:
    """Yield test rows and their scores, of many a seeded sample, since a file may be sorted.

    With as many components as the rank, the linear kernel keeps all neighbours by construction.
    """
    del settings, name
    if fold.Z_test.shape[1] < max(fold.rank, 2):
        rows = sample(len(fold.X_test), _NEIGHBOUR_ROWS)
        if len(rows) > 2:
            yield math.nan, "test", fold.X_test[rows], fold.Z_test[rows]
