"""A kernel that is a function of two points."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics.pairwise import rbf_kernel

from kpca import KernelPCA
from kpca.kernels import KernelParameters
from kpca.operators.sources import source_of
from kpca.operators.symmetry import AsymmetricKernelWarning

X = np.random.default_rng(0).normal(size=(60, 4))


def inner(x: np.ndarray, y: np.ndarray) -> float:
    return float(x @ y)


def broken(value: Any) -> Callable[..., Any]:
    """Give a value of one's choice between points 3 and 7 alone."""
    pair = {X[3, 0], X[7, 0]}
    return lambda x, y: value if {x[0], y[0]} == pair else float(x @ y)


def skewed(x: np.ndarray, y: np.ndarray) -> float:
    return float(x @ y) + 3 * x[0]


@pytest.mark.parametrize("solver", ["auto", "dense", "arpack", "randomized", "krylov", "nystrom"])
def test_every_solver_names_the_rows(solver: str) -> None:
    expected = "kernel by name" if solver == "nystrom" else "gave nan for rows 7 and 3: it must"
    with pytest.raises(ValueError, match=expected):
        KernelPCA(2, kernel=broken(np.nan), eigen_solver=solver).fit(X)


@pytest.mark.parametrize(
    ("value", "named"),
    [
        (np.inf, "inf"),
        (None, "None"),
        ("near", "'near'"),
        (1j, "1j"),
        (np.ones(4), r"an array of shape \(4,\)"),
        (np.ones((1, 1)), r"an array of shape \(1, 1\)"),
    ],
)
def test_only_finite_numbers_are_values(value: Any, named: str) -> None:
    message = f"gave {named} for rows 7 and 3.*kernel='precomputed'"
    with pytest.raises(ValueError, match=message):
        KernelPCA(2, kernel=broken(value)).fit(X)


@pytest.mark.parametrize("points", [X, sparse.csr_matrix(X)], ids=["dense", "sparse"])
@pytest.mark.parametrize("method", ["transform", "reconstruction_error"])
def test_new_points(method: str, points: Any) -> None:
    def kernel(x: Any, y: Any) -> float:
        return np.nan if x.max() > 100 else float((x @ y.T).sum())

    far = X[:3].copy()
    far[1] = 200
    model = KernelPCA(2, kernel=kernel).fit(points)
    with pytest.raises(ValueError, match="gave nan for row"):
        getattr(model, method)(type(points)(far) if points is not X else far)


def test_functions_of_whole_arrays_are_told_of_the_matrix() -> None:
    with pytest.raises(ValueError, match="Expected 2D array") as caught:
        KernelPCA(2, kernel=rbf_kernel).fit(X)
    assert "kernel='precomputed'" in caught.value.__notes__[0]


@pytest.mark.parametrize("texts", [["ab", "cd"], [["ab"], ["cd"]], np.array([["ab"], ["cd"]])])
def test_objects_are_told_of_the_matrix(texts: Any) -> None:
    with pytest.raises(ValueError, match=r"X holds .*'ab'.*pass their kernel matrix"):
        KernelPCA(2, kernel=inner).fit(texts)


@pytest.mark.parametrize("ragged", [[[1.0, 2.0], [3.0]], [[np.nan], [1.0]]])
def test_numbers_in_disorder_are_refused_as_ever(ragged: Any) -> None:
    with pytest.raises(ValueError, match=r"inhomogeneous|NaN"):
        KernelPCA(2, kernel=inner).fit(ragged)


def test_an_asymmetric_function_is_treated_as_its_matrix() -> None:
    K = X @ X.T + 3 * X[:, :1]
    with pytest.warns(AsymmetricKernelWarning) as by_function:
        found = KernelPCA(2, kernel=skewed, center=False).fit(X)
    with pytest.warns(AsymmetricKernelWarning) as by_matrix:
        expected = KernelPCA(2, kernel="precomputed", center=False).fit(K)
    np.testing.assert_allclose(found.eigenvalues_, expected.eigenvalues_)
    assert str(by_function[0].message) == str(by_matrix[0].message)


def test_trying_for_symmetry_costs_a_call_a_row() -> None:
    calls = []

    def counted(x: np.ndarray, y: np.ndarray) -> float:
        calls.append(1)
        return float(x @ y)

    source_of(X, counted, KernelParameters(), {}).full()
    assert len(calls) == 60 * 61 // 2 + 59
