"""Identities, components as functions, feature spaces and costs against known answers."""

import numpy as np
import pandas as pd
import pytest
import scipy.linalg

from kpca import KernelPCA
from tests.scripts.claims import STATEMENTS, measured_with, verdicts
from workflow.scripts.claims import (
    centring,
    costs,
    feature_space,
    figure_identities,
    identities,
    known_answers,
    landmark_choices,
    rkhs,
)
from workflow.scripts.claims.feature_space import bracket, curvature
from workflow.scripts.claims.setting import fitted

pytestmark = pytest.mark.filterwarnings(
    "ignore::kpca.certificates.definiteness.IndefiniteKernelWarning"
)
X = np.random.default_rng(0).standard_normal((40, 12)) + 3
K = np.diag([4.0, 2.0, 1.0])
ERRORS = {
    "1-misprinted-sign",
    "1-unscaled-ones",
    "3-left-vectors",
    "3-positive-definite",
    "3-positive-definite-gram",
    "3-semidefinite-sigmoid",
    "4-uncentred-maximum",
    "11-squared-more",
    "11-unit-axes",
    "11-input-centring",
}
FIGURES = {
    "claims_centring": lambda: [centring.measure(seed=0)],
    "claims_identities": lambda: [
        measured_with(identities, REPLICATES=2),
        known_answers.measure(seed=0),
    ],
    "claims_rkhs": lambda: [rkhs.measure(seed=0)],
    "claims_feature_space": lambda: [feature_space.measure(seed=0)],
    "claims_costs": lambda: [costs.measure()],
}


@pytest.fixture(scope="module")
def cases():
    """The cases of the statements of each figure."""
    return {
        figure: pd.concat([topic["claims"] for topic in topics()])
        for figure, topics in FIGURES.items()
    }


@pytest.mark.parametrize("figure", FIGURES)
def test_every_statement_is_measured_and_errors_of_the_sources_fail(figure, cases):
    stated = set(STATEMENTS.loc[STATEMENTS["figure"] == figure, "claim"])
    assert set(cases[figure]["claim"]) == stated
    missed = {
        claim for (claim, _), verdict in verdicts(cases[figure]).items() if verdict != "holds"
    }
    few = {name for name in stated if name.startswith("11-standard")}  # of two replicates
    assert missed - few == ERRORS & stated


def test_marks_of_the_figure_lie_in_their_band_where_a_claim_holds(cases):
    shown = pd.concat([cases["claims_identities"], cases["claims_rkhs"]])
    table = figure_identities.deviations(STATEMENTS, shown)
    above = table["deviation"] > table["bound"]
    right_side = above == (table["side"] == "above")
    assert (right_side == (table["verdict"] == "holds")).all()
    assert len(table) == STATEMENTS["group"].notna().sum()


def test_singular_values_of_a_known_matrix():
    found = identities.singular(np.array([[2.0, 0, 0], [-2, 0, 0], [0, 1, 0], [0, -1, 0]]))
    assert found["3-gram"] < 1e-12
    assert found["3-rank"] == -1
    assert found["3-left-vectors"] == pytest.approx(1 - np.sqrt(0.5) / 2)
    assert abs(found["3-positive-definite"]) < 1e-12


def test_the_solutions_of_a_diagonal_matrix():
    K = np.diag([1.0, 0.0, 0.0, 3.0])
    found = identities.two_problems(K, K, np.random.default_rng(0))
    assert found.pop("11-squared-more") == pytest.approx(np.sqrt(0.5))
    assert max(found.values()) < 1e-12
    outside = identities.two_problems(K, np.ones((1, 4)), np.random.default_rng(0))
    assert outside["11-squared-scores"] > 0.1  # rows with a part in the null space


def test_variances_of_a_matrix_with_known_eigenvalues():
    Q = np.linalg.qr(np.column_stack([np.ones(6), np.random.default_rng(0).random((6, 2))]))[0]
    vectors, values = Q[:, 1:], np.array([8.0, 2.0])
    found = identities.scales((vectors * values) @ vectors.T, vectors, values)
    assert found["11-unit-axes"] == pytest.approx(4)
    assert found["11-whitening"] == pytest.approx(1)


