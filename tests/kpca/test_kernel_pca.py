"""What the estimator adds to scikit-learn's, refits, warnings and public names."""

import inspect
import itertools
import logging
import warnings
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.pipeline import make_pipeline

import kpca
from kpca import KernelPCA, KernelPCANovelty, LandmarkKernelPCA, SparsePCA
from kpca.certificates.decomposition import ToleranceWarning
from kpca.certificates.definiteness import IndefiniteKernelWarning
from kpca.kernels.bandwidth import median_gamma
from kpca.operators.sources import AsymmetricKernelWarning
from kpca.preimage import PreImageWarning
from tests.kpca.estimators import either
from tests.kpca.naive import OF_DISTANCE, NaiveKernelPCA, kernel_matrix

RNG = np.random.default_rng(0)
X, Z = RNG.normal(size=(220, 4)), RNG.normal(size=(15, 4))
SOLVERS = ["dense", "randomized", "arpack", "davidson"]


def rbf(k: float | None = 4, **options: Any) -> Any:
    return either(k, kernel="rbf", gamma=0.2, **options)


def test_the_median_is_of_the_samples_that_weigh() -> None:
    asked = KernelPCA(2, kernel="rbf", gamma="median")
    assert asked.fit(X).gamma_ == median_gamma(X)
    weights = np.r_[np.ones(100), np.zeros(120)]
    weighted = KernelPCA(2, kernel="laplacian", gamma="median").fit(X, sample_weight=weights)
    assert weighted.gamma_ == median_gamma(X[:100], "laplacian")
    shares = np.r_[np.full(20, 3), np.ones(200)]  # which are no repetitions
    gamma = asked.fit(X, sample_weight=shares).gamma_
    assert gamma != median_gamma(X)
    np.testing.assert_allclose(asked.fit(X, sample_weight=shares / 7).gamma_, gamma, rtol=0.05)


@pytest.mark.parametrize("n", [40, 220], ids=["every pair", "a sample"])
@pytest.mark.parametrize("kernel", OF_DISTANCE)
@pytest.mark.parametrize("solver", ["auto", "nystrom"])
def test_the_median_takes_whole_weights_for_repetition(n: int, kernel: str, solver: str) -> None:
    weights = RNG.integers(0, 4, size=n)
    asked = either(2, kernel=kernel, gamma="median", eigen_solver=solver)
    gamma = asked.fit(X[:n], sample_weight=weights).gamma_
    assert gamma == asked.fit(np.repeat(X[:n], weights, axis=0)).gamma_


@pytest.mark.parametrize("solver", SOLVERS)
def test_share_keeps_as_many_components_as_it_takes(solver: str) -> None:
    spectrum = NaiveKernelPCA(kernel_matrix(X, X, "rbf", gamma=0.2)).eigenvalues
    share = 0.55
    needed = int(np.argmax(np.cumsum(spectrum) >= share * spectrum.sum())) + 1
    model = rbf(share, eigen_solver=solver).fit(X)
    assert model.eigenvectors_.shape == (len(X), needed)
    assert model.eigenvalues_.shape == model.residuals_.shape == (needed,)


@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("solver", [*SOLVERS, "nystrom"])
def test_whole_weights_equal_repetition(solver: str, center: bool) -> None:
    weights = RNG.integers(0, 4, size=len(X))
    asked = rbf(eigen_solver=solver, tol=1e-11, center=center, n_landmarks=4 * len(X))
    weighted, repeated = clone(asked), clone(asked).fit(np.repeat(X, weights, axis=0))
    scores = weighted.fit_transform(X, sample_weight=weights)
    np.testing.assert_allclose(scores, weighted.transform(X), atol=1e-7)
    for name in ("eigenvalues_", "explained_variance_ratio_"):
        np.testing.assert_allclose(getattr(weighted, name), getattr(repeated, name), rtol=1e-8)
    for name in ("transform", "reconstruction_error"):
        found, expected = (getattr(model, name)(Z) for model in (weighted, repeated))
        np.testing.assert_allclose(found, expected, atol=1e-7)


