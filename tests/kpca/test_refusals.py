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
ASKED = KernelPCA(2, kernel="rbf", gamma=0.5, preimage="fixed_point")
MODEL = KernelPCA(**ASKED.get_params()).fit(X)
LABELS = np.arange(24) % 2
DETECTOR = KernelPCANovelty().fit(X)
WITHIN = choice.choose_by_denoising
pytestmark = pytest.mark.filterwarnings("ignore:The choice of")

# Door → (function of what is passed, its argument).
ARRAYS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "choose_by_denoising": (lambda v: WITHIN(v, [0.1, 1.0, 9.0], [1, 2, 3]).errors, "X"),
    "denoising_errors": (lambda v: choice.denoising_errors(v, 0.1, [2], folds=3), "X"),
    "corrupt": (lambda v: choice.corrupt(v, 0.3, 0), "X"),
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
    "novelty_scores": (lambda v: novelty.novelty_scores(MODEL, v, statistic="residual"), "X"),
    "KernelPCANovelty": (lambda v: KernelPCANovelty().fit(v).limit_, "X"),
    "KernelPCANovelty: new": (DETECTOR.predict, "X"),
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
    function, _ = ARRAYS[door]
    frame, expected = pd.DataFrame(X), function(X)
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        for same in (X.tolist(), frame):
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
    "denoising_errors gamma": (
        lambda v: choice.denoising_errors(X, v, [2]),
        [*NUMBERS, "median"],
    ),
    "denoising_errors sizes": (lambda v: choice.denoising_errors(X, 0.1, v), LISTS),
    "corrupt noise": (lambda v: choice.corrupt(X, v, 0), NUMBERS),
    "corrupt X": (lambda v: choice.corrupt(v, 0.3, 0), [X * 1e300, sparse.csr_array(X)]),
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
    "novelty_scores statistic": (
        lambda v: novelty.novelty_scores(MODEL, X, statistic=v),
        [*NUMBERS, "spe"],
    ),
    "KernelPCANovelty X": (
        KernelPCANovelty(KernelPCA(2), statistic="hotelling").fit,
        [np.ones((9, 2))],
    ),
    "KernelPCANovelty alpha": (
        lambda v: DETECTOR.predict(X, v),
        ["a", -1, float("nan"), [2], 0, 1],
    ),
    "KernelPCANovelty fdr": (
        lambda v: DETECTOR.predict(X, fdr=v),
        ["a", -1, float("nan"), [2], 0, 1],
    ),
}


@pytest.mark.parametrize("door", VALUES)
def test_values_that_cannot_be_used_are_refused_by_name(door: str) -> None:
    function, values = VALUES[door]
    for value in values:
        assert refused(function, value, door.partition(" ")[2]), value


MODELS: dict[str, Callable[[Any], Any]] = {
    "gradients": lambda v: inspection.gradients(v, X),
    "importance": lambda v: inspection.importance(v),
    "contributions": lambda v: inspection.contributions(v, X),
    "variance_ratios": lambda v: inspection.variance_ratios(v),
    "exact_residuals": lambda v: inspection.exact_residuals(v, X),
    "hotelling": lambda v: novelty.hotelling(v, X),
    "novelty_scores": lambda v: novelty.novelty_scores(v, X, statistic="residual"),
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
