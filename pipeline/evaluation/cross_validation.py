"""Kernel PCA fitted to the training rows of folds."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone

from kpca.folds import sides
from kpca.kernel_pca import KernelPCA
from kpca.linalg.threads import thread_count
from kpca.operators.sources import CallableSource


class FoldScores(NamedTuple):
    """Scores of both sides of a fold, one row per sample and one column per component."""

    train: np.ndarray
    validation: np.ndarray


def cross_validate(
    model: KernelPCA, X: np.ndarray, folds: Sequence[tuple[np.ndarray, np.ndarray]]
) -> list[FoldScores]:
    """Fit a clone of the model to the training rows of every fold, and score both sides.

    The fits run side by side on the threads of the model. The matrix of a custom kernel is computed
    once for all folds.
    """
    template, rows = clone(model).set_output(transform="default").set_params(n_jobs=1), X
    if callable(model.kernel):
        rows = CallableSource(X, model.kernel, model.kernel_params or {}).full().K
        template.set_params(kernel="precomputed")

    def scored(train: np.ndarray, validation: np.ndarray) -> FoldScores:
        inner, outer = sides(str(template.kernel), rows, train, validation)
        own = clone(template)
        return FoldScores(own.fit_transform(inner), own.transform(outer))

    threads = max(min(thread_count(model.n_jobs), len(folds)), 1)
    return Parallel(threads, prefer="threads")(delayed(scored)(*fold) for fold in folds)
