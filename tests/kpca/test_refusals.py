"""Public functions refuse what they cannot use, and name the wrong argument and the reason."""

import re
import sys
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy import sparse
from scipy.sparse.linalg import aslinearoperator
from sklearn import decomposition
from sklearn.base import clone
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.utils import check_random_state

from kpca import (
    PCA,
    KernelColumns,
    KernelPCA,
    KernelPCANovelty,
    LandmarkKernelPCA,
    SparsePCA,
    choice,
    inspection,
    novelty,
)
from kpca.kernels.bandwidth import median_gamma
from kpca.kernels.bound import kernel_matrix
from kpca.linear.sparse import covariance_root
from kpca.linear.svd import svd
from kpca.preimage import find
from tests.kpca.estimators import either

ROWS = np.random.default_rng(0).normal(size=(24, 3))
UNFITTED = KernelPCA(2, kernel="rbf", gamma=0.5, preimage="fixed_point")
MODEL = clone(UNFITTED).fit(ROWS)
LABELS = np.arange(24) % 2
DETECTOR = KernelPCANovelty().fit(ROWS)
pytestmark = pytest.mark.filterwarnings("ignore:The choice of", "ignore:.*smallest eigenvalue is")


class Foreign:
    """An array that NumPy cannot read, and that does not say why."""

    shape = (24, 3)

    def __array__(self, *_, **options):
        raise TypeError


NUMBERS = [None, "a", -1, float("nan"), [2]]
LISTS = [None, "a", 2, [], [0], ["a"], [float("nan")]]
ARRAYS = [
    np.where(np.arange(72).reshape(24, 3) == 22, np.nan, ROWS),
    np.where(np.arange(72).reshape(24, 3) == 22, np.inf, ROWS),
    ROWS[:0],
    ROWS[:0].astype(int),
    [],
    ROWS[None],
    3.0,
    [["a", "b", "c"]] * 24,
    [[1.0, 2.0], [3.0]],
    ROWS * 1j,
    np.ma.array(ROWS, mask=ROWS > 1.5),
    Foreign(),
]
SAMPLES = [*ARRAYS, np.ones(4), None]


class Call(NamedTuple):
    """A public function, arguments that it takes, and values of each that it refuses."""

    function: Callable[..., Any]
    arguments: dict[str, Any]
    refused: dict[str, list[Any]]