def gaussian(x: Any, y: Any) -> float:
    apart = x - y
    return float(np.exp(-0.2 * (apart @ apart.T).sum()))


WEIGHTS = {
    "equal": np.ones(40),
    "1 and 2": np.r_[np.ones(20), np.full(20, 2.0)],
    "zero": np.r_[0.0, np.ones(39)],
    "light": np.r_[1e-9, np.ones(39)],
}


@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("source", ["name", "function", "matrix"])
@pytest.mark.parametrize("form", [np.asarray, np.float32, sp.csr_matrix])
def test_the_training_scores_of_every_source_take_weights(
    form: Any, source: str, weights: str, k: int
) -> None:
    rows = form(X[:40])
    K = rbf(1).fit(X[:40]).expansion().source.full().K
    kernels = {"name": ("rbf", rows), "function": (gaussian, rows), "matrix": ("precomputed", K)}
    kernel, given = kernels[source]
    model = KernelPCA(k, kernel=kernel, gamma=0.2)
    scores = model.fit_transform(given, sample_weight=WEIGHTS[weights])
    assert scores.shape == (40, k)
    np.testing.assert_allclose(scores, model.transform(given), atol=1e-5)
    naive = NaiveKernelPCA(
        kernel_matrix(X[:40], X[:40], "rbf", gamma=0.2), weights=WEIGHTS[weights]
    )
    np.testing.assert_allclose(model.eigenvalues_, naive.eigenvalues[:k], rtol=1e-5)


@pytest.mark.parametrize("kernel", OF_DISTANCE)
def test_samples_that_are_not_alike_are_told_and_both_remedies_help(kernel: str) -> None:
    """One column in other units makes the kernel matrix the identity."""
    rows = X * [1, 1, 1, 1e12]
    with pytest.warns(UserWarning, match="No two samples are alike.*Scale the columns, or use ga"):
        KernelPCA(2, kernel=kernel).fit(rows)
    noise = RNG.normal(size=(40, 2000))  # whose samples are all alike
    with warnings.catch_warnings(action="error"):
        KernelPCA(2, kernel=kernel).fit(X)
        KernelPCA(2, kernel=kernel, gamma="median").fit(rows)
        KernelPCA(2, kernel=kernel, gamma="median").fit(noise)
        KernelPCA(2, kernel=kernel, gamma=10 * median_gamma(X, kernel)).fit(X)


SATURATED = np.hstack([X, np.full((220, 2), 1e7)]), {"kernel": "sigmoid", "gamma": 2.4}
CONSTANT = np.ones((220, 3)), {"n_components": 3, "remove_zero_eig": True}


@pytest.mark.parametrize(
    ("solver", "problem"),
    [
        *itertools.product(["auto", "dense", "arpack", "randomized"], [SATURATED, CONSTANT]),
        ("nystrom", CONSTANT),
    ],
)
def test_every_property_of_a_fit_without_components_is_read(solver: str, problem: Any) -> None:
    rows, options = problem
    model = either(eigen_solver=solver, **options).fit(rows)
    assert model.eigenvalues_.shape == (0,)
    names = [name for name, _ in inspect.getmembers(type(model), inspect.isdatadescriptor)]
    assert {"completeness_", "score_error_bounds_"} <= {*names}
    values = {name: getattr(model, name) for name in names if hasattr(model, name)}
    assert values["score_error_bounds_"].shape == (0,)
    assert model.transform(rows[:2]).shape == (2, 0)


@pytest.mark.parametrize("n_jobs", [1, 3])
@pytest.mark.parametrize("solver", [*SOLVERS, "nystrom"])
def test_fits_repeat_bit_by_bit(solver: str, n_jobs: int) -> None:
    many = np.random.default_rng(1).normal(size=(700, 3))  # two blocks of rows
    first, second = (rbf(eigen_solver=solver, n_jobs=n_jobs).fit(many) for _ in range(2))
    np.testing.assert_array_equal(first.eigenvectors_, second.eigenvectors_)


