"""The fixed point: the printed formulas, its certificates, its restarts, its refusals."""

from typing import Any

import numpy as np
import pytest

from kpca import KernelPCA
from kpca.preimage import PreImageWarning, fixed_point
from tests.kpca.naive import kernel_matrix
from tests.kpca.preimage.clouds import cloud, half_circle, naive_coefficients, naive_loop

RBF: dict[str, Any] = {"kernel": "rbf", "gamma": 2.0, "preimage": "fixed_point"}


def poly(degree: int, coef0: float = 1.0) -> dict[str, Any]:
    options = {"kernel": "poly", "gamma": 0.25, "degree": degree, "coef0": coef0}
    return options | {"preimage": "fixed_point"}


def gradient_norm(model: KernelPCA, z: np.ndarray, c: np.ndarray) -> float:
    """‖∇‖φ(z) − P‖²‖ by central differences of the naive kernel."""
    names = {"gamma": model.gamma_, "degree": model.degree, "coef0": model.coef0}

    def distance(x: np.ndarray) -> float:
        own = kernel_matrix(x[None], x[None], model.kernel, **names)[0, 0]
        return own - 2 * kernel_matrix(x[None], model.X_fit_, model.kernel, **names)[0] @ c

    steps = 1e-5 * np.eye(len(z))
    return float(np.linalg.norm([(distance(z + h) - distance(z - h)) / 2e-5 for h in steps]))


@pytest.mark.parametrize("components", [1, 4, 20])
def test_gaussian_takes_the_steps_of_the_printed_formula(components: int) -> None:
    """Damping must not slow down what settles by itself."""
    X, noisy = half_circle(200, 0.05), half_circle(100, 0.1 if components > 4 else 0.3, seed=1)
    model = KernelPCA(components, **RBF).fit(X)
    Z = model.transform(noisy)
    found = fixed_point.find(model.expansion(), Z, noisy)
    shortest = fixed_point.TOL * np.sqrt(X.var(axis=0).sum())
    for c, z, point, steps in zip(
        naive_coefficients(model, Z), noisy, found.points, found.iterations, strict=True
    ):
        expected, taken = naive_loop(X, c, 2.0, z, shortest)
        assert steps == taken
        np.testing.assert_allclose(point, expected, atol=1e-12)


@pytest.mark.parametrize(
    "options", [RBF, poly(2), poly(3), poly(5), poly(2, 0.0), poly(3, 0.0), poly(4, 0.0)]
)
def test_stops_where_the_gradient_vanishes_and_nearer_than_it_began(options: Any) -> None:
    """Plain iteration diverges or swings for c = 0 and high degrees; damping must not."""
    model = KernelPCA(5, **options).fit(cloud())
    noisy, expansion = cloud(15, seed=1), model.expansion()
    Z = model.transform(noisy)
    found = model.find_preimages(Z, noisy)
    assert found.converged.all()
    assert np.all(found.distances <= expansion.distances(Z, noisy) + 1e-9)
    np.testing.assert_array_equal(found.distances, expansion.distances(Z, found.points))
    scale = kernel_matrix(noisy, noisy, "linear").max() ** (options.get("degree", 1) - 1)
    for c, point in zip(naive_coefficients(model, Z), found.points, strict=True):
        assert gradient_norm(model, point, c) < 1e-5 * scale


@pytest.mark.parametrize("degree", [1, 3, 5])
def test_odd_homogeneous_polynomial_is_exact(degree: int) -> None:
    """Three coordinates need 10 cubic monomials: 60 points span them, and P = φ(x)."""
    X, new = cloud(60, 3), cloud(10, 3, seed=1)
    model = KernelPCA(59, **poly(degree, 0.0), eigen_solver="dense", remove_zero_eig=True).fit(X)
    found = model.find_preimages(model.transform(new))
    np.testing.assert_allclose(found.points, new, atol=1e-6)
    assert found.converged.all()


@pytest.mark.parametrize("center", [True, False])
def test_linear_kernel_projects_onto_the_weighted_plane(center: bool) -> None:
    X, new, weights = cloud(), cloud(5, seed=1), np.arange(80) % 3
    model = KernelPCA(2, preimage="fixed_point", center=center).fit(X, sample_weight=weights)
    mean = np.average(X, axis=0, weights=weights) * center
    _, _, axes = np.linalg.svd(np.sqrt(weights)[:, None] * (X - mean), full_matrices=False)
    expected = mean + (new - mean) @ axes[:2].T @ axes[:2]
    np.testing.assert_allclose(model.denoise(new), expected, atol=1e-8)


def test_far_starts_are_replaced_by_near_training_points() -> None:
    """From there every kernel value underflows, and the denominator is zero."""
    X = half_circle(60, 0.05)
    model = KernelPCA(4, **RBF).fit(X)
    Z, far = model.transform(X[:5]), X[:5] + 1e4
    found = model.find_preimages(Z, far)
    assert found.converged.all()
    np.testing.assert_allclose(found.points, model.inverse_transform(Z), atol=1e-5)


def test_hopeless_scores_are_flagged_finite_and_warned_about() -> None:
    """−1000 times the mean direction: no point has a positive inner product with it."""
    X = np.random.default_rng(0).normal(size=(20, 2)) * 0.01
    model = KernelPCA(1, kernel="rbf", gamma=1.0, center=False, preimage="fixed_point").fit(X)
    scores = np.array([[-1000.0], [0.9]])
    found = model.find_preimages(scores)
    assert found.converged.tolist() == [False, True]
    assert np.isfinite(found.points).all()
    with pytest.warns(PreImageWarning, match="1 of 2 pre-images did not converge"):
        model.inverse_transform(scores)


def test_too_few_iterations_are_flagged() -> None:
    model = KernelPCA(4, **RBF).fit(cloud())
    noisy = cloud(5, seed=1)
    found = fixed_point.find(model.expansion(), model.transform(noisy), noisy, max_iter=2)
    assert not found.converged.any()
    assert (found.iterations == 2).all()


def test_sigmoid_is_warned_about() -> None:
    options: dict[str, Any] = {"gamma": 0.1, "coef0": 0.0, "preimage": "fixed_point"}
    with pytest.warns(UserWarning, match="indefinite"):
        model = KernelPCA(2, kernel="sigmoid", indefinite="clip", **options).fit(cloud())
    with pytest.warns(PreImageWarning, match="no theory"):
        points = model.denoise(cloud(5, seed=1))
    assert np.isfinite(points).all()


def test_far_out_where_the_kernel_is_cut_off_a_start_says_nothing() -> None:
    """All values are alike there, and their mean depends on the coefficients only."""
    X = np.random.default_rng(0).normal(size=(40, 2))
    model = KernelPCA(3, kernel="rbf", gamma=3000.0, preimage="fixed_point").fit(X)
    scores = model.transform(X)
    near, far = model.find_preimages(scores), model.find_preimages(scores, start=X + 50)
    np.testing.assert_allclose(far.points, near.points, atol=1e-6)
