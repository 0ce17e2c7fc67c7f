"""Representations: kernel PCA, PCA, raw rows, the user's own."""

import numpy as np
import pytest
from sklearn import decomposition

from pipeline.errors import InputError
from pipeline.evaluation import embeddings
from pipeline.evaluation.settings import Settings
from pipeline.grid import Point

SETTINGS = Settings((1, 2, 9), (1.0,), 3, ("unit",), 1, 0.9)
RNG = np.random.default_rng(0)
X_TRAIN = RNG.normal(size=(30, 4)) * [4, 3, 2, 1]
X_TEST = RNG.normal(size=(20, 4)) * [4, 3, 2, 1]


def assert_same_up_to_sign(found: np.ndarray, expected: np.ndarray, tolerance: float) -> None:
    signs = np.sign((found * expected).sum(axis=0))
    assert np.abs(found * signs - expected).max() <= tolerance * np.abs(expected).max()


def test_every_size_is_the_beginning_of_the_largest() -> None:
    scores = embeddings.KernelPCAScores(Point("rbf"), 0.1, SETTINGS)(X_TRAIN, X_TEST, None)
    assert set(scores) == {1, 2, 9}
    for m, (train, test) in scores.items():
        np.testing.assert_array_equal(train, scores[9][0][:, :m])
        np.testing.assert_array_equal(test, scores[9][1][:, :m])


@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "poly", "linear", "cosine", "sigmoid"])
@pytest.mark.filterwarnings("ignore::kpca.certificates.definiteness.IndefiniteKernelWarning")
def test_folds_through_one_kernel_matrix_are_a_refit_per_fold(kernel: str) -> None:
    embed = embeddings.KernelPCAScores(Point(kernel), 0.1, SETTINGS)
    folds = [(np.arange(20), np.arange(20, 30)), (np.arange(10, 30), np.arange(10))]
    for scores, (train, held_out) in zip(embed.of_folds(X_TRAIN, folds), folds, strict=True):
        refit = embed(X_TRAIN[train], X_TRAIN[held_out], None)
        assert scores.keys() == refit.keys()
        for m, (inner, outer) in scores.items():
            assert_same_up_to_sign(inner, refit[m][0], 1e-8)
            assert_same_up_to_sign(outer, refit[m][1], 1e-8)


def test_pca_and_the_linear_kernel_are_scikit_learns() -> None:
    model = decomposition.PCA(4).fit(X_TRAIN)
    kernel = embeddings.KernelPCAScores(Point("linear"), None, SETTINGS)(X_TRAIN, X_TEST, None)
    linear = embeddings.pca(SETTINGS)(X_TRAIN, X_TEST, None)

    assert kernel.keys() == linear.keys() == {1, 2, 4}
    for m in kernel:
        for side, rows in enumerate((X_TRAIN, X_TEST)):
            expected = model.transform(rows)[:, :m]
            assert_same_up_to_sign(linear[m][side], expected, 1e-12)
            assert_same_up_to_sign(kernel[m][side], expected, 1e-10)


def test_pca_drops_what_has_no_variance() -> None:
    flat = X_TRAIN[:, [0, 1, 0]]
    assert set(embeddings.pca(SETTINGS)(flat, flat, None)) == {1, 2}


class Sized:
    """The first columns, of which there are four; refuses more."""

    def __init__(self, n_components: int = 1, factor: float = 1.0) -> None:
        self.n_components, self.factor = n_components, factor

    def fit(self, X: np.ndarray, y: np.ndarray | None = None) -> "Sized":
        if self.n_components > X.shape[1]:
            raise ValueError("too many components")
        return self

    def transform(self, X: np.ndarray) -> np.ndarray:
        return self.factor * X[:, : self.n_components]


class Unsized:
    """Learns from labels; gives one column."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> "Unsized":
        self.axis_ = X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)
        return self

    def transform(self, X: np.ndarray) -> np.ndarray:
        return (X @ self.axis_)[:, None]


def test_a_custom_method_is_fitted_for_every_size_that_it_can_give() -> None:
    embed = embeddings.own_method(f"{__name__}:Sized", {"factor": 2.0}, SETTINGS)
    scores = embed(X_TRAIN, X_TEST, None)
    assert set(scores) == {1, 2}
    np.testing.assert_array_equal(scores[2][1], 2 * X_TEST[:, :2])
    embed = embeddings.own_method(f"{__name__}:Unsized", {}, SETTINGS)
    assert set(embed(X_TRAIN, X_TEST, np.arange(30) % 2)) == {1}


def test_a_custom_method_that_fails_or_gives_no_finite_numbers_is_named() -> None:
    embed = embeddings.own_method(f"{__name__}:Sized", {"wrong": 1}, SETTINGS)
    with pytest.raises(InputError, match=r"method `.*:Sized`.*\n.*TypeError.*'wrong'"):
        embed(X_TRAIN, X_TEST, None)
    embed = embeddings.own_method(f"{__name__}:Sized", {"factor": np.inf}, SETTINGS)
    with pytest.raises(InputError, match="`transform` gives numbers that are not finite"):
        embed(X_TRAIN, X_TEST, None)


class Failing(Sized):
    """Fits, and fails at new rows."""

    def transform(self, X: np.ndarray) -> np.ndarray:
        raise RuntimeError("out of luck")


def test_a_method_that_fails_is_shown_with_the_line_and_what_to_do() -> None:
    embed = embeddings.own_method(f"{__name__}:Failing", {}, SETTINGS)
    with pytest.raises(InputError) as caught:
        embed(X_TRAIN, X_TEST, None)
    message = str(caught.value)
    assert "RuntimeError: out of luck; correct the method, or take it out of `methods`" in message
    assert message.count(", in transform\n") == 1
    assert message.endswith('raise RuntimeError("out of luck")')
    assert "/evaluation/embeddings.py" not in message
