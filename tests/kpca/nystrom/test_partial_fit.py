"""Models of landmarks that grow batch by batch, and are merged: as one fit on all rows."""

import pickle
from functools import reduce

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from kpca import LandmarkKernelPCA, exact_residuals, load, save
from tests.kpca.nystrom.test_fit import NEW, X, nystrom

WEIGHTS = np.random.default_rng(1).gamma(1.0, size=len(X))
LANDMARKS = X[::15] + 0.01
TOLERANCES = {
    "eigenvalues_": 1e-9,
    "explained_variance_ratio_": 1e-9,
    "trace_error_": 1e-9,
    "kernel_means_": 1e-9,
    "explained_variance_bounds_": 1e-6,  # bounds include rounding
    "residual_bounds_": 1e-6,
    "score_error_bounds_": 1e-6,
}


def model(**options):
    return nystrom(4, landmarks=LANDMARKS, **options)


def assert_equal(one, other):
    for name, tolerance in TOLERANCES.items():
        values = getattr(one, name), getattr(other, name)
        np.testing.assert_allclose(*values, rtol=tolerance, atol=tolerance, err_msg=name)
    assert one.completeness_.status == other.completeness_.status
    np.testing.assert_allclose(one.completeness_.bound, other.completeness_.bound, atol=1e-6)
    np.testing.assert_allclose(*(abs(m.transform(NEW)) for m in (one, other)), atol=1e-9)
    np.testing.assert_allclose(
        *(m.reconstruction_error(NEW) for m in (one, other)), atol=1e-9, rtol=1e-9
    )
    assert one.expansion().centering.total == pytest.approx(other.expansion().centering.total)


@pytest.mark.filterwarnings("ignore:Rounding may hide")  # A batch of one row warns.
@settings(max_examples=25, deadline=None)
@given(
    cuts=st.lists(st.integers(1, len(X) - 1), max_size=6, unique=True),
    seed=st.integers(0, 99),
    machines=st.integers(1, 3),
    weighted=st.booleans(),
    center=st.booleans(),
    kernel=st.sampled_from(["rbf", "linear", "poly", "laplacian"]),
    form=st.sampled_from([np.array, sparse.csr_array]),
)
def test_batches_and_merges_in_any_order_are_one_fit(
    cuts,
    seed,
    machines,
    weighted,
    center,
    kernel,
    form,
):
    weights = WEIGHTS if weighted else None
    options = {"kernel": kernel, "center": center, "fit_inverse_transform": True}
    whole = model(**options).fit(X, sample_weight=weights)
    rng = np.random.default_rng(seed)
    parts = [part for part in np.split(rng.permutation(len(X)), sorted(cuts)) if len(part)]
    models = [model(**options) for _ in range(min(machines, len(parts)))]
    for number, part in enumerate(parts):
        weights_of_part = None if weights is None else weights[part]
        models[number % len(models)].partial_fit(form(X[part]), sample_weight=weights_of_part)
    rng.shuffle(models)
    models = pickle.loads(pickle.dumps(models))  # Models of other processes come pickled.
    merged = reduce(LandmarkKernelPCA.merge, models)
    assert merged.n_samples_seen_ == len(X)
    assert_equal(merged, whole)
    restored = (model.inverse_transform(model.transform(NEW)) for model in (merged, whole))
    np.testing.assert_allclose(*restored, atol=1e-6)


@pytest.mark.parametrize("how", ["kmeans", "uniform", "rpcholesky"])
def test_the_first_batch_has_the_landmarks_and_gamma_and_every_batch_its_bounds(how):
    grown = nystrom(4, n_landmarks=40, landmarks=how, gamma="median")
    first = nystrom(4, n_landmarks=40, landmarks=how, gamma="median").fit(X[:300])
    for stop in (300, 301, 600):
        grown.partial_fit(X[getattr(grown, "n_samples_seen_", 0) : stop])
        np.testing.assert_array_equal(grown.X_fit_, first.X_fit_)
        assert grown.gamma_ == first.gamma_
        assert_equal(grown, nystrom(4, landmarks=first.X_fit_, gamma=first.gamma_).fit(X[:stop]))
    largest = np.abs(scores := grown.transform(grown.X_fit_)).argmax(axis=0)
    assert (scores[largest, range(4)] > 0).all()
    indexed = nystrom(4, landmarks=np.arange(9)).partial_fit(X)
    np.testing.assert_array_equal(indexed.X_fit_, X[:9])


def test_a_saved_model_goes_on(tmp_path):
    begun = model(gamma="median").partial_fit(pd.DataFrame(X[:400], columns=list("abcd")))
    save(begun, tmp_path / "model.npz")
    read = load(tmp_path / "model.npz")
    for grown in (begun, read):
        grown.partial_fit(pd.DataFrame(X[400:], columns=list("abcd")))
    np.testing.assert_array_equal(read.eigenvalues_, begun.eigenvalues_)
    assert list(read.feature_names_in_) == list("abcd")


def test_what_needs_all_rows_is_absent_and_says_so():
    grown = model().partial_fit(X)
    assert not hasattr(grown, "eigenvectors_")
    with pytest.raises(ValueError, match="no eigenvectors_, since partial_fit keeps none"):
        exact_residuals(grown, X)
    assert hasattr(grown.fit(X), "eigenvectors_")
    with pytest.warns(UserWarning, match="begins anew, without its samples"):
        assert grown.partial_fit(X[:50]).n_samples_seen_ == 50
    with pytest.warns(UserWarning, match="has 20 samples.*fewer than n_landmarks=300"):
        nystrom(2).partial_fit(X[:20])


CHANGES = [
    {"landmarks": "kmeans", "n_landmarks": 41},
    {"gamma": 0.3},
    {"kernel": "linear"},
    {"center": False},
]


def merged_with(model, **changes):
    return model.merge(nystrom(4, **{"landmarks": LANDMARKS} | changes).partial_fit(X))


@pytest.mark.parametrize(
    ("grow", "message"),
    [
        *((lambda m, c=c: m.set_params(**c).partial_fit(X), "changed since the") for c in CHANGES),
        *(
            (lambda m, c=c: merged_with(m, **c), "the same (landmarks|gamma_|kernel|center)")
            for c in CHANGES
        ),
        (lambda m: m.partial_fit(X[:, :2]), "X has 2 features, but .* is expecting 4"),
        (lambda m: m.partial_fit(X * np.nan), "X contains NaN"),
        (lambda m: m.partial_fit(X, sample_weight=-WEIGHTS), "not negative"),
        (lambda m: m.merge(model().fit(X)), "two models that were fitted by partial_fit"),
        (lambda m: m.set_params(kernel="precomputed").partial_fit(X), "takes samples"),
    ],
)
def test_a_batch_that_is_refused_leaves_the_model(grow, message):
    grown = model().partial_fit(X[:300])
    before = vars(grown).copy()
    with pytest.raises(ValueError, match=message):
        grow(grown)
    assert all(vars(grown)[name] is before[name] for name in ("_sums_", "eigenvalues_", "X_fit_"))
