"""Points to come back to, by every method, against the printed formulas one point at a time."""

import warnings
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import approx_fprime
from sklearn import decomposition

from kpca import KernelPCA
from kpca.preimage import METHODS, PreImageWarning, fixed_point, mds
from tests.kpca.naive import kernel_matrix

RBF = {"kernel": "rbf", "gamma": 2.0, "preimage": "fixed_point"}


def poly(degree, coef0=1.0):
    options = {"kernel": "poly", "gamma": 0.25, "degree": degree, "coef0": coef0}
    return options | {"preimage": "fixed_point"}


def half_circle(n, noise, seed=0):
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, np.pi, n)
    return np.column_stack([np.cos(angle), np.sin(angle)]) + noise * rng.normal(size=(n, 2))


def cloud(n=80, d=4, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d)) + 0.3


def naive_coefficients(model, Z):
    """c_i = u_i − mean(u) + 1/n with u_i = Σ_k z_k a_ik / √λ_k."""
    U = Z @ (model.eigenvectors_ / np.sqrt(model.eigenvalues_)).T
    return U - U.mean(axis=1, keepdims=True) + 1 / U.shape[1]


def naive_loop(X, c, gamma, z, shortest):
    """The fixed point of Mika et al. until a step is short, with the number of steps."""
    steps = 0
    moved = np.inf
    while moved > shortest and steps < 10_000:
        weights = c * np.exp(-gamma * np.square(X - z).sum(axis=1))
        before = z
        z = weights @ X / weights.sum()
        moved = float(np.linalg.norm(z - before))
        steps = steps + 1
    return z, steps


def gaussian(name, components=6):
    """One model for every method: only the ridge has to be learned."""
    options = {"preimage": name, "fit_inverse_transform": name == "ridge", "alpha": 1e-3}
    return KernelPCA(components, kernel="rbf", gamma=1.0, **options)


@pytest.mark.parametrize("name", sorted(METHODS))
def test_denoised_points_are_nearer_to_the_curve_in_either_precision(name):
    rng = np.random.default_rng(1)
    clean = half_circle(100, 0.0, seed=1)
    noisy = clean + 0.15 * rng.normal(size=clean.shape)
    samples = half_circle(300, 0.05)
    denoised = gaussian(name, 3).fit(samples).denoise(noisy)
    noise, distance = (abs(np.linalg.norm(Z, axis=1) - 1).mean() for Z in (noisy, denoised))
    assert distance < (0.95 if name == "ridge" else 0.5) * noise
    single = gaussian(name, 3).fit(samples.astype(np.float32)).denoise(noisy.astype(np.float32))
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, denoised, atol=1e-2)


@pytest.mark.parametrize(
    "options",
    [
        RBF,
        {"preimage": "mds", "kernel": "rbf", "gamma": 0.2},
        {"preimage": "mds", "kernel": "linear"},
        poly(3) | {"preimage": "mds"},
        poly(3, 0.0) | {"preimage": "mds"},
    ],
)
def test_training_points_come_back_once_every_component_is_kept(options):
    X = cloud(60, 3)
    model = KernelPCA(59, **options, eigen_solver="dense").fit(X)
    preimages = model.find_preimages(model.transform(X))
    np.testing.assert_allclose(preimages.points, X, atol=1e-4)
    assert preimages.converged.all()
    assert preimages.iterations.any() == (model.preimage == "fixed_point")


@pytest.mark.parametrize("method", ["fixed_point", "mds"])
def test_without_components_the_pre_image_is_the_mean(method):
    model = KernelPCA(kernel="rbf", preimage=method).fit(np.full((12, 2), 3.0))
    np.testing.assert_allclose(model.inverse_transform(np.ones((5, 0))), 3)


@pytest.mark.parametrize("constant", [{"gamma": 0.0}, {"degree": 0}])
def test_where_the_kernel_tells_no_distance_none_is_made_up(constant):
    options = {"kernel": "poly", "coef0": 0.7, "center": False, "preimage": "mds"}
    X = np.random.default_rng(0).normal(size=(30, 3))
    model = KernelPCA(1, **options, **constant).fit(X)
    assert not model.find_preimages(model.transform(X)).converged.any()


@pytest.mark.parametrize("degree", [1, 3, 5])
def test_new_points_come_back_if_the_training_points_span_their_features(degree):
    """Three coordinates need 10 cubic monomials: 60 points span them, and P = φ(x)."""
    model = KernelPCA(59, **poly(degree, 0.0), remove_zero_eig=True).fit(cloud(60, 3))
    new = cloud(10, 3, seed=1)
    np.testing.assert_allclose(model.denoise(new), new, atol=1e-4)


@pytest.mark.parametrize("method", ["fixed_point", "mds"])
def test_blocks_and_threads_change_nothing(method, monkeypatch):
    noisy = cloud(50, seed=1)
    model = gaussian(method, 4).set_params(n_jobs=1).fit(cloud())
    whole = model.denoise(noisy)
    small_blocks = replace(fixed_point.OPTIONS, block_coefficients=7 * 80)
    monkeypatch.setattr(fixed_point, "OPTIONS", small_blocks)
    monkeypatch.setattr(mds, "DISTANCES", 7 * 80)
    for n_jobs in (1, 2):
        points = model.set_params(n_jobs=n_jobs).denoise(noisy)
        np.testing.assert_allclose(points, whole, atol=1e-12)


