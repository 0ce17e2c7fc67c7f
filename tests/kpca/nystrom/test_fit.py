"""A model of landmarks: equal to the exact one where it can be, and honest where it is not."""

import warnings

import numpy as np
import pytest
from scipy import sparse

from kpca import KernelPCA, LandmarkKernelPCA, exact_residuals
from kpca.certificates.decomposition import ToleranceWarning
from kpca.kernels.registry import KernelParameters
from kpca.linalg.resources import ArrayRows
from kpca.nystrom import sample
from kpca.nystrom.landmarks import LANDMARKS
from kpca.nystrom.scatter import approximate
from kpca.operators.grams import Centering
from kpca.operators.sources import KernelSource
from tests.kpca.naive import NaiveKernelPCA, centred, kernel_matrix, residual_norms

RNG = np.random.default_rng(0)
X = RNG.normal(size=(600, 4))
NEW = RNG.normal(size=(25, 4))
GAMMA = 0.2
K = kernel_matrix(X, X, "rbf", gamma=GAMMA)
RIDGE = {"fit_inverse_transform": True, "alpha": 1e-3}
INDICES = RNG.permutation(len(X))[:60]


def nystrom(k=5, **options):
    return LandmarkKernelPCA(k, **{"kernel": "rbf", "gamma": GAMMA} | options)


def exact(k=5, **options):
    return KernelPCA(k, **{"kernel": "rbf", "gamma": GAMMA, "eigen_solver": "dense"} | options)


def assert_same_model(one, other, tol=1e-8):
    largest = float(other.eigenvalues_[0])
    np.testing.assert_allclose(one.eigenvalues_, other.eigenvalues_, atol=tol * largest)
    for name in ("transform", "reconstruction_error"):
        values, expected = (getattr(model, name)(NEW) for model in (one, other))
        np.testing.assert_allclose(values, expected, atol=100 * tol)


def test_more_landmarks_miss_less_and_prove_more():
    """A condition of 1e10 among landmarks costs the bound no digits."""
    points = np.random.default_rng(0).normal(size=(1500, 2))
    models = [
        nystrom(5, gamma=0.02, n_landmarks=m, landmarks=points[:m]).fit(points)
        for m in (10, 20, 40, 80, 160, 320, 640)
    ]
    missed = np.array([model.trace_error_ for model in models])
    bounds = np.array([model.residual_bounds_.max() for model in models])
    # Landmarks of which others leave 1e-10 are no pivots.
    assert (np.diff(missed) <= 1e-9 * len(points)).all()
    assert (np.diff(bounds) <= 1e-7).all()
    assert bounds[-1] < 1e-8
    expected = exact(5, gamma=0.02).fit(points).eigenvalues_
    assert abs(models[-1].eigenvalues_ - expected).max() < bounds[-1] * expected[0]


@pytest.mark.parametrize("far", [0.0, 1e3, 1e6, 1e8])
def test_where_rounding_hides_the_components_it_is_said(far):
    model = nystrom(2, kernel="linear", n_landmarks=len(X))
    with warnings.catch_warnings(record=True, action="always") as warned:
        model.fit(X + far)
    true = exact(2, kernel="linear").fit(X).eigenvalues_
    off = np.abs(model.eigenvalues_ / true - 1).max()
    assert off < 1e-6 or far > 1e3
    assert [warning.category for warning in warned] == [ToleranceWarning] * int(off > 0.01)


@pytest.mark.parametrize("how", LANDMARKS)
@pytest.mark.parametrize(
    ("options", "rank"),
    [
        ({"kernel": "linear"}, 4),
        ({"kernel": "poly", "degree": 2}, 15),
        *(({"kernel": kernel}, 300) for kernel in ("rbf", "laplacian", "cosine", "poly")),
        ({"center": False}, 300),
        *(({"preimage": method, **RIDGE}, 300) for method in ("fixed_point", "ridge", "mds")),
    ],
)
def test_as_many_landmarks_as_the_rank_are_the_exact_fit(options, rank, how):
    model = nystrom(4, n_landmarks=2 * rank, landmarks=how, **options).fit(X)
    reference = exact(4, **options).fit(X)
    assert_same_model(model, reference)
    np.testing.assert_allclose(model.eigenvectors_, reference.eigenvectors_, atol=1e-7)
    assert exact_residuals(model, X).max() < 1e-8
    ratios = np.tile(reference.explained_variance_ratio_, (2, 1))
    np.testing.assert_allclose(model.explained_variance_bounds_, ratios, atol=1e-8)
    assert model.completeness_.status == "proven"
    if "preimage" in options:
        np.testing.assert_allclose(model.denoise(NEW), reference.denoise(NEW), atol=1e-5)


