import numpy as np
import pytest
from scipy.stats import ttest_rel

from kpca import KernelPCA
from pipeline.datasets.usps import Usps
from pipeline.drawing.contours import mesh, region, surfaces
from pipeline.seeds import rng_for
from workflow.scripts.input_space import images, toy
from workflow.scripts.input_space.boundaries import CURVES, detectors, draw_rows
from workflow.scripts.input_space.curves import draw_cloud
from workflow.scripts.input_space.denoising import denoising, draw_digits
from workflow.scripts.input_space.inflation import draws, gains, inflation
from workflow.scripts.input_space.novelty import parzen, roc_curve
from workflow.scripts.input_space.truncation import truncated, with_preimage


@pytest.fixture(scope="module")
def denoised():
    return denoising(
        seed=0, replicates=2, n_train=200, n_test=60, n_components=[4, 16, 64], multiples=[0.3, 1]
    )


def test_noise_has_the_stated_size():
    X = np.full((200, 64), 0.25)
    rng = np.random.default_rng(0)
    assert (images.gaussian(X, rng) - X).std() == pytest.approx(images.SIGMA, rel=0.02)
    speckled = images.speckle(X, rng)
    assert (speckled != X).mean() == pytest.approx(images.FLIPPED, abs=0.01)
    assert (speckled == 1).mean() == pytest.approx(images.FLIPPED / 2, abs=0.01)


def test_rows_of_a_replicate_do_not_overlap():
    data = draw_digits(0, 0, n_train=200, n_test=60)
    rows = np.vstack([data.train, data.test])
    assert len(np.unique(rows, axis=0)) == len(rows) == 260
    assert len(data.fit) == 150


def test_usps_images_take_the_place_of_the_digits(monkeypatch):
    X, y, _ = images.digits()
    large = np.repeat(X, 4, axis=1)[:300]
    usps = Usps(large, y[:300], -large, y[:300])
    monkeypatch.setattr(images, "read_usps", lambda folder: usps)
    X, y, shape = images.images("folder")
    assert shape == (16, 16)
    np.testing.assert_array_equal(X, large)
    data = draw_digits(0, 0, n_train=120, n_test=60, usps="folder")
    assert data.train.shape == (120, 256)
    assert images.images()[2] == (8, 8)


def test_kernel_pca_denoises_better_than_pca(denoised):
    rows = denoised[denoised["chosen"]]
    errors = rows[rows["noise"] == "gaussian"].groupby("method")["mse"].mean()
    assert errors["fixed_point"] < 0.9 * errors["pca"]
    assert errors["mds"] < 0.9 * errors["pca"]


def test_one_setting_is_chosen_a_method_noise_and_replicate(denoised):
    rows = denoised[denoised["chosen"]]
    assert (rows.groupby(["noise", "method", "replicate"]).size() == 1).all()
    assert len(rows) == 16


def test_truncated_models_are_those_fitted_with_fewer_components():
    X = np.random.default_rng(0).normal(size=(60, 3))
    whole = KernelPCA(8, kernel="rbf", gamma=0.3).fit(X)
    few = KernelPCA(3, kernel="rbf", gamma=0.3, preimage="fixed_point").fit(X)
    head = with_preimage(truncated(whole, 3), "fixed_point")
    np.testing.assert_allclose(head.transform(X), few.transform(X), atol=1e-7)
    np.testing.assert_allclose(head.denoise(X), few.denoise(X), atol=1e-5)
    ridge = with_preimage(head, "ridge", alpha=0.1)
    learned = few.set_params(preimage="ridge", fit_inverse_transform=True, alpha=0.1).fit(X)
    np.testing.assert_allclose(ridge.denoise(X), learned.denoise(X), atol=1e-6)
    assert whole.preimage == "ridge"
    assert len(whole.eigenvalues_) == 8


def test_error_along_a_curve_counts_where_a_point_came_from():
    cloud = draw_cloud("half circle", np.random.default_rng(0))
    assert cloud.test.error(cloud.test.clean) == 0
    assert cloud.test.error(cloud.test.noisy) == pytest.approx(0.08 * np.sqrt(2), rel=0.15)
    assert cloud.test.error(np.roll(cloud.test.clean, 1, axis=0)) > 0.3


@pytest.fixture(scope="module")
def inflated():
    return inflation(
        seed=0, replicates=3, n_train=150, n_test=150, n_components=[16], multiples=[1, 10]
    )


