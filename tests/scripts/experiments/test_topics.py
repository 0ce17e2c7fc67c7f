"""Each topic of the claims on cases with a known answer, and on cases that are expected to fail."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import scipy.linalg
import yaml
from sklearn.preprocessing import FunctionTransformer

from kpca import PCA, KernelPCA
from tests.scripts import crossed
from tests.scripts.claims import STATEMENTS, measured, verdicts
from tests.workflow.pipeline import ROOT
from workflow.scripts.claims import costs, studies
from workflow.scripts.claims.claim import averaged
from workflow.scripts.experiments import (
    centring,
    degree,
    gaussian,
    identities,
    known_answers,
    landmark_choices,
    setting,
    shapes,
)
from workflow.scripts.experiments.setting import fitted

pytestmark = pytest.mark.filterwarnings(
    "ignore::kpca.certificates.definiteness.IndefiniteKernelWarning"
)
RINGS = {"generator": "rings", "n_train": 30, "n_test": 100}
ERRORS = {*STATEMENTS.loc[STATEMENTS["expected"] == "fails", "claim"]}
# Topics with cases that are exact, and their claims.
EXACT = ("centring", "identities", "known_answers", "shapes")
OF_EXACT = "1-|3-(?!cost)|4-|11-(?!cross|read|standard)|5-(level|rings-q)"


def expected_verdicts(topic):
    tables = yaml.safe_load(Path(__file__).with_name("verdicts.yaml").read_text())
    return {(claim, case): verdict for claim, case, verdict in tables[topic]}


def normal(*shape):
    return np.random.default_rng(0).standard_normal(shape)


def gaussian_kernel(points, gamma):
    return np.exp(-gamma * np.square(points[:, None] - points).sum(axis=2))


def test_exact_statements_hold_and_errors_of_the_sources_fail():
    cases = pd.concat([measured(topic)["claims"] for topic in EXACT])
    by_case = verdicts(cases[cases["claim"].str.match(OF_EXACT)]).items()
    assert {claim for (claim, _), verdict in by_case if verdict != "holds"} == ERRORS
    stated = STATEMENTS.loc[STATEMENTS["claim"].str.match(OF_EXACT), "claim"]
    assert {claim for (claim, _), _ in by_case} == {*stated}


def test_the_solutions_of_a_diagonal_matrix():
    K = np.diag([1.0, 0.0, 0.0, 3.0])
    differences = identities.two_problems(K, K, np.random.default_rng(0))
    assert differences.pop("11-squared-more") == pytest.approx(np.sqrt(0.5))
    assert max(differences.values()) < 1e-12
    outside = identities.two_problems(K, np.ones((1, 4)), np.random.default_rng(0))
    assert outside["11-squared-scores"] > 0.1  # rows with a part in the null space


def test_ascent_ends_at_the_eigenvalues_one_after_the_other():
    values = np.array([4.0, 2.0, 1.0])
    axes = np.eye(3) / np.sqrt(values)
    for j, value in enumerate(values):
        steps = list(identities.ascend(np.diag(values), np.array([0.3, 1.0, 2.0]), axes[:, :j], 40))
        assert steps[-1] == pytest.approx(value / 3)
        assert np.diff(steps).min() > -1e-12


def test_undivided_coefficients_have_no_unit_norm():
    model = fitted("rbf", normal(30, 2), 3)
    assert identities.inner_products(model) == pytest.approx(np.eye(3), abs=1e-12)
    model.eigenvectors_ = model.eigenvectors_ * np.sqrt(model.eigenvalues_)
    assert np.diag(identities.inner_products(model)) == pytest.approx(model.eigenvalues_)


def test_only_training_points_count_in_the_largest_mean_square():
    """Of k(z, ·) of norm √2, √3 and √5 at orthogonal points, of which two are training points."""
    assert identities.largest(np.diag([2.0, 3.0, 5.0]), 2) == pytest.approx(3 / 2)


def test_the_axis_through_the_image_of_a_point_meets_it_and_differs_in_length_beyond():
    single = KernelPCA(1, kernel="rbf", gamma=0.5, center=False).fit(np.array([[1.0, 2.0]]))
    corners = np.array([0.5, 1.5]), np.array([2.0, 3.0])
    distance, z = shapes.nearest(single, 1.0, *corners)
    assert distance == pytest.approx(0, abs=1e-6)
    assert z == pytest.approx([1, 2], abs=1e-4)
    assert shapes.nearest(single, 3.0, *corners)[0] == pytest.approx(2)


def test_the_bracket_holds_the_maximum_and_closes():
    X = normal(15, 2)
    model = KernelPCA(1, kernel="rbf", gamma=0.7, center=False).fit(X)
    coarse = shapes.bracket(model, 3)
    fine = shapes.bracket(model, 10)
    dense = np.abs(model.transform(np.random.default_rng(1).uniform(-3, 3, (4000, 2)))).max()
    assert coarse[0] <= fine[0] <= fine[1] <= coarse[1]
    assert dense <= fine[1]
    assert fine[1] - fine[0] < 0.01


N = np.array([100.0, 200, 400])


def times(seconds, **columns):
    """Return times by n, in two rounds."""
    table = {"series": "pca over n", "method": "pca", "n": N, "d": 10, "features": N}
    return pd.DataFrame(table | {"round_0": seconds, "round_1": seconds} | columns)


def test_an_exponent_is_the_slope_of_each_round_and_quadratic_pca_breaks_the_rule():
    """Short times have none."""
    quadratic = times(N**2)
    short = times(N**2, round_1=1e-8 * N**2)
    slopes = [costs.exponents(table, "pca over n", "pca", "n") for table in (quadratic, short)]
    np.testing.assert_allclose(slopes, [[2, 2], [2, np.nan]])
    case = averaged("3-cost-pca-n", slopes[0] - 1, None)
    assert verdicts(pd.DataFrame([case])) == {("3-cost-pca-n", ""): "fails"}


@pytest.mark.parametrize(("level", "expected"), [(200, 200), (1e-9, np.nan), (1e9, np.nan)])
def test_the_crossover_lies_where_times_are_equal_and_there_may_be_none(level, expected):
    monomials = times(N, series="crossover 9", method="monomials")
    kernel = times(level, series="crossover 9", method="kernel")
    crossings = costs.crossovers(pd.concat([monomials, kernel]), 9)
    np.testing.assert_allclose(crossings, expected)


@pytest.mark.parametrize(("seconds", "error"), [(costs.LEAST, 0.1), (0.99 * costs.LEAST, 0.0)])
def test_short_times_and_errors_of_zero_say_nothing_of_the_svd(seconds, error):
    table = pd.read_csv(ROOT / "benchmarks/costs.csv").query("series == 'svd'")
    rounds = dict.fromkeys(table.filter(like="round_"), seconds)
    cases = pd.DataFrame(costs.of_svd(table.assign(error=error, **rounds)))
    left_out = {key for key, word in verdicts(cases).items() if word == "not applicable"}
    assert len(left_out) == (0 if error else len(cases))


def test_stored_times_decide_every_statement_on_costs():
    stored = pd.read_csv(ROOT / "benchmarks/costs.csv")
    table = costs.statements_on(stored, STATEMENTS)
    on_costs = STATEMENTS["claim"].str.match("3-cost|11-crossover|14-(truncated|randomized)")
    assert set(table["claim"]) == set(STATEMENTS.loc[on_costs, "claim"])
    assert stored[["machine", "commit"]].drop_duplicates().shape == (1, 2)
    series = ("kernel over n", "dense"), ("pca over n", "pca")
    dense, pca = (costs.exponents(stored, *names, "n") for names in series)
    assert dense.mean() > pca.mean()


def test_two_steps_that_explain_as_much_gain_nothing():
    path = pd.DataFrame({"nonzeros": [1.0, 5.0], "adjusted_variance": [0.2, 0.6]})
    both = pd.concat([path.assign(method=method) for method in ("spca", "two_step")])
    both["pca"] = 0.7
    assert studies.gain_at_equal_sparsity(both) == pytest.approx((0, 0.3))
    both.loc[both["method"] == "spca", "adjusted_variance"] += 0.1
    assert studies.gain_at_equal_sparsity(both) == pytest.approx((0.1, 0.3))
    both.loc[both["method"] == "spca", "nonzeros"] += 10
    assert np.isnan(studies.gain_at_equal_sparsity(both)).all()


def of_images(best):
    axes = ("linear", "rbf"), (64, 128, 256), (0, 1)
    return degree.of_images(
        crossed("kernel n_components replicate", *axes, value=best, overlap=0.4)
    )


def of_constants(best):
    axes = ("poly", "sigmoid", "rbf"), (0.0, 1.0), (0, 1)
    table = crossed("kernel constant replicate", *axes, dataset="a", overlap=0.4, value=best)
    effects = degree.constants_matter(table)
    return [case for case in effects if case.claim != "9-sigmoid"]  # it can hold and fail


def of_sparse(best):
    """Methods that explain as much as PCA, a component that PCA finds, and one in place of two."""
    paths = crossed("method nonzeros", ("spca", "two_step"), (1.0, 5.0), data="a", pca=0.7)
    axes = ("pca", "spca", "dictionary"), (1, 2), range(3)
    loadings = crossed("method component variable", *axes, data="a")
    first = (loadings["component"] == 1) | (best < 1)
    dense = (loadings["variable"] == 0) | (loadings["method"] == "dictionary") & (best == 1)
    loadings = loadings.assign(loading=1.0 * first * dense)
    wide = crossed("draw method", (0, 1), ("pca", "spca", "spca_soft"), chosen=True, cosine=best)
    return studies.sparse(paths.assign(adjusted_variance=best * 0.7), loadings, wide)


def of_svd(best):
    """Errors of a matrix that has the rank, and a bound that is the least error."""
    axes = (0, 6), ("none", "LU", "QR"), (0, 1)
    ends = {"spectrum": "a", "error": 1 - best, "bound": 3 - 2 * best}
    return studies.randomized(crossed("n_iter normalizer draw", *axes, **ends))


def of_denoising(best):
    table = crossed("method replicate", ("none", "pca", "ridge"), (0, 1), noise="a", chosen=True)
    psnr = np.where(table["method"] == "none", 10 * best, 9.5)
    return studies.denoised(table.assign(psnr=psnr))


def of_population(best):
    """Nothing is left beyond the components, and the bound is the trace."""
    ends = {"n": 100, "training": 1 - best, "new": 1 - best, "population": 1 - best, "bound": best}
    two = pd.DataFrame([ends, ends])
    spectra = pd.DataFrame(columns=["n", "component"])
    return gaussian.of_population(spectra, two.assign(bound=1 if best == 1 else 0.5))


@pytest.mark.parametrize(
    "of", [of_images, of_constants, of_sparse, of_svd, of_denoising, of_population]
)
def test_statements_without_room_say_nothing(of):
    """Each has a condition for the case that it can only hold, only fail, or has no value."""
    without_room, with_room = (verdicts(pd.DataFrame(of(best))) for best in (1.0, 0.9))
    assert {*without_room.values()} == {"not applicable"}
    assert without_room.keys() == with_room.keys()
    assert "not applicable" not in with_room.values()


def test_the_limit_is_judged_at_the_largest_size_alone():
    rows = {"component": [1, 1], "training": [0.5, 0.6], "population": [0.5, 0.5]}
    residuals = pd.DataFrame(columns=["n"])
    for n, expected in ((max(gaussian.SIZES), ["16-limit"]), (max(gaussian.SIZES) - 1, [])):
        cases = gaussian.of_population(pd.DataFrame(rows).assign(n=n), residuals)
        assert [case.claim for case in cases] == expected


def test_new_variances_are_those_of_many_new_samples():
    model = KernelPCA(3, kernel="rbf", gamma=1.0, center=False).fit(normal(30, 1))
    scores = model.transform(np.random.default_rng(1).standard_normal((200_000, 1)))
    np.testing.assert_allclose(gaussian.new_variances(model), (scores**2).mean(axis=0), rtol=0.02)


def test_the_bound_is_the_least_over_the_numbers_of_components():
    first, second = (gaussian.residual_bound(np.array(s), 100) for s in ([0.5], [0.9]))
    assert first == pytest.approx(0.5 + (1 + np.sqrt(np.log(20))) / 10)
    assert first - second == pytest.approx(0.4)
    assert gaussian.residual_bound(np.array([0.5, 0.01]), 100) == first  # the second costs more


def test_the_best_constant_is_chosen_on_other_replicates():
    """A constant that is best in one replicate alone is not chosen there."""
    axes = ("poly", "sigmoid", "rbf"), (0.0, 0.1), range(degree.REPLICATES)
    table = crossed("kernel constant replicate", *axes, dataset="a", overlap=0.4)
    best = (table["replicate"] == 0) == (table["constant"] == 0.1)
    effects = degree.constants_matter(table.assign(value=np.where(best, 0.9, 0.5)))
    gains = {case.claim: case.measured for case in effects}
    assert gains["9-constant-poly"] == pytest.approx((9 * 0.4 - 0.4) / 10)


def test_another_width_of_the_circle_is_not_taken_for_the_right_one(monkeypatch):
    expected = known_answers.circle_eigenvalues(center=True) * (1 + 1e-9)
    monkeypatch.setattr(known_answers, "circle_eigenvalues", lambda *, center: expected)
    assert known_answers.on_circle("dense") > 1e-10


@pytest.mark.parametrize("embedding", known_answers.EMBEDDINGS)
def test_embeddings_of_other_neighbours_differ(embedding, monkeypatch):
    both = known_answers.EMBEDDINGS[embedding]
    graph = known_answers.kneighbors_graph
    X = normal(40, 12) + 3
    centred = {"center": embedding != known_answers.SPECTRAL}
    assert known_answers.difference(*both(X), **centred) < 1e-6
    assert known_answers.difference(both(X)[0], both(X + X**2)[1], **centred) > 1e-3
    monkeypatch.setattr(known_answers, "kneighbors_graph", lambda X, k, **o: graph(X**3, k, **o))
    theirs = "3-laplacian-eigenmaps", known_answers.SPECTRAL  # they are given our graph, or none
    assert (known_answers.difference(*both(X), **centred) < 1e-6) == (embedding in theirs)


SMILE = landmark_choices.smile(300, np.random.default_rng(0))


@pytest.mark.parametrize("choice", ["greedy", "leverage"])
def test_the_trace_error_is_that_of_the_nystrom_matrix(choice):
    chosen = landmark_choices.ROWS[choice](SMILE, 0.125, 12, [3])[0]
    assert len(set(chosen)) == 12
    K = gaussian_kernel(SMILE, 0.125)
    approximation = K[:, chosen] @ np.linalg.solve(K[np.ix_(chosen, chosen)], K[chosen])
    expected = 1 - np.trace(approximation) / np.trace(K)
    errors = landmark_choices.trace_errors(SMILE, 0.125, choice, 12, [3])
    assert errors == pytest.approx([expected], rel=1e-6)


def test_leverage_scores_are_those_of_the_ridge(monkeypatch):
    K = gaussian_kernel(SMILE, 0.125)
    ridge = np.linalg.eigvalsh(K)[:-12].sum() / 12
    scores = np.diag(np.linalg.solve(K + ridge * np.eye(300), K))
    monkeypatch.setattr(landmark_choices, "RANK", 250)
    drawn = landmark_choices.leverage(SMILE, 0.125, 12, range(300))
    counts = np.bincount(np.concatenate(drawn), minlength=300)
    eyes = slice(0, 36)
    assert counts[eyes].sum() / 3600 == pytest.approx(scores[eyes].sum() / scores.sum(), abs=0.03)


def test_greedy_pivots_are_those_of_pivoted_cholesky():
    points = landmark_choices.spiral(200, np.random.default_rng(0))
    K = gaussian_kernel(points, 5e-7)
    _, order, _, _ = scipy.linalg.lapack.dpstrf(K)
    np.testing.assert_array_equal(landmark_choices.greedy(points, 5e-7, 8, [0])[0], order[:8] - 1)


def test_a_ratio_of_errors_is_paired_and_has_the_sign_of_the_statement():
    errors = {how: np.array([1.0, 2.0]) for how in landmark_choices.CHOICES}
    errors["greedy"] = np.array([8.0, 16.0])
    for example in ("spiral", "smile"):
        cases = {case.claim: case for case in landmark_choices.compared(f"{example} 9", errors)}
        assert len(cases) == 5
        assert cases["12-rpcholesky-greedy"][1:4] == (-3, -3, -3)
        assert cases["12-rpcholesky-kmeans"].measured == 0
        assert ("12-greedy" in cases) == (example == "spiral")
    assert len(measured("landmark_choices")["claims"]) == 10


def test_accuracy_is_one_on_separable_scores_and_blind_to_their_units():
    y = np.arange(40) % 2
    split = SimpleNamespace(y_train=y, y_test=y)
    Z = np.column_stack([y - 0.5, np.linspace(0, 0.1, 40)])
    assert setting.balanced_accuracy(Z, Z, split) == 1
    assert setting.balanced_accuracy(1e-4 * Z, 1e-4 * Z, split) == 1
    assert setting.balanced_accuracy(Z, -Z, split) == 0


def test_only_splits_of_the_same_rows_overlap():
    data = {"rings": RINGS, "wine": {"sklearn": "wine"}}
    table = pd.DataFrame([unit for unit, _ in setting.units(data, "ab", 0, 2)])
    assert table["replicate"].tolist() == [0, 1] * 4
    overlaps = table.groupby("dataset")["overlap"]
    assert overlaps.nunique().to_dict() == {"rings": 0, "wine": 1}
    assert overlaps.max()["wine"] == pytest.approx(0.3 / 0.7, rel=0.03)


def test_a_linear_shift_is_the_mean_on_the_principal_axes():
    X = normal(50, 3) * [3, 2, 1] + [1, -2, 5]
    expected = np.abs(PCA(2).fit(X).components_ @ X.mean(axis=0))
    assert np.abs(centring.shift(fitted("linear", X, 2))) == pytest.approx(expected)


@pytest.mark.parametrize("kernel", ["poly", "laplacian"])
def test_new_points_differ_by_the_shift_alone(kernel):
    X = normal(50, 3) + 1
    model = fitted(kernel, X[:30], 3)
    assert centring.deviation(model, X[30:]) < 1e-12
    # These means belong to other training points.
    model.kernel_means_ = model.kernel_means_ + np.linspace(0, 1, 30)
    assert centring.deviation(model, X[30:]) < 1e-12  # the shift follows from the means
    model.eigenvectors_ = model.eigenvectors_ + 0.1  # no longer orthogonal to the constant
    assert centring.deviation(model, X[30:]) > 1e-3


def test_an_uncentred_linear_axis_is_the_first_singular_vector():
    X = normal(60, 3) + np.array([0.5, 0.2, 0])
    axis = np.linalg.svd(X)[2][0]
    mean = X.mean(axis=0)
    models = (fitted("linear", rows, 1, center=False) for rows in (X, X + 100, X - mean))
    near, far, centred = map(centring.mean_cosine, models)
    assert near == pytest.approx(abs(axis @ mean) / np.linalg.norm(mean))
    assert far > 0.999
    assert np.isnan(centred)  # there is no direction of the mean


def test_harmless_where_shared_and_harmful_where_not():
    by_case = verdicts(measured("centring")["claims"])
    expected = expected_verdicts("centring")
    listed = {case: by_case[case] for case in expected}
    nothing = {case: word for case, word in by_case.items() if word == "not applicable"}
    assert listed | nothing == expected


def test_changes_are_paired_within_replicates_and_begin_at_the_best_degree():
    """Test accuracy rises from degree 2 to 5, and falls to 9 by more than it has risen."""
    names = "replicate degree split"
    of = {"dataset": "a", "overlap": np.nan, "use": "all"}
    table = crossed(names, (0, 1), (2, 5, 9), degree.SIDES, **of)
    tested = table["degree"].map({2: 0.5, 5: 0.75, 9: 0.25})
    value = tested.where(table["split"] == "test", table["degree"] / 10)
    changes = degree.changes(table.assign(value=value + table["replicate"] / 100)).set_index(
        "split"
    )
    assert changes.loc["train", ["mean", "low", "high"]].tolist() == pytest.approx([0.7] * 3)
    assert changes.loc["test", "mean"] == pytest.approx(-0.5)
    assert changes.loc["gap", "mean"] == pytest.approx(0.7 + 0.25)
    assert changes.loc["train", "highest"] == pytest.approx(1 - 0.205)  # Degree 2 leaves this room.
    assert changes.loc["test", "highest"] == pytest.approx(1 - 0.755)


def test_the_best_choice_is_made_on_other_replicates_of_the_group():
    """A choice that is best in one replicate alone is not made there, nor by another group."""
    scores = crossed("group replicate choice", "ab", range(5), (2, 5), value=0.5)
    better = (scores["replicate"] == 0) == (scores["choice"] == 2)
    scores["value"] = (
        scores["value"].mask(better, 0.9).mask(scores["group"] == "b", scores["choice"])
    )
    by = scores.set_index(["group", "replicate", "choice"])["value"].unstack()
    assert setting.best_of_others(by, by, ["group"]).tolist() == [0.5, 0.9, 0.9, 0.9, 0.9] + [5] * 5
    assert setting.best_of_others(by, -by, ["group"])[0] == -0.5


def test_the_radius_of_one_row_of_some_and_of_all():
    X = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0]])
    A = np.array([[1.0, 0, 0, 0], [0.5**0.5, 0.5**0.5, 0, 0], [0.5] * 4]).T
    assert gaussian.spread(A, X) == pytest.approx([0, 0.5**0.5, 1])


def two_clouds(columns):
    """Points on either side of a random plane through the origin, none nearer than 0.05."""
    w, *X = normal(81, columns)
    w /= np.linalg.norm(w)
    side = np.where(X @ w > 0, 1, -1)
    return X + np.outer(0.05 * side, w), (side > 0).astype(int)


@pytest.mark.parametrize("sizes", [[1], [1, 1, 1, 1], [1e-9, 1, 1e6]])
def test_a_plane_is_found_where_there_is_one(sizes):
    X, y = two_clouds(len(sizes))
    plane = shapes.separating_plane(X * sizes, y)
    assert plane.accuracy(X * sizes, y) == 1
    assert np.linalg.norm(plane.w) == pytest.approx(1)


def test_no_plane_is_found_where_there_is_none():
    corners = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    assert shapes.separating_plane(corners, np.array([0, 0, 1, 1])) is None
    X, y = two_clouds(3)
    y[0] = 1 - y[0]
    X[0] = X[y != y[0]].mean(axis=0)  # inside the convex hull of the other class
    assert shapes.separating_plane(X, y) is None


def test_a_plane_that_generalises_passes_and_one_that_does_not_exist_fails():
    line = np.linspace(-1, 1, 400)[:, None]
    y = (line[:, 0] > 0).astype(int)
    itself = FunctionTransformer()
    assert shapes.fresh_bound(itself, (line[::2], y[::2]), (line, y)) > 0.98
    assert shapes.fresh_bound(itself, (line, np.arange(400) % 2), (line, y)) == 0


def test_what_separates_and_unrolls_and_what_does_not():
    tables = measured("shapes")
    cases = tables["claims"]
    by_case = verdicts(cases[~cases["claim"].str.match(OF_EXACT)])
    assert by_case == expected_verdicts("shapes")
    values = tables["embeddings"].groupby(["kernel", "parameter"])["value"].mean()
    assert values["geodesic", 20] < 0.9  # paths jump from turn to turn
