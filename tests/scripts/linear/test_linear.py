"""Studies of the linear family."""

from itertools import combinations, product
from unittest import mock

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine

from kpca.linear.sparse import adjusted_variances
from kpca.study.seeds import seed_for
from tests.kpca.linear.matrices import correlated, with_spectrum
from tests.scripts.test_studies import measured
from workflow.scripts.linear import decompositions as study
from workflow.scripts.linear import sparse_paths as paths


@pytest.fixture(scope="module")
def wine():
    return np.corrcoef(load_wine().data, rowvar=False)


def test_paths_go_from_ordinary_pca_to_few_nonzeros(wine):
    fits = {s: paths.fit_sparse(wine, 3, *s) for s in product(paths.METHODS, [0.05, 0.9])}
    table = paths.path_table(wine, 3, fits)
    assert set(table["method"]) == set(paths.METHODS)
    for _, path in table.groupby("method"):
        dense, sparse = path.sort_values("strength").to_dict("records")
        assert dense["adjusted_variance"] == pytest.approx(dense["pca"], rel=0.01)
        assert sparse["nonzeros"] < dense["nonzeros"]
        assert sparse["adjusted_variance"] < dense["adjusted_variance"]


def test_loadings_shown_are_those_nearest_to_the_sparsity_asked_for(wine):
    fits = {("spca", s): paths.fit_sparse(wine, 3, "spca", s) for s in (0.05, 0.8)}
    table = paths.loadings(pd.DataFrame(wine), 3, fits, nonzeros=2)
    assert table["method"].unique().tolist() == ["pca", "spca"]
    of_spca = table[table["method"] == "spca"]
    of_spca = of_spca.pivot(index="component", columns="variable", values="loading")
    np.testing.assert_array_equal(of_spca, fits["spca", 0.8].components_)


def test_exact_path_ends_at_ordinary_pca_and_strength_means_the_same_for_every_scale(wine):
    path = paths.exact_path(wine, 3)["adjusted_variance"]
    assert path.is_monotonic_increasing
    eigenvalues = np.linalg.eigvalsh(wine)
    assert path.iloc[-1] == pytest.approx(eigenvalues[-3:].sum() / eigenvalues.sum())
    for method in paths.METHODS:
        fits = (paths.fit_sparse(S, 3, method, 0.6).components_ for S in (wine, 100 * wine))
        np.testing.assert_allclose(*fits, atol=0.05)


def naive_best(S, size):
    """Return the largest variance of a direction of so many variables, by every subset of them."""
    subsets = combinations(range(len(S)), size)
    return max(np.linalg.eigvalsh(S[np.ix_(subset, subset)])[-1] for subset in subsets)


@pytest.mark.parametrize("size", range(1, 9))
def test_direction_is_the_best_of_every_subset(size):
    S = np.cov(correlated(), rowvar=False)
    w = paths.best_direction(S, size)
    assert np.linalg.norm(w) == pytest.approx(1)
    assert np.count_nonzero(w) <= size
    assert w @ S @ w == pytest.approx(naive_best(S, size), rel=1e-12)


def test_each_component_adds_the_most_that_its_size_allows():
    X = correlated()
    W = paths.exact_components(X.T @ X, [3, 2])
    best = 0.0
    rng = np.random.default_rng(0)
    for _ in range(2000):
        w = np.zeros(8)
        w[rng.choice(8, 2, replace=False)] = rng.standard_normal(2)
        pair = np.column_stack([W[:, 0], w / np.linalg.norm(w)])
        best = max(best, adjusted_variances(X, pair)[1])
    assert 0.99 * adjusted_variances(X, W)[1] < best <= adjusted_variances(X, W)[1] * (1 + 1e-10)


MATRICES = [
    *(correlated(*shape) for shape in ((60, 8), (20, 45), (12, 1), (2, 5))),
    *(with_spectrum(30, 10, np.array(singular)) for singular in ([3.0, 2.0, 1.0], [0.0])),
]


@pytest.mark.parametrize("route", study.ROUTES)
@pytest.mark.parametrize("X", MATRICES, ids=lambda X: "×".join(map(str, X.shape)))
def test_every_route_completes_orthonormal_axes_of_all_eigenvalues(route, X):
    k = min(X.shape)
    result = study.principal_axes(X, k, route=route)
    np.testing.assert_allclose(result.axes @ result.axes.T, np.eye(k), atol=1e-12)
    _, singular, axes = np.linalg.svd(X, full_matrices=False)
    tolerance = 1e-12 * max(singular[0], 1) ** 2
    np.testing.assert_allclose(result.eigenvalues, singular**2, rtol=0, atol=tolerance)
    apart = singular > 1e-3 * max(singular[0], 1)  # centring may leave nothing of the last one
    assert result.residuals.max() < 1e-11
    cosines = np.abs(np.sum(result.axes * axes, axis=1))
    np.testing.assert_allclose(cosines[apart], 1, atol=1e-9)


def test_equal_eigenvalues_give_the_same_plane_and_routes_agree_on_data():
    X = with_spectrum(30, 10, np.array([2.0, 2.0, 1.0]))
    for route in study.ROUTES:
        axes = study.principal_axes(X, 2, route=route).axes
        expected = np.linalg.svd(X)[2][:2]
        np.testing.assert_allclose(axes.T @ axes, expected.T @ expected, atol=1e-10)
    assert measured("linear")["linear_agreement"]["agrees"].tolist() == [True] * 15


def test_bound_does_not_overflow_and_tends_to_the_next_singular_value():
    bound = study.expected_spectral_error(np.array([3e3, 2e3, 1e3]), 1, 2, 500)
    assert bound == pytest.approx(2e3, rel=1e-2)


def test_randomized_errors_stay_below_the_bound_where_rounding_is_far():
    sizes = {"N_COMPONENTS": 8, "N_OVERSAMPLES": 4, "N_ITERS": [0, 1, 2], "DRAWS": 20}
    with mock.patch.dict(vars(study), SHAPE=(90, 60), **sizes):
        table = study.randomized_errors(seed_for(0, "linear", "svd"))
    safe = table[(table["spectrum"] == "flat") | (table["normalizer"] == "QR")]
    means = safe.groupby(["spectrum", "normalizer", "n_iter"])[["error", "bound"]].mean()
    assert (means["error"] < means["bound"]).all()
    loose = means["bound"] / means["error"]
    assert loose["flat"].max() < 10 < loose["steep"].max() < 30, "a looser bound says nothing"
    assert means["error"].xs(2, level="n_iter").mean() < means["error"].xs(0, level="n_iter").mean()