def test_narrow_kernels_are_inflated_and_the_correction_helps(inflated):
    ratios, accuracy = inflated
    means = ratios.groupby("multiple")[["measured", "estimated"]].mean()
    assert means.loc[10].max() < 0.4 < 0.6 < means.loc[1].min()
    values = accuracy.groupby(["multiple", "scores"])["accuracy"].mean()
    assert values[10, "corrected"] > values[10, "plain"] + 0.03
    assert values[1, "corrected"] == pytest.approx(values[1, "plain"], abs=0.03)


def test_draws_share_no_digit_and_too_many_are_refused():
    sizes = {"seed": 0, "n_train": 200, "n_test": 99}
    rows = [np.vstack([train, test]) for train, test, *_ in draws(**sizes, replicates=6)]
    assert [len(X) for X in rows] == [299] * 6
    assert len(np.unique(np.vstack(rows), axis=0)) == 6 * 299
    with pytest.raises(ValueError, match="2093 digits, and there are 1797: draw fewer"):
        next(draws(**sizes, replicates=7))


def test_gains_of_the_correction_are_paired_and_adjusted_a_scaling(inflated):
    _, accuracy = inflated
    table = gains(accuracy)
    assert list(table["scaling"]) == ["unit"] * 2 + ["whiten"] * 2
    for setting in table.itertuples():
        rows = accuracy[
            (accuracy["scaling"] == setting.scaling) & (accuracy["multiple"] == setting.multiple)
        ]
        by = rows.pivot(index="replicate", columns="scores", values="accuracy")
        test = ttest_rel(by["corrected"], by["plain"])
        assert setting.gain == pytest.approx((by["corrected"] - by["plain"]).mean())
        assert setting.p == pytest.approx(test.pvalue)
        bounds = test.confidence_interval()
        assert (setting.low, setting.high) == pytest.approx((bounds.low, bounds.high))
    for _, rows in table.groupby("scaling"):
        smaller, larger = sorted(rows["p"])
        expected = min(2 * smaller, 1), min(max(2 * smaller, larger), 1)
        assert sorted(rows["p_holm"]) == pytest.approx(expected)


def test_parzen_is_a_decreasing_function_of_the_density():
    rng = np.random.default_rng(0)
    X, new = rng.normal(size=(50, 2)), rng.normal(size=(20, 2))
    squared = np.square(new[:, None] - X).sum(axis=2)
    density = np.exp(-0.7 * squared).mean(axis=1)
    scores = parzen(X, new, 0.7, 0)
    np.testing.assert_allclose(scores - scores[0], -2 * (density - density[0]), atol=1e-7)


def test_roc_curve_of_perfect_and_of_useless_scores():
    curve, area = roc_curve(np.arange(10.0), np.arange(10.0, 20.0))
    assert area == 1
    assert curve.min() == 1
    _, chance = roc_curve(np.arange(10.0), np.arange(10.0))
    assert chance == 0.5


@pytest.mark.parametrize("name", CURVES)
def test_boundaries_hold_the_points_and_leave_out_the_middle(name):
    X = draw_rows(name, rng_for(0, "boundary", name))
    detector = detectors(X, 0)["residual"]
    assert (detector.predict(X) == 1).mean() > 0.9
    middle = {"ring": [0.0, 0.0], "spiral": [0.35, -0.3], "sine": [-1.5, -0.6]}[name]
    assert detector.predict([middle])[0] == -1


def test_clusters_are_separated_then_split_then_split_across():
    X, y, _ = toy.cluster_draw(np.random.default_rng(1))
    Z = toy.gaussian(X).transform(X)
    assert toy.separation(Z[:, :2], y) == 1
    assert toy.between_share(Z[:, :2], y) > 0.95
    assert sorted(toy.owners(Z[:, 2:5], y)) == [0, 1, 2]
    directions = toy.split_directions(X, Z[:, 2:5], y)
    np.testing.assert_allclose(np.linalg.norm(directions, axis=1), 1)


def test_surfaces_are_the_scores_over_the_mesh():
    X = np.random.default_rng(0).normal(size=(30, 2))
    model, box = KernelPCA(2, kernel="rbf", gamma=0.5).fit(X), region(X)
    x, y = mesh(box)
    heights = surfaces(model, box)
    assert heights.shape == (2, *x.shape)
    place = np.array([[x[3, 5], y[3, 5]]])
    np.testing.assert_allclose(heights[:, 3, 5], model.transform(place)[0])
