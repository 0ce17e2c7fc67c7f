"""Statistics of novelty, conformal p-values, and the detector."""

import warnings
from functools import partial

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal, assert_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import KFold

from kpca import KernelPCA, KernelPCANovelty
from kpca.folds import shuffled_folds
from kpca.inspection import sensitivity
from kpca.novelty import STATISTICS, contributions, hotelling, novelty_scores, statistics
from kpca.novelty.explanation import explained
from kpca.study.datasets.generators import rings
from tests.kpca.eigensolvers.test_memory import peak
from tests.kpca.naive import EXPONENTIAL, NaiveKernelPCA, kernel_matrix


def ring(n, seed):
    return rings(n, np.random.default_rng(seed), radius_ratio=1.0).X


X = np.column_stack([ring(80, 0), 0.05 * np.random.default_rng(1).normal(size=80)])
NEW = np.array([[1.0, 0.0, 0.8], [0.2, 0.1, 0.0], [0.0, -1.0, 0.0]])
FAR = np.array([[1e3, 0.0, 0.0], [1e6, 0.0, 0.0], [1e6, 0.0, 1e8]])


def test_hotelling_of_a_whole_linear_model_is_the_mahalanobis_distance():
    model = KernelPCA(5).fit(X)  # two components without variance are left out
    centred = NEW - X.mean(axis=0)
    expected = np.einsum("mi,ij,mj->m", centred, np.linalg.inv(np.cov(X.T, ddof=0)), centred)
    assert_allclose(hotelling(model, NEW), expected, rtol=1e-8)
    assert_allclose(hotelling(model, X).mean(), 3)


def test_residuals_are_those_of_the_definition_for_training_and_new_points():
    rows = np.vstack([X, NEW])
    K = kernel_matrix(rows, X, "rbf", gamma=0.3)
    naive = NaiveKernelPCA(K[:80])
    centred = 1 - 2 * K @ naive.mean + naive.mean @ naive.K @ naive.mean
    expected = centred - np.square(naive.scores(K, 4)).sum(axis=1)
    named = KernelPCA(4, kernel="rbf", gamma=0.3).fit(X)
    precomputed = KernelPCA(4, kernel="precomputed").fit(naive.K)
    assert_allclose(named.reconstruction_error(rows), expected, atol=1e-7)
    assert_allclose(precomputed.reconstruction_error(K, np.ones(83)), expected, atol=1e-7)


@pytest.mark.parametrize("kernel", EXPONENTIAL)
@pytest.mark.parametrize("center", [True, False])
def test_scores_go_on_rising_where_the_kernel_has_vanished(kernel, center):
    model = KernelPCA(4, kernel=kernel, gamma=1.0, center=center).fit(X)
    residuals = model.reconstruction_error(FAR)
    assert_allclose(residuals, residuals[0], rtol=1e-12)
    power = 2 if kernel == "rbf" else 1
    nearest = (np.abs(FAR[:, None] - X) ** power).sum(axis=2).min(axis=1)
    scores = novelty_scores(model, FAR, statistic="residual")
    assert_allclose(scores, residuals[0] * (statistics.SATURATED + nearest), rtol=1e-9)
    errors = model.reconstruction_error(NEW)
    assert errors.max() < statistics.SATURATED * residuals[0]
    assert_array_equal(novelty_scores(model, NEW, statistic="residual"), errors)


def test_scores_of_other_kernels_and_statistics_are_as_they_are():
    model = KernelPCA(2, kernel="poly", degree=2).fit(X)
    residuals = novelty_scores(model, FAR, statistic="residual")
    assert_array_equal(residuals, model.reconstruction_error(FAR))
    assert_array_equal(novelty_scores(model, FAR, statistic="hotelling"), hotelling(model, FAR))


def test_pvalues_count_and_the_limits_agree_with_them():
    calibration = np.sort(np.random.default_rng(0).integers(0, 12, 39).astype(float))
    scores = np.arange(-1.0, 13.0, 0.5)
    pvalues = statistics.conformal_pvalues(scores, calibration)
    counted = [(1 + (calibration >= score).sum()) / 40 for score in scores]
    assert_allclose(pvalues, counted)
    for alpha in (0.025, 0.05, 0.1, 0.3, 0.5, 0.9):
        novel = scores > statistics.conformal_limit(calibration, alpha)
        assert_array_equal(novel, pvalues <= alpha + 1e-12)
    assert statistics.conformal_limit(calibration, 0.02) == np.inf


