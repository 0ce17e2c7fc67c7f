"""Each topic of the claims on cases with a known answer, and on cases that are expected to fail."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom
from sklearn.manifold import Isomap

from kpca import PCA, KernelPCA
from pipeline.datasets.make import make_dataset
from pipeline.tables.statistics import interval
from tests.scripts.claims import verdicts
from workflow.scripts.claims import (
    centring,
    degree,
    limits,
    separability,
    setting,
    shift,
    unrolling,
)
from workflow.scripts.claims.limits import spread
from workflow.scripts.claims.setting import fitted

RINGS = {"generator": "rings", "n_train": 30, "n_test": 20}


def test_accuracy_is_one_on_separable_scores_and_blind_to_their_units():
    y = np.arange(40) % 2
    Z = np.column_stack([y - 0.5, np.linspace(0, 0.1, 40)])
    assert setting.balanced_accuracy(Z, Z, (y, y)) == 1
    assert setting.balanced_accuracy(1e-4 * Z, 1e-4 * Z, (y, y)) == 1
    assert setting.balanced_accuracy(Z, -Z, (y, y)) == 0


@pytest.mark.filterwarnings("ignore::kpca.certificates.definiteness.IndefiniteKernelWarning")
@pytest.mark.parametrize("kernel", setting.KERNELS)
def test_kernel_values_are_those_of_the_model(kernel):
    X = np.random.default_rng(0).standard_normal((20, 3))
    model = setting.fitted(kernel, X, 2)
    K = setting.kernel_of(model)
    H = np.eye(20) - 1 / 20
    residual = H @ K @ H @ model.eigenvectors_ - model.eigenvectors_ * model.eigenvalues_
    assert np.abs(residual).max() < 1e-10 * model.eigenvalues_[0]
    assert setting.kernel_of(model, X[:3]) == pytest.approx(K[:3])


def test_bounds_are_the_intervals_of_their_kind_of_replicate():
    drawn = pd.DataFrame({"dataset": "a", "overlap": None, "value": [0.0, 1.0, 2.0]})
    both = pd.concat([drawn, drawn.assign(dataset="b", overlap=0.5)])
    for row, overlap in zip(
        setting.bounds(both, ["dataset"], "value").itertuples(), (None, 0.5), strict=True
    ):
        mean = interval([0.0, 1.0, 2.0], test_over_train=overlap)
        assert (row.low, row.high, row.error) == (mean.low, mean.high, mean.error)


def test_units_are_every_dataset_kernel_and_replicate_in_order():
    wine = {"sklearn": "wine"}
    found = list(setting.units({"rings": RINGS, "wine": wine}, "ab", seed=0, replicates=2))
    table = pd.DataFrame([unit for unit, _ in found])
    assert table.columns.tolist() == ["dataset", "kernel", "replicate", "overlap"]
    expected = [(d, k, r) for d in ("rings", "wine") for k in "ab" for r in (0, 1)]
    assert list(table.iloc[:, :3].itertuples(index=False, name=None)) == expected
    overlaps = table.groupby("dataset")["overlap"]
    assert overlaps.nunique().to_dict() == {"rings": 0, "wine": 1}  # only re-drawn splits overlap
    assert overlaps.max()["wine"] == pytest.approx(0.3 / 0.7, rel=0.03)
    second = make_dataset("wine", wine, seed=0, replicates=2).split(1)
    assert [i for i, (_, split) in enumerate(found) if split.digest == second.digest] == [5, 7]


def test_the_right_formula_is_hkh_and_the_misprints_are_not():
    K = np.array([[2.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 5.0]])
    H = np.eye(3) - 1 / 3
    E, ones = np.full((3, 3), 1 / 3), np.ones((3, 3))
    assert centring.centred_by(K) == pytest.approx(H @ K @ H)
    minus = K - E @ K - K @ E - E @ K @ E
    assert centring.centred_by(K, sign=-1) == pytest.approx(minus)
    unscaled = K - ones @ K - K @ ones + ones @ K @ ones
    assert centring.centred_by(K, scaled=False) == pytest.approx(unscaled)


def test_constancy_is_one_for_a_constant_vector_and_zero_for_a_centred_one():
    assert centring.constancy(np.full(7, -2.0)) == pytest.approx(1)
    assert centring.constancy(np.array([1.0, -1.0])) == pytest.approx(0)


def test_the_formula_holds_and_its_misprints_fail_on_every_sample():
    tables = centring.measure(seed=0)
    found = {}
    for (claim, _), verdict in verdicts(tables["claims"]).items():
        found.setdefault(claim, set()).add(verdict)
    assert found == {
        "1-centring": {"holds"},
        "1-misprinted-sign": {"fails as expected"},
        "1-unscaled-ones": {"fails as expected"},
        "1-misprints-constant": {"holds"},
    }
    spectra = tables["spectra"]
    first = spectra[spectra["component"] == 1].set_index("formula")["constancy"]
    assert first["1-centring"] < 1e-8


def test_a_linear_shift_is_the_mean_on_the_principal_axes():
    centred = np.random.default_rng(0).standard_normal((50, 3)) * np.array([3, 2, 1])
    X = centred + np.array([1, -2, 5])
    pca = PCA(2).fit(X)
    expected = np.abs(pca.components_ @ X.mean(axis=0))
    assert np.abs(shift.shift(fitted("linear", X, 2))) == pytest.approx(expected)


@pytest.mark.parametrize("kernel", ["poly", "rbf", "laplacian"])
def test_new_points_differ_by_the_shift_alone(kernel):
    X = np.random.default_rng(0).standard_normal((50, 3)) + 1
    model = fitted(kernel, X[:30], 3)
    assert shift.deviation(model, X[30:]) < 1e-12
    model.kernel_means_ = model.kernel_means_ + np.linspace(0, 1, 30)  # of other training points
    assert shift.deviation(model, X[30:]) < 1e-12  # the shift follows from the means
    model.eigenvectors_ = model.eigenvectors_ + 0.1  # no longer orthogonal to the constant
    assert shift.deviation(model, X[30:]) > 1e-3


def first_axis(X):
    return shift.mean_cosine(KernelPCA(1, kernel="linear", center=False).fit(X))


def test_an_uncentred_linear_axis_is_the_first_singular_vector():
    X = np.random.default_rng(0).standard_normal((60, 3)) + np.array([0.5, 0.2, 0])
    axis, mean = np.linalg.svd(X)[2][0], X.mean(axis=0)
    assert first_axis(X) == pytest.approx(abs(axis @ mean) / np.linalg.norm(mean))
    assert first_axis(X + 100) > 0.999
    assert np.isnan(first_axis(X - mean))  # there is no direction of the mean


def test_harmless_where_shared_and_harmful_where_not():
    data = {"rings": {"generator": "rings", "n_train": 80, "n_test": 200, "noise": 0.05}}
    tables = shift.measure(seed=0, replicates=3, datasets=data)
    found = verdicts(tables["claims"])
    assert found["2-shift-constant", ""] == "holds"
    assert found["2-shift-shared", ""] == "holds"
    assert found["2-shift-new", "rbf, rings"] == "holds"
    assert found["2-mean-direction", "laplacian, rings"] == "holds"
    few = tables["losses"].set_index(["treatment", "kernel"])["mean"]["uncentred_few"]
    assert few["rbf"] < -0.1  # the mean direction of rings is their radius
    assert set(tables["example"]["rows"]) == {"training", "new, not centred"}


DATASETS = {
    "rings": {"generator": "rings", "n_train": 30, "n_test": 100},
    "iris": {"sklearn": "iris", "max_rows": 60},
}


def test_changes_are_paired_within_replicates():
    cells = [(r, d, s) for r in (0, 1) for d in (2, 9) for s in degree.SIDES]
    values = {"train": lambda r, d: r + d, "test": lambda r, d: r - d}
    table = pd.DataFrame(
        [("a", r, np.nan, "all", d, s, values[s](r, d)) for r, d, s in cells],
        columns=["dataset", "replicate", "overlap", "use", "degree", "split", "value"],
    )
    found = degree.changes(table).set_index("split")
    assert found.loc["train", ["mean", "low", "high"]].tolist() == [7, 7, 7]
    assert found.loc["test", "mean"] == -7


def test_a_higher_degree_fits_rings_that_no_line_separates():
    tables = degree.measure(seed=0, replicates=2, datasets=DATASETS, degrees=[1, 2, 9])
    assert tables["claims"]["claim"].value_counts().tolist() == [len(DATASETS)] * 4
    scores = tables["scores"]
    assert scores["value"].between(0, 1).all()
    trained = scores[(scores["dataset"] == "rings") & (scores["split"] == "train")]
    free = trained[trained["use"] == "all"]
    assert (free[free["degree"] == 9]["value"] == 1).all()
    assert (trained[trained["degree"] == 1]["value"] < 0.9).all()


@pytest.fixture(scope="module")
def cloud():
    return np.random.default_rng(0).standard_normal((60, 4)) * [3, 2, 1, 0.5] + 1


def test_the_angle_to_linear_pca_is_zero_for_the_linear_kernel(cloud):
    A = KernelPCA(2, kernel="linear").fit(cloud).eigenvectors_
    assert limits.plane_angle(A, cloud) < 1e-7


def test_the_radius_of_one_row_of_some_and_of_all():
    X = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0]])
    A = np.array([[1.0, 0, 0, 0], [0.5**0.5, 0.5**0.5, 0, 0], [0.5] * 4]).T
    assert spread(A, X) == pytest.approx([0, 0.5**0.5, 1])


def test_wide_kernels_are_linear_and_narrow_ones_local():
    tables = limits.measure(seed=0, replicates=3, widths=[0.1, 1, 100])
    found = verdicts(tables["claims"])
    assert len(found) == 2 * len(limits.DATASETS)
    assert {v for (claim, _), v in found.items() if claim == "6-sigma-linear"} == {"holds"}
    widths = tables["widths"]
    assert widths.groupby("width")["spread"].mean().is_monotonic_increasing
    independent = widths[widths["overlap"].isna()]["dataset"].unique()
    assert sorted(independent) == ["rings", "swiss_roll"]


def two_clouds(n, gap, columns, seed=0):
    """Points on either side of a random plane through the origin, none nearer than gap/2."""
    rng = np.random.default_rng(seed)
    normal = rng.standard_normal(columns)
    normal /= np.linalg.norm(normal)
    X = rng.standard_normal((n, columns))
    side = np.where(X @ normal > 0, 1, -1)
    return X + np.outer(side * gap / 2, normal), (side > 0).astype(int)


@pytest.mark.parametrize("columns", [1, 2, 5])
def test_a_plane_is_found_where_there_is_one(columns):
    X, y = two_clouds(80, 0.1, columns)
    plane = separability.separating_plane(X, y)
    assert plane.accuracy(X, y) == 1
    assert np.linalg.norm(plane.w) == pytest.approx(1)


def test_columns_of_very_different_size_hide_no_plane():
    X, y = two_clouds(80, 0.1, 3)
    assert separability.separating_plane(X * [1e-9, 1, 1e6], y) is not None


def test_no_plane_is_found_where_there_is_none():
    corners = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    assert separability.separating_plane(corners, np.array([0, 0, 1, 1])) is None
    X, y = two_clouds(80, 0.1, 3)
    y[0] = 1 - y[0]
    X[0] = X[y != y[0]].mean(axis=0)  # inside the convex hull of the other class
    assert separability.separating_plane(X, y) is None


@pytest.mark.parametrize("right", [1, 90, 99, 100])
def test_the_lower_bound_is_where_so_many_successes_become_improbable(right):
    assert binom.sf(right - 1, 100, separability.lower_bound(right, 100)) == pytest.approx(0.05)


def test_a_plane_that_generalises_passes_and_one_that_does_not_exist_fails():
    line = np.linspace(-1, 1, 400)[:, None]
    y = (line[:, 0] > 0).astype(int)
    assert separability.fresh_bound((line[::2], y[::2]), (line, y)) > separability.LEAST
    assert separability.fresh_bound((line, np.arange(400) % 2), (line, y)) == 0


def test_what_separates_and_what_does_not():
    grid = {"multiples": [0.3, 1, 3, 10], "n_components": [2, 3, 24]}
    tables = separability.measure(seed=0, replicates=2, **grid)
    assert verdicts(tables["claims"]) == {
        ("5-before", "rings"): "holds",
        ("5-before", "spirals"): "holds",
        ("5-rings-two", "median γ"): "fails",
        ("5-rings-two", "best γ of the grid"): "holds",
        ("5-spirals-two", "median γ"): "fails",
        ("5-spirals-two", "best γ of the grid"): "fails",
    }
    planes = tables["planes"]
    three = planes[(planes["dataset"] == "rings") & (planes["n_components"] == 3)]
    assert (three["bound"] >= separability.LEAST).all()


def test_geodesic_distances_go_along_a_circle_and_join_parts_of_the_graph():
    angles = np.linspace(0, 2 * np.pi, 41)[:-1]
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    step = np.linalg.norm(circle[1] - circle[0])
    D = unrolling.geodesic_distances(circle, 2)
    assert D[0, 20] == pytest.approx(20 * step)
    assert D[0, 30] == pytest.approx(10 * step)
    X = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]])
    assert unrolling.geodesic_distances(X, 1)[0, 5] == pytest.approx(12)


def test_axis_correlation_is_that_of_the_best_axis():
    t = np.linspace(0, 1, 50)
    Z = np.column_stack([np.random.default_rng(0).standard_normal(50), -3 * t + 1])
    assert unrolling.axis_correlation(Z, t) == pytest.approx(1)
    assert unrolling.axis_correlation(Z[:, :1], t) < 0.5


def test_the_geodesic_kernel_gives_the_coordinates_of_isomap():
    X, _ = unrolling.draw_sheet(0, 0, 300)
    theirs = Isomap(n_neighbors=8, n_components=2).fit_transform(X)
    assert np.abs(unrolling.embed(X, "geodesic", 8)) == pytest.approx(np.abs(theirs), abs=1e-8)


def test_what_unrolls_and_what_does_not():
    grid = {"linear": [1], "poly": [2], "rbf": [0.01, 1], "geodesic": [6, 20]}
    tables = unrolling.measure(seed=0, replicates=2, n=600, grid=grid)
    assert verdicts(tables["claims"]) == {
        ("5-roll-two", ""): "fails",
        ("5-roll-geodesic", ""): "holds",
    }
    values = tables["embeddings"].groupby(["kernel", "parameter"])["value"].mean()
    assert values["geodesic", 20] < 0.9  # paths jump from turn to turn
