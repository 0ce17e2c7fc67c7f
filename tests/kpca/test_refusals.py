"""Every public function on what it cannot use: it works, or says which argument is wrong and why.

"Works" is written down in `WORKS`, so that nothing passes by giving an answer where it should not.
"""

import re
import warnings
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline

import kpca
from kpca import KernelPCA, KernelPCANovelty, choice, inspection, novelty

X = np.random.default_rng(0).normal(size=(24, 3))
K = X @ X.T
FOLDS = list(KFold(3).split(X))
ASKED = KernelPCA(2, kernel="rbf", gamma=0.5, preimage="fixed_point")
MODEL = KernelPCA(**ASKED.get_params()).fit(X)
PARTS = list(choice.fits_without(ASKED, X, FOLDS, X + 0.1))
LABELS = np.arange(24) % 2
GAUSSIAN = choice.GaussianSweep(X, [1, 2], folds=3)
WITHIN = choice.choose_by_denoising
pytestmark = pytest.mark.filterwarnings("ignore:The choice of")

# Door → (function of what is passed, its argument).
ARRAYS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "choose_by_denoising": (lambda v: WITHIN(v, [0.1, 1.0, 9.0], [1, 2, 3]).errors, "X"),
    "GaussianSweep": (lambda v: choice.GaussianSweep(v, [2], folds=3).errors(0.1).input, "X"),
    "corrupt": (lambda v: choice.corrupt(v, 0.3, 0), "X"),
    "fits_without": (lambda v: next(choice.fits_without(ASKED, v, FOLDS)).scores, "X"),
    "input_errors": (lambda v: choice.input_errors(PARTS, v, X, [1]), "X"),
    "input_errors: corrupted": (lambda v: choice.input_errors(PARTS, X, v, [1]), "corrupted"),
    "centred_fit": (lambda v: choice.centred_fit(v, 2).eigenvalues_, "K"),
    "relevant_dimension": (lambda v: choice.relevant_dimension(v, LABELS).likelihood, "vectors"),
    "relevant_dimension: y": (lambda v: choice.relevant_dimension(X, v).likelihood, "y"),
    "indicators": (choice.indicators, "labels"),
    "gradients": (lambda v: inspection.gradients(MODEL, v), "X"),
    "importance": (lambda v: inspection.importance(MODEL, v), "X"),
    "contributions": (lambda v: inspection.contributions(MODEL, v), "X"),
    "contributions: reference": (
        lambda v: inspection.contributions(MODEL, X, reference=v),
        "reference",
    ),
    "exact_residuals": (lambda v: inspection.exact_residuals(MODEL, v), "X"),
    "hotelling": (lambda v: novelty.hotelling(MODEL, v), "X"),
    "residual_limit": (novelty.residual_limit, "errors"),
    "KernelPCANovelty": (lambda v: KernelPCANovelty().fit(v).limit_, "X"),
    "KernelPCANovelty: new": (KernelPCANovelty().fit(X).predict, "X"),
}
BAD: dict[str, Any] = {
    "NaN": np.where(np.arange(72).reshape(24, 3) == 22, np.nan, X),
    "infinity": np.where(np.arange(72).reshape(24, 3) == 22, np.inf, X),
    "no rows": X[:0],
    "empty": [],
    "one dimension": np.ones(4),
    "three dimensions": X[None],
    "a number": 3.0,
    "strings": [["a", "b", "c"]] * 24,
    "ragged": [[1.0, 2.0], [3.0]],
    "complex": X * 1j,
    "None": None,
}
WORKS = {
    ("importance", "None"),  # the training points
    ("contributions: reference", "None"),
    ("indicators", "one dimension"),
    ("residual_limit", "one dimension"),
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


def test_where_a_number_is_missing_is_said() -> None:
    for points in (BAD["NaN"], pd.DataFrame(BAD["NaN"]), sparse.csr_array(BAD["NaN"])):
        with pytest.raises(ValueError, match="X contains NaN in row 7, column 1"):
            clone(ASKED).fit(points)


LISTED = {"relevant_dimension: y", "indicators", "KernelPCANovelty: new"}


@pytest.mark.parametrize("door", sorted(set(ARRAYS) - LISTED))
def test_lists_and_frames_are_arrays(door: str) -> None:
    function, argument = ARRAYS[door]
    square = argument == "K"
    good = np.abs(X[:4, 0]) if "error" in argument or argument == "means" else X
    good = K if square else good
    frame = pd.DataFrame(good) if good.ndim > 1 else pd.Series(good)
    expected = function(good)
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        for same in (good.tolist(), frame):
            np.testing.assert_allclose(function(same), expected, rtol=1e-7, atol=1e-12)


def test_models_keep_the_names_of_the_variables_and_nothing_else_asks_for_them() -> None:
    named = pd.DataFrame(X, columns=["a", "b", "c"])
    model = clone(MODEL).fit(named)
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for statistic in ("residual", "hotelling"):
            shares = inspection.contributions(model, named, statistic=statistic)
            unnamed = inspection.contributions(MODEL, X, statistic=statistic)
            np.testing.assert_allclose(shares, unnamed, rtol=1e-9)
        inspection.gradients(model, named)
        inspection.importance(model, named)
    with pytest.raises(ValueError, match="feature names"):
        inspection.gradients(model, named.rename(columns={"a": "z"}))


# Door and argument → (function of what is passed, values that it refuses).
NUMBERS, LISTS = [None, "a", -1, float("nan"), [2]], [None, "a", 2, [], [0], ["a"], [float("nan")]]
VALUES: dict[str, tuple[Callable[[Any], Any], list[Any]]] = {
    "choose_by_denoising gammas": (lambda v: WITHIN(X, v, [2]), [*LISTS, [-1.0]]),
    "choose_by_denoising sizes": (lambda v: WITHIN(X, [1.0], v), [*LISTS, [24], [500], [1.5]]),
    "choose_by_denoising noise": (lambda v: WITHIN(X, [1.0], [2], noise=v), NUMBERS),
    "choose_by_denoising folds": (
        lambda v: WITHIN(X, [1.0], [2], folds=v),
        [*NUMBERS, 0, 1, KFold(3), [], [(np.arange(9), [])], [(np.arange(30), [1])]],
    ),
    "choose_by_denoising seed": (lambda v: WITHIN(X, [1.0], [2], seed=v), NUMBERS),
    "GaussianSweep gamma": (GAUSSIAN.errors, [*NUMBERS, "median"]),
    "GaussianSweep.kernel_matrix gamma": (GAUSSIAN.kernel_matrix, [*NUMBERS, "median"]),
    "GaussianSweep sizes": (lambda v: choice.GaussianSweep(X, v), LISTS),
    "centred_fit n_components": (lambda v: choice.centred_fit(K, v), [0, "a"]),
    "leading foo": (lambda v: choice.leading(2, foo=v), [1]),
    "corrupt noise": (lambda v: choice.corrupt(X, v, 0), NUMBERS),
    "corrupt X": (lambda v: choice.corrupt(v, 0.3, 0), [X * 1e300, sparse.csr_array(X)]),
    "feature_errors n_components": (lambda v: choice.feature_errors(PARTS, v), [*NUMBERS, 0]),
    "feature_errors parts": (lambda v: choice.feature_errors(v, 2), [None, [], "a", [MODEL]]),
    "input_errors parts": (lambda v: choice.input_errors(v, X, X, [1]), [None, [], "a", [MODEL]]),
    "input_errors sizes": (lambda v: choice.input_errors(PARTS, X, X, v), LISTS),
    "input_errors X": (lambda v: choice.input_errors(PARTS, v, v, [1]), [X[:5]]),
    "fits_without folds": (lambda v: choice.fits_without(ASKED, X, v), [None, 1, "a", []]),
    "relevant_dimension y": (
        lambda v: choice.relevant_dimension(X, v),
        [np.ones(24), LABELS[:3], np.where(LABELS, np.nan, 0), ["a", "b"] * 12],
    ),
    "relevant_dimension three rows": (lambda v: choice.relevant_dimension(v, [1, 2]), [X[:2]]),
    "indicators labels": (choice.indicators, [[0.0, np.nan], np.array(["a", None])]),
    "variance_ratios folds": (
        lambda v: inspection.variance_ratios(MODEL, folds=v),
        [*NUMBERS, 0, 1],
    ),
    "variance_ratios seed": (lambda v: inspection.variance_ratios(MODEL, seed=v), NUMBERS),
    "importance X": (lambda v: inspection.importance(MODEL, v), [X[:1]]),
    "contributions statistic": (
        lambda v: inspection.contributions(MODEL, X, statistic=v),
        [*NUMBERS, "spe"],
    ),
    "contributions reference": (
        lambda v: inspection.contributions(MODEL, X, reference=v),
        [X[:5], X[:, :2], X[0, :2]],
    ),
    "hotelling_limit n": (lambda v: novelty.hotelling_limit(v, 2), [*NUMBERS, 1]),
    "hotelling_limit n_components": (lambda v: novelty.hotelling_limit(9, v), [*NUMBERS, 0]),
    "hotelling_limit components": (lambda v: novelty.hotelling_limit(9, v), [9]),
    "hotelling_limit false_alarm": (lambda v: novelty.hotelling_limit(9, 2, v), [*NUMBERS, 0, 1]),
    "residual_limit errors": (novelty.residual_limit, [[1.0], [-1.0, 2.0], [1.0, np.nan]]),
    "residual_limit false_alarm": (lambda v: novelty.residual_limit([1, 2], v), [*NUMBERS, 0, 1]),
    "KernelPCANovelty X": (
        KernelPCANovelty(KernelPCA(2), statistic="hotelling", limit="theory").fit,
        [np.ones((9, 2))],
    ),
}


@pytest.mark.parametrize("door", VALUES)
def test_values_that_cannot_be_used_are_refused_by_name(door: str) -> None:
    function, values = VALUES[door]
    for value in values:
        assert refused(function, value, door.partition(" ")[2]), value


MODELS: dict[str, Callable[[Any], Any]] = {
    "fits_without": lambda v: choice.fits_without(v, X, FOLDS),
    "gradients": lambda v: inspection.gradients(v, X),
    "importance": lambda v: inspection.importance(v),
    "contributions": lambda v: inspection.contributions(v, X),
    "variance_ratios": lambda v: inspection.variance_ratios(v),
    "exact_residuals": lambda v: inspection.exact_residuals(v, X),
    "hotelling": lambda v: novelty.hotelling(v, X),
    "KernelPCANovelty": lambda v: KernelPCANovelty(v).fit(X),
}


@pytest.mark.parametrize("door", MODELS)
def test_other_models_are_refused(door: str) -> None:
    others = [PCA().fit(X), kpca.PCA().fit(X), make_pipeline(KernelPCA(2)).fit(X), KernelPCA, "a"]
    for other in others:
        assert refused(MODELS[door], other, "KernelPCA"), other


def test_every_public_function_is_here() -> None:
    doors = {name.partition(":")[0].partition(" ")[0] for name in (*ARRAYS, *VALUES, *MODELS)}
    public = {"KernelPCANovelty"}
    for module in (choice, inspection, novelty):
        named = {name: getattr(module, name) for name in module.__all__}
        public |= {name for name, value in named.items() if isinstance(value, FunctionType)}
    assert public <= doors
