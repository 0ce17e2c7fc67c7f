"""What the estimator adds to scikit-learn's, refits, warnings and public names."""

import inspect
import itertools
import logging
import warnings
from importlib.metadata import version

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline

import kpca
from kpca import KernelPCA, KernelPCANovelty, LandmarkKernelPCA, SparsePCA
from kpca.certificates.decomposition import ToleranceWarning
from kpca.kernels.bandwidth import median_gamma
from tests.kpca.estimators import either
from tests.kpca.naive import OF_DISTANCE, SEMIDEFINITE, NaiveKernelPCA, kernel_matrix

RNG = np.random.default_rng(0)
X = RNG.normal(size=(220, 4))
Z = RNG.normal(size=(15, 4))
SOLVERS = ["dense", "randomized", "arpack", "davidson"]


def rbf(k=4, **options):
    return either(k, kernel="rbf", gamma=0.2, **options)


@pytest.mark.parametrize("n", [40, 220], ids=["every pair", "a sample"])
@pytest.mark.parametrize("kernel", OF_DISTANCE)
@pytest.mark.parametrize("solver", ["auto", "nystrom"])
def test_the_median_takes_whole_weights_for_repetition(n, kernel, solver):
    weights = RNG.integers(0, 4, size=n)
    model = either(2, kernel=kernel, gamma="median", eigen_solver=solver)
    gamma = model.fit(X[:n], sample_weight=weights).gamma_
    assert gamma == model.fit(np.repeat(X[:n], weights, axis=0)).gamma_
    assert gamma != model.fit(X[:n]).gamma_ == median_gamma(X[:n], kernel)
    fractions = weights / 7  # Fractions are no repetitions.
    np.testing.assert_allclose(model.fit(X[:n], sample_weight=fractions).gamma_, gamma, rtol=0.1)


def gaussian(x, y):
    difference = x - y
    return float(np.exp(-0.2 * (difference @ difference.T).sum()))


ROWS = X[:15]
K = kernel_matrix(ROWS, ROWS, "rbf", gamma=0.2)


@pytest.mark.parametrize("weight", [1.0, 2.0, 0.0, 1e-9])
@pytest.mark.parametrize(
    ("kernel", "samples"),
    [
        *itertools.product(["rbf", gaussian], [ROWS, np.float32(ROWS), sp.csr_matrix(ROWS)]),
        ("precomputed", K),
    ],
)
def test_the_training_scores_of_every_source_take_weights(kernel, samples, weight):
    weights = np.r_[weight, np.ones(14)]
    model = KernelPCA(3, kernel=kernel, gamma=0.2)
    scores = model.fit_transform(samples, sample_weight=weights)
    np.testing.assert_allclose(scores, model.transform(samples), atol=1e-5)
    naive = NaiveKernelPCA(K, weights=weights)
    np.testing.assert_allclose(model.eigenvalues_, naive.eigenvalues[:3], rtol=1e-5)


@pytest.mark.parametrize("kernel", OF_DISTANCE)
def test_samples_that_are_not_alike_are_told_and_both_remedies_help(kernel):
    """One column in other units makes the kernel matrix the identity."""
    rows = X * [1, 1, 1, 1e12]
    with pytest.warns(UserWarning, match="No two samples are alike.*Scale the columns, or use ga"):
        KernelPCA(2, kernel=kernel).fit(rows)
    noise = RNG.normal(size=(40, 2000))  # All of its samples are equally far apart.
    with warnings.catch_warnings(action="error"):
        KernelPCA(2, kernel=kernel).fit(X)
        KernelPCA(2, kernel=kernel, gamma="median").fit(rows)
        KernelPCA(2, kernel=kernel, gamma="median").fit(noise)
        KernelPCA(2, kernel=kernel, gamma=10 * median_gamma(X, kernel)).fit(X)