def test_the_choice_is_logged_with_its_reason(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="kpca"):
        model, landmarks = rbf().fit(X), rbf(eigen_solver="nystrom").fit(X)
    assert str(model.solver_) in caplog.text
    assert str(landmarks.solver_) in caplog.text
    assert model.solver_.name == "arpack"
    assert "n = 220" in model.solver_.reason


def test_iterations_run_out_with_a_warning_of_what_helps() -> None:
    many = np.tile(X, (4, 1)) + 0.1 * RNG.normal(size=(880, 4))
    for asked, solver, limit, other in (
        ("arpack", "arpack", "max_iter", "auto"),
        ("auto", "arpack", "max_iter", "dense"),
        ("randomized", "randomized", "iterated_power", "auto"),
    ):
        words = f"{solver} reached .*raise {limit} or tol, or use eigen_solver='{other}'"
        with pytest.warns(ToleranceWarning, match=words):
            KernelPCA(4, kernel="rbf", gamma=3.0, eigen_solver=asked, **{limit: 1}).fit(many)


def test_distances_of_blocks_take_the_diagonal_of_all_samples() -> None:
    rng = np.random.default_rng(0)
    K = rng.integers(0, 9, (40, 40)) @ np.eye(40, dtype=int)
    K = K @ K.T
    model = KernelPCA(3, kernel="precomputed").fit(K)
    expected = model.reconstruction_error(K.astype(float), K.diagonal())
    many = np.tile(K, (700, 1))  # of integers, which are converted by blocks
    found = model.reconstruction_error(many, np.tile(K.diagonal(), 700))
    np.testing.assert_allclose(found, np.tile(expected, 700))
    blocks = [K[:15].astype(float), K[15:].astype(float)]
    np.testing.assert_allclose(model.reconstruction_error(blocks, K.diagonal()), expected)
    with pytest.raises(ValueError, match=r"in shape \(40,\), and has \(39,\)"):
        model.reconstruction_error(blocks, K.diagonal()[1:])


def test_a_transform_after_a_change_of_parameters_or_values_is_not_of_before() -> None:
    samples = np.random.default_rng(0).normal(size=(60, 3))
    model = KernelPCA(2, kernel="poly", degree=2).fit(samples)
    before = model.transform(samples)
    model.degree = 3
    assert np.abs(model.transform(samples) - before).max() > 0.1
    model.degree = 2
    np.testing.assert_array_equal(model.transform(samples), before)
    model.eigenvectors_ = -model.eigenvectors_
    np.testing.assert_array_equal(model.transform(samples), -before)


OLD, NEW = RNG.normal(size=(120, 3)), RNG.normal(size=(90, 4)) * 3 + 5


def interrupted(x: Any, y: Any) -> float:
    raise KeyboardInterrupt


FAILURES = {
    "no features": ("auto", ValueError, {"eigen_solver": "primal", "kernel": "rbf"}),
    "interrupt": ("auto", KeyboardInterrupt, {"kernel": interrupted}),
    "too many components": ("nystrom", ValueError, {"n_landmarks": 2}),
    **{
        f"{name} {solver}": (solver, error, changed)
        for solver in ("auto", "nystrom")
        for name, error, changed in (
            ("memory", MemoryError, {"memory_budget": 1000}),
            ("ridge", ValueError, {"kernel": "linear", "fit_inverse_transform": True, "alpha": 0}),
        )
    },
}


@pytest.mark.parametrize(("solver", "error", "changed"), FAILURES.values(), ids=FAILURES)
def test_a_refit_that_fails_leaves_the_model(solver: str, error: Any, changed: Any) -> None:
    options = {"kernel": "rbf", "gamma": 0.3, "fit_inverse_transform": True}
    model = either(5, eigen_solver=solver, n_landmarks=40, **options).fit(OLD)
    parameters, before = model.get_params(), dict(vars(model))
    scores, points = model.transform(OLD[:3]), model.denoise(OLD[:3])
    with pytest.raises(error):
        model.set_params(**changed).fit(NEW)
    model.set_params(**parameters)
    assert vars(model).keys() == before.keys()
    assert all(vars(model)[name] is value for name, value in before.items())
    np.testing.assert_array_equal(model.transform(OLD[:3]), scores)
    np.testing.assert_array_equal(model.denoise(OLD[:3]), points)
    model = clone(model).set_params(**changed)  # where there was none before, there is none
    with pytest.raises(error):
        model.fit(NEW)
    for call in (model.transform, model.reconstruction_error, model.denoise):
        with pytest.raises(NotFittedError):
            call(NEW)


