"""The formula of centring against features centred one by one; its misprints have to fail."""

import numpy as np
import pytest

from tests.scripts.claims import verdicts
from workflow.scripts.claims import centring


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
        "1-misprinted-sign": {"fails"},
        "1-unscaled-ones": {"fails"},
        "1-misprints-constant": {"holds"},
    }
    spectra = tables["spectra"]
    first = spectra[spectra["component"] == 1].set_index("formula")["constancy"]
    assert first["1-centring"] < 1e-8