@pytest.mark.parametrize("name", ["fixed_point", "mds"])
@pytest.mark.parametrize("kernel", ["rbf", "poly", "linear"])
def test_sparse_points_equal_dense_ones(name, kernel):
    X = np.where(np.abs(cloud()) > 0.5, cloud(), 0.0)
    options = {"kernel": kernel, "gamma": 0.5, "preimage": name}
    dense, thin = (
        KernelPCA(3, **options).fit(form(X)).denoise(form(X[:9]))
        for form in (np.asarray, sparse.csr_array)
    )
    np.testing.assert_allclose(thin, dense, atol=1e-5)


def test_ridge_of_a_precomputed_kernel_learns_from_the_original_points():
    X = half_circle(200, 0.02)
    new = half_circle(20, 0.02, seed=1)
    model = KernelPCA(2, kernel="precomputed", fit_inverse_transform=True, alpha=1e-3)
    model.fit(X @ X.T, X_original=X)
    preimages = model.find_preimages(model.transform(new @ X.T))
    np.testing.assert_allclose(preimages.points, new, atol=0.05)
    assert np.isnan(preimages.distances).all()


@pytest.mark.parametrize("method", ["ridge", "mds"])
def test_nearly_one_point_for_every_sample_is_warned_about(method):
    rng = np.random.default_rng(0)
    samples = rng.normal(size=(150, 20)) * 20
    model = KernelPCA(8, kernel="rbf", fit_inverse_transform=method == "ridge", preimage=method)
    with pytest.warns(PreImageWarning, match="nearly the same point"):
        model.fit(samples).denoise(rng.normal(size=(50, 20)) * 20)
    model.set_params(gamma="median", alpha=1e-4).fit(samples / 20)
    with warnings.catch_warnings(action="error", category=PreImageWarning):
        model.denoise(samples / 20)
        model.denoise(samples[:1] / 20)


def kwok_tsang(X, K, c, gamma, count):
    """The Gaussian case of the paper for one point, with its singular value decomposition."""
    squared = np.diag(K) - 2 * K @ c + c @ K @ c
    near = np.argsort(squared)[:count]
    wanted = -np.log(1 - squared[near] / 2) / gamma
    mean = X[near].mean(axis=0)
    U, singular, Vt = np.linalg.svd((X[near] - mean).T, full_matrices=False)
    lengths = np.square(singular[:, None] * Vt).sum(axis=0)
    return mean + U @ (0.5 * (Vt @ (lengths - wanted)) / singular)


@pytest.mark.parametrize("components", [1, 4, 30])
def test_gaussian_is_the_printed_construction(components):
    X = cloud()
    noisy = cloud(12, seed=1)
    model = KernelPCA(components, kernel="rbf", gamma=0.2, preimage="mds").fit(X)
    Z = model.transform(noisy)
    K = kernel_matrix(X, X, "rbf", gamma=0.2)
    expected = [kwok_tsang(X, K, c, 0.2, mds.NEIGHBOURS) for c in naive_coefficients(model, Z)]
    np.testing.assert_allclose(model.inverse_transform(Z), expected, atol=1e-7)


def test_equal_points_are_their_preimages():
    same = np.full((12, 3), 2.0)
    np.testing.assert_allclose(gaussian("mds", 2).fit(same).denoise(same), same)


def test_scores_too_far_give_the_nearest_point_with_a_flag():
    X = half_circle(30, 0.01)
    preimages = gaussian("mds", 2).fit(X).find_preimages(np.array([[50.0, 0.0]]))
    assert not preimages.converged[0]
    assert preimages.points[0].tolist() in X.tolist()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kernel": "poly", "degree": 2, "preimage": "mds"}, "but for a sign"),
        ({"kernel": "poly", "degree": 4, "preimage": "mds"}, "but for a sign"),
        ({"kernel": "sigmoid", "gamma": 0.1, "coef0": 0.0, "preimage": "fixed_point"}, "no theory"),
    ],
)
@pytest.mark.filterwarnings("ignore::kpca.certificates.definiteness.IndefiniteKernelWarning")
def test_kernels_that_say_too_little_are_warned_about(options, message):
    model = KernelPCA(2, indefinite="clip", **options).fit(cloud())
    with pytest.warns(PreImageWarning, match=message):
        points = model.denoise(cloud(5, seed=1))
    assert np.isfinite(points).all()


def gradient_norm(model, z, c):
    """‖∇‖φ(z) − P‖²‖ by finite differences of the naive kernel."""
    options = {"gamma": model.gamma_, "degree": model.degree, "coef0": model.coef0}

    def distance(x):
        K = kernel_matrix(x[None], np.vstack([x, model.X_fit_]), model.kernel, **options)[0]
        return K[0] - 2 * K[1:] @ c

    return float(np.linalg.norm(approx_fprime(z, distance)))


