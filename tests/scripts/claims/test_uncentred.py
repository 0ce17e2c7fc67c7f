import numpy as np
import pytest

from kpca import KernelPCA
from tests.scripts.claims import STATEMENTS
from workflow.scripts.claims.setting import kernel_of
from workflow.scripts.claims.uncentred import DECIDES, mean_cosine, measure


def first_axis(X):
    model = KernelPCA(1, kernel="linear", center=False).fit(X)
    return mean_cosine(model, kernel_of(model))


def test_a_linear_axis_is_the_first_singular_vector():
    X = np.random.default_rng(0).standard_normal((60, 3)) + np.array([0.5, 0.2, 0])
    axis, mean = np.linalg.svd(X)[2][0], X.mean(axis=0)
    assert first_axis(X) == pytest.approx(abs(axis @ mean) / np.linalg.norm(mean))


def test_far_from_the_origin_the_axis_is_the_mean_direction_and_at_it_there_is_none():
    X = np.random.default_rng(0).standard_normal((60, 3))
    assert first_axis(X + 100) > 0.999
    assert np.isnan(first_axis(X - X.mean(axis=0)))


def test_claims_of_every_kernel_and_dataset():
    data = {"rings": {"generator": "rings", "n_train": 60, "n_test": 100, "noise": 0.05}}
    claims, tables = measure(STATEMENTS, seed=0, replicates=6, datasets=data, sizes=[2, DECIDES])
    verdicts = {(claim.claim, claim.case): claim.verdict for claim in claims}
    assert verdicts["2-mean-direction", "laplacian, rings"] == "holds"
    assert verdicts["2-uncentred-helps-rings", "rbf, rings"] == "holds"
    assert len(tables["losses"]) == 10
