"""Expectations of the tests of nystrompca 1.0.2, and both side by side where it is installed.

Its variances are our eigenvalues over n, and its σ gives γ = 1/σ². Numbers are from its
``test/base``, ``test/algorithms`` and ``test/integration``, properties from the latter.
"""

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.preprocessing import scale

from kpca import KernelPCA

X3 = np.array([[1.0, 2, 1], [0, -1, 1], [2, 1, 0]])
POLY: dict[str, Any] = {"kernel": "poly", "gamma": 1, "degree": 2, "coef0": 0, "center": False}
RNG = np.random.default_rng(0)
DATA = {"normal": RNG.normal(size=(100, 10)), "digits": scale(load_digits().data[:100])}
RBF: dict[str, Any] = {"kernel": "rbf", "gamma": 0.02}


def landmark_model(X: np.ndarray, m: int, k: int | None = None, **options: Any) -> KernelPCA:
    """Fit to the first m rows as landmarks."""
    chosen = {"eigen_solver": "nystrom", "landmarks": np.arange(m)}
    return KernelPCA(k, **(RBF | chosen | options)).fit(X)


def test_variances_of_a_polynomial_kernel() -> None:
    values = KernelPCA(2, **POLY).fit(X3).eigenvalues_
    np.testing.assert_allclose(values / 3, [15.821, 4.529], atol=5e-4)


def test_scores_of_a_polynomial_kernel() -> None:
    Z = np.abs(KernelPCA(2, **POLY).fit_transform(X3))
    expected = [[0.221, 0.089], [4.001, 2.997], [5.604, 2.144]]
    np.testing.assert_allclose(Z[np.argsort(Z[:, 0])], expected, atol=1e-3)


@pytest.mark.parametrize(
    ("new", "scores"), [([1.0, 1, 0], [1.826, 0.572]), ([-1.0, 0, 1], [0.342, 0.889])]
)
def test_scores_of_new_rows(new: list[float], scores: list[float]) -> None:
    found = KernelPCA(2, **POLY).fit(X3).transform([new])
    np.testing.assert_allclose(abs(found[0]), scores, atol=1e-3)


def test_landmarks_of_the_identity() -> None:
    model = landmark_model(np.eye(3), 2, 1, kernel="linear")
    np.testing.assert_allclose(model.eigenvalues_ / 3, [1 / 3])


@pytest.mark.parametrize(
    ("options", "x", "y", "value"),
    [
        ({"kernel": "rbf", "gamma": 1 / 4}, [5.0, 3], [4.0, 1], np.exp(-5 / 4)),
        ({"kernel": "poly", "gamma": 1, "degree": 2, "coef0": 1}, [5.0, 3], [4.0, 1], 576),
        ({"kernel": "linear"}, [3.0, 0], [2.0, 0], 6),
        ({"kernel": "cosine"}, [3.0, 0], [3.0, 0], 1),
    ],
)
def test_values_of_kernels(options: Any, x: list[float], y: list[float], value: float) -> None:
    """Its test of the Gaussian kernel has 0.287; scores of all components give the kernel back."""
    Z = KernelPCA(center=False, **options).fit_transform([x, y])
    np.testing.assert_allclose((Z @ Z.T)[0, 1], value, rtol=1e-9)


@pytest.mark.parametrize("name", DATA)
class TestIntegration:
    def test_landmarks_hold_less_than_the_whole(self, name: str) -> None:
        exact = KernelPCA(10, **RBF).fit(DATA[name]).eigenvalues_.cumsum()
        assert np.all(landmark_model(DATA[name], 20, 10).eigenvalues_.cumsum() < exact)

    def test_all_rows_as_landmarks_are_exact(self, name: str) -> None:
        exact, model = KernelPCA(10, **RBF).fit(DATA[name]), landmark_model(DATA[name], 100, 10)
        np.testing.assert_allclose(model.eigenvalues_, exact.eigenvalues_, rtol=1e-8)
        scores = exact.transform(DATA[name])
        np.testing.assert_allclose(abs(model.transform(DATA[name])), abs(scores), atol=1e-7)

    def test_the_sum_is_the_variance_in_the_span_of_the_landmarks(self, name: str) -> None:
        X = DATA[name]
        K = np.exp(-0.02 * ((X[:, None] - X) ** 2).sum(2))
        held = K[:, :10] @ np.linalg.solve(K[:10, :10], K[:10])
        H = np.eye(100) - 1 / 100
        total = landmark_model(X, 10).eigenvalues_.sum()
        np.testing.assert_allclose(total, np.trace(H @ held @ H), rtol=1e-8)

    @pytest.mark.parametrize("center", [True, False])
    @pytest.mark.parametrize("m", [20, 100])
    def test_training_rows_get_their_scores(self, name: str, m: int, center: bool) -> None:
        model = landmark_model(DATA[name], m, 5, center=center)
        Z = model.fit_transform(DATA[name])
        np.testing.assert_allclose(model.transform(DATA[name]), Z, atol=1e-9)

    def test_scores_are_uncorrelated(self, name: str) -> None:
        Z = landmark_model(DATA[name], 20, 10).transform(DATA[name])
        away = Z.T @ Z - np.diag((Z**2).sum(0))
        np.testing.assert_allclose(away, 0, atol=1e-8)


SIDE_BY_SIDE: dict[str, dict[str, Any]] = {"cauchy": {"gamma": 1 / 4}, "rbf": {"gamma": 1 / 4}}


@pytest.mark.parametrize("kernel", SIDE_BY_SIDE)
def test_side_by_side(kernel: str) -> None:
    nystrompca = pytest.importorskip("nystrompca")
    theirs = nystrompca.KernelPCA(n_components=5, kernel=kernel, sigma=2.0, scale=False)
    X, new = RNG.normal(size=(40, 4)), RNG.normal(size=(7, 4))
    theirs.fit_transform(X)
    model = KernelPCA(5, kernel=kernel, **SIDE_BY_SIDE[kernel]).fit(X)
    np.testing.assert_allclose(model.eigenvalues_ / 40, theirs.explained_variance_, rtol=1e-8)
    np.testing.assert_allclose(abs(model.transform(new)), abs(theirs.transform(new)), atol=1e-8)
