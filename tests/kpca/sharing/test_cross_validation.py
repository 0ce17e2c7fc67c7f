"""Scores of cross-validation are those of a fit per fold."""

from typing import Any

import numpy as np
import pytest
from sklearn.decomposition import KernelPCA as TheirKernelPCA
from sklearn.model_selection import KFold

from kpca import KernelPCA, cross_validate, kernel_matrix
from kpca.folds import Fold
from kpca.types import Floats
from tests.kpca.sharing.test_sweep import GRIDS, cloud, template


def folds_of(n: int, count: int = 3) -> list[Fold]:
    return list(KFold(count, shuffle=True, random_state=0).split(np.empty((n, 1))))


def overlap(x: Floats, y: Floats, width: float = 2.0) -> float:
    return float(np.exp(-np.abs(x - y).max() / width))


def assert_equal_scores(found: Floats, expected: Floats) -> None:
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-8 * np.abs(expected).max())


@pytest.mark.filterwarnings("ignore::kpca.definiteness.IndefiniteKernelWarning")
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("kernel", GRIDS)
def test_scores_are_those_of_a_fit_per_fold(kernel: str, weighted: bool) -> None:
    X, folds = cloud(150, d=4), folds_of(150)
    weights = np.random.default_rng(1).integers(0, 3, len(X)) if weighted else None
    grid = GRIDS[kernel] | ({"gamma": [0.05, 0.3]} if kernel == "rbf" else {})

    found = cross_validate(template(kernel, tol=1e-13), X, folds, grid, sample_weight=weights)

    for scores in found:
        train, held_out = folds[scores.fold]
        alone = template(kernel, tol=1e-13).set_params(**scores.parameters)
        own = None if weights is None else weights[train]
        assert_equal_scores(scores.train, alone.fit_transform(X[train], sample_weight=own))
        assert_equal_scores(scores.validation, alone.transform(X[held_out]))
        assert scores.residuals.max() <= 1e-10


@pytest.mark.parametrize("kernel", ["rbf", "poly"])
def test_scores_are_those_of_scikit_learn(kernel: str) -> None:
    X, folds = cloud(150, d=4), folds_of(150)
    options: dict[str, Any] = {"kernel": kernel, "gamma": 0.1}

    found = cross_validate(KernelPCA(4, tol=1e-13, **options), X, folds)

    for scores, (train, held_out) in zip(found, folds, strict=True):
        theirs = TheirKernelPCA(4, eigen_solver="dense", **options).fit(X[train])
        signs = np.sign((theirs.transform(X[train]) * scores.train).sum(axis=0))
        assert_equal_scores(scores.validation, theirs.transform(X[held_out]) * signs)


@pytest.mark.parametrize("kind", ["matrix", "function"])
def test_kernels_without_a_name(kind: str) -> None:
    X, folds = cloud(60), folds_of(60)
    if kind == "matrix":
        K = kernel_matrix(X, gamma=0.3)
        found = cross_validate(KernelPCA(3, kernel="precomputed", tol=1e-13), K, folds)
        alone = KernelPCA(3, kernel="rbf", gamma=0.3, tol=1e-13)
    else:
        alone = KernelPCA(3, kernel=overlap, kernel_params={"width": 3.0}, tol=1e-13)
        found = cross_validate(alone, X, folds)

    for scores, (train, held_out) in zip(found, folds, strict=True):
        assert_equal_scores(scores.train, alone.fit_transform(X[train]))
        assert_equal_scores(scores.validation, alone.transform(X[held_out]))


def test_scores_stand_in_the_order_of_the_rows() -> None:
    X, (train, held_out) = cloud(120), folds_of(120)[0]
    rng = np.random.default_rng(0)
    shuffled = (rng.permutation(train), rng.permutation(held_out))

    (scores,) = cross_validate(KernelPCA(3, kernel="rbf", tol=1e-13), X, [shuffled])

    alone = KernelPCA(3, kernel="rbf", tol=1e-13)
    assert_equal_scores(scores.train, alone.fit_transform(X[shuffled[0]]))
    assert_equal_scores(scores.validation, alone.transform(X[shuffled[1]]))


def test_repeated_training_rows_count_as_often_as_they_are_named() -> None:
    X = cloud(100)
    train = np.random.default_rng(0).integers(0, len(X), 80)
    asked = KernelPCA(2, kernel="rbf", gamma=0.2, tol=1e-13)

    (scores,) = cross_validate(asked, X, [(train, np.arange(20))])

    assert_equal_scores(scores.train, asked.fit_transform(X[train]))
    assert_equal_scores(scores.validation, asked.transform(X[:20]))


def test_nothing_asked_for_is_nothing_found() -> None:
    X, asked = cloud(60), KernelPCA(2, kernel="rbf")
    assert cross_validate(asked, X, []) == []
    assert cross_validate(asked, X, folds_of(60), {"gamma": []}) == []


def test_a_fold_without_validation_rows() -> None:
    X = cloud(60)
    fold = (np.arange(50), np.arange(0))
    (scores,) = cross_validate(KernelPCA(2, kernel="rbf", tol=1e-13), X, [fold])
    assert scores.validation.shape == (0, 2)
    assert_equal_scores(scores.train, KernelPCA(2, kernel="rbf", tol=1e-13).fit_transform(X[:50]))


def test_one_median_serves_all_folds() -> None:
    X, folds = cloud(60), folds_of(60)
    found = cross_validate(KernelPCA(2, kernel="rbf", gamma="median"), X, folds)

    gamma = KernelPCA(2, kernel="rbf", gamma="median").fit(X).gamma_
    train, held_out = folds[1]
    alone = KernelPCA(2, kernel="rbf", gamma=gamma).fit(X[train])
    assert_equal_scores(found[1].validation, alone.transform(X[held_out]))


def test_scores_keep_the_precision_of_the_rows() -> None:
    X = cloud(60).astype(np.float32)
    (scores, *_) = cross_validate(KernelPCA(2, kernel="rbf"), X, folds_of(60))

    assert scores.train.dtype == scores.validation.dtype == np.float32


def test_approximations_are_refused() -> None:
    with pytest.raises(ValueError, match="one exact kernel matrix"):
        cross_validate(KernelPCA(2, eigen_solver="nystrom"), cloud(60), folds_of(60))
