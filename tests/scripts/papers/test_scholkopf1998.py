"""Schölkopf, Smola and Müller (1998): Figure 3, test errors on images, and the images."""

import gzip
import hashlib
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC

from kpca.reading.errors import InputError
from tests.columns import columns_of
from tests.scripts import crossed
from workflow.configuration import usps
from workflow.configuration.usps import usps_files
from workflow.scripts.papers import COLUMNS
from workflow.scripts.papers.scholkopf1998 import table as paper
from workflow.scripts.papers.scholkopf1998 import usps_errors
from workflow.scripts.papers.usps import Usps, read_usps, smooth

FOLDER = os.environ.get("KPCA_USPS", "")


def test_what_is_out_of_its_range_is_a_miss_as_linear_eigenvalues_without_centring_are():
    clouds = (paper.parabola_draw(np.random.default_rng(seed)).X for seed in range(60))
    models = (paper.polynomial_kpca(X, 1).set_params(center=False).fit(X) for X in clouds)
    draws = [paper.shares(model)[0] for model in models]
    assert np.quantile(draws, 0.975) < 0.709
    published = pd.DataFrame({"cell": ["a"], "published": [0.9], "note": [None]})
    row = paper.drawn_beside(published, {"a": [0.1, 0.2, 0.3]}).iloc[0]
    assert not row["inside"]
    assert row["ours"] == pytest.approx(0.2)


@pytest.fixture(scope="module")
def digits():
    """The shipped digits as if they were USPS: 8 × 8 in the middle of 16 × 16."""
    bunch = load_digits()
    X = np.full((600, 16, 16), -1.0)
    X[:, 4:12, 4:12] = bunch.images[:600] / 8 - 1
    rows = X.reshape(600, 256)
    return Usps(rows[:400], bunch.target[:400], rows[400:], bunch.target[400:600])


def test_smoothing_keeps_each_image_to_itself_and_the_background_black():
    images = np.full((2, 256), -1.0)
    images[1, 8 * 16 + 8] = 1.0
    smoothed = smooth(images)
    np.testing.assert_allclose(smoothed[0], -1)
    np.testing.assert_allclose(smoothed[1].sum() + 256, 2)
    spot = (smoothed[1].reshape(16, 16) + 1) / 2
    # A sampled Gaussian of sd ¾ has nearly its variance.
    assert spot.sum(axis=0) @ (np.arange(16) - 8) ** 2 == pytest.approx(0.75**2, rel=0.01)


def test_blocks_and_a_scaled_penalty_are_one_against_rest_on_scaled_scores(digits):
    train, test = usps_errors.scores(digits, np.arange(0, 400, 4), 2)
    predicted = dict(usps_errors.predictions(train, test, digits.y_train))
    assert list(predicted) == [32, 64]
    for m, labels in predicted.items():
        norm = np.sqrt(np.square(train[:, :m]).sum(axis=1).mean())
        plain = OneVsRestClassifier(SVC(kernel="linear", C=usps_errors.C))
        plain.fit(train[:, :m] / norm, digits.y_train)
        expected = plain.predict(test[:, :m] / norm)
        # The solver stops at a tolerance: a test point on a boundary may fall on either side.
        assert (labels != expected).mean() <= 0.01


def test_a_draw_is_the_same_for_every_degree(digits, monkeypatch):
    drawn = []

    def scores(images, rows, degree):
        drawn.append(rows.tolist())
        return images.X_train[:, :32], images.X_test[:, :32]

    monkeypatch.setattr(usps_errors, "read_usps", lambda files, images: digits)
    monkeypatch.setattr(usps_errors, "scores", scores)
    monkeypatch.setattr(usps_errors, "N_FIT", 150)
    for degree, subset in [(2, 0), (3, 0), (3, 1)]:
        table = usps_errors.errors([], seed=0, images="plain", degree=degree, subset=subset)

    assert drawn[0] == drawn[1] != drawn[2]
    assert len(set(drawn[0])) == 150
    assert table.columns.tolist() == columns_of("papers/scholkopf1998/errors/plain_3_1.csv")
    assert table.iloc[0, :4].tolist() == ["plain", 3, 1, 32]
    assert 0 <= table["error"].iloc[0] <= 100


def errors(degree, images="smoothed"):
    axes = (images,), (degree,), range(3), (32, 64)
    table = crossed("images degree subset components", *axes)
    return table.assign(error=5.0 + 0.2 * table["subset"])


