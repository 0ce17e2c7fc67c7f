"""Representations: kernel PCA, PCA, raw rows, the user's own."""

import numpy as np
import pytest
from sklearn import decomposition

from pipeline.datasets.dataset import Dataset, Split
from pipeline.errors import InputError
from pipeline.evaluation import embeddings
from pipeline.evaluation.settings import Settings
from pipeline.fitted_models import estimator, fold_scores
from pipeline.grid import Point

SETTINGS = Settings((1, 2, 9), (1.0,), 3, ("unit",), 1, 0.9)
X = np.random.default_rng(0).normal(size=(50, 4)) * [4, 3, 2, 1]
SIDES = np.arange(30), np.arange(30, 50)


def cut(rows: np.ndarray, y: np.ndarray | None = None) -> Split:
    return Dataset(X=rows, y=y, splits=(SIDES,)).split(0)


SPLIT = cut(X)


def assert_same_up_to_sign(found: np.ndarray, expected: np.ndarray, tolerance: float) -> None:
    signs = np.sign((found * expected).sum(axis=0))
    assert np.abs(found * signs - expected).max() <= tolerance * np.abs(expected).max()


def laplacian(x: np.ndarray, y: np.ndarray, width: float) -> float:
    return float(np.exp(-np.abs(x - y).sum() / width))


@pytest.mark.parametrize(
    "point",
    [
        Point("rbf", {"gamma": 0.1}),
        Point("sigmoid", {"gamma": 0.1}),
        Point("mine", {"width": 9.0}, f"{__name__}:laplacian"),
    ],
    ids=lambda point: point.kernel,
)
@pytest.mark.filterwarnings("ignore::kpca.certificates.definiteness.IndefiniteKernelWarning")
def test_every_fold_is_a_refit(point: Point) -> None:
    folds = [(np.arange(20), np.arange(20, 30)), (np.arange(10, 30), np.arange(10))]
    for pair, (train, held_out) in zip(
        fold_scores(point, X, folds, n_components=9), folds, strict=True
    ):
        scores = embeddings.leading(*pair, SETTINGS.n_components)
        model = estimator(point, 0.1, n_components=9).fit(X[train])
        assert set(scores) == {1, 2, 9}
        assert scores[9][0].shape[1] == min(9, len(model.eigenvalues_))
        for m, (inner, outer) in scores.items():
            assert_same_up_to_sign(inner, model.transform(X[train])[:, :m], 1e-8)
            assert_same_up_to_sign(outer, model.transform(X[held_out])[:, :m], 1e-8)


def test_pca_and_the_linear_kernel_are_scikit_learns() -> None:
    model = decomposition.PCA(4).fit(SPLIT.X_train)
    (pair,) = fold_scores(Point("linear"), X, [SIDES], n_components=9)
    kernel = embeddings.leading(*pair, SETTINGS.n_components)
    linear = embeddings.pca(SPLIT, SETTINGS)

    assert kernel.keys() == linear.keys() == {1, 2, 9}
    assert embeddings.names_of([linear, kernel]) == {1: 1, 2: 2, 9: 4}
    for m in kernel:
        for side, rows in enumerate((SPLIT.X_train, SPLIT.X_test)):
            expected = model.transform(rows)[:, :m]
            assert_same_up_to_sign(linear[m][side], expected, 1e-12)
            assert_same_up_to_sign(kernel[m][side], expected, 1e-10)


def test_pca_drops_what_has_no_variance() -> None:
    found = embeddings.pca(cut(X[:, [0, 1, 0]]), SETTINGS)
    assert found[9][0].shape == (30, 2)
    assert embeddings.names_of([found, found]) == {1: 1, 2: 2}
    same = embeddings.pca(cut(np.ones((50, 3))), SETTINGS)  # without a component
    assert embeddings.names_of([same]) == {1: 1}


class Sized:
    """The first columns, of which there are four; refuses more."""

    def __init__(self, n_components: int = 1, factor: float = 1.0) -> None:
        self.n_components, self.factor = n_components, factor

    def fit(self, X: np.ndarray, y: np.ndarray | None = None) -> "Sized":
        if self.n_components > X.shape[1]:
            raise ValueError("too many components")
        return self

    def transform(self, X: np.ndarray) -> np.ndarray:
        if not self.factor:
            raise RuntimeError("out of luck")
        return self.factor * X[:, : self.n_components]


class Unsized:
    """Learns from labels; gives one column."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> "Unsized":
        self.axis_ = X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)
        return self

    def transform(self, X: np.ndarray) -> np.ndarray:
        return (X @ self.axis_)[:, None]


def embedded(cls: type, split: Split = SPLIT, **parameters: float) -> dict[int, embeddings.Scores]:
    point = Point("mine", {**parameters}, f"{__name__}:{cls.__name__}")
    return embeddings.own_method(point, split, SETTINGS)


def test_a_custom_method_is_fitted_for_every_size_that_it_can_give() -> None:
    scores = embedded(Sized, factor=2.0)
    assert embeddings.names_of([scores]) == {1: 1, 2: 2}
    np.testing.assert_array_equal(scores[2][1], 2 * SPLIT.X_test[:, :2])
    assert embeddings.names_of([embedded(Unsized, cut(X, np.arange(50) % 2))]) == {0: 1}


def test_a_custom_method_that_fails_is_shown_with_the_line_and_what_to_do() -> None:
    with pytest.raises(InputError, match=r"method `.*:Sized`.*\n.*TypeError.*'wrong'"):
        embedded(Sized, wrong=1)
    with pytest.raises(InputError, match="`transform` gives numbers that are not finite"):
        embedded(Sized, factor=np.inf)
    with pytest.raises(InputError) as caught:
        embedded(Sized, factor=0)
    message = str(caught.value)
    assert "RuntimeError: out of luck; correct the method, or take it out of `methods`" in message
    assert message.count(", in transform\n") == 1
    assert message.endswith('raise RuntimeError("out of luck")')
    assert "/evaluation/embeddings.py" not in message