OF_MODEL = {"model": MODEL, "X": ROWS}
CALLS = {
    "choose_by_denoising": Call(
        lambda **arguments: choice.choose_by_denoising(**arguments).errors,
        {"X": ROWS, "gammas": [0.1, 1.0, 9.0], "sizes": [1, 2, 3]},
        {
            "X": SAMPLES,
            "gammas": [*LISTS, [-1.0]],
            "sizes": [*LISTS, [24], [500], [1.5]],
            "noise": NUMBERS,
            "folds": [
                *(*NUMBERS, 0, 1, KFold(3), [], [(np.arange(9), [])], [(np.arange(30), [1])]),
                2 * [*KFold(3).split(ROWS)],
            ],
            "seed": NUMBERS,
        },
    ),
    "denoising_errors": Call(
        choice.denoising_errors,
        {"X": ROWS, "gamma": 0.1, "sizes": [2]},
        {"X": SAMPLES, "gamma": [*NUMBERS, "median"], "sizes": LISTS},
    ),
    "corrupt": Call(
        choice.corrupt,
        {"X": ROWS, "noise": 0.3, "seed": 0},
        {"X": [*SAMPLES, ROWS * 1e300, sparse.csr_array(ROWS)], "noise": NUMBERS},
    ),
    "relevant_dimension": Call(
        lambda **arguments: choice.relevant_dimension(**arguments).likelihood,
        {"vectors": ROWS, "y": LABELS},
        {
            "vectors": SAMPLES,
            "y": [*SAMPLES, np.ones(24), np.where(LABELS, np.nan, 0), ["a", "b"] * 12],
        },
    ),
    "indicators": Call(
        choice.indicators, {}, {"labels": [*ARRAYS, None, [0.0, np.nan], np.array(["a", None])]}
    ),
    "gradients": Call(inspection.gradients, OF_MODEL, {"X": SAMPLES}),
    "importance": Call(inspection.importance, OF_MODEL, {"X": [*ARRAYS, np.ones(4), ROWS[:1]]}),
    "contributions": Call(
        inspection.contributions,
        OF_MODEL | {"reference": ROWS},
        {
            "X": SAMPLES,
            "statistic": [*NUMBERS, "spe"],
            "reference": [*ARRAYS, ROWS[:5], ROWS[:, :2], ROWS[0, :2]],
        },
    ),
    "variance_ratios": Call(
        inspection.variance_ratios,
        {"model": MODEL},
        {"folds": [*NUMBERS, 0, 1], "seed": NUMBERS},
    ),
    "reproducibility": Call(inspection.reproducibility, {"model": MODEL}, {}),
    "exact_residuals": Call(inspection.exact_residuals, OF_MODEL, {"X": SAMPLES}),
    "hotelling": Call(novelty.hotelling, OF_MODEL, {"X": SAMPLES}),
    "novelty_scores": Call(
        novelty.novelty_scores,
        OF_MODEL | {"statistic": "residual"},
        {"X": SAMPLES, "statistic": [*NUMBERS, "spe"]},
    ),
    "KernelPCANovelty.fit": Call(
        lambda **arguments: KernelPCANovelty().fit(**arguments).limit_,
        {"X": ROWS},
        {"X": SAMPLES, "groups": [[1] * 5, [None, *LABELS[1:]]]},
    ),
    "KernelPCANovelty.predict": Call(
        DETECTOR.predict,
        {"X": ROWS},
        {"X": SAMPLES, "alpha": [*NUMBERS[1:], 0, 1], "fdr": [*NUMBERS[1:], 0, 1]},
    ),
    "fit_transform": Call(
        clone(UNFITTED).fit_transform,
        {"X": ROWS},
        {"X": SAMPLES, "sample_weight": ["a", np.zeros(24), np.full(24, -1.0), np.ones(7)]},
    ),
    "check_completeness": Call(MODEL.check_completeness, {}, {"steps": [*NUMBERS, 0, 1.5]}),
    "median_gamma": Call(median_gamma, {"X": ROWS}, {"X": SAMPLES}),
    "kernel_matrix": Call(
        kernel_matrix,
        {"X": ROWS},
        {
            "X": SAMPLES,
            "Y": ARRAYS,
            "gamma": NUMBERS[1:],
            "degree": NUMBERS,
            "coef0": [None, "a", np.nan],
            "kernel": ["gauss", ["rbf"]],
        },
    ),
    "svd": Call(
        lambda **arguments: svd(**arguments).s,
        {"X": ROWS, "n_components": 1},
        {
            "X": SAMPLES,
            "n_components": [0, 4, 1.5],
            "method": ["lanczos", ["full"]],
            "normalizer": ["lu", None],
            "n_iter": NUMBERS,
            "n_oversamples": [*NUMBERS, 1.5],
        },
    ),
}


def refusal(name, **changes):
    """Return the message by which a function refuses, which is in words that help."""
    function, arguments, _ = CALLS[name]
    with (
        warnings.catch_warnings(action="error", category=RuntimeWarning),
        pytest.raises((TypeError, ValueError)) as caught,
    ):
        function(**arguments | changes)
    message = str(caught.value)
    assert not re.search(r"\b_[A-Za-z]", message), message
    assert not message.endswith(": "), message
    return message


@pytest.mark.parametrize(
    ("name", "argument"), [(name, key) for name, call in CALLS.items() for key in call.refused]
)
def test_values_that_cannot_be_used_are_refused_by_name(name, argument):
    for value in CALLS[name].refused[argument]:
        assert re.search(rf"\b{argument}\b", refusal(name, **{argument: value})), value


@pytest.mark.parametrize(
    ("name", "argument"),
    [(name, key) for name, call in CALLS.items() for key in call.arguments if "X" in key],
)
def test_lists_and_frames_are_arrays(name, argument):
    function, arguments, _ = CALLS[name]
    expected = function(**arguments)
    with warnings.catch_warnings(action="error", category=DeprecationWarning):
        for rows in (ROWS.tolist(), pd.DataFrame(ROWS)):
            values = function(**arguments | {argument: rows})
            np.testing.assert_allclose(values, expected, rtol=1e-7, atol=1e-12)