def test_ascent_ends_at_the_eigenvalues_one_after_the_other():
    axes = np.eye(3) / np.sqrt(np.diag(K))
    for j, value in enumerate((4, 2, 1)):
        steps = list(rkhs.ascend(K, np.array([0.3, 1.0, 2.0]), axes[:, :j], 40))
        assert steps[-1] == pytest.approx(value / 3)
        assert np.diff(steps).min() > -1e-12


def test_undivided_coefficients_have_no_unit_norm():
    model = fitted("rbf", np.random.default_rng(0).standard_normal((30, 2)), 3)
    assert rkhs.inner_products(model) == pytest.approx(np.eye(3), abs=1e-12)
    model.eigenvectors_ = model.eigenvectors_ * np.sqrt(model.eigenvalues_)
    assert np.diag(rkhs.inner_products(model)) == pytest.approx(model.eigenvalues_)


def test_a_new_axis_of_the_identity_lies_outside_with_its_whole_length():
    found = rkhs.beside(np.eye(2), np.zeros(2), 1.0, np.array([3.0, 4.0]))
    assert found["ratio"].to_numpy() == pytest.approx(1 / (1 + rkhs.LENGTHS**2))
    assert found["predicted"].to_numpy() == pytest.approx(found["ratio"].to_numpy())
    assert found["change"].max() < 1e-12


def test_an_affine_function_has_no_curvature():
    X = np.random.default_rng(0).standard_normal((30, 2))
    straight, curved = curvature(
        X, np.column_stack([2 * X[:, 0] - X[:, 1] + 3, (X**2).sum(axis=1)])
    )
    assert straight < 1e-24
    assert curved > 0.5


def test_the_axis_through_the_image_of_a_point_meets_it_and_differs_in_length_beyond():
    single = KernelPCA(1, kernel="rbf", gamma=0.5, center=False).fit(np.array([[1.0, 2.0]]))
    found, z = feature_space.nearest(single, 1.0, np.array([0.5, 1.5]), np.array([2.0, 3.0]))
    assert found == pytest.approx(0, abs=1e-6)
    assert z == pytest.approx([1, 2], abs=1e-4)
    assert feature_space.distance(single, 3.0, np.array([[1.0, 2.0]]))[0] == pytest.approx(2)


def test_the_bracket_holds_the_maximum_and_closes():
    X = np.random.default_rng(0).standard_normal((15, 2))
    model = KernelPCA(1, kernel="rbf", gamma=0.7, center=False).fit(X)
    coarse, fine = bracket(model, 3), bracket(model, 10)
    dense = np.abs(model.transform(np.random.default_rng(1).uniform(-3, 3, (4000, 2)))).max()
    assert coarse[0] <= fine[0] <= fine[1] <= coarse[1]
    assert dense <= fine[1]
    assert fine[1] - fine[0] < 0.01


def test_counts_of_small_shapes():
    assert costs.eigenvectors(3, 2) == 18 + 18
    assert costs.pca(5, 3) == 5 * 9 + 18 + 9 * costs.K
    assert costs.dense(3, 7) == 9 * 7 + 18 + 9 * costs.K
    assert costs.monomials(2, 1) == 2 * 4 * 3 + 2 * 16 + costs.eigenvectors(4, 4)


def test_the_crossover_lies_where_counts_are_equal_and_at_an_end_without_one():
    def crossing(monomials):
        columns = {"features": [10, 100, 1000], "monomials": monomials, "kernel": 1.0}
        return costs.crossover(pd.DataFrame(columns))

    assert crossing([0.01, 0.1, 10.0]) == pytest.approx(100 * np.sqrt(10))
    assert crossing([2.0, 3.0, 4.0]) == pytest.approx(10)
    assert crossing([0.1, 0.2, 0.3]) == pytest.approx(1000)


