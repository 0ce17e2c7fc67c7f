"""Fits of a sweep and of folds are those of independent fits, side by side as room allows."""

import threading
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import KFold, StratifiedKFold

from kpca import KernelPCA, cross_validate, kernel_matrix, sweep
from kpca.model_selection.folds import Fold, shuffled_folds
from kpca.model_selection.side_by_side import FIT_BYTES, side_by_side
from kpca.types import Floats
from tests.kpca.naive import assert_close

GRIDS: dict[str, dict[str, list[Any]]] = {
    "rbf": {"gamma": [0.05, 0.3, 1.0, "median"]},
    "laplacian": {"gamma": [0.05, 0.3, 1.0]},
    "poly": {"degree": [2, 3], "gamma": [0.1, 0.5], "coef0": [0, 1]},
    "sigmoid": {"gamma": [0.01, 0.1], "coef0": [-0.5, 0]},
    "linear": {},
}


def cloud(n: int, d: int = 3, seed: int = 0) -> Floats:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) * np.linspace(2, 0.5, d) + 3 * rng.integers(0, 3, (n, 1))


def template(kernel: str, **options: Any) -> KernelPCA:
    return KernelPCA(4, kernel=kernel, indefinite="clip", **options)


def assert_same(model: KernelPCA, alone: KernelPCA) -> None:
    top = alone.eigenvalues_[0]
    np.testing.assert_allclose(model.eigenvalues_, alone.eigenvalues_, atol=1e-9 * top, rtol=0)
    scores, own = (fitted.eigenvectors_ * np.sqrt(fitted.eigenvalues_) for fitted in (model, alone))
    # Spans rather than vectors: S Sᵀ does not depend on signs, nor on ties.
    np.testing.assert_allclose(scores @ scores.T, own @ own.T, atol=1e-6 * top, rtol=0)
    assert model.residuals_.max() <= 1e-8


@pytest.mark.filterwarnings("ignore::kpca.certificates.definiteness.IndefiniteKernelWarning")
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("kernel", GRIDS)
def test_a_sweep_is_the_fits_one_by_one(kernel: str, weighted: bool) -> None:
    X = cloud(120)
    weights = np.random.default_rng(1).integers(0, 3, len(X)) if weighted else None
    models = sweep(template(kernel), X, GRIDS[kernel], sample_weight=weights)
    for model in models:
        alone = KernelPCA(**model.get_params()).fit(X, sample_weight=weights)
        assert_same(model, alone)
        np.testing.assert_allclose(model.transform(X[:5]), alone.transform(X[:5]), atol=1e-6)


def test_models_are_ordinary_ones_in_the_order_of_the_grid() -> None:
    grid = {"degree": [2, 3], "coef0": [0, 1]}
    models = sweep(template("poly", fit_inverse_transform=True), cloud(30).tolist(), grid)
    found = [(model.degree, model.coef0) for model in models]
    assert found == [(2, 0), (2, 1), (3, 0), (3, 1)]
    alone = KernelPCA(**models[0].get_params()).fit(cloud(30))
    assert type(models[0]) is KernelPCA
    assert sorted(vars(models[0])) == sorted(vars(alone))


