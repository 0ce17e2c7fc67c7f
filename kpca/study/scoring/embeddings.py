"""Representations of the rows, fitted to training rows, for each number of components."""

import inspect
import traceback
from collections.abc import Sequence

import numpy as np

from kpca.linear.pca import PCA
from kpca.reading.errors import InputError, input_error
from kpca.study.datasets.dataset import Split
from kpca.study.fitting.fitted_models import import_object
from kpca.study.fitting.grid import Point
from kpca.study.scoring.settings import Settings

Scores = tuple[np.ndarray, np.ndarray]  # representations of training and test rows


def leading(Z_train: np.ndarray, Z_test: np.ndarray, sizes: Sequence[int]) -> dict[int, Scores]:
    """Return the first m columns of both arrays for every m of ``sizes``; all if there are fewer.

    If the arrays have no columns, a column of zeros is used instead.
    """
    if not Z_train.shape[1]:
        Z_train = np.zeros((len(Z_train), 1))
        Z_test = np.zeros((len(Z_test), 1))
    return {m: (Z_train[:, :m], Z_test[:, :m]) for m in sizes}


def names_of(sides: Sequence[dict[int, Scores]]) -> dict[int, int]:
    """Return, for each requested number of components, how many columns it gave.

    ``sides`` has the representations of the whole split, then those of its inner folds. The columns
    are counted in the whole split. Without such representations, the largest number among the folds
    counts, because their ranks may differ. If several requested numbers give the same columns, only
    the first one is returned.
    """
    naming = sides[:1] if sides[0] else sides[1:]
    names: dict[int, int] = {}
    for m in naming[0]:
        columns = max(side[m][0].shape[1] for side in naming)
        if columns not in names.values():
            names[m] = columns
    return names


def pca_rank(model: PCA) -> int:
    """Return how many components of a fitted PCA have nonzero variance."""
    return int((model.singular_values_ > 1e-10 * model.singular_values_[0]).sum())


def pca(split: Split, settings: Settings) -> dict[int, Scores]:
    """Return PCA scores of training and test rows, by an SVD of the rows without kernel code."""
    model = PCA().fit(split.X_train)
    rank = pca_rank(model)
    train, test = (model.transform(rows)[:, :rank] for rows in (split.X_train, split.X_test))
    return leading(train, test, settings.n_components)


def own_method(point: Point, split: Split, settings: Settings) -> dict[int, Scores]:
    """Return scores of training and test rows by a custom transformer, per number of components.

    If a number is too large for the transformer, the scores of the previous number are used. A
    transformer without the parameter ``n_components`` has its scores under the number 0.
    """
    path = str(point.callable)
    cls = import_object(path)
    sized = "n_components" in inspect.signature(cls).parameters
    scores: dict[int, Scores] = {}
    for m in settings.n_components if sized else (0,):
        size = {"n_components": m} if m else {}
        try:
            model = cls(**size, **point.parameters).fit(split.X_train, split.y_train)
            train = model.transform(split.X_train)
            test = model.transform(split.X_test)
        except Exception as error:
            if scores and isinstance(error, ValueError | TypeError):
                scores[m] = [*scores.values()][-1]
                continue
            remedy = "correct the method, or take it out of `methods`"
            lines = traceback.format_list(traceback.extract_tb(error.__traceback__)[1:])
            reason = f"{type(error).__name__}: {error}; {remedy}"
            problem = input_error(f"method `{path}`", [reason])
            raise InputError(f"{problem}\n{''.join(lines)}".rstrip()) from error
        if not (np.isfinite(train).all() and np.isfinite(test).all()):
            reason = "`transform` gives numbers that are not finite"
            raise input_error(f"method `{path}`, {train.shape[1]} components", [reason])
        scores[m] = (train, test)
    return scores