def test_the_circle_has_the_eigenvalues_of_its_kernel_matrix():
    points = known_answers.circle(30)
    distances = np.square(points[:, None] - points[None]).sum(axis=2)
    K = np.exp(-known_answers.CIRCLE_GAMMA * distances)
    centred = K - K.mean(axis=0) - K.mean(axis=0)[:, None] + K.mean()
    for matrix, center in ((K, False), (centred, True)):
        expected = known_answers.circle_eigenvalues(center=center, n=30)
        found = np.linalg.eigvalsh(matrix)[::-1][: len(expected)]
        np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_another_width_of_the_circle_is_not_taken_for_the_right_one(monkeypatch):
    expected = known_answers.circle_eigenvalues(center=True) * (1 + 1e-9)
    monkeypatch.setattr(known_answers, "circle_eigenvalues", lambda *, center: expected)
    assert np.abs(known_answers.on_circle("dense")[1]).max() > 1e-10
    assert known_answers.on_landmarks("kmeans")["3-circle-landmarks"] < 1


@pytest.mark.parametrize("embedding", known_answers.EMBEDDINGS)
def test_embeddings_of_other_neighbours_differ(embedding, monkeypatch):
    both, graph = known_answers.EMBEDDINGS[embedding], known_answers.kneighbors_graph
    assert known_answers.difference(*both(X)) < 1e-6
    monkeypatch.setattr(known_answers, "kneighbors_graph", lambda X, k, **o: graph(X**3, k, **o))
    theirs = "3-laplacian-eigenmaps"  # it is given our graph
    assert (known_answers.difference(*both(X)) < 1e-6) == (embedding == theirs)


@pytest.mark.parametrize("choice", ["greedy", "leverage"])
def test_the_trace_error_is_that_of_the_nystrom_matrix(choice):
    points = landmark_choices.smile(300, np.random.default_rng(0))
    chosen = landmark_choices.CHOICES[choice](points, 0.125, 12, [3])[0]
    assert len(set(chosen)) == 12
    K = np.exp(-0.125 * np.square(points[:, None] - points).sum(axis=2))
    approximation = K[:, chosen] @ np.linalg.solve(K[np.ix_(chosen, chosen)], K[chosen])
    expected = 1 - np.trace(approximation) / np.trace(K)
    found = landmark_choices.trace_errors(points, 0.125, choice, 12, [3])
    assert found == pytest.approx([expected], rel=1e-6)


def test_leverage_scores_are_those_of_the_ridge(monkeypatch):
    points = landmark_choices.smile(300, np.random.default_rng(0))
    K = np.exp(-0.125 * np.square(points[:, None] - points).sum(axis=2))
    ridge = np.linalg.eigvalsh(K)[:-12].sum() / 12
    scores = np.diag(np.linalg.solve(K + ridge * np.eye(300), K))
    monkeypatch.setattr(landmark_choices, "RANK", 250)
    drawn = landmark_choices.leverage(points, 0.125, 12, range(300))
    counts = np.bincount(np.concatenate(drawn), minlength=300)
    eyes = slice(0, 36)
    assert counts[eyes].sum() / 3600 == pytest.approx(scores[eyes].sum() / scores.sum(), abs=0.03)


def test_greedy_pivots_are_those_of_pivoted_cholesky():
    points = landmark_choices.spiral(200, np.random.default_rng(0))
    K = np.exp(-5e-7 * np.square(points[:, None] - points).sum(axis=2))
    _, order, _, _ = scipy.linalg.lapack.dpstrf(K)
    np.testing.assert_array_equal(landmark_choices.greedy(points, 5e-7, 8, [0])[0], order[:8] - 1)


def test_a_ratio_of_errors_is_paired_and_has_the_sign_of_the_statement():
    errors = {how: np.array([1.0, 2.0]) for how in landmark_choices.CHOICES}
    errors["greedy"] = np.array([8.0, 16.0])
    for example in ("spiral", "smile"):
        cases = {case.claim: case for case in landmark_choices.compared(f"{example}, 9", errors)}
        assert len(cases) == 5
        assert cases["12-rpcholesky-greedy"][1:4] == (-3, -3, -3)
        assert cases["12-rpcholesky-kmeans"].measured == 0
        assert ("12-greedy" in cases) == (example == "spiral")
    judged = measured_with(landmark_choices, REPLICATES=2, N=400, SIZES=[10, 50])["claims"]
    assert len(judged) == 10  # of 50 landmarks
