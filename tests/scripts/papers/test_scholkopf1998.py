"""Schölkopf, Smola and Müller (1998): figures 3 and 4, and test errors on images."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC

from kpca import KernelPCA
from tests.columns import columns_of
from workflow.scripts.papers.scholkopf1998 import figures, usps_errors
from workflow.scripts.papers.usps import Usps, prepared, smooth


def test_without_centring_the_linear_eigenvalues_leave_their_range():
    clouds = (figures.parabola_draw(np.random.default_rng(seed)) for seed in range(60))
    draws = [figures.shares(figures.polynomial(X, 1, center=False))[0] for X in clouds]
    assert np.quantile(draws, 0.975) < 0.709


def test_a_number_out_of_range_is_a_miss():
    published = pd.DataFrame({"cell": ["a"], "published": [0.9], "note": [None]})
    row = figures.compare(published, {"a": [0.1, 0.2, 0.3]}).iloc[0]
    assert not row["inside"]
    assert row["ours"] == pytest.approx(0.2)


def test_clusters_are_separated_then_split_then_split_across():
    X, y = figures.cluster_draw(np.random.default_rng(1))
    Z = figures.gaussian(X).transform(X)
    assert figures.separation(Z[:, :2], y) == 1
    assert figures.between_share(Z[:, :2], y) > 0.95
    assert sorted(figures.owners(Z[:, 2:5], y)) == [0, 1, 2]
    directions = figures.split_directions(X, Z[:, 2:5], y)
    np.testing.assert_allclose(np.linalg.norm(directions, axis=1), 1)


@pytest.fixture(scope="module")
def digits() -> Usps:
    """The shipped digits as if they were USPS: 8 × 8 in the middle of 16 × 16."""
    bunch = load_digits()
    X = np.full((600, 16, 16), -1.0)
    X[:, 4:12, 4:12] = bunch.images[:600] / 8 - 1
    rows = X.reshape(600, 256)
    return Usps(rows[:400], bunch.target[:400], rows[400:], bunch.target[400:600])


def test_smoothing_keeps_each_image_to_itself_and_the_background_black() -> None:
    images = np.full((2, 256), -1.0)
    images[1, 8 * 16 + 8] = 1.0

    smoothed = smooth(images)

    np.testing.assert_allclose(smoothed[0], -1)
    np.testing.assert_allclose(smoothed[1].sum() + 256, 2)
    spot = (smoothed[1].reshape(16, 16) + 1) / 2
    offsets = np.arange(16) - 8
    # A sampled Gaussian of sd ¾ has nearly its variance.
    assert spot.sum(axis=0) @ offsets**2 == pytest.approx(0.75**2, rel=0.01)


def test_smoothed_and_plain_images_are_told_apart(digits: Usps) -> None:
    plain = prepared(digits, "plain")
    smoothed = prepared(digits, "smoothed")
    assert plain.X_train.dtype == smoothed.X_test.dtype == np.float32
    np.testing.assert_allclose(plain.X_test, digits.X_test, atol=1e-6)
    np.testing.assert_allclose(smoothed.X_test, smooth(digits.X_test), atol=1e-6)


@pytest.mark.parametrize("degree", [1, 3])
def test_scores_are_those_of_kernel_pca_on_the_subset(digits: Usps, degree: int) -> None:
    rows = np.arange(0, 400, 4)
    train, test = usps_errors.scores(digits, rows, degree)
    model = KernelPCA(20, kernel="poly", gamma=1 / 256, degree=degree, coef0=0)
    model.fit(digits.X_train[rows])
    scale = np.abs(train).max()
    np.testing.assert_allclose(train[:, :20], model.transform(digits.X_train), atol=1e-6 * scale)
    np.testing.assert_allclose(test[:, :20], model.transform(digits.X_test), atol=1e-6 * scale)


def test_blocks_and_a_scaled_penalty_are_one_against_rest_on_scaled_scores(digits: Usps) -> None:
    train, test = usps_errors.scores(digits, np.arange(0, 400, 4), 2)

    found = dict(usps_errors.predictions(train, test, digits.y_train))

    assert list(found) == [32, 64]
    for m, labels in found.items():
        norm = np.sqrt(np.square(train[:, :m]).sum(axis=1).mean())
        plain = OneVsRestClassifier(SVC(kernel="linear", C=usps_errors.C))
        plain.fit(train[:, :m] / norm, digits.y_train)
        expected = plain.predict(test[:, :m] / norm)
        # The solver stops at a tolerance: a test point on a boundary may fall on either side.
        assert (labels != expected).mean() <= 0.01


def test_a_draw_is_the_same_for_every_degree(digits: Usps, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []

    def scores(images: Usps, rows: np.ndarray, degree: int) -> tuple[np.ndarray, np.ndarray]:
        drawn.append(rows)
        return images.X_train[:, :32], images.X_test[:, :32]

    monkeypatch.setattr(usps_errors, "read_usps", lambda folder: digits)
    monkeypatch.setattr(usps_errors, "scores", scores)
    tables = [
        usps_errors.errors([], seed=0, images="plain", degree=d, subset=s, n_fit=150)
        for d, s in [(2, 0), (3, 0), (3, 1)]
    ]

    np.testing.assert_array_equal(drawn[0], drawn[1])
    assert len(np.unique(drawn[0])) == 150
    assert (drawn[1] != drawn[2]).any()
    columns = columns_of("papers/scholkopf1998/errors/plain_3_1.csv")
    assert tables[2].columns.tolist() == columns
    assert tables[2].iloc[0, :4].tolist() == ["plain", 3, 1, 32]
    assert 0 <= tables[2]["error"].iloc[0] <= 100