@pytest.mark.parametrize(
    ("asked", "X", "grid", "message"),
    [
        (template("rbf", tol=-1), cloud(20), {"gamma": [1.0]}, "of KernelPCA must be"),
        (
            template("rbf"),
            np.full((20, 3), np.nan),
            {"gamma": [1.0]},
            "X contains NaN in row 0, column 0",
        ),
        (template("rbf"), cloud(20), {"alpha": [1.0]}, "may name gamma, degree, coef0"),
        (template("precomputed"), np.eye(20), {"gamma": [1.0]}, "needs a kernel by name"),
        (template("rbf", eigen_solver="nystrom"), cloud(60), {}, "shares exact fits"),
    ],
)
def test_what_a_sweep_cannot_do_is_said(
    asked: KernelPCA, X: Floats, grid: dict[str, list[Any]], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        sweep(asked, X, grid)


def folds_of(n: int) -> list[Fold]:
    return list(shuffled_folds(n, 3, seed=0))


def overlap(x: Floats, y: Floats, width: float = 2.0) -> float:
    return float(np.exp(-np.abs(x - y).max() / width))


@pytest.mark.filterwarnings("ignore::kpca.certificates.definiteness.IndefiniteKernelWarning")
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
        assert_close(scores.train, alone.fit_transform(X[train], sample_weight=own))
        assert_close(scores.validation, alone.transform(X[held_out]))
        assert scores.residuals.max() <= 1e-10


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
        assert_close(scores.train, alone.fit_transform(X[train]))
        assert_close(scores.validation, alone.transform(X[held_out]))


def test_rows_keep_their_order_and_count_as_often_as_they_are_named() -> None:
    X, rng = cloud(100), np.random.default_rng(0)
    train, held_out = rng.integers(0, len(X), 80), rng.permutation(20)
    asked = KernelPCA(2, kernel="rbf", gamma=0.2, tol=1e-13)
    (scores,) = cross_validate(asked, X, [(train, held_out)])
    assert_close(scores.train, asked.fit_transform(X[train]))
    assert_close(scores.validation, asked.transform(X[held_out]))


def test_a_fold_without_validation_rows_in_single_precision() -> None:
    X, asked = cloud(60).astype(np.float32), KernelPCA(2, kernel="rbf", tol=1e-13)
    (scores,) = cross_validate(asked, X, [(np.arange(50), np.arange(0))])
    assert scores.validation.shape == (0, 2)
    assert scores.train.dtype == scores.validation.dtype == np.float32
    np.testing.assert_allclose(scores.train, asked.fit_transform(X[:50]), atol=1e-5)


def test_one_median_serves_all_folds() -> None:
    X, folds = cloud(60), folds_of(60)
    found = cross_validate(KernelPCA(2, kernel="rbf", gamma="median"), X, folds)
    gamma = KernelPCA(2, kernel="rbf", gamma="median").fit(X).gamma_
    train, held_out = folds[1]
    alone = KernelPCA(2, kernel="rbf", gamma=gamma).fit(X[train])
    assert_close(found[1].validation, alone.transform(X[held_out]))


def test_approximations_are_refused() -> None:
    with pytest.raises(ValueError, match="one exact kernel matrix"):
        cross_validate(KernelPCA(2, eigen_solver="nystrom"), cloud(60), folds_of(60))


@pytest.mark.parametrize(
    ("n_jobs", "n_tasks", "fits", "expected"),
    [(4, 9, 9, 4), (4, 2, 9, 2), (4, 9, 3, 3), (2, 9, 0, 1)],
)
def test_fits_run_on_as_many_threads_as_tasks_and_memory_allow(
    n_jobs: int, n_tasks: int, fits: int, expected: int
) -> None:
    asked = KernelPCA(n_jobs=n_jobs, memory_budget=(fits + 0.5) * FIT_BYTES * 100**2)
    together = threading.Barrier(expected, timeout=20)

    def work(number: int, model: KernelPCA) -> tuple[int, int | None, float | str | None]:
        if number < expected:
            together.wait()
        return number, model.n_jobs, model.gamma

    found = side_by_side(asked, [{"gamma": float(i)} for i in range(n_tasks)], work, 100)
    assert found == [(i, n_jobs // expected, float(i)) for i in range(n_tasks)]


def test_an_error_in_a_fit_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        side_by_side(KernelPCA(n_jobs=2), [{}] * 3, lambda number, _: 1 // number, 10)


def test_folds_are_those_of_scikit_learn_and_results_become_tables() -> None:
    rng = np.random.default_rng(0)
    points, labels = rng.normal(size=(60, 3)), np.arange(60) % 3
    model = KernelPCA(2, kernel="rbf", gamma=0.3)
    kfold = KFold(3)
    folds = list(kfold.split(points))
    masks = [tuple(np.isin(np.arange(60), rows) for rows in fold) for fold in folds]
    first, *others = (cross_validate(model, points, cv) for cv in (3, kfold, masks, folds))
    for found in others:
        for one, other in zip(first, found, strict=True):
            np.testing.assert_array_equal(one.validation, other.validation)
    stratified = cross_validate(model, points, StratifiedKFold(4), {"gamma": [0.1, 1.0]}, y=labels)
    table = pd.DataFrame(stratified.table())
    assert table["gamma"].tolist() == [0.1] * 4 + [1.0] * 4
    assert table["fold"].tolist() == [0, 1, 2, 3] * 2
    fits = pd.DataFrame(sweep(model, points.tolist(), {"gamma": [0.1, 1.0]}).table())
    assert fits["gamma"].tolist() == [0.1, 1.0]
    assert (fits["residual"] < 1e-8).all()
    assert "array" not in repr(stratified)


@pytest.mark.parametrize("many", [sweep, cross_validate])
def test_no_fit_begins_before_every_argument_is_checked(
    many: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[KernelPCA] = []
    monkeypatch.setattr(KernelPCA, "fit", lambda self, *_, **__: begun.append(self))
    X, gammas = cloud(30), [*np.logspace(-3, 1, 19)]
    refused: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({"gamma": [*gammas, -1.0]}, {}),
        ({"gamma": gammas, "coef0": [1, "a"]}, {}),
        ({"gamma": gammas}, {"sample_weight": np.ones(3)}),
    ]
    if many is cross_validate:
        refused.append(({"gamma": gammas}, {"cv": [*folds_of(30), ([0, 30], [1])]}))
    for grid, options in refused:
        with pytest.raises(ValueError, match=r"gamma|coef0|sample_weight|cv"):
            many(template("rbf"), X, grid=grid, **options)
    assert begun == []


def test_a_name_that_is_nearly_one_is_told() -> None:
    with pytest.raises(ValueError, match=r"this one names 'gama'\. Did you mean 'gamma'\?"):
        sweep(template("rbf"), cloud(20), {"gama": [1.0]})


def test_tables_hold_the_median_as_a_number_and_results_are_printed_a_line_each() -> None:
    X, grid = cloud(60), {"gamma": ["median", 0.1]}
    asked, folds = KernelPCA(2, kernel="rbf", gamma="median", tol=1e-9, max_iter=500), folds_of(60)
    gamma = asked.fit(X).gamma_
    fits, found = sweep(asked, X, grid), cross_validate(asked, X, folds, grid)
    assert pd.DataFrame(fits.table())["gamma"].tolist() == [gamma, 0.1]
    assert pd.DataFrame(found.table())["gamma"].tolist() == [gamma] * 3 + [0.1] * 3
    assert cross_validate(asked, X, folds).table()["gamma"] == [gamma] * 3
    for results in (fits, found):
        lines = repr(results).splitlines()
        assert len(lines) == len(results)
        assert max(len(line) for line in lines) < 120


def test_what_is_scored_are_arrays_whatever_transformers_give() -> None:
    asked = KernelPCA(2, kernel="rbf").set_output(transform="pandas")
    (scores, *_) = cross_validate(asked, pd.DataFrame(cloud(30)), 3)
    assert type(scores.train) is type(scores.validation) is np.ndarray


def test_a_kernel_matrix_in_single_precision_stays_in_it() -> None:
    K = kernel_matrix(cloud(60).astype(np.float32), gamma=0.3).astype(np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (scores, *_) = cross_validate(KernelPCA(30, kernel="precomputed"), K, 3)
    assert scores.train.dtype == np.float32
