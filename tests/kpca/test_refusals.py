"""Every public function on what it cannot use: it works, or says which argument is wrong and why.

"Works" is written down in `WORKS`, so that nothing passes by giving an answer where it should not.
"""

import re
import sys
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy import sparse
from sklearn import decomposition
from sklearn.base import clone
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.utils import check_random_state

from kpca import (
    PCA,
    KernelPCA,
    KernelPCANovelty,
    LandmarkKernelPCA,
    SparsePCA,
    choice,
    inspection,
    novelty,
)
from kpca.kernels import kernel_matrix
from kpca.kernels.bandwidth import median_gamma
from kpca.linear.sparse import covariance_root
from kpca.linear.svd import svd
from kpca.preimage import find
from tests.kpca.estimators import either

ROWS = np.random.default_rng(0).normal(size=(24, 3))
ASKED = KernelPCA(2, kernel="rbf", gamma=0.5, preimage="fixed_point")
MODEL = KernelPCA(**ASKED.get_params()).fit(ROWS)
LABELS = np.arange(24) % 2
DETECTOR = KernelPCANovelty().fit(ROWS)
WITHIN = choice.choose_by_denoising
pytestmark = pytest.mark.filterwarnings("ignore:The choice of", "ignore:.*smallest eigenvalue is")


class Foreign:
    """An array that NumPy cannot read, and that does not say why."""

    shape = (24, 3)

    def __array__(self, *_: Any, **options: Any) -> np.ndarray:
        raise TypeError


# Door → (function of what is passed, its argument).
ARRAYS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "choose_by_denoising": (lambda v: WITHIN(v, [0.1, 1.0, 9.0], [1, 2, 3]).errors, "X"),
    "denoising_errors": (lambda v: choice.denoising_errors(v, 0.1, [2], folds=3), "X"),
    "corrupt": (lambda v: choice.corrupt(v, 0.3, 0), "X"),
    "relevant_dimension": (lambda v: choice.relevant_dimension(v, LABELS).likelihood, "vectors"),
    "relevant_dimension: y": (lambda v: choice.relevant_dimension(ROWS, v).likelihood, "y"),
    "indicators": (choice.indicators, "labels"),
    "gradients": (lambda v: inspection.gradients(MODEL, v), "X"),
    "importance": (lambda v: inspection.importance(MODEL, v), "X"),
    "contributions": (lambda v: inspection.contributions(MODEL, v), "X"),
    "contributions: reference": (lambda v: shares(MODEL, ROWS, reference=v), "reference"),
    "exact_residuals": (lambda v: inspection.exact_residuals(MODEL, v), "X"),
    "kernel_matrix": (lambda v: kernel_matrix(v, v), "X"),
    "median_gamma": (median_gamma, "X"),
    "KernelPCA": (lambda v: clone(ASKED).fit(v).eigenvalues_, "X"),
    "hotelling": (lambda v: novelty.hotelling(MODEL, v), "X"),
    "novelty_scores": (lambda v: novelty.novelty_scores(MODEL, v, statistic="residual"), "X"),
    "KernelPCANovelty": (lambda v: KernelPCANovelty().fit(v).limit_, "X"),
    "KernelPCANovelty: new": (DETECTOR.predict, "X"),
}
BAD: dict[str, Any] = {
    "NaN": np.where(np.arange(72).reshape(24, 3) == 22, np.nan, ROWS),
    "infinity": np.where(np.arange(72).reshape(24, 3) == 22, np.inf, ROWS),
    "no rows": ROWS[:0],
    "empty": [],
    "one dimension": np.ones(4),
    "three dimensions": ROWS[None],
    "a number": 3.0,
    "strings": [["a", "b", "c"]] * 24,
    "ragged": [[1.0, 2.0], [3.0]],
    "complex": ROWS * 1j,
    "masked": np.ma.array(ROWS, mask=ROWS > 1.5),
    "of another library": Foreign(),
    "None": None,
}
WORKS = {
    ("importance", "None"),  # the training points
    ("contributions: reference", "None"),
    ("indicators", "one dimension"),
}
LISTED = {"relevant_dimension: y", "indicators", "KernelPCANovelty: new"}


