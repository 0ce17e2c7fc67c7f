"""Fits of a sweep are those of independent fits."""

from typing import Any

import numpy as np
import pytest

from kpca import KernelPCA, sweep
from kpca.types import Floats

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


def assert_same(model: KernelPCA, alone: KernelPCA, tol: float = 1e-8) -> None:
    top = alone.eigenvalues_[0]
    np.testing.assert_allclose(model.eigenvalues_, alone.eigenvalues_, atol=1e-9 * top, rtol=0)
    scores, own = (fitted.eigenvectors_ * np.sqrt(fitted.eigenvalues_) for fitted in (model, alone))
    # Spans rather than vectors: S Sᵀ does not depend on signs, nor on ties.
    np.testing.assert_allclose(scores @ scores.T, own @ own.T, atol=1e-6 * top, rtol=0)
    assert model.residuals_.max() <= tol


@pytest.mark.filterwarnings("ignore::kpca.definiteness.IndefiniteKernelWarning")
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


def test_parameters_come_in_the_order_of_the_grid() -> None:
    models = sweep(template("poly"), cloud(30), {"degree": [2, 3], "coef0": [0, 1]})

    found = [(model.degree, model.coef0) for model in models]
    assert found == [(2, 0), (2, 1), (3, 0), (3, 1)]


def test_models_of_a_sweep_are_ordinary_ones() -> None:
    (model,) = sweep(template("rbf", fit_inverse_transform=True), cloud(30), {"gamma": [0.1]})

    assert type(model) is KernelPCA
    alone = KernelPCA(**model.get_params()).fit(cloud(30))
    assert sorted(vars(model)) == sorted(vars(alone))


def test_what_is_wrong_with_the_data_or_the_parameters_is_said_as_a_fit_says_it() -> None:
    X = cloud(20)
    with pytest.raises(ValueError, match="of KernelPCA must be"):
        sweep(template("rbf", tol=-1), X, {"gamma": [1.0]})
    with pytest.raises(ValueError, match="contains NaN"):
        sweep(template("rbf"), np.where(X > 0, X, np.nan), {"gamma": [1.0]})


def test_rows_may_be_a_list() -> None:
    X = cloud(20)
    (found,), (expected,) = (sweep(template("rbf"), rows, {}) for rows in (X.tolist(), X))
    np.testing.assert_array_equal(found.eigenvalues_, expected.eigenvalues_)


def test_a_grid_of_something_else_is_refused() -> None:
    with pytest.raises(ValueError, match="may name gamma, degree, coef0"):
        sweep(template("rbf"), cloud(20), {"alpha": [1.0]})


def test_a_kernel_without_a_name_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a kernel by name"):
        sweep(template("precomputed"), np.eye(20), {"gamma": [1.0]})


def test_approximations_are_refused() -> None:
    with pytest.raises(ValueError, match="shares exact fits"):
        sweep(template("rbf", eigen_solver="nystrom"), cloud(60), {"gamma": [1.0]})
