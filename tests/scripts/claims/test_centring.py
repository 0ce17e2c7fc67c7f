"""The formula of centring against features centred one by one; its misprints have to fail."""

import numpy as np
import pytest

from tests.scripts.claims import STATEMENTS
from workflow.scripts.claims import centring


@pytest.fixture(scope="module")
def measured():
    return centring.measure(STATEMENTS, seed=0)


def test_the_right_formula_is_hkh_and_the_misprints_are_not():
    K = np.array([[2.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 5.0]])
    H = np.eye(3) - 1 / 3
    E, ones = np.full((3, 3), 1 / 3), np.ones((3, 3))
    assert centring.centred_by(K) == pytest.approx(H @ K @ H)
    minus = K - E @ K - K @ E - E @ K @ E
    assert centring.centred_by(K, sign=-1) == pytest.approx(minus)
    unscaled = K - ones @ K - K @ ones + ones @ K @ ones
    assert centring.centred_by(K, scaled=False) == pytest.approx(unscaled)


@pytest.mark.parametrize("degree", [2, 3])
def test_only_the_right_formula_centres_polynomial_features(degree):
    X = np.random.default_rng(0).standard_normal((30, 3)) + 1
    errors = {name: centring.feature_error(X, degree, f) for name, f in centring.FORMULAS.items()}
    assert errors["centred"] < 1e-12
    assert errors["minus"] > 0.1
    assert errors["ones"] > 0.1


def test_constancy_is_one_for_a_constant_vector_and_zero_for_a_centred_one():
    assert centring.constancy(np.full(7, -2.0)) == pytest.approx(1)
    assert centring.constancy(np.array([1.0, -1.0])) == pytest.approx(0)


def test_the_formula_holds_and_its_misprints_fail_on_every_sample(measured):
    verdicts = {}
    for claim in measured[0]:
        verdicts.setdefault(claim.claim, set()).add(claim.verdict)
    assert verdicts == {
        "1-centring": {"holds"},
        "1-misprinted-sign": {"fails"},
        "1-unscaled-ones": {"fails"},
        "1-misprints-constant": {"holds"},
        "1-misprinted-sign-others": {"holds"},
    }


def test_the_constant_component_is_the_first_by_modulus(measured):
    spectra = measured[1]["spectra"]
    first = spectra[spectra["component"] == 1].set_index("formula")["constancy"]
    assert first["centred"] < 1e-8
    assert first[["minus", "ones"]].min() > 0.999