def refused(function: Callable[[Any], Any], value: Any, names: str) -> bool:
    """Say whether a value is refused, and see that it is in words that help."""
    try:
        with warnings.catch_warnings(action="error", category=RuntimeWarning):
            function(value)
    except (TypeError, ValueError) as error:
        message = str(error)
    else:
        return False
    assert re.search(rf"\b({names})\b", message), message
    assert not re.search(r"\b_[A-Za-z]", message), message
    assert not message.endswith(": "), message
    return True


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("door", ARRAYS)
def test_what_is_no_array_of_points_is_refused_by_name(door: str, bad: str) -> None:
    function, argument = ARRAYS[door]
    assert refused(function, BAD[bad], argument) == ((door, bad) not in WORKS)


@pytest.mark.parametrize("door", sorted(set(ARRAYS) - LISTED))
def test_lists_and_frames_are_arrays(door: str) -> None:
    function, _ = ARRAYS[door]
    frame, expected = pd.DataFrame(ROWS), function(ROWS)
    with warnings.catch_warnings(action="error", category=DeprecationWarning):
        for same in (ROWS.tolist(), frame):
            np.testing.assert_allclose(function(same), expected, rtol=1e-7, atol=1e-12)


def test_models_keep_the_names_of_the_variables_and_nothing_else_asks_for_them() -> None:
    named = pd.DataFrame(ROWS, columns=["a", "b", "c"])
    model = clone(MODEL).fit(named)
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    with warnings.catch_warnings(action="error"):
        for statistic in ("residual", "hotelling"):
            shares = inspection.contributions(model, named, statistic=statistic)
            unnamed = inspection.contributions(MODEL, ROWS, statistic=statistic)
            np.testing.assert_allclose(shares, unnamed, rtol=1e-9)
        inspection.gradients(model, named)
        inspection.importance(model, named)
    with pytest.raises(ValueError, match="feature names"):
        inspection.gradients(model, named.rename(columns={"a": "z"}))


