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
@pytest.mark.parametrize("false_alarm", [0.02, 0.1])
def test_false_alarms_are_about_as_asked(statistic: str, false_alarm: float) -> None:
    kernel = {"residual": KernelPCA(4, kernel="rbf", gamma=0.3), "hotelling": KernelPCA(2)}
    detector = KernelPCANovelty(kernel[statistic], statistic=statistic, false_alarm=false_alarm)
    found = [
        (detector.fit(ring(150, seed)).predict(ring(1000, seed + 1)) < 0).mean()
        for seed in range(0, 20, 2)
    ]
    # T² of a ring has a sharp end, which models of fewer samples put further out.
    least = 0.3 if statistic == "hotelling" else 0.5
    assert least * false_alarm <= np.mean(found) <= 1.5 * false_alarm


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
        ({"false_alarm": 0}, "fraction in"),
        ({"folds": 1}, "an integer from 2"),
        ({"estimator": "rbf"}, "a KernelPCA, or None"),
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
    detector = KernelPCANovelty(KernelPCA(2), statistic="hotelling")
    with pytest.raises(ValueError, match="X has no component with a variance"):
        detector.fit(np.ones((20, 2)))


def test_landmarks_that_cannot_leave_points_out_are_refused_before_the_fit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(KernelPCA, "fit")
    landmarks = KernelPCA(2, kernel="rbf", eigen_solver="nystrom")
    with pytest.raises(ValueError, match="does not hold its training points"):
        KernelPCANovelty(landmarks).fit(ring(60, 0))


def cluster_and_spread(n: int, seed: int) -> np.ndarray:
    """One cluster, and 6 % of the samples spread so widely that each is alone."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 2)) * np.where(np.arange(n) < 0.94 * n, 1, 300)[:, None]


@pytest.mark.parametrize("kernel", ["rbf", "laplacian"])
def test_far_samples_are_novel_though_the_residual_is_bounded(kernel: str) -> None:
    """Where 5 % of the samples are alone, the residual of a far one is no larger than theirs."""
    X = cluster_and_spread(500, 0)
    detector = KernelPCANovelty(KernelPCA(0.9, kernel=kernel, gamma="median")).fit(X)
    errors = detector.estimator_.reconstruction_error(1e6 * X[:20])
    assert (detector.calibration_ >= errors.max()).mean() > 0.05
    assert (detector.predict(1e6 * X[:20]) == -1).all()
    np.testing.assert_allclose(detector.pvalues(1e6 * X[:20]), 1 / 501)
    assert (detector.predict(cluster_and_spread(500, 1)) < 0).mean() < 0.08


def test_predictions_follow_the_pvalues_at_every_level() -> None:
    X, new = ring(80, 0), np.vstack([ring(40, 1), 1.3 * ring(40, 2)])
    detector = KernelPCANovelty(false_alarm=0.1).fit(X)
    pvalues = detector.pvalues(new)
    assert 1 / 81 <= pvalues.min() < pvalues.max() <= 1
    np.testing.assert_array_equal(detector.predict(new), np.where(pvalues <= 0.1, -1, 1))
    np.testing.assert_array_equal(detector.predict(new, 0.02), np.where(pvalues <= 0.02, -1, 1))
    np.testing.assert_array_equal(detector.decision_function(new) < 0, pvalues <= 0.1)
    found = detector.predict(new, fdr=0.2) < 0
    assert found.any()
    assert pvalues[found].max() <= 0.2 * found.sum() / len(new)
    with pytest.raises(ValueError, match="alpha and fdr exclude each other"):
        detector.predict(new, 0.1, fdr=0.1)


def test_too_few_samples_for_a_level_are_told() -> None:
    with pytest.warns(UserWarning, match="12 samples .* false_alarm=0.05: fit at least 19"):
        few = KernelPCANovelty().fit(ring(12, 0))
    assert (few.predict(1e6 * ring(5, 1)) == 1).all()
    enough = KernelPCANovelty().fit(ring(19, 0))
    assert (enough.predict(1e6 * ring(5, 1)) == -1).all()
    for level, needed in (("alpha", 99), ("fdr", 99)):
        with pytest.warns(UserWarning, match=f"{level}=0.01: fit at least {needed} samples"):
            assert (enough.predict(1e6 * ring(5, 1), **{level: 0.01}) == 1).all()
