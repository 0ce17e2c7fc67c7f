import numpy as np
import pytest

from kpca import KernelPCA
from tests.scripts.test_studies import measured, small
from workflow.scripts.input_space import denoising as study
from workflow.scripts.input_space.denoising import ALPHA, FLIPPED, SIGMA, with_preimage


def test_noise_has_the_stated_size():
    X = np.full((200, 64), 0.25)
    rng = np.random.default_rng(0)
    assert (study.gaussian(X, rng) - X).std() == pytest.approx(SIGMA, rel=0.02)
    speckled = study.speckle(X, rng)
    assert (speckled != X).mean() == pytest.approx(FLIPPED, abs=0.01)
    assert (speckled == 1).mean() == pytest.approx(FLIPPED / 2, abs=0.01)


def test_rows_of_a_replicate_do_not_overlap():
    with small(study):
        data = study.draw_digits(0, 0)
    rows = np.vstack([data.train, data.test])
    assert len(np.unique(rows, axis=0)) == len(rows) == 260
    assert len(data.fit) == 150


def test_kernel_pca_denoises_better_than_pca_by_more_components_of_one_choice():
    rows = measured("input_space")["denoising"].query("chosen")
    means = rows[rows["noise"] == "gaussian"].groupby("method")[["mse", "n_components"]].mean()
    assert means.loc[["mds", "fixed_point"], "mse"].max() < 0.9 * means.loc["pca", "mse"]
    assert means.loc["fixed_point", "n_components"] > means.loc["pca", "n_components"]
    assert (rows.groupby(["noise", "method", "replicate"]).size() == 1).all()
    assert len(rows) == 16


def test_truncated_models_are_those_fitted_with_fewer_components():
    X = np.random.default_rng(0).normal(size=(60, 3))
    whole = KernelPCA(8, kernel="rbf", gamma=0.3).fit(X)
    few = KernelPCA(3, kernel="rbf", gamma=0.3, preimage="fixed_point").fit(X)
    head = with_preimage(whole, 3, "fixed_point")
    np.testing.assert_allclose(head.transform(X), few.transform(X), atol=1e-7)
    np.testing.assert_allclose(head.denoise(X), few.denoise(X), atol=1e-5)
    ridge = with_preimage(whole, 3, "ridge")
    learned = few.set_params(preimage="ridge", fit_inverse_transform=True, alpha=ALPHA).fit(X)
    np.testing.assert_allclose(ridge.denoise(X), learned.denoise(X), atol=1e-6)
    assert whole.preimage == "ridge"
    assert len(whole.eigenvalues_) == 8
