"""Every public function on what it cannot use: it works, or says which argument is wrong and why.

"Works" is written down in `WORKS`, so that nothing passes by giving an answer where it should not.
"""

import re
import warnings
from collections.abc import Callable
from functools import partial
from types import FunctionType
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

import kpca
from kpca import (
    KernelPCA,
    KernelPCANovelty,
    choice,
    inspection,
    kernel_matrix,
    median_gamma,
    novelty,
)

ROWS = np.random.default_rng(0).normal(size=(24, 3))
ASKED = KernelPCA(2, kernel="rbf", gamma=0.5, preimage="fixed_point")
MODEL = KernelPCA(**ASKED.get_params()).fit(ROWS)
LABELS = np.arange(24) % 2
DETECTOR = KernelPCANovelty().fit(ROWS)
WITHIN = choice.choose_by_denoising
pytestmark = pytest.mark.filterwarnings("ignore:The choice of")

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
    "contributions: reference": (
        lambda v: inspection.contributions(MODEL, ROWS, reference=v),
        "reference",
    ),
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
    "None": None,
}
WORKS = {
    ("importance", "None"),  # the training points
    ("contributions: reference", "None"),
    ("indicators", "one dimension"),
}


def refused(function: Callable[[Any], Any], value: Any, names: str) -> bool:
    """Say whether a value is refused, and see that it is in words that help."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            function(value)
    except (TypeError, ValueError) as error:
        message = str(error)
    else:
        return False
    assert re.search(rf"\b({names})\b", message), message
    assert not re.search(r"\b_[A-Za-z]", message), message
    return True


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("door", ARRAYS)
def test_what_is_no_array_of_points_is_refused_by_name(door: str, bad: str) -> None:
    function, argument = ARRAYS[door]
    assert refused(function, BAD[bad], argument) == ((door, bad) not in WORKS)


LISTED = {"relevant_dimension: y", "indicators", "KernelPCANovelty: new"}


@pytest.mark.parametrize("door", sorted(set(ARRAYS) - LISTED))
def test_lists_and_frames_are_arrays(door: str) -> None:
    function, _ = ARRAYS[door]
    frame, expected = pd.DataFrame(ROWS), function(ROWS)
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        for same in (ROWS.tolist(), frame):
            np.testing.assert_allclose(function(same), expected, rtol=1e-7, atol=1e-12)


def test_models_keep_the_names_of_the_variables_and_nothing_else_asks_for_them() -> None:
    named = pd.DataFrame(ROWS, columns=["a", "b", "c"])
    model = clone(MODEL).fit(named)
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
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
VALUES: dict[str, tuple[Callable[[Any], Any], list[Any]]] = {
    "choose_by_denoising gammas": (lambda v: WITHIN(ROWS, v, [2]), [*LISTS, [-1.0]]),
    "choose_by_denoising sizes": (lambda v: WITHIN(ROWS, [1.0], v), [*LISTS, [24], [500], [1.5]]),
    "choose_by_denoising noise": (lambda v: WITHIN(ROWS, [1.0], [2], noise=v), NUMBERS),
    "choose_by_denoising folds": (
        lambda v: WITHIN(ROWS, [1.0], [2], folds=v),
        [*NUMBERS, 0, 1, KFold(3), [], [(np.arange(9), [])], [(np.arange(30), [1])]],
    ),
    "choose_by_denoising seed": (lambda v: WITHIN(ROWS, [1.0], [2], seed=v), NUMBERS),
    "denoising_errors gamma": (
        lambda v: choice.denoising_errors(ROWS, v, [2]),
        [*NUMBERS, "median"],
    ),
    "denoising_errors sizes": (lambda v: choice.denoising_errors(ROWS, 0.1, v), LISTS),
    "corrupt noise": (lambda v: choice.corrupt(ROWS, v, 0), NUMBERS),
    "corrupt X": (lambda v: choice.corrupt(v, 0.3, 0), [ROWS * 1e300, sparse.csr_array(ROWS)]),
    "relevant_dimension y": (
        lambda v: choice.relevant_dimension(ROWS, v),
        [np.ones(24), LABELS[:3], np.where(LABELS, np.nan, 0), ["a", "b"] * 12],
    ),
    "relevant_dimension three rows": (lambda v: choice.relevant_dimension(v, [1, 2]), [ROWS[:2]]),
    "indicators labels": (choice.indicators, [[0.0, np.nan], np.array(["a", None])]),
    "variance_ratios folds": (
        lambda v: inspection.variance_ratios(MODEL, folds=v),
        [*NUMBERS, 0, 1],
    ),
    "variance_ratios seed": (lambda v: inspection.variance_ratios(MODEL, seed=v), NUMBERS),
    "importance X": (lambda v: inspection.importance(MODEL, v), [ROWS[:1]]),
    "contributions statistic": (
        lambda v: inspection.contributions(MODEL, ROWS, statistic=v),
        [*NUMBERS, "spe"],
    ),
    "contributions reference": (
        lambda v: inspection.contributions(MODEL, ROWS, reference=v),
        [ROWS[:5], ROWS[:, :2], ROWS[0, :2]],
    ),
    "novelty_scores statistic": (
        lambda v: novelty.novelty_scores(MODEL, ROWS, statistic=v),
        [*NUMBERS, "spe"],
    ),
    "KernelPCANovelty X": (
        KernelPCANovelty(KernelPCA(2), statistic="hotelling").fit,
        [np.ones((9, 2))],
    ),
    "KernelPCANovelty alpha": (
        lambda v: DETECTOR.predict(ROWS, v),
        ["a", -1, float("nan"), [2], 0, 1],
    ),
    "KernelPCANovelty fdr": (
        lambda v: DETECTOR.predict(ROWS, fdr=v),
        ["a", -1, float("nan"), [2], 0, 1],
    ),
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
    "exact_residuals": lambda v: inspection.exact_residuals(v, ROWS),
    "hotelling": lambda v: novelty.hotelling(v, ROWS),
    "novelty_scores": lambda v: novelty.novelty_scores(v, ROWS, statistic="residual"),
    "KernelPCANovelty": lambda v: KernelPCANovelty(v).fit(ROWS),
}


@pytest.mark.parametrize("door", MODELS)
def test_other_models_are_refused(door: str) -> None:
    others = [
        decomposition.PCA().fit(ROWS),
        kpca.PCA().fit(ROWS),
        make_pipeline(KernelPCA(2)).fit(ROWS),
        KernelPCA,
        "a",
    ]
    for other in others:
        assert refused(MODELS[door], other, "KernelPCA"), other


def test_every_public_function_is_here() -> None:
    doors = {name.partition(":")[0].partition(" ")[0] for name in (*ARRAYS, *VALUES, *MODELS)}
    public = {"KernelPCANovelty"}
    for module in (choice, inspection, novelty):
        named = {name: getattr(module, name) for name in module.__all__}
        public |= {name for name, value in named.items() if isinstance(value, FunctionType)}
    assert public <= doors


RNG = np.random.default_rng(0)
X, NEW = RNG.normal(size=(60, 3)), RNG.normal(size=(10, 3))
FRAME_OF = partial(pd.DataFrame, columns=["a", "b", "c"])
FRAME, NEW_FRAME = FRAME_OF(X), FRAME_OF(NEW)
RIDGE = {"fit_inverse_transform": True}
METHODS = ("transform", "reconstruction_error", "denoise")
LANDMARKS = {"eigen_solver": "nystrom", "n_landmarks": 20}


def rbf(**options: Any) -> KernelPCA:
    return KernelPCA(2, kernel="rbf", gamma=0.3, **options)


def precomputed(**options: Any) -> KernelPCA:
    return KernelPCA(2, kernel="precomputed", **options).fit(X @ X.T)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("preimage", ["ridge", "fixed_point"])
def test_the_table_of_fit_passes_without_a_word(method: str, preimage: str) -> None:
    asked = rbf(preimage=preimage, **RIDGE)
    expected = getattr(asked.fit(X), method)(NEW)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
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
    "PCA": lambda whole, holed: kpca.PCA(1).fit(holed),
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


def test_scikit_learn_may_be_told_that_all_is_finite() -> None:
    """Then what comes of it is caught later."""
    with sklearn.config_context(assume_finite=True), pytest.raises(ValueError, match="overflow"):
        rbf().fit(X).transform(HOLED)


def test_whole_numbers_are_scores_too() -> None:
    model = rbf(preimage="fixed_point").fit(X)
    found = model.inverse_transform([[0, 0]])
    np.testing.assert_array_equal(found, model.inverse_transform([[0.0, 0.0]]))
    assert not np.array_equal(found, np.round(found))


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "scores": (lambda: rbf(**RIDGE).fit(X).inverse_transform([[np.nan, 0]]), "X contains NaN"),
    "width": (lambda: rbf(**RIDGE).fit(X).inverse_transform([[0.0]]), "has 1 columns"),
    "start": (
        lambda: rbf(preimage="fixed_point").fit(X).find_preimages([[0, 0]], start=NEW),
        "start has 10 rows, and X 1",
    ),
    "no diagonal": (lambda: precomputed().reconstruction_error(X @ X.T), "pass it as `diagonal`"),
    "diagonal's shape": (
        lambda: precomputed().reconstruction_error(X @ X.T, np.ones((60, 1))),
        r"shape \(60,\), and has \(60, 1\)",
    ),
    "diagonal": (
        lambda: precomputed().reconstruction_error(X @ X.T, np.full(60, np.nan)),
        "diagonal contains NaN",
    ),
    "original": (
        lambda: KernelPCA(kernel="precomputed", **RIDGE).fit(X @ X.T, X_original=NEW),
        "X_original has 10 rows, and 60 points",
    ),
    "no steps": (lambda: rbf().fit(X).check_completeness(0), "steps must be an integer .* got 0"),
    "steps": (lambda: rbf().fit(X).check_completeness("a"), "steps must be an integer .* got 'a'"),
    "seed": (lambda: rbf(random_state="a").fit(X), "'random_state' parameter of KernelPCA"),
    "weights": (lambda: rbf().fit(X, sample_weight="a"), "sample_weight must hold numbers"),
    "matrix": (
        lambda: KernelPCA(kernel="precomputed").fit(np.diag([1.0, np.inf])),
        "X contains infinity",
    ),
    "widths": (lambda: kernel_matrix(X, X[:, :2]), "X has 3 columns, and Y 2"),
    "gamma": (lambda: kernel_matrix(X, gamma=-1), "gamma must be a finite number from 0"),
    "degree": (lambda: kernel_matrix(X, degree="a"), "degree must be a finite number from 0"),
    "coef0": (lambda: kernel_matrix(X, coef0=np.nan), "coef0 must be a finite number"),
    "kernel": (lambda: kernel_matrix(X, kernel=["rbf"]), "kernel must be one of"),
    "overflow": (
        lambda: kernel_matrix([[1.0], [1e200]], [[1.0]], kernel="poly"),
        "overflow float64 at row 1 of X",
    ),
}


@pytest.mark.parametrize(("call", "message"), REFUSED.values(), ids=REFUSED)
def test_calls_that_are_refused_name_the_argument(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
