"""Points sorted along a k-d tree, and tiles that are left out without being missed."""

import numpy as np
import pytest

from kpca.gram import SortedGram, TiledGram
from kpca.gram.nearby import NOTHING, Boxes, kd_order, share_near
from kpca.kernels import KernelParameters
from kpca.source import KernelSource

N = 3000
X = np.random.default_rng(0).uniform(size=(N, 2))


def test_order_is_a_permutation_that_keeps_neighbours_together() -> None:
    order = kd_order(X)
    np.testing.assert_array_equal(np.sort(order), np.arange(N))
    sizes = [np.ptp(X[order][s : s + 256], axis=0).max() for s in range(0, N - 256, 256)]
    assert np.max(sizes) < 0.6
    assert len(kd_order(X[:5])) == 5


def test_equal_points_can_be_sorted_too() -> None:
    np.testing.assert_array_equal(np.sort(kd_order(np.zeros((1000, 2)))), np.arange(1000))


def test_boxes_leave_out_only_what_is_far() -> None:
    order = kd_order(X)
    blocks = [slice(s, min(s + 100, N)) for s in range(0, N, 100)]
    boxes = Boxes.around(X[order], blocks)
    distances = ((X[order][:, None] - X[order][None]) ** 2).sum(axis=2)
    for i, own in enumerate(blocks):
        near = set(boxes.near(i, 0.05).tolist())
        assert i in near
        for j in range(i, len(blocks)):
            assert j in near or distances[own, blocks[j]].min() >= 0.05


def test_wide_kernels_are_not_sorted() -> None:
    assert isinstance(KernelSource(X, "rbf", KernelParameters(1.0)).tiled(float), TiledGram)
    many = np.random.default_rng(1).normal(size=(N, 20))
    assert share_near(many[kd_order(many)], NOTHING) == 1
    assert isinstance(KernelSource(many, "rbf", KernelParameters(2.0)).tiled(float), TiledGram)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_products_are_those_of_the_whole_matrix(dtype: type, threads: int) -> None:
    source = KernelSource(X, "rbf", KernelParameters(2000.0))
    gram = source.tiled(dtype, threads)
    assert isinstance(gram, SortedGram)
    V = np.random.default_rng(2).normal(size=(N, 15))
    tolerance = 1e-12 if dtype == np.float64 else 1e-5
    expected = source.full().matmul(V)
    np.testing.assert_allclose(gram.matmul(V), expected, atol=tolerance)
    np.testing.assert_array_equal(gram.diagonal(), np.ones(N))
    assert gram.passes == 1