# Door and argument → (function of what is passed, values that it refuses).
NUMBERS, LISTS = [None, "a", -1, float("nan"), [2]], [None, "a", 2, [], [0], ["a"], [float("nan")]]
errors, dimension = choice.denoising_errors, choice.relevant_dimension
ratios, shares = inspection.variance_ratios, inspection.contributions
scores = novelty.novelty_scores
VALUES: dict[str, tuple[Callable[[Any], Any], list[Any]]] = {
    "choose_by_denoising gammas": (lambda v: WITHIN(ROWS, v, [2]), [*LISTS, [-1.0]]),
    "choose_by_denoising sizes": (lambda v: WITHIN(ROWS, [1.0], v), [*LISTS, [24], [500], [1.5]]),
    "choose_by_denoising noise": (lambda v: WITHIN(ROWS, [1.0], [2], noise=v), NUMBERS),
    "choose_by_denoising folds": (
        lambda v: WITHIN(ROWS, [1.0], [2], folds=v),
        [*NUMBERS, 0, 1, KFold(3), [], [(np.arange(9), [])], [(np.arange(30), [1])]],
    ),
    "choose_by_denoising seed": (lambda v: WITHIN(ROWS, [1.0], [2], seed=v), NUMBERS),
    "denoising_errors gamma": (lambda v: errors(ROWS, v, [2]), [*NUMBERS, "median"]),
    "denoising_errors sizes": (lambda v: errors(ROWS, 0.1, v), LISTS),
    "corrupt noise": (lambda v: choice.corrupt(ROWS, v, 0), NUMBERS),
    "corrupt X": (lambda v: choice.corrupt(v, 0.3, 0), [ROWS * 1e300, sparse.csr_array(ROWS)]),
    "relevant_dimension y": (
        lambda v: dimension(ROWS, v),
        [np.ones(24), LABELS[:3], np.where(LABELS, np.nan, 0), ["a", "b"] * 12],
    ),
    "relevant_dimension three rows": (lambda v: dimension(v, [1, 2]), [ROWS[:2]]),
    "indicators labels": (choice.indicators, [[0.0, np.nan], np.array(["a", None])]),
    "variance_ratios folds": (lambda v: ratios(MODEL, folds=v), [*NUMBERS, 0, 1]),
    "variance_ratios seed": (lambda v: ratios(MODEL, seed=v), NUMBERS),
    "importance X": (lambda v: inspection.importance(MODEL, v), [ROWS[:1]]),
    "contributions statistic": (lambda v: shares(MODEL, ROWS, statistic=v), [*NUMBERS, "spe"]),
    "contributions reference": (
        lambda v: shares(MODEL, ROWS, reference=v),
        [ROWS[:5], ROWS[:, :2], ROWS[0, :2]],
    ),
    "novelty_scores statistic": (lambda v: scores(MODEL, ROWS, statistic=v), [*NUMBERS, "spe"]),
    "KernelPCANovelty X": (
        KernelPCANovelty(KernelPCA(2), statistic="hotelling").fit,
        [np.ones((9, 2))],
    ),
    "KernelPCANovelty group": (
        lambda v: KernelPCANovelty().fit(ROWS, groups=v),
        [[1] * 5, ["a"] * 24, [None, *LABELS[1:]]],
    ),
    "KernelPCANovelty alpha": (lambda v: DETECTOR.predict(ROWS, v), [*NUMBERS[1:], 0, 1]),
    "KernelPCANovelty fdr": (lambda v: DETECTOR.predict(ROWS, fdr=v), [*NUMBERS[1:], 0, 1]),
    "check_completeness steps": (MODEL.check_completeness, [*NUMBERS, 0, 1.5]),
    "fit sample_weight": (
        lambda v: clone(ASKED).fit(ROWS, sample_weight=v),
        ["a", np.zeros(24), np.full(24, -1.0), np.ones(7)],
    ),
    "kernel_matrix gamma": (lambda v: kernel_matrix(ROWS, gamma=v), NUMBERS[1:]),
    "kernel_matrix degree": (lambda v: kernel_matrix(ROWS, degree=v), NUMBERS),
    "kernel_matrix coef0": (lambda v: kernel_matrix(ROWS, coef0=v), [None, "a", np.nan]),
    "kernel_matrix kernel": (lambda v: kernel_matrix(ROWS, kernel=v), ["gauss", ["rbf"]]),
    "svd method": (lambda v: svd(ROWS, 1, method=v), ["lanczos", ["full"]]),
    "svd n_components": (lambda v: svd(ROWS, v), [0, 4, 1.5]),
    "svd normalizer": (lambda v: svd(ROWS, 1, normalizer=v), ["lu", None]),
    "svd n_iter": (lambda v: svd(ROWS, 1, n_iter=v), NUMBERS),
    "svd n_oversamples": (lambda v: svd(ROWS, 1, n_oversamples=v), [*NUMBERS, 1.5]),
}


@pytest.mark.parametrize("door", VALUES)
def test_values_that_cannot_be_used_are_refused_by_name(door: str) -> None:
    function, values = VALUES[door]
    for value in values:
        assert refused(function, value, door.partition(" ")[2]), value


MODELS: dict[str, Callable[[Any], Any]] = {
    "gradients": lambda v: inspection.gradients(v, ROWS),
    "importance": lambda v: inspection.importance(v),
    "contributions": lambda v: inspection.contributions(v, ROWS),
    "variance_ratios": lambda v: inspection.variance_ratios(v),
    "reproducibility": lambda v: inspection.reproducibility(v),
    "exact_residuals": lambda v: inspection.exact_residuals(v, ROWS),
    "hotelling": lambda v: novelty.hotelling(v, ROWS),
    "novelty_scores": lambda v: novelty.novelty_scores(v, ROWS, statistic="residual"),
    "KernelPCANovelty": lambda v: KernelPCANovelty(v).fit(ROWS),
}