def test_linear_residuals_are_the_squares_of_what_is_off():
    model = KernelPCA(2, preimage="fixed_point").fit(X)
    expected = np.square(NEW - model.denoise(NEW))
    assert_allclose(contributions(model, NEW), expected, atol=1e-10)


@pytest.mark.parametrize("statistic", sorted(STATISTICS))
def test_gradients_are_never_held_at_once(statistic, monkeypatch):
    X = np.random.default_rng(0).normal(size=(300, 20))
    model = KernelPCA(40, kernel="cauchy").fit(X[:50])
    shares = partial(contributions, model, X, statistic=statistic, reference=X[0])
    together = shares()
    monkeypatch.setattr(sensitivity, "GRADIENT_ENTRIES", 8_000)
    in_blocks = []
    assert peak(lambda: in_blocks.append(shares())) < 4 * 40 * X.size  # half of an array (m, k, d)
    assert_allclose(in_blocks[0], together, atol=1e-10)


def test_precomputed_kernel_matrices_are_split_on_both_sides():
    samples = ring(100, 0)
    detector = KernelPCANovelty(KernelPCA(2), statistic="hotelling", random_state=1).fit(samples)
    precomputed = clone(detector).set_params(estimator__kernel="precomputed")
    precomputed.fit(samples @ samples.T)
    assert precomputed.limit_ == pytest.approx(detector.limit_, abs=1e-9)
    assert_array_equal(precomputed.predict(samples @ samples.T), detector.predict(samples))


def test_parameters_of_no_estimator_are_those_of_the_default_one():
    detector = KernelPCANovelty().set_params(estimator__gamma=2.0, folds=3)
    assert detector.folds == 3
    default = KernelPCANovelty().fit(ring(60, 0)).estimator_
    assert detector.estimator.get_params() == default.get_params() | {"gamma": 2.0}
    chosen = (
        KernelPCANovelty().set_params(estimator=KernelPCA(2), estimator__kernel="poly").estimator
    )
    assert (chosen.n_components, chosen.kernel) == (2, "poly")


