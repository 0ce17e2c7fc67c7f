from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.spatial.distance import pdist

from kpca import KernelPCA
from kpca.kernels.bandwidth import median_gamma

X = np.random.default_rng(0).normal(size=(60, 3))


@pytest.mark.parametrize(("kernel", "metric"), [("rbf", "sqeuclidean"), ("laplacian", "cityblock")])
def test_few_points_use_every_pair(kernel: str, metric: str) -> None:
    for points in (X, sparse.csr_matrix(X)):
        np.testing.assert_allclose(median_gamma(points, kernel), 1 / np.median(pdist(X, metric)))


def test_many_points_use_a_seeded_sample() -> None:
    many = np.random.default_rng(1).normal(size=(2000, 3))
    exact = 1 / np.median(pdist(many, "sqeuclidean"))
    assert median_gamma(many, seed=3) == median_gamma(many, seed=3)
    assert median_gamma(many, seed=3) != median_gamma(many, seed=4)
    np.testing.assert_allclose(median_gamma(many), exact, rtol=0.03)


def test_repeated_points() -> None:
    assert median_gamma(np.ones((5, 2))) == 1.0
    assert median_gamma(np.ones((1, 2))) == 1.0
    mostly = np.vstack([np.zeros((9, 1)), [[2.0]]])
    assert median_gamma(mostly) == 0.25


@pytest.mark.parametrize("points", [X.tolist(), pd.DataFrame(X), pd.DataFrame(X, dtype=object)])
def test_tables_and_lists(points: Any) -> None:
    assert median_gamma(points) == median_gamma(X)


@pytest.mark.parametrize(
    ("points", "kernel", "message"),
    [
        ([[np.nan], [1.0]], "rbf", "X contains NaN"),
        (X[:, 0], "rbf", "Expected 2D array"),
        ([["a"], ["b"]], "rbf", "strings"),
        (X, "poly", "kernel is 'poly': give gamma as a number"),
    ],
)
def test_what_has_no_median_is_refused(points: Any, kernel: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        median_gamma(points, kernel)


def test_whole_numbers_without_a_sign_do_not_wrap_around() -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (50, 20), dtype=np.uint8)
    assert median_gamma(pixels) == median_gamma(pixels.astype(float))


def test_a_median_whose_inverse_overflows_is_refused() -> None:
    samples = np.random.default_rng(0).normal(size=(60, 3))
    for scale, kernel in ((1e-155, "rbf"), (1e-310, "laplacian")):
        with pytest.raises(ValueError, match="scale the data, or give gamma"):
            median_gamma(samples * scale, kernel)
        with pytest.raises(ValueError, match="scale the data, or give gamma"):
            KernelPCA(kernel=kernel, gamma="median").fit(samples * scale)