@pytest.mark.parametrize("door", MODELS)
def test_other_models_are_refused(door: str) -> None:
    fitted = (m.fit(ROWS) for m in (decomposition.PCA(), PCA(), make_pipeline(KernelPCA(2))))
    for other in (*fitted, KernelPCA, "a", ROWS):
        assert refused(MODELS[door], other, "KernelPCA"), other
        with pytest.raises(ValueError if door == "KernelPCANovelty" else TypeError):
            MODELS[door](other)


RNG = np.random.default_rng(0)
X, NEW = RNG.normal(size=(60, 3)), RNG.normal(size=(10, 3))
FRAME_OF = partial(pd.DataFrame, columns=["a", "b", "c"])
FRAME, NEW_FRAME = FRAME_OF(X), FRAME_OF(NEW)
RIDGE = {"fit_inverse_transform": True}
METHODS = ("transform", "reconstruction_error", "denoise")
LANDMARKS = {"eigen_solver": "nystrom", "n_landmarks": 20}


def rbf(k: float = 2, **options: Any) -> Any:
    return either(k, kernel="rbf", gamma=0.3, **options)


def given(**options: Any) -> KernelPCA:
    return KernelPCA(2, kernel="precomputed", **options)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("preimage", ["ridge", "fixed_point"])
def test_the_table_of_fit_passes_without_a_word(method: str, preimage: str) -> None:
    asked = rbf(preimage=preimage, **RIDGE)
    expected = getattr(asked.fit(X), method)(NEW)
    with warnings.catch_warnings(action="error"):
        found = getattr(asked.fit(FRAME), method)(NEW_FRAME)
        np.testing.assert_allclose(found, expected, rtol=1e-6)
        rows = getattr(asked.fit(X.tolist()), method)(NEW.tolist())
        np.testing.assert_array_equal(rows, expected)
    with pytest.raises(ValueError, match="feature names should match"):
        getattr(asked.fit(FRAME), method)(NEW_FRAME[["b", "a", "c"]])


def test_scores_are_a_table_where_that_is_asked_for_and_points_are_not() -> None:
    """As of scikit-learn's transformers, whose `inverse_transform` gives arrays."""
    model = rbf(**RIDGE).set_output(transform="pandas").fit(FRAME)
    plain = rbf(**RIDGE).fit(X)
    scores = model.transform(NEW_FRAME)
    assert list(scores.columns) == ["kernelpca0", "kernelpca1"]
    np.testing.assert_array_equal(model.inverse_transform(scores), model.denoise(NEW_FRAME))
    np.testing.assert_allclose(model.denoise(NEW_FRAME), plain.denoise(NEW), rtol=1e-9)
    assert isinstance(model.denoise(NEW_FRAME), np.ndarray)
    found = rbf(preimage="fixed_point").fit(X).inverse_transform([[0, 0]])  # integers are scores
    assert not np.array_equal(found, np.round(found))


@pytest.mark.parametrize(
    "blocks",
    [
        lambda: [NEW[:4], NEW[4:]],
        lambda: lambda: iter([NEW[:4], NEW[4:]]),
        lambda: iter([NEW[:4], NEW[4:]]),
        lambda: [sparse.csr_matrix(NEW[:4]), NEW_FRAME[4:].to_numpy()],
    ],
    ids=["list", "function", "iterator", "sparse"],
)
@pytest.mark.parametrize("options", [{}, LANDMARKS], ids=["exact", "landmarks"])
def test_blocks_of_new_rows(blocks: Callable[[], Any], options: Any) -> None:
    model = rbf(**options).fit(X)
    for method in ("transform", "reconstruction_error"):
        found, expected = getattr(model, method)(blocks()), getattr(model, method)(NEW)
        np.testing.assert_allclose(found, expected, rtol=1e-12)
    table = model.set_output(transform="pandas").transform(blocks())
    np.testing.assert_allclose(table, model.transform(NEW), rtol=1e-12)


