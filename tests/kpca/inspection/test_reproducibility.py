"""Which components a second sample would show: known answers, other forms of data, refusals."""

import sys
from typing import Any

import numpy as np
import pytest

from kpca import KernelPCA, kernel_matrix
from kpca.inspection import reproducibility
from kpca.inspection.reproducibility import Reproducibility

RBF = {"kernel": "rbf", "gamma": 0.5}


def rows(n: int = 80, d: int = 3) -> np.ndarray:
    return np.random.default_rng(0).normal(size=(n, d)) * np.arange(d, 0, -1)


def values(found: Reproducibility) -> np.ndarray:
    parts = [found.half, found.estimate, found.at_least, found.at_most, found.single]
    return np.vstack([*parts, found.variances, found.variance_ratios])


def test_structure_comes_back_and_noise_does_not() -> None:
    X = np.random.default_rng(0).normal(size=(120, 30))
    X[:, :2] *= (20, 10)
    found = reproducibility(KernelPCA(6).fit(X))
    assert found.n_components == 2
    assert (found.half[:2] > 0.98).all()
    assert (found.single[:2] > 0.95).all()
    assert (found.single[2:] < 0.5).all()
    assert (np.diff(found.half[1:]) < 0).all()


def test_the_whole_space_comes_back() -> None:
    found = reproducibility(KernelPCA(3).fit(rows()))
    assert found.half[-1] == pytest.approx(1)
    assert found.at_least[-1] == pytest.approx(1)


def test_halves_by_hand() -> None:
    """Two splits, whose halves are fitted as models of their own."""
    X, rng, expected = rows(40), np.random.default_rng(3), []
    for _ in range(2):
        first = np.argsort(rng.permutation(40)) < 20
        half = X[first], X[~first]
        axes = [KernelPCA(3, **RBF).fit(rows).expansion().axes for rows in half]
        cosines = axes[0].T @ kernel_matrix(*half, **RBF) @ axes[1]
        expected.append([np.square(cosines[:j, :j]).sum() / j for j in (1, 2, 3)])
    found = reproducibility(KernelPCA(3, **RBF).fit(X), n_splits=2, seed=3)
    np.testing.assert_allclose(found.half, np.mean(expected, axis=0), rtol=1e-6)


@pytest.mark.parametrize("center", [True, False])
def test_features_kernel_values_and_scales_give_the_same(center: bool) -> None:
    X, weights = rows() + 5, np.arange(1.0, 81) % 3
    options: dict[str, Any] = {"center": center, "eigen_solver": "dense"}
    primal = KernelPCA(3, center=center, eigen_solver="primal")
    found = values(reproducibility(primal.fit(X, sample_weight=weights)))
    for kernel, samples, unit in (
        ("linear", X, 1),
        ("precomputed", X @ X.T, 1),
        ("linear", 1e30 * X, 1e60),
    ):
        dense = KernelPCA(3, kernel=kernel, **options).fit(samples, sample_weight=weights)
        same = values(reproducibility(dense))
        same[5:8] /= unit
        np.testing.assert_allclose(same, found, rtol=1e-9)


def test_lanczos_and_lapack_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    model = KernelPCA(4, **RBF).fit(rows(500))
    found = values(reproducibility(model, n_splits=2))
    module = sys.modules["kpca.inspection.reproducibility"]  # the function has its name
    monkeypatch.setattr(module, "LANCZOS_ROWS", 1000)
    np.testing.assert_allclose(values(reproducibility(model, n_splits=2)), found, atol=1e-3)


def test_rows_of_weight_zero_do_not_count() -> None:
    X, weights = rows(), np.tile([1.0, 2.0], 40)
    some = np.arange(80) % 5 > 0
    kept = KernelPCA(3, **RBF).fit(X[some], sample_weight=weights[some])
    found = KernelPCA(3, **RBF).fit(X, sample_weight=weights * some)
    pairs = values(reproducibility(kept)), values(reproducibility(found))
    np.testing.assert_allclose(*pairs, rtol=1e-6)


def test_copies_in_groups_count_once() -> None:
    """Twenty rows, 16 times each: by rows most comes back, by groups as of twenty rows."""
    X = np.repeat(np.random.default_rng(0).normal(size=(20, 10)), 16, axis=0)
    model = KernelPCA(3, kernel="rbf", gamma=0.1).fit(X)
    assert reproducibility(model).half[2] > 0.6
    grouped = reproducibility(model, groups=np.repeat(np.arange(20), 16))
    assert grouped.half[2] < 0.3
    width, plain = (np.diff(f.variances[::2], axis=0) for f in (grouped, reproducibility(model)))
    assert (width > plain).all()


def test_near_equal_eigenvalues_count_as_one() -> None:
    t = np.arange(64) * 2 * np.pi / 64
    model = KernelPCA(3).fit(np.column_stack([np.cos(t), np.sin(t), 0.1 * np.cos(2 * t)]))
    assert model.eigenvalue_groups_.tolist() == [0, 0, 1]
    found = values(reproducibility(model))
    np.testing.assert_array_equal(found[:5, 0], found[:5, 1])


def test_sums_of_leading_eigenvalues_are_corrected_downwards() -> None:
    model = KernelPCA(3, **RBF).fit(np.random.default_rng(0).normal(size=(60, 8)))
    low, estimate, high = reproducibility(model).variance_ratios
    plain = np.cumsum(model.explained_variance_ratio_)
    assert (estimate < plain).all()
    assert (low < estimate).all()
    assert (estimate < high).all()


def test_nothing_is_said_beyond_the_rank_of_a_part() -> None:
    model = KernelPCA(20, **RBF).fit(rows(32))
    found = reproducibility(model)
    assert np.isnan(found.half[15:]).all()  # of 16 rows, centred
    for ends in (found.estimate, found.at_least, found.at_most):
        assert np.isnan(ends[7:]).all()  # of 8 rows
    assert np.isfinite(found.half[:15]).all()


@pytest.mark.filterwarnings("ignore::kpca.certificates.definiteness.IndefiniteKernelWarning")
def test_refusals() -> None:
    X = rows()
    landmarks = KernelPCA(2, **RBF, eigen_solver="nystrom", n_landmarks=10).fit(X)
    with pytest.raises(ValueError, match="landmarks does not hold"):
        reproducibility(landmarks)
    with pytest.raises(ValueError, match="needs at least 8"):
        reproducibility(KernelPCA(2).fit(X[:7]))
    with pytest.raises(ValueError, match="needs at least 8"):
        reproducibility(KernelPCA(2).fit(X), groups=np.arange(80) % 7)
    with pytest.raises(ValueError, match="A group has 72 of 80"):
        reproducibility(KernelPCA(2).fit(X), groups=np.maximum(np.arange(80) - 71, 0))
    indefinite = KernelPCA(2, kernel="precomputed", indefinite="clip").fit(
        X @ X.T - 50 * np.eye(80)
    )
    with pytest.raises(ValueError, match="kernel is indefinite"):
        reproducibility(indefinite)
    with pytest.raises(MemoryError, match="sample of the rows"):
        reproducibility(KernelPCA(2, **RBF).fit(X).set_params(memory_budget=1e4))
    with pytest.raises(ValueError, match="no component"):
        reproducibility(KernelPCA(None).fit(np.ones((20, 2))))
    with pytest.raises(TypeError, match=r"kpca\.KernelPCA"):
        reproducibility(X)  # type: ignore[arg-type]
