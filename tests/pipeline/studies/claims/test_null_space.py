import numpy as np
import pytest

from kpca.pipeline.studies.claims import null_space

K = np.diag([3.0, 1.0, 0.0, 0.0])


def test_the_solutions_of_a_diagonal_matrix():
    found = null_space.solutions(K)
    assert found.value == pytest.approx(3)
    assert found.nullity == 2
    assert found.basis.shape == (4, 3)
    assert np.abs(found.basis[1]).max() < 1e-12


def test_a_random_solution_solves_the_first_problem_and_not_the_second():
    found = null_space.solutions(K)
    alpha = found.random(np.random.default_rng(0))
    squared, plain = found.residuals(alpha)
    assert squared < 1e-12
    assert plain == pytest.approx(np.sqrt(0.5))
    assert found.residuals(found.a)[1] < 1e-12


def test_what_is_outside_of_the_null_space_changes_scores():
    found = null_space.solutions(K)
    assert null_space.score_change(found, K, found.a + np.eye(4)[2]) == pytest.approx(0)
    assert null_space.score_change(found, K, found.a + 3 * np.eye(4)[1]) == pytest.approx(1)


def test_verdicts():
    claims, _ = null_space.measure(seed=0)
    verdicts = {claim.claim: claim.verdict for claim in claims}
    assert verdicts.pop("11-squared-more") == "fails"
    assert set(verdicts.values()) == {"holds"}