def test_blocks_are_checked_one_by_one() -> None:
    model = rbf().fit(X)
    with pytest.raises(ValueError, match="X contains NaN in row 0, column 0") as caught:
        model.transform([NEW, np.full((1, 3), np.nan)])
    assert caught.value.__notes__ == ["This is block 1 of X."]
    with pytest.raises(ValueError, match="at least one"):
        model.transform(lambda: iter(()))
    with pytest.raises(TypeError, match="blocks of rows one by one"):
        model.set_params(preimage="fixed_point").denoise(lambda: iter([NEW]))
    with pytest.raises(TypeError, match="needs X as one array"):
        rbf().fit([X, X])


HOLED = X.copy()
HOLED[7, 1] = np.nan
HOLES: dict[str, Callable[[Any, Any], Any]] = {
    "fit": lambda whole, holed: rbf().fit(holed),
    "landmarks": lambda whole, holed: rbf(**LANDMARKS).fit(holed),
    "transform": lambda whole, holed: rbf().fit(whole).transform(holed),
    "denoise": lambda whole, holed: rbf(preimage="fixed_point").fit(whole).denoise(holed),
    "PCA": lambda whole, holed: PCA(1).fit(holed),
    "novelty": lambda whole, holed: KernelPCANovelty(rbf()).fit(holed),
}


@pytest.mark.parametrize("door", HOLES)
@pytest.mark.parametrize(
    ("kind", "column"), [(FRAME_OF, "'b'"), (np.array, "1"), (sparse.csr_array, "1")]
)
def test_what_is_not_finite_has_a_place(kind: Any, column: str, door: str) -> None:
    if kind is sparse.csr_array and door in ("denoise", "PCA"):
        pytest.skip("takes no sparse points")
    with pytest.raises(ValueError, match=f"X contains NaN in row 7, column {column}: fill in"):
        HOLES[door](kind(X), kind(HOLED))
    # scikit-learn may be told that all is finite; then what comes of it is caught later.
    with sklearn.config_context(assume_finite=True), pytest.raises(ValueError, match="overflow"):
        rbf().fit(X).transform(HOLED)


# Values that `fit` refuses by the rule of the parameter, as it refuses an object of no use.
BROKEN: dict[type, dict[str, list[Any]]] = {
    KernelPCA: {
        **{"n_components": [0, 1.5], "kernel": ["gauss"], "gamma": [-1], "tol": [np.nan]},
        **{"center": ["yes"], "memory_budget": [-5], "indefinite": ["warn"]},
    },
    LandmarkKernelPCA: {"kernel": ["gauss", np.dot], "n_landmarks": [0], "landmarks": ["best"]},
    PCA: {"n_components": [0, -1, 1.5, 2.0, "mle", True], "route": [["svd"]], "whiten": ["yes"]},
    SparsePCA: {
        **{"n_components": [0.5], "method": ["lasso"], "l2_penalty": [np.nan, "a"], "tol": [-1.0]},
        **{"max_iter": [1.5], "random_state": ["a"]},
    },
    KernelPCANovelty: {"false_alarm": [0, 1], "folds": [1], "estimator": ["rbf"]},
}


@pytest.mark.parametrize("kind", BROKEN)
def test_parameters_of_estimators_are_named(kind: Any) -> None:
    for name, rule in sys.modules[kind.__module__].RULES.items():
        for value in (object(), *BROKEN[kind].get(name, [])):
            words = f"The {name!r} parameter of {kind.__name__} must be {rule.words}, got {value!r}"
            with pytest.raises(ValueError, match=re.escape(words)):
                kind(**{name: value}).fit(X)


def inner(x: np.ndarray, y: np.ndarray) -> float:
    return float(x @ y)


def nystrom(**options: Any) -> LandmarkKernelPCA:
    return LandmarkKernelPCA(2, **options)


