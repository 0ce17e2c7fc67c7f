import numpy as np
import pytest

from kpca.pipeline.studies.claims import duality


@pytest.fixture(scope="module")
def measured():
    return duality.measure(seed=0)


def test_both_variances_are_those_of_numpy():
    X = np.random.default_rng(0).standard_normal((40, 12)) + 3
    expected = np.linalg.eigvalsh(np.cov(X, rowvar=False, bias=True))[::-1][:10]
    for values in duality.variances(X):
        assert values == pytest.approx(expected)


def test_every_equality_holds_and_definiteness_does_not(measured):
    verdicts = {claim.claim: claim.verdict for claim in measured[0]}
    assert verdicts.pop("3-positive-definite") == "fails"
    assert set(verdicts.values()) == {"holds"}


def test_a_matrix_of_full_rank_before_centring_is_singular_after_it():
    assert abs(duality.smallest_eigenvalue(np.eye(5))) < 1e-14