@pytest.mark.parametrize("kernel", [*SEMIDEFINITE, "sigmoid"])
@pytest.mark.parametrize("solver", ["auto", *SOLVERS, "nystrom"])
def test_every_property_of_a_fit_without_components_is_read(solver, kernel):
    rows = np.full((220, 3), 0.1)
    options = {"n_components": 3, "remove_zero_eig": True}
    if kernel == "sigmoid":
        if solver in ("davidson", "nystrom"):
            pytest.skip("needs a semidefinite kernel")
        rows = np.hstack([X, np.full((220, 2), 1e7)])
        options = {"gamma": 2.4}
    model = either(kernel=kernel, eigen_solver=solver, **options).fit(rows)
    assert model.eigenvalues_.shape == (0,)
    names = [name for name, _ in inspect.getmembers(type(model), inspect.isdatadescriptor)]
    values = {name: getattr(model, name) for name in names if hasattr(model, name)}
    assert values["score_error_bounds_"].shape == (0,)
    assert model.transform(rows[:2]).shape == (2, 0)


@pytest.mark.parametrize("n_jobs", [1, 3])
@pytest.mark.parametrize("solver", [*SOLVERS, "nystrom"])
def test_fits_repeat_bit_by_bit(solver, n_jobs):
    many = np.random.default_rng(1).normal(size=(700, 3))  # two blocks of rows
    first, second = (rbf(eigen_solver=solver, n_jobs=n_jobs).fit(many) for _ in range(2))
    np.testing.assert_array_equal(first.eigenvectors_, second.eigenvectors_)


def test_the_choice_is_logged_with_its_reason(caplog):
    with caplog.at_level(logging.INFO, logger="kpca"):
        model = rbf().fit(X)
        landmarks = rbf(eigen_solver="nystrom").fit(X)
    assert str(model.solver_) in caplog.text
    assert str(landmarks.solver_) in caplog.text


def test_iterations_run_out_with_a_warning_of_what_helps():
    many = np.tile(X, (4, 1)) + 0.1 * RNG.normal(size=(880, 4))
    for solver, limit, message in (
        ("arpack", "max_iter", "arpack reached .*raise max_iter or tol.*eigen_solver='auto'"),
        ("auto", "max_iter", "arpack reached .*raise max_iter or tol.*eigen_solver='dense'"),
        ("randomized", "iterated_power", "randomized reached .*raise iterated_power.*'auto'"),
    ):
        with pytest.warns(ToleranceWarning, match=message):
            KernelPCA(4, kernel="rbf", gamma=3.0, eigen_solver=solver, **{limit: 1}).fit(many)


def test_integers_of_a_kernel_matrix_are_converted_by_blocks():
    rows = np.random.default_rng(0).integers(0, 9, (40, 40))
    K = rows @ rows.T
    model = KernelPCA(3, kernel="precomputed").fit(K)
    diagonal = K.diagonal()
    expected = model.reconstruction_error(K.astype(float), diagonal)
    errors = model.reconstruction_error(np.tile(K, (700, 1)), np.tile(diagonal, 700))
    np.testing.assert_allclose(errors, np.tile(expected, 700))


def test_a_transform_after_a_change_of_parameters_or_values_is_not_of_before():
    samples = np.random.default_rng(0).normal(size=(60, 3))
    model = KernelPCA(2, kernel="poly", degree=2).fit(samples)
    before = model.transform(samples)
    model.degree = 3
    assert np.abs(model.transform(samples) - before).max() > 0.1
    model.degree = 2
    np.testing.assert_array_equal(model.transform(samples), before)
    model.eigenvectors_ = -model.eigenvectors_
    np.testing.assert_array_equal(model.transform(samples), -before)


OLD = RNG.normal(size=(120, 3))
NEW = RNG.normal(size=(90, 4)) * 3 + 5


def interrupted(x, y):
    raise KeyboardInterrupt


MEMORY = MemoryError, {"memory_budget": 1000}
SINGULAR_RIDGE = ValueError, {"kernel": "linear", "fit_inverse_transform": True, "alpha": 0}