OF_DISTANCE, SMALL = r"'laplacian', .*'rbf'.*, and kernel is ", "scale the data, or give gamma"
SQUARES = ((X[:, None] - X) ** 2).sum(axis=2)
# What else `fit` says of an estimator and 60 samples of 3 variables.
FITS: list[tuple[Any, np.ndarray, str]] = [
    *(
        (KernelPCA(kernel=kernel, gamma="median"), X, OF_DISTANCE)
        for kernel in ("linear", "poly", "sigmoid", "cosine", np.dot)
    ),
    (given(gamma="median"), X @ X.T, OF_DISTANCE),
    (given(), np.diag([1.0, np.inf]), "X contains infinity"),
    *((given(), D, "no positive eigenvalue.*distances D") for D in (SQUARES, np.sqrt(SQUARES))),
    (given(eigen_solver="arpack"), SQUARES, "no positive eigenvalue.*distances D"),
    (given(**RIDGE), X @ X.T, r"fit\(K, X_original=X\)"),
    (KernelPCA(kernel="rbf", gamma="median"), X * 1e-155, SMALL),
    (KernelPCA(kernel="laplacian", gamma="median"), X * 1e-310, SMALL),
    *((KernelPCA(kernel=k, coef0=0), X * 1e-150, "underf") for k in ("linear", "poly", "sigmoid")),
    (KernelPCA(kernel="poly", degree=2.5, coef0=-50), abs(X), "degree=2.5 is no real .*coef0"),
    (KernelPCA(kernel="poly", eigen_solver="primal"), np.tile(X, 13), "at most 2000 explicit feat"),
    (nystrom(kernel="sigmoid"), X, "positive semidefinite.*sigmoid: use KernelPCA, or a kernel"),
    (nystrom(kernel="poly", coef0=-1), X, "positive semidefinite for certain"),
    (nystrom(n_landmarks=1), X, "n_components=2 .*n_landmarks=1.*raise"),
    (rbf(0.999, **LANDMARKS), X, "keep 0.* for certain: raise n_landmarks"),
    (KernelPCANovelty(given()), X @ X.T, "a precomputed kernel does not say"),
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
]