def test_a_refit_leaves_nothing_of_the_fit_before() -> None:
    for kind in (KernelPCA, LandmarkKernelPCA):
        model = kind(2, kernel="rbf", fit_inverse_transform=True)
        if kind is LandmarkKernelPCA:
            model.set_params(n_landmarks=40).partial_fit(OLD)
        model.fit(OLD).set_params(fit_inverse_transform=False).fit(NEW)
        fresh = clone(model).fit(NEW)
        assert vars(model).keys() == vars(fresh).keys()
        np.testing.assert_array_equal(model.transform(NEW), fresh.transform(NEW))


def test_the_solver_of_landmarks_says_what_to_type() -> None:
    with pytest.raises(ValueError, match=r"LandmarkKernelPCA`.*LandmarkKernelPCA\(n_landmarks=300"):
        KernelPCA(eigen_solver="nystrom").fit(OLD)


SAMPLES = RNG.normal(size=(60, 3))
SIGMOID, GIVEN = KernelPCA(2, kernel="sigmoid", gamma=1.0), KernelPCA(2, kernel="precomputed")
EVEN = KernelPCA(2, kernel="poly", degree=2, preimage="mds")
WARNED: list[tuple[type[Warning], Callable[[], object]]] = [
    (IndefiniteKernelWarning, lambda: SIGMOID.fit(SAMPLES)),
    (IndefiniteKernelWarning, lambda: SIGMOID.fit_transform(SAMPLES)),
    (IndefiniteKernelWarning, lambda: make_pipeline(SIGMOID).fit(SAMPLES)),
    (IndefiniteKernelWarning, lambda: KernelPCANovelty(SIGMOID).fit(SAMPLES)),
    (ToleranceWarning, lambda: KernelPCA(2, kernel="rbf", tol=1e-18).fit_transform(SAMPLES)),
    (AsymmetricKernelWarning, lambda: GIVEN.fit_transform(np.triu(np.ones((60, 60))))),
    (ConvergenceWarning, lambda: SparsePCA(2, max_iter=1).fit_transform(SAMPLES)),
    (PreImageWarning, lambda: EVEN.fit(SAMPLES).denoise(SAMPLES)),
]


@pytest.mark.parametrize(("category", "call"), WARNED)
def test_warnings_are_of_the_line_of_the_caller(category: type, call: Any) -> None:
    with warnings.catch_warnings(record=True, action="always") as found:
        call()
    assert {one.filename for one in found if issubclass(one.category, category)} == {__file__}


def test_the_public_names_and_the_version_are_there_and_nothing_else() -> None:
    assert [getattr(kpca, name).__name__ for name in kpca.__all__] == list(kpca.__all__)
    assert kpca.__version__ == version("kpca")
    assert "__version__" in dir(kpca)
    with pytest.raises(AttributeError, match="no attribute 'gram'"):
        _ = kpca.gram


def test_a_kernel_function_that_writes_into_its_arguments_changes_no_samples() -> None:
    def careless(x: np.ndarray, y: np.ndarray) -> float:
        x -= y
        y *= 0
        return float(np.exp(-x @ x))

    X = np.random.default_rng(0).normal(size=(12, 2))
    given, expected = X.copy(), KernelPCA(2, kernel="rbf", gamma=1.0).fit(X)
    model = KernelPCA(2, kernel=careless, copy_X=False).fit(given)
    np.testing.assert_array_equal(given, X)
    np.testing.assert_allclose(model.transform(X), expected.transform(X), atol=1e-9)
