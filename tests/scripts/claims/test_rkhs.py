import numpy as np
import pytest

from workflow.scripts.claims import rkhs
from workflow.scripts.claims.setting import fitted

K = np.diag([4.0, 2.0, 1.0])


def test_the_quotient_of_a_diagonal_matrix():
    assert rkhs.quotient(K, np.eye(3)) == pytest.approx(np.array([4, 2, 1]) / 3)
    even = np.ones((3, 1)) / np.sqrt(np.diag(K))[:, None]  # equal parts of all three axes
    assert rkhs.quotient(K, even)[0] == pytest.approx(7 / 9)


def test_ascent_ends_at_the_eigenvalues_one_after_the_other():
    axes = np.eye(3) / np.sqrt(np.diag(K))
    for j, value in enumerate((4, 2, 1)):
        steps = list(rkhs.ascend(K, np.array([0.3, 1.0, 2.0]), axes[:, :j], 40))
        assert steps[-1] == pytest.approx(value / 3)
        assert np.diff(steps).min() > -1e-12


def test_undivided_coefficients_have_no_unit_norm():
    model = fitted("rbf", np.random.default_rng(0).standard_normal((30, 2)), 3)
    right = rkhs.gram(model)
    assert right.loc[right["first"] == right["second"], "inner"].to_numpy() == pytest.approx(1)
    a = model.eigenvectors_
    undivided = a.T @ rkhs.centred(rkhs.kernel_of(model)) @ a
    assert np.diag(undivided) == pytest.approx(model.eigenvalues_)


def test_a_new_axis_of_the_identity_lies_outside_with_its_whole_length():
    found = rkhs.ratios(*rkhs.outside(np.eye(2), np.zeros(2), 1.0, np.array([3.0, 4.0])))
    assert found["ratio"].to_numpy() == pytest.approx(1 / (1 + rkhs.LENGTHS**2))
    assert found[["change", "norm_error"]].to_numpy().max() < 1e-12


def test_what_is_not_orthogonal_changes_values():
    whole, f, _ = rkhs.outside(np.eye(2), np.array([0.5, 0.0]), 1.0, np.array([1.0, 0.0]))
    found = rkhs.ratios(whole, f, np.array([0.0, 0.0, 1.0]))
    assert found["change"].to_numpy() == pytest.approx(rkhs.LENGTHS / 2)
    assert found["norm_error"].max() > 1
