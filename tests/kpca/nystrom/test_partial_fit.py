"""Models of landmarks that grow batch by batch, and are merged: as one fit on all rows."""

import pickle
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from kpca import KernelPCA, LandmarkKernelPCA, exact_residuals, load, save
from kpca.inspection import reproducibility
from tests.kpca.nystrom.test_fit import GAMMA, NEW, X, nystrom

WEIGHTS = np.random.default_rng(1).gamma(1.0, size=len(X))
LANDMARKS = X[::15] + 0.01
NUMBERS = ("eigenvalues_", "explained_variance_ratio_", "trace_error_", "kernel_means_")
BOUNDS = ("explained_variance_bounds_", "residual_bounds_", "score_error_bounds_")  # with rounding


def model(**options: Any) -> LandmarkKernelPCA:
    return nystrom(4, landmarks=LANDMARKS, **options)


def assert_equal(one: LandmarkKernelPCA, other: LandmarkKernelPCA) -> None:
    for name in NUMBERS:
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), 1e-9, 1e-10, name)
    for name in BOUNDS:
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), 1e-6, 1e-6, name)
    assert one.completeness_.status == other.completeness_.status
    np.testing.assert_allclose(one.completeness_.bound, other.completeness_.bound, atol=1e-6)
    np.testing.assert_allclose(*(abs(m.transform(NEW)) for m in (one, other)), atol=1e-9)
    np.testing.assert_allclose(
        *(m.reconstruction_error(NEW) for m in (one, other)), atol=1e-9, rtol=1e-9
    )
    assert one.expansion().centering.total == pytest.approx(other.expansion().centering.total)


@pytest.mark.filterwarnings("ignore:Rounding may hide")  # of a batch of one row
@settings(max_examples=25, deadline=None)
@given(
    cuts=st.lists(st.integers(1, len(X) - 1), max_size=6, unique=True),
    seed=st.integers(0, 99),
    machines=st.integers(1, 3),
    weighted=st.booleans(),
    center=st.booleans(),
    kernel=st.sampled_from(["rbf", "linear", "poly", "laplacian"]),
)
def test_batches_and_merges_in_any_order_are_one_fit(
    cuts: list[int], seed: int, machines: int, weighted: bool, center: bool, kernel: str
) -> None:
    weights = WEIGHTS if weighted else None
    options = {"kernel": kernel, "center": center}
    whole = model(**options).fit(X, sample_weight=weights)
    rng = np.random.default_rng(seed)
    parts = [part for part in np.split(rng.permutation(len(X)), sorted(cuts)) if len(part)]
    models = [model(**options) for _ in range(min(machines, len(parts)))]
    for number, part in enumerate(parts):
        own = None if weights is None else weights[part]
        models[number % len(models)].partial_fit(X[part], sample_weight=own)
    rng.shuffle(models)
    models = pickle.loads(pickle.dumps(models))  # as those of other processes come
    found = reduce(LandmarkKernelPCA.merge, models)
    assert found.n_samples_seen_ == len(X)
    assert_equal(found, whole)


@pytest.mark.parametrize("how", ["kmeans", "uniform", "rpcholesky"])
def test_the_first_batch_has_the_landmarks_and_gamma_and_every_batch_its_bounds(how: str) -> None:
    grown = nystrom(4, n_landmarks=40, landmarks=how, gamma="median")
    first = nystrom(4, n_landmarks=40, landmarks=how, gamma="median").fit(X[:300])
    for stop in (300, 301, 600):
        grown.partial_fit(X[getattr(grown, "n_samples_seen_", 0) : stop])
        np.testing.assert_array_equal(grown.X_fit_, first.X_fit_)
        assert grown.gamma_ == first.gamma_
        assert_equal(grown, nystrom(4, landmarks=first.X_fit_, gamma=first.gamma_).fit(X[:stop]))
        exact = KernelPCA(4, kernel="rbf", gamma=first.gamma_, eigen_solver="dense").fit(X[:stop])
        low, high = grown.explained_variance_bounds_
        assert (low <= exact.explained_variance_ratio_).all()
        assert (exact.explained_variance_ratio_ <= high).all()
        assert (exact.eigenvalues_ <= grown.eigenvalues_ + grown.trace_error_).all()
    largest = np.abs(scores := grown.transform(grown.X_fit_)).argmax(axis=0)
    assert (scores[largest, range(4)] > 0).all()
    indexed = nystrom(4, landmarks=np.arange(9)).partial_fit(X)
    np.testing.assert_array_equal(indexed.X_fit_, X[:9])


