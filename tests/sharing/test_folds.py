"""Folds as blocks of one kernel matrix."""

import numpy as np
import pytest
from sklearn.model_selection import KFold, RepeatedKFold, ShuffleSplit

from kpca.gram.packed import EDGE
from kpca.kernels import KernelParameters, kernel_matrix
from kpca.sharing.folds import Fold, FoldedPairs, Layout, PartSource, SharedKernel

N = 400
ROWS = np.empty((N, 1))
EXACT = {"rtol": 1e-12, "atol": 1e-14}
SPLITTERS = {
    "k-fold": KFold(5, shuffle=True, random_state=0),
    "repeated": RepeatedKFold(n_splits=3, n_repeats=2, random_state=0),
    "some rows left out": ShuffleSplit(2, test_size=0.3, train_size=0.4, random_state=0),
}


def folds_of(name: str) -> list[Fold]:
    return list(SPLITTERS[name].split(ROWS))


@pytest.mark.parametrize("name", SPLITTERS)
def test_blocks_make_up_both_sides_of_every_fold(name: str) -> None:
    folds = folds_of(name)
    layout = Layout.of(folds, N)
    assert layout is not None
    np.testing.assert_array_equal(np.sort(layout.order), np.arange(N))
    assert [edge.stop for edge in layout.edges[:-1]] == [edge.start for edge in layout.edges[1:]]
    for fold, sides in zip(folds, layout.sides, strict=True):
        for rows, chosen in zip(fold, sides, strict=True):
            made_up = np.concatenate([layout.order[layout.edges[i]] for i in chosen])
            np.testing.assert_array_equal(np.sort(made_up), np.sort(rows))


def test_long_blocks_are_cut_evenly() -> None:
    layout = Layout.of(list(KFold(2).split(np.empty((3000, 1)))), 3000)
    assert layout is not None
    heights = [edge.stop - edge.start for edge in layout.edges]
    assert max(heights) <= EDGE
    assert max(heights) - min(heights) <= 1


@pytest.mark.parametrize(
    "folds",
    [
        [(np.array([0, 1, 1, 2]), np.array([3]))],
        list(ShuffleSplit(20, random_state=0).split(ROWS)),
        [(np.delete(np.arange(N), i), np.array([i])) for i in range(N)],
    ],
    ids=["repeated rows", "many small pieces", "one row left out"],
)
def test_some_folds_have_no_such_blocks(folds: list[Fold]) -> None:
    assert Layout.of(folds, N) is None


@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "poly", "sigmoid", "cosine"])
def test_parts_are_the_kernel_matrices_of_the_folds(kernel: str) -> None:
    X = np.random.default_rng(0).normal(size=(N, 3))
    folds = folds_of("k-fold")
    layout = Layout.of(folds, N)
    assert layout is not None
    parameters = KernelParameters(0.3, 2, 0.5)
    shared = SharedKernel(FoldedPairs(X[layout.order], kernel, layout, 2), parameters)
    K = kernel_matrix(X[layout.order], kernel=kernel, gamma=0.3, degree=2, coef0=0.5)
    place = np.argsort(layout.order)

    for (train, held_out), (inner, outer) in zip(folds, layout.sides, strict=True):
        rows, others = np.sort(place[train]), np.sort(place[held_out])
        source = PartSource(shared, inner, X[layout.order][rows])
        expected = K[np.ix_(rows, rows)]
        np.testing.assert_allclose(source.full().K, expected, **EXACT)
        np.testing.assert_allclose(
            source.tiled(np.float64).matmul(np.eye(len(rows))), expected, **EXACT
        )
        single = source.packed(2).matmul(np.eye(len(rows)))
        np.testing.assert_allclose(single, expected, rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(source.packed().diagonal(), expected.diagonal(), **EXACT)
        across = shared.double.across(outer, inner, np.eye(len(rows)))
        np.testing.assert_allclose(across, K[np.ix_(others, rows)], **EXACT)