@pytest.mark.parametrize("components", [1, 4, 20])
def test_gaussian_takes_the_steps_of_the_printed_formula(components):
    """Damping must not slow down what settles by itself."""
    X = half_circle(200, 0.05)
    noisy = half_circle(100, 0.1 if components > 4 else 0.3, seed=1)
    model = KernelPCA(components, **RBF).fit(X)
    Z = model.transform(noisy)
    preimages = fixed_point.find(model.expansion(), Z, noisy)
    shortest = fixed_point.OPTIONS.tol * np.sqrt(X.var(axis=0).sum())
    coefficients = naive_coefficients(model, Z)
    loops = [naive_loop(X, c, 2.0, z, shortest) for c, z in zip(coefficients, noisy, strict=True)]
    points, steps = zip(*loops, strict=True)
    assert preimages.iterations.tolist() == [*steps]
    np.testing.assert_allclose(preimages.points, points, atol=1e-12)


@pytest.mark.parametrize(
    "options", [RBF, poly(2), poly(3), poly(5), poly(2, 0.0), poly(3, 0.0), poly(4, 0.0)]
)
def test_stops_where_the_gradient_vanishes_and_nearer_than_it_began(options):
    """Plain iteration diverges or swings for c = 0 and high degrees; damping must not."""
    model = KernelPCA(5, **options).fit(cloud())
    noisy = cloud(15, seed=1)
    expansion = model.expansion()
    Z = model.transform(noisy)
    preimages = model.find_preimages(Z, noisy)
    assert preimages.converged.all()
    assert np.all(preimages.distances <= expansion.distances(Z, noisy) + 1e-9)
    np.testing.assert_array_equal(preimages.distances, expansion.distances(Z, preimages.points))
    scale = (noisy**2).sum(axis=1).max() ** (options.get("degree", 1) - 1)
    for c, point in zip(naive_coefficients(model, Z), preimages.points, strict=True):
        assert gradient_norm(model, point, c) < 1e-5 * scale


@pytest.mark.parametrize("center", [True, False])
def test_linear_kernel_projects_onto_the_weighted_plane(center):
    X = cloud()
    new = cloud(5, seed=1)
    weights = np.arange(80) % 3
    model = KernelPCA(2, preimage="fixed_point", center=center).fit(X, sample_weight=weights)
    kind = decomposition.PCA if center else partial(decomposition.TruncatedSVD, algorithm="arpack")
    reference = kind(2).fit(np.repeat(X, weights, axis=0))
    expected = reference.inverse_transform(reference.transform(new))
    np.testing.assert_allclose(model.denoise(new), expected, atol=1e-8)


def test_far_starts_are_replaced_by_near_training_points():
    """Kernel values underflow there, or are all alike, so that their mean says nothing."""
    X = half_circle(60, 0.05)
    model = KernelPCA(4, **RBF).fit(X)
    Z = model.transform(X[:5])
    far = X[:5] + 1e4
    preimages = model.find_preimages(Z, far)
    assert preimages.converged.all()
    np.testing.assert_allclose(preimages.points, model.inverse_transform(Z), atol=1e-5)

    X = np.random.default_rng(0).normal(size=(40, 2))
    model = KernelPCA(3, kernel="rbf", gamma=3000.0, preimage="fixed_point").fit(X)
    scores = model.transform(X)
    near = model.find_preimages(scores)
    far = model.find_preimages(scores, start=X + 50)
    np.testing.assert_allclose(far.points, near.points, atol=1e-6)


def test_hopeless_scores_are_flagged():
    """−1000 times the mean direction: no point has a positive inner product with it."""
    X = np.random.default_rng(0).normal(size=(20, 2)) * 0.01
    model = KernelPCA(1, kernel="rbf", gamma=1.0, center=False, preimage="fixed_point").fit(X)
    scores = np.array([[-1000.0], [0.9]])
    assert model.find_preimages(scores).converged.tolist() == [False, True]
    with pytest.warns(PreImageWarning, match="1 of 2 pre-images did not converge"):
        points = model.inverse_transform(scores)
    assert np.isfinite(points).all()


def test_too_few_iterations_are_flagged():
    model = KernelPCA(4, **RBF).fit(cloud())
    noisy = cloud(5, seed=1)
    preimages = fixed_point.find(model.expansion(), model.transform(noisy), noisy, max_iter=2)
    assert not preimages.converged.any()
    assert (preimages.iterations == 2).all()


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.filterwarnings("error")
def test_a_learned_mean_that_is_off_is_warned_about_and_both_remedies_help(kernel):
    X = np.random.default_rng(0).normal(size=(60, 4)) + 100
    model = KernelPCA(2, kernel=kernel, gamma=0.1, fit_inverse_transform=True)
    with pytest.raises(PreImageWarning, match=r"is off by .*, and the spread of the data is 2"):
        model.fit(X)
    for rows, preimage in ((X - 100, "ridge"), (X, "fixed_point")):
        points = model.set_params(preimage=preimage).fit(rows).denoise(rows)
        np.testing.assert_allclose(points.mean(axis=0), rows.mean(axis=0), atol=0.3)
