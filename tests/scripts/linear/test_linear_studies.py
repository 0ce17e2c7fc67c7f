import numpy as np
import pytest

from workflow.scripts.linear.agreement import agreement, spectra
from workflow.scripts.linear.figure_deflation import ANGLES, deflated, variance_by_angle
from workflow.scripts.linear.samples import builtin, standardized, tall_and_wide
from workflow.scripts.linear.sparse_paths import (
    METHODS,
    Sample,
    exact_path,
    fit_all,
    fit_sparse,
    loadings,
    path_table,
)


@pytest.fixture(scope="module")
def wine():
    return Sample(np.cov(standardized(builtin("wine")), rowvar=False), 3)


def test_variance_peaks_at_the_first_direction_and_vanishes_there_after_deflation():
    X, first, rest = deflated(0)
    before, after = variance_by_angle(X), variance_by_angle(rest)
    angle = np.rad2deg(np.arctan2(first[1], first[0])) % 180
    assert ANGLES[before.argmax()] == pytest.approx(angle, abs=0.5)
    assert ANGLES[after.argmin()] == pytest.approx(angle, abs=0.5)
    assert after.min() < 1e-4 * before.max()
    assert after.max() == pytest.approx(before.min(), rel=1e-3)


def test_variance_by_angle_is_the_variance_of_the_projection():
    X, _, _ = deflated(0)
    expected = (X @ [0.5, np.sqrt(0.75)]).var(ddof=1)
    assert variance_by_angle(X)[ANGLES == 60] == pytest.approx(expected)


def test_routes_agree_within_the_stated_tolerances():
    table = agreement(tall_and_wide(0), 5)
    assert table["agrees"].all()
    assert len(table) == 15


def test_spectra_agree_up_to_the_rank_and_vanish_beyond():
    X = np.random.default_rng(0).standard_normal((10, 15))
    table = spectra(X).pivot(index="index", columns="matrix", values="value")
    np.testing.assert_allclose(table["σ²"][:9], table["XᵀX"][:9], rtol=1e-10)
    np.testing.assert_allclose(table["σ²"][:9], table["XXᵀ"][:9], rtol=1e-10)
    assert table.loc[10:].abs().max().max() < 1e-14


def test_paths_go_from_ordinary_pca_to_few_nonzeros(wine):
    table = path_table(wine, fit_all(wine, [0.05, 0.9]))
    assert set(table["method"]) == set(METHODS)
    for _, path in table.groupby("method"):
        dense, sparse = path.sort_values("strength").to_dict("records")
        assert dense["adjusted_variance"] == pytest.approx(dense["pca"], rel=0.01)
        assert sparse["nonzeros"] < dense["nonzeros"]
        assert sparse["adjusted_variance"] < dense["adjusted_variance"]


def test_loadings_shown_are_those_nearest_to_the_sparsity_asked_for(wine):
    names = [f"v{i}" for i in range(13)]
    fits = {"spca": {s: fit_sparse(wine, "spca", s) for s in (0.05, 0.8)}}
    table = loadings(wine, fits, names, nonzeros=2)
    assert table["method"].unique().tolist() == ["pca", "spca"]
    shown = table[table["method"] == "spca"]
    shown = shown.pivot(index="component", columns="variable", values="loading")
    np.testing.assert_array_equal(shown[names], fits["spca"][0.8].components_)


def test_exact_path_ends_at_ordinary_pca(wine):
    path = exact_path(wine)
    assert path["adjusted_variance"].is_monotonic_increasing
    eigenvalues = np.linalg.eigvalsh(wine.covariance)[::-1]
    share = eigenvalues[:3].sum() / eigenvalues.sum()
    assert path["adjusted_variance"].iloc[-1] == pytest.approx(share)


def test_strength_means_the_same_for_every_scale(wine):
    scaled = Sample(100 * wine.covariance, 3)
    for method in METHODS:
        fits = (fit_sparse(sample, method, 0.6).components_ for sample in (wine, scaled))
        np.testing.assert_allclose(*fits, atol=0.05)
