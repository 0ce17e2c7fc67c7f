"""The width of the Gaussian kernel: its linear limit, and its locality."""

import numpy as np
import pytest

from kpca import KernelPCA
from tests.scripts.claims import verdicts
from workflow.scripts.claims import limits
from workflow.scripts.claims.limits import spread


@pytest.fixture(scope="module")
def cloud():
    return np.random.default_rng(0).standard_normal((60, 4)) * [3, 2, 1, 0.5] + 1


def test_the_angle_to_linear_pca_is_zero_for_the_linear_kernel(cloud):
    A = KernelPCA(2, kernel="linear").fit(cloud).eigenvectors_
    assert limits.plane_angle(A, cloud) < 1e-7


def test_the_radius_of_one_row_of_some_and_of_all():
    X = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0]])
    A = np.array([[1.0, 0, 0, 0], [0.5**0.5, 0.5**0.5, 0, 0], [0.5] * 4]).T
    assert spread(A, X) == pytest.approx([0, 0.5**0.5, 1])


def test_wide_kernels_are_linear_and_narrow_ones_local():
    tables = limits.measure(seed=0, replicates=3, widths=[0.1, 1, 100])
    found = verdicts(tables["claims"])
    assert len(found) == 2 * len(limits.DATASETS)
    assert {v for (claim, _), v in found.items() if claim == "6-sigma-linear"} == {"holds"}
    widths = tables["widths"]
    assert widths.groupby("width")["spread"].mean().is_monotonic_increasing
    independent = widths[widths["overlap"].isna()]["dataset"].unique()
    assert sorted(independent) == ["rings", "swiss_roll"]
