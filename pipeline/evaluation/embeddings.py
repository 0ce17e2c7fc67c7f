"""Representations of the rows: kernel PCA and what it is compared with.

An embedding is fitted on training rows and gives, for every number of components m
that makes sense, the scores of training and test rows.
"""

import inspect
import traceback
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone

from kpca.folds import sides
from kpca.kernel_pca import KernelPCA
from kpca.linalg.threads import thread_count
from kpca.linear.pca import PCA
from kpca.operators.sources import CallableSource
from pipeline.errors import InputError, input_error
from pipeline.evaluation.settings import Settings
from pipeline.fitted_models import estimator, import_object
from pipeline.grid import Point

Scores = tuple[np.ndarray, np.ndarray]
Embedding = Callable[[np.ndarray, np.ndarray, np.ndarray | None], dict[int, Scores]]
"""(X_train, X_test, labels of the training rows) → {m: (Z_train, Z_test)}."""


def leading(Z_train: np.ndarray, Z_test: np.ndarray, sizes: Sequence[int]) -> dict[int, Scores]:
    """Return the first m columns for every m."""
    return {m: (Z_train[:, :m], Z_test[:, :m]) for m in sizes}


class KernelPCAScores:
    """Kernel PCA of one point with γ fixed, as the folds share one median."""

    def __init__(self, point: Point, gamma: float | None, settings: Settings) -> None:
        self._settings = settings
        self._model = estimator(point, gamma, n_components=max(settings.n_components))

    def __call__(self, X_train: np.ndarray, X_test: np.ndarray, _: object) -> dict[int, Scores]:
        """Fit to training rows and score both sides."""
        model = clone(self._model).fit(X_train)
        return self._sized(training_scores(model), model.transform(X_test))

    def of_folds(
        self, X: np.ndarray, folds: Sequence[tuple[np.ndarray, np.ndarray]]
    ) -> list[dict[int, Scores]]:
        """Score every fold of some rows: the same, side by side."""
        return [self._sized(*scores) for scores in cross_validate(self._model, X, folds)]

    def _sized(self, train: np.ndarray, test: np.ndarray) -> dict[int, Scores]:
        return leading(train, test, self._settings.components_up_to(train.shape[1]))


def training_scores(model: Any) -> np.ndarray:
    """Return a √λ, the scores of the training rows without evaluating the kernel again."""
    return model.eigenvectors_ * np.sqrt(model.eigenvalues_)


def raw(X_train: np.ndarray, X_test: np.ndarray, _: object) -> dict[int, Scores]:
    """Return the rows as they are."""
    return {X_train.shape[1]: (X_train, X_test)}


def pca(settings: Settings) -> Embedding:
    """Linear PCA by the SVD of the rows, independent of the kernel code."""

    def embed(X_train: np.ndarray, X_test: np.ndarray, _: object) -> dict[int, Scores]:
        model = PCA().fit(X_train)
        rank = int((model.singular_values_ > 1e-10 * model.singular_values_[0]).sum())
        sizes = settings.components_up_to(rank)
        return leading(model.transform(X_train), model.transform(X_test), sizes)

    return embed


def _failure(path: str, error: Exception) -> InputError:
    """Return the error of a method of the user's own, with its traceback and what to do."""
    what = f"{type(error).__name__}: {error}; correct the method, or take it out of `methods`"
    frames = traceback.extract_tb(error.__traceback__)[1:]
    lines = "".join(traceback.format_list(frames)).rstrip()
    return InputError(f"{input_error(f'method `{path}`', [what])}\n{lines}".rstrip())


def own_method(path: str, parameters: dict[str, Any], settings: Settings) -> Embedding:
    """Return a transformer of the user's own, refitted for every number of components."""
    cls = import_object(path)
    sized = "n_components" in inspect.signature(cls).parameters
    sizes = settings.n_components if sized else (0,)

    def embed(
        X_train: np.ndarray, X_test: np.ndarray, labels: np.ndarray | None
    ) -> dict[int, Scores]:
        scores: dict[int, Scores] = {}
        for m in sizes:
            asked = {"n_components": m} if m else {}
            try:
                model = cls(**asked, **parameters).fit(X_train, labels)
                train, test = model.transform(X_train), model.transform(X_test)
            except Exception as error:
                if scores and isinstance(error, ValueError | TypeError):
                    break  # m exceeds what the method can give
                raise _failure(path, error) from error
            if not (np.isfinite(train).all() and np.isfinite(test).all()):
                what = "`transform` gives numbers that are not finite"
                raise input_error(f"method `{path}`, {train.shape[1]} components", [what])
            scores[train.shape[1]] = (train, test)
        return scores

    return embed


def cross_validate(
    model: KernelPCA, X: np.ndarray, folds: Sequence[tuple[np.ndarray, np.ndarray]]
) -> list[Scores]:
    """Fit a clone of the model to the training rows of every fold, and score both sides.

    The fits run side by side on the threads of the model. The matrix of a custom kernel is computed
    once for all folds.
    """
    template, rows = clone(model).set_output(transform="default").set_params(n_jobs=1), X
    if callable(model.kernel):
        rows = CallableSource(X, model.kernel, model.kernel_params or {}).full().K
        template.set_params(kernel="precomputed")

    def scored(train: np.ndarray, validation: np.ndarray) -> Scores:
        inner, outer = sides(str(template.kernel), rows, train, validation)
        own = clone(template)
        return own.fit_transform(inner), own.transform(outer)

    threads = max(min(thread_count(model.n_jobs), len(folds)), 1)
    return Parallel(threads, prefer="threads")(delayed(scored)(*fold) for fold in folds)