@pytest.mark.parametrize(("estimator", "points", "words"), FITS)
def test_samples_that_do_not_suit_an_estimator(estimator: Any, points: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        estimator.fit(points)


def test_distances_give_what_the_refusal_says() -> None:
    """Classical scaling is PCA; a mask that hides nothing is none."""
    scaled = given(eigen_solver="dense").fit(-SQUARES / 2)
    expected = KernelPCA(len(scaled.eigenvalues_)).fit(X).eigenvalues_
    np.testing.assert_allclose(scaled.eigenvalues_, expected)
    given().fit(np.exp(-0.3 * SQUARES))
    whole = np.ma.array(X, mask=False)
    np.testing.assert_array_equal(rbf().fit(whole).eigenvalues_, rbf().fit(X).eigenvalues_)
    with pytest.raises(ValueError, match="sample_weight has 1 masked entries"):
        rbf().fit(X, sample_weight=np.ma.array(np.ones(len(X)), mask=np.arange(len(X)) == 3))


def test_a_fit_leaves_the_global_random_state() -> None:
    shared = check_random_state(None)
    before = shared.get_state()[2]
    SparsePCA(2, l1_penalty=0.1).fit(X)
    KernelPCA(2, kernel="rbf", eigen_solver="randomized").fit(X)
    assert shared.get_state()[2] == before


FIT, K, GAUSSIAN = rbf(**RIDGE).fit(X), given().fit(X @ X.T), kernel_matrix(X)
THIN, LINEAR, LARGE = rbf(**LANDMARKS).fit(X), PCA(2).fit(X), np.array([[1.0], [1e200]])
WHEN = pd.DataFrame({"a": [1, 2], "when": pd.to_datetime(["2020-01-01", "2020-01-02"])})
# Words → calls that are refused in these words.
REFUSED: dict[str, list[Callable[[], Any]]] = {
    "X contains NaN": [
        lambda: FIT.inverse_transform([[np.nan, 0]]),
        lambda: LINEAR.inverse_transform([[np.nan, 0]]),
        lambda: svd(HOLED),
        lambda: svd(HOLED, 1, method="truncated"),
    ],
    "X has 1 columns, but this model has 2 comp": [lambda: FIT.inverse_transform([[0.0]])],
    "X has 1 columns, but this PCA has 2 comp": [lambda: LINEAR.inverse_transform([[0.0]])],
    "Expected 2D array": [lambda: LINEAR.inverse_transform([0.0, 0.0]), lambda: svd(np.ones(4))],
    "start has 10 rows, and X 1": [lambda: FIT.find_preimages([[0, 0]], start=NEW)],
    "pass it as `diagonal`": [lambda: K.reconstruction_error(X @ X.T)],
    r"shape \(60,\), and has \(60, 1\)": [lambda: K.reconstruction_error(X @ X.T, X[:, :1])],
    "diagonal contains NaN": [lambda: K.reconstruction_error(X @ X.T, HOLED[:, 1])],
    "X_original has 10 rows, and 60 points": [lambda: given(**RIDGE).fit(X @ X.T, X_original=NEW)],
    "values with weights are beyond .*: the largest value is .* Scale sample_weight": [
        lambda: given().fit(GAUSSIAN * 1e60, sample_weight=np.full(60, 1e60)),
        lambda: given().fit(GAUSSIAN, sample_weight=np.full(60, 1e-101)),
        lambda: LandmarkKernelPCA(2, kernel="rbf").fit(X, sample_weight=np.full(60, 1e101)),
    ],
    "values underflow: the largest is 1e-101, and 1e-100 is the limit. Scale the data": [
        lambda: given().fit(GAUSSIAN * 1e-101)
    ],
    "Values of the linear kernel underflow to zero": [lambda: KernelPCA(1).fit(X * 1e-170)],
    "no numbers in column 'when'": [
        lambda: KernelPCA(1).fit(WHEN),
        lambda: KernelPCA(1).fit(WHEN.assign(when=["x", "y"])),
    ],
    r"0 sample\(s\)": [
        lambda: FIT.transform(X[:0]),
        lambda: FIT.transform(X[:0].astype(int)),
        lambda: svd(X[:0]),
    ],
    "kernel is 'poly': give gamma as a number": [lambda: median_gamma(X, "poly")],
    SMALL: [lambda: median_gamma(X * 1e-155), lambda: median_gamma(X * 1e-310, "laplacian")],
    "X has 3 columns, and Y 2": [lambda: kernel_matrix(X, X[:, :2])],
    "overflow float64 at row 1 of X": [lambda: kernel_matrix(LARGE, LARGE[:1], kernel="poly")],
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
        lambda p=p: given(preimage=p).fit(X @ X.T).denoise(X @ X.T) for p in ("fixed_point", "mds")
    ],
    "derivative of kernel.*by name": [
        lambda: inspection.gradients(K, X @ X.T),
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
        lambda: inspection.reproducibility(given(indefinite="clip").fit(X @ X.T - 50 * np.eye(60)))
    ],
    "no component": [lambda: inspection.reproducibility(KernelPCA().fit(np.ones((20, 2))))],
    "X has 10 rows, and the model was": [lambda: inspection.exact_residuals(THIN, NEW)],
    "alpha and fdr exclude each other": [lambda: DETECTOR.predict(ROWS, 0.1, fdr=0.1)],
    r"one component .* \(60, 0\)": [lambda: choice.relevant_dimension(X[:, :0], X[:, 0])],
    "'truncated' for n_samples=.*from 1 to 2, got 3": [lambda: svd(X, 3, method="truncated")],
    'use "truncated" or "randomized"': [lambda: svd(sparse.eye_array(4))],
    'square, not .* input="data"': [lambda: covariance_root(np.ones((3, 2)))],
    "not symmetric": [lambda: covariance_root(np.array([[1.0, 0.5], [0.2, 1.0]]))],
    "negative eigenvalue -1": [lambda: covariance_root(np.array([[1.0, 2.0], [2.0, 1.0]]))],
}


@pytest.mark.parametrize("words", REFUSED)
def test_calls_that_are_refused_say_why(words: str) -> None:
    for call in REFUSED[words]:
        with pytest.raises(ValueError, match=words):
            call()