def test_importances_are_of_the_training_samples_unless_others_are_passed():
    np.testing.assert_allclose(inspection.importance(MODEL), inspection.importance(MODEL, ROWS))


OTHER_MODELS = [
    *(model.fit(ROWS) for model in (decomposition.PCA(), PCA(), make_pipeline(KernelPCA(2)))),
    KernelPCA,
    "a",
    ROWS,
]


@pytest.mark.parametrize("name", [name for name in CALLS if "model" in CALLS[name].arguments])
def test_other_models_are_refused(name):
    for model in OTHER_MODELS:
        assert "KernelPCA" in refusal(name, model=model)


RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
NEW = RNG.normal(size=(10, 3))
FRAME_OF = partial(pd.DataFrame, columns=["a", "b", "c"])
FRAME = FRAME_OF(X)
NEW_FRAME = FRAME_OF(NEW)
RIDGE = {"fit_inverse_transform": True}
LANDMARKS = {"eigen_solver": "nystrom", "n_landmarks": 20}


def rbf(k=2, **options):
    return either(k, kernel="rbf", gamma=0.3, **options)


def precomputed(**options):
    return KernelPCA(2, kernel="precomputed", **options)


@pytest.mark.parametrize(
    "function",
    [
        KernelPCA.transform,
        KernelPCA.reconstruction_error,
        KernelPCA.denoise,
        inspection.gradients,
        inspection.importance,
        inspection.contributions,
        partial(inspection.contributions, statistic="hotelling"),
    ],
)
@pytest.mark.parametrize("preimage", ["ridge", "fixed_point"])
def test_the_table_of_fit_passes_without_a_warning(function, preimage):
    model = rbf(preimage=preimage, **RIDGE).fit(X)
    expected = function(model, NEW)
    with warnings.catch_warnings(action="error"):
        values = function(model.fit(FRAME), NEW_FRAME)
    np.testing.assert_allclose(values, expected, rtol=1e-6)
    with pytest.raises(ValueError, match="feature names should match"):
        function(model, NEW_FRAME[["b", "a", "c"]])


def test_scores_are_a_table_if_that_is_set_and_points_are_not():
    """As of scikit-learn's transformers, whose `inverse_transform` gives arrays."""
    model = rbf(**RIDGE).set_output(transform="pandas").fit(FRAME)
    scores = model.transform(NEW_FRAME)
    points = model.denoise(NEW_FRAME)
    assert list(scores.columns) == ["kernelpca0", "kernelpca1"]
    assert isinstance(points, np.ndarray)
    np.testing.assert_array_equal(model.inverse_transform(scores), points)


def test_integers_are_scores():
    points = rbf(preimage="fixed_point").fit(X).inverse_transform([[0, 0]])
    assert not np.array_equal(points, np.round(points))


@pytest.mark.parametrize(
    ("model", "samples", "rows", "diagonal"),
    [
        (rbf(), X, NEW, None),
        (rbf(**LANDMARKS), X, NEW, None),
        (precomputed(), X @ X.T, NEW @ X.T, (NEW**2).sum(axis=1)),
    ],
)
def test_blocks_of_new_rows(model, samples, rows, diagonal):
    model.fit(samples)
    blocks = [rows[:4], rows[4:]]
    scores = model.transform(rows)
    errors = model.reconstruction_error(rows, diagonal)
    for form in (blocks, lambda: iter(blocks), [sparse.csr_matrix(rows[:4]), rows[4:]]):
        np.testing.assert_allclose(model.transform(form), scores, rtol=1e-12)
        np.testing.assert_allclose(model.reconstruction_error(form, diagonal), errors, rtol=1e-12)
    table = model.set_output(transform="pandas").transform(iter(blocks))
    np.testing.assert_allclose(table, scores, rtol=1e-12)