@pytest.mark.parametrize("small", [1e-7, 1e-8, 1e-9])
def test_what_rounding_hides_is_bounded(small):
    """λ_2 is n δ², less than the traces are off by."""
    n = 10_000
    corners = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]]) * [1, small]
    points = np.tile(corners, (n // 4, 1))
    model = nystrom(1, kernel="linear", n_landmarks=n // 100, landmarks="uniform").fit(points)
    assert n * small**2 <= model.completeness_.bound < 1e-6 * n
    low, high = model.explained_variance_bounds_[:, 0]
    assert 1 - 1e-6 < low <= 1 / (1 + small**2) <= high


@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("weighted", [False, True])
def test_few_landmarks_are_the_written_out_approximation(weighted, center):
    """All rows give the residual itself, and the mean square of estimates from some is its own."""
    weights = np.random.default_rng(3).gamma(2.0, size=len(X)) if weighted else None
    model = nystrom(n_landmarks=60, center=center).fit(X, sample_weight=weights)
    across = kernel_matrix(X, model.X_fit_, "rbf", gamma=GAMMA)
    among = kernel_matrix(model.X_fit_, model.X_fit_, "rbf", gamma=GAMMA)
    approximated = across @ np.linalg.solve(among, across.T)
    naive = NaiveKernelPCA(approximated, weights=weights, center=center)
    np.testing.assert_allclose(model.eigenvalues_, naive.eigenvalues[:5], rtol=1e-9)
    np.testing.assert_allclose(model.transform(X), naive.scores(approximated, 5), atol=1e-7)
    np.testing.assert_allclose(model.eigenvectors_.T @ model.eigenvectors_, np.eye(5), atol=1e-10)
    missing = naive.weights @ (1 - approximated.diagonal())
    np.testing.assert_allclose(model.trace_error_, missing, rtol=1e-8)
    norms = residual_norms(centred(K, weights, center), model.eigenvalues_, model.eigenvectors_)
    assert (norms <= model.trace_error_).all()
    assert np.isnan(model.residuals_).all()
    residuals = norms / model.eigenvalues_[0]
    for n_rows in (None, len(X)):
        np.testing.assert_allclose(exact_residuals(model, X, n_rows=n_rows), residuals, rtol=1e-8)
    estimates = np.array([exact_residuals(model, X, n_rows=128, seed=seed) for seed in range(160)])
    squares = estimates**2
    errors = squares.std(axis=0, ddof=1) / np.sqrt(len(squares))
    assert (errors < 0.05 * residuals**2).all()
    assert (np.abs(squares.mean(axis=0) - residuals**2) < 4 * errors).all()


def read_blocks():
    yield from (X[:100], X[100:350], X[350:])


@pytest.mark.parametrize(("weighted", "most"), [(False, 20_000), (True, 20_000), (True, 80)])
@pytest.mark.parametrize("landmarks", [*LANDMARKS, INDICES, X[INDICES]])
def test_blocks_equal_the_array(landmarks, weighted, most, monkeypatch, tmp_path):
    monkeypatch.setattr(sample, "MAX_SAMPLE", most)
    weights = np.arange(600) % 3 if weighted else None
    options = {"n_landmarks": 60, "landmarks": landmarks, "gamma": "median"}
    whole = nystrom(**options).fit(X, sample_weight=weights)
    np.save(tmp_path / "X.npy", X)
    forms = [read_blocks, list(read_blocks()), np.load(tmp_path / "X.npy", mmap_mode="r")]
    if not isinstance(landmarks, str):
        forms.append(sparse.csr_matrix(X))
    for form in forms:
        parts = nystrom(**options)
        scores = parts.fit_transform(form, sample_weight=weights)
        np.testing.assert_allclose(scores, whole.transform(X), atol=1e-8)
        assert parts.gamma_ == pytest.approx(whole.gamma_, rel=1e-14)
        assert_same_model(parts, whole)
        np.testing.assert_allclose(parts.eigenvectors_, whole.eigenvectors_, atol=1e-8)


def test_single_precision_in_and_out():
    single = X.astype(np.float32)
    model = nystrom(n_landmarks=60).fit(single)
    assert str(model.solver_) == "nystrom: 60 landmarks (kmeans)"
    assert model.X_fit_.dtype == model.transform(single).dtype == np.float32
    assert model.eigenvectors_.dtype == np.float64
    grown = nystrom(n_landmarks=60).partial_fit(single)
    assert grown.X_fit_.dtype == grown.transform(single).dtype == np.float32
    same = nystrom(n_landmarks=60, landmarks="uniform").fit(single)
    double = nystrom(n_landmarks=60, landmarks="uniform").fit(single.astype(np.float64))
    np.testing.assert_allclose(same.eigenvalues_, double.eigenvalues_, rtol=1e-12)


def test_components_by_share_and_by_rank():
    model = nystrom(0.8, n_landmarks=200).fit(X)
    sums = model.explained_variance_ratio_.cumsum()
    assert sums[-1] >= 0.8 > sums[-2]
    assert len(nystrom(None, kernel="linear").fit(X).eigenvalues_) == 4
    padded = nystrom(6, kernel="linear").fit(X)
    assert (padded.eigenvalues_[4:] == 0).all()
    assert (padded.transform(NEW)[:, 4:] == 0).all()
    assert len(nystrom(6, kernel="linear", remove_zero_eig=True).fit(X).eigenvalues_) == 4
    assert nystrom(1, kernel="linear").fit(0 * X).eigenvalues_ == [0]


@pytest.mark.parametrize("apart", [1e-1, 1e-3, 1e-5])
def test_rounding_covers_what_coinciding_landmarks_lose(apart):
    """The nearer two landmarks, the larger the inverse of their kernel matrix."""
    n = len(X)
    landmarks = np.vstack([X[:40], X[:1] + apart])
    source = KernelSource(landmarks, "rbf", KernelParameters(GAMMA))
    axes = approximate(ArrayRows(X), source, Centering(n), 2)
    among, across = (source.bound().values(points) for points in (landmarks, X))
    missed = n - np.trace(np.linalg.solve(among, across.T @ across))
    assert missed - axes.trace_error <= axes.rounding + 1e-6 * n
    assert axes.trace_error - missed <= 1e-6 * n or apart < 1e-4  # a direction is left out there
    assert axes.rounding < 1e-5 * n


@pytest.mark.parametrize("how", LANDMARKS)
def test_landmarks_are_as_many_as_asked_for_and_distinct(how):
    model = nystrom(n_landmarks=40, landmarks=how, random_state=1)
    landmarks = model.fit(X).X_fit_
    assert len(np.unique(landmarks, axis=0)) == 40
    np.testing.assert_array_equal(model.fit(X).X_fit_, landmarks)
    same = nystrom(landmarks=landmarks).fit(X)
    np.testing.assert_array_equal(same.X_fit_, landmarks)
    assert "40 landmarks (given)" in same.solver_.reason
    copies = nystrom(None, landmarks=np.repeat(landmarks[:20], 3, axis=0)).fit(X)
    assert len(copies.eigenvalues_) == 20


def test_pivots_and_centres_leave_less_of_the_trace_than_chance():
    missed = {}
    for how in LANDMARKS:
        models = [nystrom(n_landmarks=40, landmarks=how, random_state=seed) for seed in range(5)]
        missed[how] = np.mean([model.fit(X).trace_error_ for model in models])
    assert max(missed["kmeans"], missed["rpcholesky"]) < missed["uniform"]


@pytest.mark.parametrize("how", LANDMARKS)
def test_indices_of_64_bits_make_no_difference(how):
    wide = sparse.csr_array(np.maximum(X, 0))
    narrow = wide.copy()
    wide.indices, wide.indptr = (part.astype(np.int64) for part in (wide.indices, wide.indptr))
    model, expected = (nystrom(n_landmarks=9, landmarks=how).fit(S) for S in (wide, narrow))
    np.testing.assert_allclose(model.eigenvalues_, expected.eigenvalues_, rtol=1e-9)