def test_a_saved_model_goes_on(tmp_path: Path) -> None:
    begun = model(gamma="median").partial_fit(pd.DataFrame(X[:400], columns=list("abcd")))
    save(begun, tmp_path / "model.npz")
    read = load(tmp_path / "model.npz")
    for grown in (begun, read):
        grown.partial_fit(pd.DataFrame(X[400:], columns=list("abcd")))
    np.testing.assert_array_equal(read.eigenvalues_, begun.eigenvalues_)
    assert list(read.feature_names_in_) == list("abcd")


def test_sparse_batches_single_precision_and_pre_images() -> None:
    options = {"fit_inverse_transform": True, "landmarks": np.maximum(LANDMARKS, 0)}
    rows, whole = sparse.csr_array(np.maximum(X, 0)), nystrom(4, **options)
    whole.fit(rows.toarray())
    grown = nystrom(4, **options).partial_fit(rows[:100]).partial_fit(rows[100:])
    assert_equal(grown, whole)
    restored = (m.inverse_transform(m.transform(np.abs(NEW))) for m in (grown, whole))
    np.testing.assert_allclose(*restored, atol=1e-6)
    single = nystrom(2, n_landmarks=30).partial_fit(X.astype(np.float32))
    assert single.transform(NEW.astype(np.float32)).dtype == single.X_fit_.dtype == np.float32


def test_what_needs_all_rows_is_absent_and_says_so() -> None:
    grown = model().partial_fit(X)
    assert not hasattr(grown, "eigenvectors_")
    with pytest.raises(ValueError, match="no eigenvectors_, since partial_fit keeps none"):
        exact_residuals(grown, X)
    with pytest.raises(ValueError, match="landmarks"):
        reproducibility(grown)
    assert hasattr(grown.fit(X), "eigenvectors_")
    with pytest.warns(UserWarning, match="begins anew, without its samples"):
        assert grown.partial_fit(X[:50]).n_samples_seen_ == 50
    with pytest.warns(UserWarning, match="has 20 samples.*fewer than n_landmarks=300"):
        nystrom(2).partial_fit(X[:20])


@pytest.mark.parametrize(
    "changed",
    [{"landmarks": "kmeans"}, {"gamma": 0.3}, {"kernel": "linear"}, {"center": False}],
)
def test_what_does_not_go_on_from_the_first_batch_is_refused(changed: dict[str, Any]) -> None:
    grown = model().partial_fit(X[:300])
    with pytest.raises(ValueError, match="Parameters of the model have changed since the first"):
        grown.set_params(**changed).partial_fit(X)
    other = nystrom(4, **{"landmarks": LANDMARKS, "n_landmarks": 41} | changed).partial_fit(X)
    message = "the same landmarks" if "landmarks" in changed else "the same gamma_|kernel|center"
    with pytest.raises(ValueError, match=message):
        grown.set_params(gamma=GAMMA, kernel="rbf", center=True).merge(other)


@pytest.mark.parametrize(
    ("grow", "message"),
    [
        (
            lambda m: m.partial_fit(X[:, :2]),
            "X has 2 features, but .* is expecting 4",
        ),
        (lambda m: m.partial_fit(X * np.nan), "X contains NaN"),
        (lambda m: m.partial_fit(X, sample_weight=-WEIGHTS), "not negative"),
        (lambda m: m.merge(model().fit(X)), "two models that were fitted by partial_fit"),
        (lambda m: m.set_params(kernel="precomputed").partial_fit(X), "takes samples"),
    ],
)
def test_a_batch_that_is_refused_leaves_the_model(grow: Any, message: str) -> None:
    grown = model().partial_fit(X[:300])
    before = vars(grown).copy()
    with pytest.raises(ValueError, match=message):
        grow(grown)
    assert all(vars(grown)[name] is before[name] for name in ("_sums_", "eigenvalues_", "X_fit_"))
