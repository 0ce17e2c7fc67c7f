"""The detector: false alarms, and points it has to find."""

from typing import Any

import numpy as np
import pytest

from kpca import KernelPCA, KernelPCANovelty


def ring(n: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, 2 * np.pi, n)
    return np.column_stack([np.cos(angle), np.sin(angle)]) + 0.05 * rng.normal(size=(n, 2))


@pytest.mark.parametrize("statistic", ["residual", "hotelling"])
@pytest.mark.parametrize("limit", ["held_out", "theory"])
@pytest.mark.parametrize("false_alarm", [0.02, 0.1])
def test_false_alarms_are_about_as_asked(statistic: str, limit: str, false_alarm: float) -> None:
    kernel = KernelPCA(4, kernel="rbf", gamma=0.3)
    detector = KernelPCANovelty(kernel, statistic=statistic, limit=limit, false_alarm=false_alarm)
    found = [
        (detector.fit(ring(150, seed)).predict(ring(1000, seed + 1)) < 0).mean()
        for seed in range(0, 20, 2)
    ]
    # T² of a ring has short tails: its limits are safe there, not sharp.
    lowest = 0 if statistic == "hotelling" else false_alarm / 2
    assert lowest <= np.mean(found) <= 2 * false_alarm


def test_centre_of_the_ring_and_far_points_are_novel() -> None:
    detector = KernelPCANovelty().fit(ring(200, 0))
    assert detector.predict([[0.0, 0.0], [3.0, 3.0], [1.0, 0.0]]).tolist() == [-1, -1, 1]


def test_precomputed_kernel_matrices_are_split_on_both_sides() -> None:
    X = ring(100, 0)
    options: dict[str, Any] = {"statistic": "hotelling", "random_state": 1}
    named = KernelPCANovelty(KernelPCA(2), **options).fit(X)
    given = KernelPCANovelty(KernelPCA(2, kernel="precomputed"), **options).fit(X @ X.T)
    assert given.limit_ == pytest.approx(named.limit_, abs=1e-9)
    np.testing.assert_array_equal(given.predict(X[:5] @ X.T), named.predict(X[:5]))
    with pytest.raises(ValueError, match="a precomputed kernel does not say"):
        KernelPCANovelty(KernelPCA(2, kernel="precomputed")).fit(X @ X.T)


def test_hotelling_of_a_kernel_that_vanishes_far_away_is_warned_about() -> None:
    with pytest.warns(UserWarning, match="finds no far points with the rbf kernel") as found:
        KernelPCANovelty(statistic="hotelling").fit(ring(60, 0))
    assert found[0].filename == __file__


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"statistic": "spe"}, "'statistic' parameter of KernelPCANovelty"),
        ({"false_alarm": 0}, "share in"),
        ({"folds": 1}, "whole number from 2"),
        ({"estimator": "rbf"}, "a KernelPCA or None"),
    ],
)
def test_bad_arguments_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        KernelPCANovelty(**options).fit(ring(20, 0))


def test_parameters_of_no_estimator_are_those_of_the_default_one() -> None:
    detector = KernelPCANovelty().set_params(estimator__gamma=2.0, folds=3)
    assert detector.folds == 3
    default, asked = KernelPCANovelty().fit(ring(60, 0)).estimator_, detector.estimator
    assert asked.get_params() == default.get_params() | {"gamma": 2.0}
    own = KernelPCANovelty().set_params(estimator=KernelPCA(2), estimator__kernel="poly").estimator
    assert (own.n_components, own.kernel) == (2, "poly")


def test_rows_that_are_all_alike_have_no_hotelling_statistic() -> None:
    for limit in ("theory", "held_out"):
        detector = KernelPCANovelty(KernelPCA(2), statistic="hotelling", limit=limit)
        with pytest.raises(ValueError, match="X has no component with a variance"):
            detector.fit(np.ones((20, 2)))


def test_landmarks_that_cannot_leave_points_out_are_refused_before_the_fit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(KernelPCA, "fit")
    landmarks = KernelPCA(2, kernel="rbf", eigen_solver="nystrom")
    with pytest.raises(ValueError, match="does not hold its training points"):
        KernelPCANovelty(landmarks).fit(ring(60, 0))