def cluster_and_spread(n, seed):
    """One cluster, and 6 % of the samples spread so widely that each is alone."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 2)) * np.where(np.arange(n) < 0.94 * n, 1, 300)[:, None]


@pytest.mark.parametrize("kernel", [*EXPONENTIAL, "cauchy"])
def test_far_samples_are_novel_though_the_residual_is_bounded(kernel):
    """Where 5 % of the samples are alone, the residual of a far one is no larger than theirs."""
    X = cluster_and_spread(500, 0)
    detector = KernelPCANovelty(KernelPCA(0.9, kernel=kernel, gamma="median")).fit(X)
    far = 1e6 * X[:20]
    errors = detector.estimator_.reconstruction_error(far)
    assert (detector.calibration_ >= errors.max()).mean() > 0.05
    assert (detector.predict(far) == -1).all()
    assert_allclose(detector.pvalues(far), 1 / 501)
    assert (detector.predict(cluster_and_spread(500, 1)) < 0).mean() < 0.08


def test_predictions_follow_the_pvalues_at_every_level():
    new = np.vstack([ring(40, 1), 1.3 * ring(40, 2)])
    detector = KernelPCANovelty(false_alarm=0.1).fit(ring(80, 0))
    pvalues = detector.pvalues(new)
    assert 1 / 81 <= pvalues.min() < pvalues.max() <= 1
    assert_array_equal(detector.predict(new) < 0, pvalues <= 0.1)
    assert_array_equal(detector.predict(new, 0.02) < 0, pvalues <= 0.02)
    assert_array_equal(detector.decision_function(new) < 0, pvalues <= 0.1)
    discoveries = pvalues[detector.predict(new, fdr=0.2) < 0]
    assert 0 < discoveries.max() <= 0.2 * len(discoveries) / len(new)


def test_explanations_are_the_statistics_and_the_variables_to_blame():
    names = ["a", "b", "c"]
    detector = KernelPCANovelty().fit(pd.DataFrame(X, columns=names))
    rows = pd.DataFrame(np.vstack([X[:20], X[0] + [0, 0, 1]]), columns=names)
    with warnings.catch_warnings(action="error"):
        table = pd.DataFrame(detector.explain(rows))
    expected = pd.DataFrame(
        {
            "novelty": -detector.score_samples(rows),
            "threshold": detector.limit_,
            "novel": detector.predict(rows) == -1,
            "p_value": detector.pvalues(rows),
            "hotelling": hotelling(detector.estimator_, rows),
        }
    )
    pd.testing.assert_frame_equal(table[[*expected]], expected, check_exact=True)
    last = table.iloc[-1]
    assert last["variable_1"] == "c"
    assert 0.9 < last["part_1"] <= 1
    assert 0 < last["error"] < 0.01 * last["novelty"]
    ordinary = table[~table["novel"]]
    assert set(ordinary["variable_1"]) == {""}
    assert ordinary[["part_1", "error"]].isna().all(axis=None)
    with pytest.raises(ValueError, match="X has 2 features, but KernelPCANovelty is expecting 3"):
        detector.explain(X[:, :2])


def test_parts_are_of_the_positive_contributions_and_kernels_without_variables_have_none():
    columns = explained(np.zeros((5, 1)), np.array([[0.0, 3.0, -1.0, 1.0]]), [*"abcd"])
    blamed = np.ravel([*columns.values()][5:])
    assert_equal([*blamed], ["b", "d", "", 0.75, 0.25, np.nan])
    far = KernelPCANovelty().fit(X).explain([X[0] + [0, 0, 1]])
    assert far["variable_1"] == ["x3"]
    for kernel, samples in (("precomputed", X @ X.T), (lambda x, y: x @ y, X)):
        detector = KernelPCANovelty(KernelPCA(2, kernel=kernel), statistic="hotelling").fit(samples)
        assert set(detector.explain(5 * samples)["variable_1"]) == {""}


def warned(message):
    return pytest.warns(UserWarning, match=message)


def test_a_useless_statistic_and_too_few_samples_for_a_level_are_told():
    with warned("finds no far samples with the rbf kernel") as told:
        KernelPCANovelty(statistic="hotelling").fit(ring(60, 0))
    assert told[0].filename == __file__
    far = 1e6 * ring(5, 1)
    with warned("12 samples .* false_alarm=0.05: fit at least 19"):
        few = KernelPCANovelty().fit(ring(12, 0))
    assert (few.predict(far) == 1).all()

    class Lazy:
        """Groups that only NumPy can read, as those of Dask."""

        def __array__(self, *_, **options):
            return np.arange(80) % 4

    for groups in (np.arange(80) % 4, Lazy()):
        with warned("4 groups"):
            KernelPCANovelty().fit(X, groups=groups)
    enough = KernelPCANovelty().fit(ring(19, 0))
    assert (enough.predict(far) == -1).all()
    for level in ("alpha", "fdr"):
        with warned(f"{level}=0.01: fit at least 99 samples"):
            assert (enough.predict(far, **{level: 0.01}) == 1).all()


def test_fewer_terms_of_hotelling_in_folds_are_warned_about_and_the_residual_helps():
    rng = np.random.default_rng(0)
    detector = KernelPCANovelty(KernelPCA(0.9), false_alarm=0.1)
    alarms = []
    for _ in range(20):
        detector.fit(rng.normal(size=(20, 100)))
        alarms.append((detector.predict(rng.normal(size=(200, 100))) < 0).mean())
    assert np.mean(alarms) < 0.1
    with warned("has 19 terms, and T² of samples that a fold leaves out only 15, .*'residual'"):
        KernelPCANovelty(KernelPCA(), statistic="hotelling").fit(rng.normal(size=(20, 100)))
    with warnings.catch_warnings(action="error"):
        KernelPCANovelty(KernelPCA(), statistic="hotelling").fit(rng.normal(size=(60, 5)))


def alike(rng, groups, each):
    centres = np.repeat(rng.normal(size=(groups, 5)), each, axis=0)
    return centres + rng.normal(scale=0.3, size=centres.shape)


def test_groups_and_copies_of_rows_raise_no_more_false_alarms_than_asked():
    alarms = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        detector = KernelPCANovelty(random_state=seed)
        train = alike(rng, 20, 5)
        new = alike(rng, 50, 1)
        twice = np.repeat(rng.standard_normal((50, 5)), 2, axis=0)
        others = rng.normal(size=(50, 5))
        by_group = detector.fit(train, groups=np.arange(100) // 5).pvalues(new)
        by_row = detector.fit(train).pvalues(new)
        copies = detector.fit(twice).pvalues(others)
        alarms.append([(p_values <= 0.05).mean() for p_values in (by_group, by_row, copies)])
    grouped, alone, copied = np.mean(alarms, axis=0)
    assert max(grouped, copied) < 0.07
    assert alone > 0.3  # Groups prevent this.


def test_samples_of_a_group_are_left_out_together():
    groups = np.array(list("aabbbcdddde"))
    for fitted, out in shuffled_folds(11, 3, 0, groups):
        assert not set(groups[fitted]) & set(groups[out])
        assert sorted([*fitted, *out]) == list(range(11))
    assert_equal([*shuffled_folds(11, 3, 5)], [*shuffled_folds(11, 3, 5, range(11))])


def test_residuals_that_are_rounding_are_no_novelty():
    constant = np.full((60, 3), 3.7)
    with warned("all of the variance"):
        detector = KernelPCANovelty().fit(constant)
    assert (detector.pvalues(constant) == 1).all()
    assert detector.predict([*constant, [9.0, 3.7, 3.7]]).tolist() == [1] * 60 + [-1]
    with warned("all of the variance"):
        without_components = KernelPCANovelty(KernelPCA()).fit(constant)
    assert without_components.predict([constant[0], [9.0, 3.7, 3.7]]).tolist() == [1, -1]
    resting = np.eye(60, 3) * [1, 0, 0]
    assert (KernelPCANovelty().fit(resting).predict(resting) == 1).all()
    ordinary, new = np.split(np.random.default_rng(0).standard_normal((700, 5)) + 1e3, [200])
    with warned("all of the variance"):
        whole = KernelPCANovelty(KernelPCA(kernel="linear")).fit(ordinary)
    assert (whole.predict(new) == 1).all()


def test_folds_can_be_given():
    groups = np.arange(80) // 4
    drawn = KernelPCANovelty().fit(X, groups=groups)
    with_folds = KernelPCANovelty(folds=[*shuffled_folds(80, 5, 0, groups)]).fit(X)
    assert_array_equal(with_folds.calibration_, drawn.calibration_)
    twice = np.repeat(np.round(2 * X), 2, axis=0)  # copies stay together
    dense = KernelPCANovelty().fit(twice)
    thin = KernelPCANovelty().fit(sparse.csr_array(twice))
    assert_allclose(thin.calibration_, dense.calibration_, atol=1e-9)
    with pytest.raises(ValueError, match="folds must be an integer from 2, or pairs of"):
        KernelPCANovelty(folds=[]).fit(X)


def test_folds_that_are_given_leave_each_row_and_whole_groups_out_once():
    folds = [*KFold(4).split(X)]
    leave_out = [left_out for _, left_out in folds]
    every = np.arange(80)
    for wrong, message in (
        (folds[1:], "leave out row 0 of X 0 times"),
        ([folds[0], *folds], "leave out row 0 of X 2 times"),
        ([*zip([every] * 4, leave_out, strict=True)], "Fold 0 of folds leaves out row 0 of X, and"),
    ):
        with pytest.raises(ValueError, match=message):
            KernelPCANovelty(folds=wrong).fit(X)
    with pytest.raises(ValueError, match=r"Fold 1 of folds leaves out row 21 .* of its group"):
        KernelPCANovelty(folds=folds).fit(X, groups=[*range(79), 21])
    few = [(training[::2], left_out) for training, left_out in folds]
    assert np.isfinite(KernelPCANovelty(folds=few).fit(X, groups=every // 20).limit_)
    copies = X[every % 20]  # A list of folds may separate equal rows.
    assert np.isfinite(KernelPCANovelty(folds=folds).fit(copies).limit_)
