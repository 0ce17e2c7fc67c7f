"""Mika et al. (1998): ratios of errors on Gaussians and on noisy digits."""

import os

import numpy as np
import pandas as pd
import pytest

from kpca import PCA
from pipeline.datasets.usps import usps_files
from tests.workflow.pipeline import ROOT
from workflow.scripts.papers.mika1998 import table as mika
from workflow.scripts.papers.mika1998.table import compare
from workflow.scripts.papers.published import printed
from workflow.scripts.papers.usps import read_usps, smooth

FOLDER = os.environ.get("KPCA_USPS", "")
PUBLISHED = pd.read_csv(ROOT / "workflow/scripts/papers/mika1998/published.csv")


def cells(*published: float) -> pd.DataFrame:
    names = [f"cell {i}" for i in range(len(published))]
    return pd.DataFrame({"cell": names, "published": published, "rounding": 0.05, "note": None})


def test_one_more_draw_lies_inside_nineteen_times_of_twenty() -> None:
    draws = np.exp(np.random.default_rng(0).standard_normal((4000, 6)))
    known = cells(*draws[:, 5]).assign(rounding=0)
    found = compare(known, dict(zip(known["cell"], draws[:, :5], strict=True)))
    assert found["inside"].mean() == pytest.approx(0.95, abs=0.01)


def test_a_printed_number_may_lie_outside_by_its_rounding_and_no_more() -> None:
    known = cells(2.04, 2.06, 1.0, 5.0).assign(note=[None, "remark", None, None])
    found = compare(
        known, {"cell 0": [2.0] * 20, "cell 1": [2.0] * 20, "cell 2": [1.0, 100.0] * 10}
    )
    assert found["inside"].tolist() == [True, False, True]
    assert found["note"].tolist() == ["20 draws", "20 draws; remark", "20 draws"]
    assert found["ours"].tolist() == pytest.approx([2, 2, 10])
    assert (found["low"][2] + 0.05) * (found["high"][2] - 0.05) == pytest.approx(100)


def test_every_number_of_the_table_is_compared_under_both_readings(monkeypatch) -> None:
    known = printed(PUBLISHED)["published"][:45].to_numpy().reshape(5, 9)

    def ratios(std: float, sizes: range, rng: np.random.Generator) -> list[float]:
        row = known[np.isclose(2 * np.array(mika.SIGMAS), std)]
        exact = row[0] if len(row) else 1e9
        spread = 2.0 if np.isclose(std, 0.2) else 0.01
        return list(exact * np.exp(spread * rng.standard_normal(len(sizes))))

    monkeypatch.setattr(mika, "toy_ratios", ratios)
    found = mika.table(PUBLISHED, [], seed=0, draws=20)
    assert len(found) == 90
    doubled = found["cell"].str.startswith("table 1 doubled")
    assert found.loc[doubled, "inside"].all()
    assert found.loc[doubled, "note"].str.contains("inferred.*not counted").all()
    wide = found["cell"].str.contains("doubled sigma=0.1 |stated sigma=0.2 ")
    assert (found["note"].str.contains("span more than") == wide).all()
    assert (found["note"].str.contains("not counted") == (wide | doubled)).all()


def test_narrow_gaussians_are_denoised_to_their_centres_and_pca_keeps_its_share_of_noise() -> None:
    std = 0.01
    X, noisy, truth = mika.gaussians(std, np.random.default_rng(0))
    assert X.shape == (1100, 10)
    assert noisy.shape == truth.shape == (363, 10)
    assert len(np.unique(truth, axis=0)) == 11
    kernel = mika.gaussian_kernel(X, 2 * std**2, 9)
    assert kernel.gamma == pytest.approx(1 / (20 * std**2))
    # The mean of a hundred points is off by 1/10 of a standard deviation in ten coordinates.
    assert mika.kernel_error(kernel, noisy, truth, 9) == pytest.approx(0.1 * std**2, rel=0.5)
    assert mika.pca_error(PCA(10).fit(X), noisy, truth, 10) == pytest.approx(10 * std**2, rel=0.1)


def test_fewer_components_than_were_fitted_are_used() -> None:
    X, noisy, truth = mika.gaussians(0.4, np.random.default_rng(0))
    nine, two = (mika.gaussian_kernel(X, 0.32, m) for m in (9, 2))
    found = mika.kernel_error(nine, noisy, truth, 2)
    assert found == pytest.approx(mika.kernel_error(two, noisy, truth, 2), rel=1e-6)
    assert found != pytest.approx(mika.kernel_error(nine, noisy, truth, 9), rel=0.1)


def test_noise_on_digits_has_the_stated_size() -> None:
    rng = np.random.default_rng(0)
    grey = np.zeros((500, 256))
    assert mika.noisy_digits(grey, "Gaussian noise", rng).std() == pytest.approx(0.5, rel=0.01)
    values, counts = np.unique(mika.noisy_digits(grey, "speckle noise", rng), return_counts=True)
    assert values.tolist() == [-1, 0, 1]
    assert counts / grey.size == pytest.approx([0.2, 0.6, 0.2], abs=0.01)
    rows = mika.chosen(np.repeat(np.arange(10), 7), 3, rng)
    assert len(set(rows)) == 30
    assert np.bincount(rows // 7).tolist() == [3] * 10


@pytest.mark.skipif(not FOLDER, reason="KPCA_USPS names no folder with the images")
def test_the_printed_width_is_that_of_smoothed_images() -> None:
    """The paper has c = 0.50, twice the mean variance of a pixel."""
    X = read_usps([*usps_files(FOLDER).values()]).X_train
    assert 2 * smooth(X).var(axis=0).mean() == pytest.approx(mika.DIGITS_C, abs=0.05)
    assert 2 * X.var(axis=0).mean() > 0.9