def test_blocks_are_checked_one_by_one():
    with pytest.raises(ValueError, match="X contains NaN in row 0, column 0") as caught:
        rbf().fit(X).transform([NEW, np.full((1, 3), np.nan)])
    assert caught.value.__notes__ == ["This is block 1 of X."]


HOLED = X.copy()
HOLED[7, 1] = np.nan


@pytest.mark.parametrize(
    ("kind", "column"), [(FRAME_OF, "'b'"), (np.array, "1"), (sparse.csr_array, "1")]
)
def test_what_is_not_finite_has_a_place(kind, column):
    transform = rbf().fit(kind(X)).transform
    for method in (rbf().fit, rbf(**LANDMARKS).fit, KernelPCANovelty(rbf()).fit, transform):
        with pytest.raises(ValueError, match=f"X contains NaN in row 7, column {column}: fill in"):
            method(kind(HOLED))


def test_what_scikit_learn_takes_for_finite_is_refused_as_a_kernel_value():
    with sklearn.config_context(assume_finite=True), pytest.raises(ValueError, match="overflow"):
        rbf().fit(X).transform(HOLED)


# Values that `fit` refuses by the rule of the parameter, as it refuses an object of no use.
BROKEN = {
    KernelPCA: {
        "n_components": [0, 1.5],
        "kernel": ["gauss"],
        "gamma": [-1],
        "tol": [np.nan],
        "center": ["yes"],
        "memory_budget": [-5],
        "indefinite": ["warn"],
    },
    LandmarkKernelPCA: {"kernel": ["gauss", np.dot], "n_landmarks": [0], "landmarks": ["best"]},
    PCA: {"n_components": [0, -1, 1.5, 2.0, "mle", True], "route": [["svd"]], "whiten": ["yes"]},
    SparsePCA: {
        "n_components": [0.5],
        "method": ["lasso"],
        "l2_penalty": [np.nan, "a"],
        "tol": [-1.0],
        "max_iter": [1.5],
        "random_state": ["a"],
    },
    KernelPCANovelty: {
        "false_alarm": [0, 1],
        "folds": [1],
        "estimator": ["rbf", LandmarkKernelPCA(), *OTHER_MODELS],
    },
}


@pytest.mark.parametrize("kind", BROKEN)
def test_parameters_of_estimators_are_named(kind):
    for name, rule in sys.modules[kind.__module__].RULES.items():
        for value in (object(), *BROKEN[kind].get(name, [])):
            parameter = f"The {name!r} parameter of {kind.__name__}"
            message = re.escape(f"{parameter} must be {rule.words}, got {value!r}")
            with pytest.raises(ValueError, match=message):
                kind(**{name: value}).fit(X)


def inner(x, y):
    return float(x @ y)


def nystrom(**options):
    return LandmarkKernelPCA(2, **options)


MATRIX_OF = "kernel='precomputed'"
OF_DISTANCE = r"'laplacian', .*'rbf'.*, and kernel is "
SMALL = "scale the data, or give gamma"
SQUARES = ((X[:, None] - X) ** 2).sum(axis=2)
K = X @ X.T
GAUSSIAN = kernel_matrix(X)
FAR = NEW.copy()
FAR[2] = 1e200


def columns(**options):
    defaults = {"kernel": "precomputed", "landmarks": "rpcholesky", "n_landmarks": 9}
    return nystrom(**defaults | options)


def columns_of(function):
    return KernelColumns(function, np.ones(60))


def broken(value):
    """Give a value of one's choice between samples 3 and 7 alone."""
    pair = {X[3, 0], X[7, 0]}
    return lambda x, y: value if {x[0], y[0]} == pair else inner(x, y)


