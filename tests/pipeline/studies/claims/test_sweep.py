"""Who judges the claims about the sweep: Holm, Nadeau and Bengio, and six datasets at least."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpca.pipeline.statistics import holm, interval
from kpca.pipeline.studies.claims.sweep import (
    Estimand,
    across,
    dataset_claims,
    holm_steps,
    judged,
    svm_of,
    validated,
)
from tests.pipeline.studies.claims.sweep_tables import described, scores, setting

GAIN = Estimand("gain", "above", 0.01)


def differences(**values: list[float]) -> pd.DataFrame:
    rows = [(name, r, v) for name, listed in values.items() for r, v in enumerate(listed)]
    return pd.DataFrame(rows, columns=["dataset", "replicate", "difference"])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_a_verdict_by_the_steps_is_one_by_adjusted_p_values(p: list[float]) -> None:
    named = {str(i): value for i, value in enumerate(p)}

    steps = holm_steps(named)

    rejected = [named[name] * steps[name] <= 0.05 for name in named]
    assert rejected == (holm(p) <= 0.05).tolist()


def test_a_clear_gain_holds_a_clear_loss_fails_and_noise_decides_nothing() -> None:
    table = differences(
        gain=[0.10, 0.11, 0.12], loss=[-0.10, -0.11, -0.12], noise=[-0.3, 0.0, 0.35]
    )

    found = judged(table, described("noise", "gain", "loss"), GAIN).set_index("dataset")

    assert found["verdict"].to_dict() == {"noise": "undecided", "gain": "holds", "loss": "fails"}
    assert found.index.tolist() == ["noise", "gain", "loss"]
    # The loss is furthest from the margin, in standard errors, then the gain.
    assert found["comparisons"].to_dict() == {"loss": 3, "gain": 2, "noise": 1}
    expected = interval([0.10, 0.11, 0.12], test_over_train=None, level=1 - 0.05 / 2)
    assert found.loc["gain", "low"] == pytest.approx(expected.low)


def test_overlapping_splits_have_the_wider_interval() -> None:
    table = differences(rings=[0.10, 0.11, 0.12])
    overlapping = described("rings").assign(draws="re-drawn splits")

    wide = judged(table, overlapping, GAIN).iloc[0]

    expected = interval([0.10, 0.11, 0.12], test_over_train=0.5)
    assert (wide["low"], wide["high"]) == pytest.approx((expected.low, expected.high))


def test_equivalence_is_joint_over_all_datasets() -> None:
    table = differences(a=[0.001, 0.002, 0.0], b=[0.5, 0.5, 0.5])

    found = judged(table, described("a", "b"), Estimand("difference", "within", 0.01))

    assert found["comparisons"].tolist() == [2, 2]
    assert found["verdict"].tolist() == ["holds", "fails"]


def test_a_claim_a_dataset_says_how_it_was_judged() -> None:
    rows = judged(differences(my_data=[0.1, 0.1]), described("my_data"), GAIN)

    claim = next(iter(dataset_claims("8-gain", "It gains", rows, GAIN, "claims_gains")))

    assert (claim.claim, claim.statement) == ("8-gain-my_data", "It gains (my data).")
    assert str(claim.rule) == "gain, Holm over 1 datasets, > 0.01; 2 replicates, 95 % interval"
    assert claim.verdict == "holds"


def test_fewer_than_six_datasets_decide_nothing_and_the_rule_says_so() -> None:
    five = across("8", "It gains.", "", pd.Series([0.5] * 5), GAIN, "")
    six = across("8", "It gains.", "", pd.Series([0.5] * 6), GAIN, "")

    assert (five.verdict, six.verdict) == ("undecided", "holds")
    assert str(five.rule) == "gain: 5 of the 6 datasets that a claim across them takes, > 0.01"
    assert five.measured == 0.5
    assert across("8", "It gains.", "", pd.Series(dtype=float), GAIN, "").verdict == "undecided"


def test_the_svm_on_one_scale_comes_before_the_one_on_whitened_scores() -> None:
    both = pd.DataFrame({"method": ["kmeans", "linear_svm_whitened", "linear_svm"]})

    assert svm_of(both) == "linear_svm"
    assert svm_of(both[:2]) == "linear_svm_whitened"
    assert svm_of(both[:1]) is None


def test_settings_that_were_never_validated_are_not_of_the_grid() -> None:
    table = scores(
        setting("rbf", "rbf-median1", 5, [(0.8, 0.9)]),
        setting("rbf", "rbf-median1", 7, [(np.nan, 0.95)]),
    )

    assert validated(table, "linear_svm")["value"].tolist() == [0.9]