@pytest.mark.parametrize(
    ("solver", "error", "changed"),
    [
        ("auto", ValueError, {"eigen_solver": "primal", "kernel": "rbf"}),
        ("auto", KeyboardInterrupt, {"kernel": interrupted}),
        ("nystrom", ValueError, {"n_landmarks": 2}),
        ("auto", *MEMORY),
        ("nystrom", *MEMORY),
        ("auto", *SINGULAR_RIDGE),
        ("nystrom", *SINGULAR_RIDGE),
    ],
)
def test_a_refit_that_fails_leaves_the_model(solver, error, changed):
    options = {"kernel": "rbf", "gamma": 0.3, "fit_inverse_transform": True}
    model = either(5, eigen_solver=solver, n_landmarks=40, **options).fit(OLD)
    parameters = model.get_params()
    before = dict(vars(model))
    points = model.denoise(OLD[:3])
    with pytest.raises(error):
        model.set_params(**changed).fit(NEW)
    model.set_params(**parameters)
    assert vars(model).keys() == before.keys()
    assert all(vars(model)[name] is value for name, value in before.items())
    np.testing.assert_array_equal(model.denoise(OLD[:3]), points)
    model = clone(model).set_params(**changed)  # A model that had none has none.
    with pytest.raises(error):
        model.fit(NEW)
    for call in (model.transform, model.reconstruction_error, model.denoise):
        with pytest.raises(NotFittedError):
            call(NEW)


def test_a_refit_leaves_nothing_of_the_fit_before():
    landmarks = LandmarkKernelPCA(2, kernel="rbf", n_landmarks=40).partial_fit(OLD)
    for model in (KernelPCA(2, kernel="rbf"), landmarks):
        model.set_params(fit_inverse_transform=True).fit(OLD)
        model.set_params(fit_inverse_transform=False).fit(NEW)
        fresh = clone(model).fit(NEW)
        assert vars(model).keys() == vars(fresh).keys()
        np.testing.assert_array_equal(model.transform(NEW), fresh.transform(NEW))


SAMPLES = RNG.normal(size=(60, 3))
SIGMOID = KernelPCA(2, kernel="sigmoid", gamma=1.0)
PRECOMPUTED = KernelPCA(2, kernel="precomputed")
EVEN = KernelPCA(2, kernel="poly", degree=2, preimage="mds")
WARNED = [
    lambda: SIGMOID.fit(SAMPLES),
    lambda: SIGMOID.fit_transform(SAMPLES),
    lambda: make_pipeline(SIGMOID).fit(SAMPLES),
    lambda: KernelPCANovelty(SIGMOID).fit(SAMPLES),
    lambda: KernelPCA(2, kernel="rbf", tol=1e-18).fit_transform(SAMPLES),
    lambda: PRECOMPUTED.fit_transform(np.triu(np.ones((60, 60)))),
    lambda: SparsePCA(2, max_iter=1).fit_transform(SAMPLES),
    lambda: EVEN.fit(SAMPLES).denoise(SAMPLES),
]


@pytest.mark.parametrize("call", WARNED)
def test_warnings_are_of_the_line_of_the_caller(call):
    with warnings.catch_warnings(record=True, action="always") as issued:
        call()
    assert {one.filename for one in issued} == {__file__}


def test_the_version_is_there_and_no_further_name():
    assert kpca.__version__ == version("kpca")
    assert "__version__" in dir(kpca)
    with pytest.raises(AttributeError, match="no attribute 'gram'"):
        _ = kpca.gram


@pytest.mark.parametrize("copy_X", [True, False])
@pytest.mark.parametrize("kernel", ["linear", "rbf", "cosine", "precomputed"])
@pytest.mark.parametrize("solver", ["auto", *SOLVERS])
def test_inputs_are_never_mutated(solver, kernel, copy_X):
    samples = X[:40] + 1
    weights = np.arange(1.0, 41.0)
    if kernel == "precomputed":
        if solver == "davidson":
            pytest.skip("matrix-free needs points")
        samples = samples @ samples.T
    before = samples.copy(), weights.copy()
    model = KernelPCA(2, kernel=kernel, eigen_solver=solver, copy_X=copy_X)
    model.fit(samples, sample_weight=weights).transform(samples)
    np.testing.assert_array_equal(samples, before[0])
    np.testing.assert_array_equal(weights, before[1])


def test_a_kernel_function_that_writes_into_its_arguments_changes_no_samples():
    def careless(x, y):
        x -= y
        y *= 0
        return float(np.exp(-x @ x))

    samples = Z.copy()
    expected = KernelPCA(2, kernel="rbf", gamma=1.0).fit(Z)
    model = KernelPCA(2, kernel=careless, copy_X=False).fit(samples)
    np.testing.assert_array_equal(samples, Z)
    np.testing.assert_allclose(model.transform(Z), expected.transform(Z), atol=1e-9)