SHRINKING = iter([9, 9, 8, 7])
# What else `fit` says of an estimator and 60 samples of 3 variables.
FITS = [
    *(
        (KernelPCA(kernel=kernel, gamma="median"), X, OF_DISTANCE)
        for kernel in ("linear", "poly", "sigmoid", "cosine", np.dot)
    ),
    (precomputed(gamma="median"), K, OF_DISTANCE),
    (precomputed(), np.diag([1.0, np.inf]), "X contains infinity"),
    (precomputed(), SQUARES, "no positive eigenvalue.*distances D"),
    (precomputed(eigen_solver="arpack"), SQUARES, "no positive eigenvalue.*distances D"),
    (precomputed(), K[:, :9], "must be a square matrix"),
    (KernelPCA(kernel="precomputed", center=False), -np.eye(60), "Set indefinite='clip'"),
    (precomputed(**RIDGE), K, r"fit\(K, X_original=X\)"),
    (KernelPCA(kernel="rbf", gamma="median"), X * 1e-155, SMALL),
    (KernelPCA(kernel="laplacian", gamma="median"), X * 1e-310, SMALL),
    *((KernelPCA(kernel=k, coef0=0), X * 1e-150, "underf") for k in ("linear", "poly", "sigmoid")),
    (KernelPCA(kernel="poly", degree=2.5, coef0=-50), abs(X), "degree=2.5 is no real .*coef0"),
    (KernelPCA(kernel="poly", eigen_solver="primal"), np.tile(X, 13), "at most 2000 explicit feat"),
    *(
        (KernelPCA(kernel="poly", eigen_solver="primal", degree=degree, coef0=coef0), X, "needs a")
        for degree, coef0 in ((2.5, 1), (3, -1))
    ),
    (nystrom(kernel="sigmoid"), X, "positive semidefinite.*sigmoid: use KernelPCA, or a kernel"),
    (nystrom(kernel="poly", coef0=-1), X, "positive semidefinite for certain"),
    (nystrom(n_landmarks=1), X, "n_components=2 .*n_landmarks=1.*raise"),
    (rbf(0.999, **LANDMARKS), X, "keep 0.* for certain: raise n_landmarks"),
    (KernelPCANovelty(precomputed()), K, "a precomputed kernel does not say"),
    (
        KernelPCANovelty(KernelPCA(kernel=["rbf"]), statistic="hotelling"),
        X,
        "'kernel' parameter of",
    ),
    (KernelPCANovelty(KernelPCA(2), statistic="hotelling"), np.ones((9, 2)), "X has no component"),
    (PCA(4), X, "n_components must be an integer from 1 to 3, got 4"),
    *(
        (PCA(k, svd_method="truncated"), X, "truncated.* integer from 1 to 2")
        for k in (None, 0.9, 3)
    ),
    (SparsePCA(4), X, "n_components must be an integer from 1 to 3"),
    (SparsePCA(2, l1_penalty=-1.0), X, r"l1_penalty=-1.0 must be 0.0 or more: one number, or 2"),
    (SparsePCA(2, l1_penalty=[1.0, 2.0, 3.0]), X, "one number, or 2 of them"),
    (SparsePCA(2, l1_penalty=[1.0, 2.0], method="dictionary"), X, "one number, or 1 of them"),
    (SparsePCA(2, l1_penalty="a"), X, "l1_penalty='a' must be 0.0 or more"),
    (SparsePCA(2, l1_bound=0.5, method="deflation"), X, "l1_bound=0.5 must be 1.0 or more"),
    (KernelPCA(eigen_solver="nystrom"), X, r"LandmarkKernelPCA`.*LandmarkKernelPCA\(n_landmarks=3"),
    *(
        (either(2, kernel="poly", eigen_solver=solver), np.vstack([X, FAR]), "overflow.*at row 62")
        for solver in ("dense", "nystrom")
    ),
    # Columns of kernel matrices, and landmarks.
    (columns(landmarks="kmeans"), GAUSSIAN, "'rpcholesky', 'uniform' or an array"),
    (columns(), GAUSSIAN - 0.5 * np.eye(60), "not positive semidefinite"),
    (columns(), 2 * np.eye(60) - GAUSSIAN, "not positive semidefinite"),
    (columns(), GAUSSIAN[:, :9], "square"),
    (columns(), columns_of(lambda i: GAUSSIAN[:9, i]), r"shape \(60, 1\)"),
    (columns(), columns_of(lambda i: GAUSSIAN[:, i - 1]), "disagree"),
    (columns(), columns_of(lambda i: GAUSSIAN[:, i] * np.nan), "NaN"),
    (columns(landmarks=X[:9]), GAUSSIAN, "as indices"),
    (columns(memory_budget=1e3), GAUSSIAN, "memory_budget"),
    (precomputed(), columns_of(lambda i: GAUSSIAN[:, i]), "LandmarkKernelPCA"),
    (KernelPCA(2), aslinearoperator(GAUSSIAN), "KernelColumns"),
    (nystrom(landmarks=[3, 3]), X, "distinct"),
    (nystrom(landmarks=[3, 60]), X, "from 0 to 59"),
    (nystrom(landmarks=[-1, 3]), X, "from 0 to 59"),
    (nystrom(landmarks=[0.5, 3]), X, "integers"),
    (nystrom(landmarks=[]), X, "at least one"),
    (nystrom(landmarks=X[:5, :2]), X, "2 columns, X has 3"),
    # Blocks of rows.
    (rbf(), [X, X], "needs X as one array"),
    (nystrom(), [X[:5], X[5:, :2]], r"Block 1 has other columns .*\(2 of float64, not 3"),
    (nystrom(), [X[:5], np.full((2, 3), np.nan)], "block 1 contains NaN"),
    (nystrom(), [X[:5], X[5]], "Expected 2D array"),
    (nystrom(), [FRAME[:5], FRAME[5:][[*"bac"]]], r"other columns .*\(\['b', 'a'"),
    (nystrom(), iter([X]), r"give a function that returns a fresh one, fit\(lambda: read_blocks\("),
    (nystrom(), lambda: [X[: next(SHRINKING)]], "gave 8 rows that are not the 9"),
    (nystrom(), lambda: [], "There are no blocks of rows"),
    # Kernel functions: only finite numbers are values, and a function of whole arrays is none.
    *(
        (
            KernelPCA(2, kernel=broken(value)),
            X,
            f"gave {name} for rows 7 and 3: it must.*{MATRIX_OF}",
        )
        for value, name in (
            (np.nan, "nan"),
            (np.inf, "inf"),
            (None, "None"),
            ("near", "'near'"),
            (1j, "1j"),
            (np.ones(4), r"an array of shape \(4,\)"),
            (np.ones((1, 1)), r"an array of shape \(1, 1\)"),
        )
    ),
    (KernelPCA(2, kernel=rbf_kernel), X, f"(?s)Expected 2D array.*{MATRIX_OF}"),
    *(
        (
            KernelPCA(2, kernel=inner),
            form([["ab"], ["cd"]]),
            "X holds .*'ab'.*pass their kernel",
        )
        for form in (list, np.array, np.ravel)
    ),
    (KernelPCA(2, kernel=inner), [[1.0, 2.0], [3.0]], "inhomogeneous"),
    (KernelPCA(2, kernel=inner), [[np.nan], [1.0]], "NaN"),
]


