"""What comes in by the public methods: tables, lists, blocks, and what is none of them."""

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy import sparse

from kpca import PCA, KernelPCA, KernelPCANovelty, kernel_matrix

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


def test_scikit_learn_may_be_told_that_all_is_finite() -> None:
    """Then what comes of it is caught later."""
    with sklearn.config_context(assume_finite=True), pytest.raises(ValueError, match="overflow"):
        rbf().fit(X).transform(HOLED)


def test_columns_in_another_order_are_no_rows_of_one_table() -> None:
    with pytest.raises(ValueError, match=r"Block 1 names its columns \['b', 'a', 'c'\]"):
        rbf(**LANDMARKS).fit([FRAME[:30], FRAME[30:][["b", "a", "c"]]])


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
    "no steps": (
        lambda: rbf().fit(X).check_completeness(0),
        "steps must be an integer .* got 0",
    ),
    "steps": (
        lambda: rbf().fit(X).check_completeness("a"),
        "steps must be an integer .* got 'a'",
    ),
    "seed": (lambda: rbf(random_state="a").fit(X), "'random_state' parameter of KernelPCA"),
    "weights": (lambda: rbf().fit(X, sample_weight="a"), "sample_weight must hold numbers"),
    "matrix": (lambda: kernel_matrix([[np.nan]]), "X contains NaN"),
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
def test_what_is_refused_is_named(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("points", [X.tolist(), FRAME, sparse.csr_matrix(X)])
def test_kernel_matrices_of_tables_and_lists(points: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_allclose(kernel_matrix(points, NEW_FRAME), kernel_matrix(X, NEW))
