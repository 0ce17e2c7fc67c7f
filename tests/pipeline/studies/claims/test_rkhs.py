import numpy as np
import pytest

from kpca.pipeline.studies.claims import rkhs
from kpca.pipeline.studies.claims.setting import fitted

K = np.diag([4.0, 2.0, 1.0])


def test_the_quotient_of_a_diagonal_matrix():
    assert rkhs.quotient(K, np.eye(3)) == pytest.approx(np.array([4, 2, 1]) / 3)
    even = np.ones((3, 1)) / np.sqrt(np.diag(K))[:, None]  # equal parts of all three axes
    assert rkhs.quotient(K, even)[0] == pytest.approx(7 / 9)


def test_ascent_ends_at_the_eigenvalues_one_after_the_other():
    axes = np.eye(3) / np.sqrt(np.diag(K))
    for j, value in enumerate((4, 2, 1)):
        *_, last = rkhs.ascend(K, np.array([0.3, 1.0, 2.0]), axes[:, :j], 40)
        assert last == pytest.approx(value / 3)


def test_ascent_never_descends():
    A = np.random.default_rng(0).standard_normal((20, 20))
    values = list(rkhs.ascend(A @ A.T, np.ones(20), np.empty((20, 0)), 30))
    assert np.diff(values).min() > -1e-12


def test_undivided_coefficients_have_no_unit_norm():
    model = fitted("rbf", np.random.default_rng(0).standard_normal((30, 2)), 3)
    right = rkhs.gram(model)
    assert right.loc[right["first"] == right["second"], "inner"].to_numpy() == pytest.approx(1)
    a = model.eigenvectors_
    undivided = a.T @ rkhs.centred(rkhs.kernel_of(model)) @ a
    assert np.diag(undivided) == pytest.approx(model.eigenvalues_)


def test_every_claim_holds():
    claims, tables = rkhs.measure(seed=0)
    assert {claim.verdict for claim in claims} == {"holds"}
    assert tables["directions"]["value"].max() < 1