@pytest.mark.parametrize(("estimator", "points", "message"), FITS)
def test_samples_that_do_not_suit_an_estimator(estimator, points, message):
    with pytest.raises((TypeError, ValueError, MemoryError), match=message):
        estimator.fit(points)


def test_a_mask_that_hides_nothing_is_none():
    whole = np.ma.array(X, mask=False)
    np.testing.assert_array_equal(rbf().fit(whole).eigenvalues_, rbf().fit(X).eigenvalues_)


def test_a_fit_leaves_the_global_random_state():
    shared = check_random_state(None)
    before = shared.get_state()[2]
    SparsePCA(2, l1_penalty=0.1).fit(X)
    KernelPCA(2, kernel="rbf", eigen_solver="randomized").fit(X)
    assert shared.get_state()[2] == before


FIT = rbf(**RIDGE).fit(X)
MATRIX = precomputed().fit(K)
POLY, LINE = (KernelPCA(2, kernel=k, preimage="fixed_point").fit(X) for k in ("poly", "linear"))
THIN = rbf(**LANDMARKS).fit(X)
LINEAR = PCA(2).fit(X)
LARGE = np.array([[1.0], [1e200]])
WHEN = pd.DataFrame({"a": [1, 2], "when": pd.to_datetime(["2020-01-01", "2020-01-02"])})
# Message → calls that are refused by it.
REFUSED = {
    "X contains NaN": [
        lambda: FIT.inverse_transform([[np.nan, 0]]),
        lambda: LINEAR.inverse_transform([[np.nan, 0]]),
        lambda: svd(HOLED, 1, method="truncated"),
    ],
    "X has 1 columns, but this model has 2 comp": [lambda: FIT.inverse_transform([[0.0]])],
    "X has 1 columns, but this PCA has 2 comp": [lambda: LINEAR.inverse_transform([[0.0]])],
    "Expected 2D array": [lambda: LINEAR.inverse_transform([0.0, 0.0])],
    "start has 10 rows, and X 1": [lambda: FIT.find_preimages([[0, 0]], start=NEW)],
    "pass it as `diagonal`": [lambda: MATRIX.reconstruction_error(K)],
    r"shape \(60,\), and has \(60, 1\)": [lambda: MATRIX.reconstruction_error(K, X[:, :1])],
    r"shape \(60,\), and has \(59,\)": [
        lambda: MATRIX.reconstruction_error([K[:9], K[9:]], K.diagonal()[1:])
    ],
    "diagonal contains NaN": [lambda: MATRIX.reconstruction_error(K, HOLED[:, 1])],
    "X_original has 10 rows, and 60 points": [
        lambda: precomputed(**RIDGE).fit(K, X_original=NEW),
        lambda: columns(**RIDGE).fit(GAUSSIAN, X_original=NEW),
    ],
    "X_original has 70 rows, and 60 points": [
        lambda: columns(**RIDGE).fit(GAUSSIAN, X_original=np.vstack([NEW, X]))
    ],
    "values with weights are beyond .*: the largest value is .* Scale sample_weight": [
        lambda: precomputed().fit(GAUSSIAN * 1e60, sample_weight=np.full(60, 1e60)),
        lambda: precomputed().fit(GAUSSIAN, sample_weight=np.full(60, 1e-101)),
        lambda: LandmarkKernelPCA(2, kernel="rbf").fit(X, sample_weight=np.full(60, 1e101)),
    ],
    "values underflow: the largest is 1e-101, and 1e-100 is the limit. Scale the data": [
        lambda: precomputed().fit(GAUSSIAN * 1e-101)
    ],
    "Values of the linear kernel underflow to zero": [lambda: KernelPCA(1).fit(X * 1e-170)],
    "sample_weight is zero for every sample": [
        lambda: rbf().fit(X, sample_weight=0),
        lambda: nystrom().fit([X[:5], X[5:]], sample_weight=[]),
    ],
    "sample_weight overflows: .* Scale it": [
        lambda: rbf().fit(X, sample_weight=np.full(60, 1e308))
    ],
    "sample_weight has 1 masked entries": [
        lambda: rbf().fit(X, sample_weight=np.ma.array(np.ones(60), mask=np.arange(60) == 3))
    ],
    "no numbers in column 'when'": [
        lambda: KernelPCA(1).fit(WHEN),
        lambda: KernelPCA(1).fit(WHEN.assign(when=["x", "y"])),
    ],
    r"0 sample\(s\)": [lambda: FIT.transform(X[:0])],
    "kernel is 'poly': give gamma as a number": [lambda: median_gamma(X, "poly")],
    "X has 3 columns, and Y 2": [lambda: kernel_matrix(X, X[:, :2])],
    "overflow float64 at row 1 of X": [
        lambda: kernel_matrix(LARGE, LARGE[:1], kernel="poly"),
        lambda: LINE.inverse_transform([[0, 0], [1e200, 0]]),
    ],
    "overflow float64 at row 2 of X": [
        lambda: POLY.transform(FAR),
        lambda: POLY.reconstruction_error(FAR),
        lambda: POLY.denoise(FAR),
        lambda: LINE.reconstruction_error(FAR),  # a linear score may be large, its square may not
    ],
    "overflow float32 at row 2 of X": [
        lambda: POLY.transform(np.minimum(FAR, 1e30).astype(np.float32))
    ],
    "has 7 features, .* is expecting 9 features": [
        lambda: columns(landmarks=np.arange(9)).fit(GAUSSIAN).transform(GAUSSIAN[:, :7])
    ],
    "X must give at least one": [lambda: FIT.transform(lambda: iter(()))],
    "blocks of rows one by one": [lambda: POLY.denoise(lambda: iter([NEW]))],
    "non-negative": [lambda: KernelColumns(lambda i: GAUSSIAN[:, i], [1.0, -1.0])],
    "rbf kernel overflows.*scale the data": [lambda: kernel_matrix(LARGE - 1)],
    "degree=0.5 is no real number": [lambda: kernel_matrix(X, kernel="poly", degree=0.5, coef0=0)],
    "preimage='fixed_point' and 'mds' need no fit": [lambda: THIN.denoise(X)],
    "fixed_point.*mds.*ridge": [lambda: find("nearest", FIT.expansion(), np.zeros((2, 2)), None)],
    "rbf, linear, poly, sigmoid.*ridge": [
        lambda k=k, p=p: KernelPCA(2, kernel=k, preimage=p).fit(X).denoise(X)
        for k in ("laplacian", "cosine", "anova", inner)
        for p in ("fixed_point", "mds")
    ],
    "for a kernel matrix K with.*X_original=X": [
        lambda p=p: precomputed(preimage=p).fit(K).denoise(K) for p in ("fixed_point", "mds")
    ],
    "derivative of kernel.*by name": [
        lambda: inspection.gradients(MATRIX, K),
        lambda: inspection.gradients(KernelPCA(2, kernel=inner).fit(X), X),
    ],
    "does not hold its training points": [
        lambda: inspection.variance_ratios(THIN),
        lambda: inspection.reproducibility(THIN),
    ],
    "needs at least 8": [
        lambda: inspection.reproducibility(KernelPCA(2).fit(X[:7])),
        lambda: inspection.reproducibility(FIT, groups=np.arange(60) % 7),
    ],
    "group has 52 of 60": [lambda: inspection.reproducibility(FIT, groups=np.arange(60).clip(51))],
    "kernel is indefinite": [
        lambda: inspection.reproducibility(precomputed(indefinite="clip").fit(K - 50 * np.eye(60)))
    ],
    "no component": [lambda: inspection.reproducibility(KernelPCA().fit(np.ones((20, 2))))],
    "no components, .* fit it to samples that differ": [
        lambda k=k, make=make: make(kernel=k, **RIDGE).fit(np.ones((12, 2)))
        for k in ("rbf", "linear")
        for make in (KernelPCA, LandmarkKernelPCA)
    ],
    "X has 1 distinct rows, and n_clusters=2": [
        lambda: choice.instabilities(np.ones((20, 2)), 1.0, [1], 2)
    ],
    "X has 10 rows, and the model was": [lambda: inspection.exact_residuals(THIN, NEW)],
    "groups has no group for row 1": [
        lambda missing=missing: KernelPCANovelty().fit(ROWS, groups=[1, missing] * 12)
        for missing in (None, np.nan, pd.NA, pd.NaT)
    ],
    "rows of X are of one group": [lambda: KernelPCANovelty().fit(ROWS, groups=[1] * 24)],
    "alpha and fdr exclude each other": [lambda: DETECTOR.predict(ROWS, 0.1, fdr=0.1)],
    "three rows": [lambda: choice.relevant_dimension(ROWS[:2], [1, 2])],
    r"one component .* \(60, 0\)": [lambda: choice.relevant_dimension(X[:, :0], X[:, 0])],
    "'truncated' for n_samples=.*from 1 to 2, got 3": [lambda: svd(X, 3, method="truncated")],
    'use "truncated" or "randomized"': [lambda: svd(sparse.eye_array(4))],
    'square, not .* input="data"': [lambda: covariance_root(np.ones((3, 2)))],
    "not symmetric": [lambda: covariance_root(np.array([[1.0, 0.5], [0.2, 1.0]]))],
    "negative eigenvalue -1": [lambda: covariance_root(np.array([[1.0, 2.0], [2.0, 1.0]]))],
}


@pytest.mark.parametrize("message", REFUSED)
def test_calls_that_are_refused_say_why(message):
    for call in REFUSED[message]:
        with pytest.raises((TypeError, ValueError), match=message):
            call()