def test_table_1_is_judged_by_the_interval_between_subsets():
    published = pd.read_csv(Path(__file__).with_name("table_1.csv"))
    table = paper.compare(published, pd.concat([errors(3), errors(3, "plain")]))
    assert table.columns.tolist() == COLUMNS
    assert table["cell"].tolist() == [name for name in published["cell"] if "d=4" not in name]
    # Standard deviation .2 of three subsets: 1.96 · .2 · √(4/3) = .4526 around 5.2.
    assert table["high"].tolist() == pytest.approx([5.6526] * 3, abs=1e-4)
    assert table["inside"].tolist() == [True, False, True]
    assert table["note"][0] == "inferred; 3 subsets; binomial interval 4.7 to 6.7 decides nothing"


def test_errors_of_1997_are_averaged_over_the_degrees_of_a_statement():
    axes = ("smoothed", "plain"), (1, 3, 5), (0, 1), (128, 256, 2048)
    table = crossed("images degree subset components", *axes)
    added = table["subset"] / 10 + (table["images"] == "plain")
    table = table.assign(error=table["degree"] + added)
    errors = paper.errors_of_1997(table).groupby("cell")["error"].agg(list).to_dict()
    assert errors == {
        "1997 linear SVM": [1.0, 1.1],
        "1997 PCA m=128": [1.0, 1.1],
        "1997 degrees 2 to 6 m=128": [4.0, 4.1],
        "1997 degrees above 2 m=2048": [4.0, 4.1],
    }


def test_all_cells_share_the_spread_and_keep_their_mean():
    rows = [("a", 1.0, 0), ("a", 1.0, 1), ("b", 4.0, 0), ("b", 6.0, 1)]
    errors = pd.DataFrame(rows, columns=["cell", "error", "subset"])
    bounds = paper.prediction_intervals(errors)
    assert bounds["ours"].tolist() == [1, 5]
    # Variances 0 and 2, whose mean is 1.
    np.testing.assert_allclose((bounds["high"] - bounds["low"]) / 2, 1.96 * np.sqrt(1.5))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Three made-up images a file, with their sums in place of the published ones."""
    sums = {}
    for name, digits in {"zip.train.gz": (6, 5, 0), "zip.test.gz": (9, 6, 3)}.items():
        rows = [f"{d:.4f} " + " ".join(["-1.0000"] * 255 + [f"{d / 10:.4f}"]) for d in digits]
        (tmp_path / name).write_bytes(gzip.compress("\n".join([*rows, ""]).encode()))
        sums[name] = hashlib.sha256((tmp_path / name).read_bytes()).hexdigest()
    monkeypatch.setattr(usps, "SHA256", sums)
    return tmp_path


def test_a_line_is_a_label_and_an_image(folder):
    files = [str(folder / name) for name in usps.SHA256]
    images = read_usps(files, "plain")
    assert images.y_train.tolist() == [6, 5, 0]
    assert images.y_test.tolist() == [9, 6, 3]
    assert images.X_train.shape == images.X_test.shape == (3, 256)
    np.testing.assert_allclose(images.X_train[:, -1], [0.6, 0.5, 0.0])
    assert (images.X_test[:, :-1] == -1).all()
    expected = smooth(images.X_test.astype(float))
    np.testing.assert_allclose(read_usps(files, "smoothed").X_test, expected, atol=1e-6)


def test_another_file_is_refused_with_both_sums_and_where_to_get_it(folder):
    expected = usps.SHA256["zip.test.gz"]
    (folder / "zip.test.gz").write_bytes(b"something else")
    digest = hashlib.sha256(b"something else").hexdigest()

    with pytest.raises(InputError, match="`ZIP code` on the data page of The Elements") as caught:
        usps.check_usps(folder)
    message = str(caught.value)
    assert f"zip.test.gz has SHA-256 {digest}, expected is {expected}" in message
    assert "zip.train.gz has" not in message
    assert "set `usps` to null" in message


@pytest.mark.skipif(not FOLDER, reason="KPCA_USPS names no folder with the images")
def test_the_images_are_those_of_the_papers_and_one_job_runs_on_them(monkeypatch):
    """The printed width 0.50, twice the mean variance of a pixel, is that of smoothed images."""
    files = [*usps_files(FOLDER).values()]
    images = read_usps(files, "plain")
    assert (images.X_train.shape, images.X_test.shape) == ((7291, 256), (2007, 256))
    assert abs(images.X_train).max() == 1
    assert set(images.y_train) == set(images.y_test) == set(range(10))
    assert 2 * smooth(images.X_train).var(axis=0).mean() == pytest.approx(0.5, abs=0.05)
    assert 2 * images.X_train.var(axis=0).mean() > 0.9
    # Fewer images than in the table, whose job takes a quarter of a minute.
    monkeypatch.setattr(usps_errors, "N_FIT", 300)
    table = usps_errors.errors(files, seed=0, images="smoothed", degree=1, subset=0)
    assert table["components"].tolist() == [32, 64, 128, 256]
    assert table["error"].between(7, 12).all()
