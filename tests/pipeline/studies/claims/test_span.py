import numpy as np
import pytest

from kpca.pipeline.studies.claims import span


def test_a_new_axis_of_the_identity_lies_outside_with_its_whole_length():
    case = span.outside(np.eye(2), np.zeros(2), 1.0, np.array([3.0, 4.0]))
    assert case.values(2.0) == pytest.approx([0.6, 0.8])
    assert case.squared_norm(2.0) == pytest.approx(5.0) == pytest.approx(case.predicted(2.0))
    assert case.ratio(2.0) == pytest.approx(1 / 5)


def test_what_is_not_orthogonal_changes_values():
    case = span.outside(np.eye(2), np.array([0.5, 0.0]), 1.0, np.array([1.0, 0.0]))
    inside = span.Outside(case.K, case.f, np.array([0.0, 0.0, 1.0]))
    assert case.values(1.0) == pytest.approx([1, 0])
    assert inside.values(1.0) == pytest.approx([1.5, 0])


def test_verdicts():
    claims, _ = span.measure(seed=0)
    verdicts = {claim.claim: claim.verdict for claim in claims}
    assert verdicts.pop("4-uncentred-maximum") == "fails"
    assert set(verdicts.values()) == {"holds"}
