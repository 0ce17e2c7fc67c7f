"""The width of the Gaussian kernel: its linear limit by perturbation, and its locality."""

import numpy as np
import pytest

from kpca import KernelPCA
from tests.scripts.claims import STATEMENTS
from workflow.scripts.claims import limits
from workflow.scripts.claims.limits import participation, spread


@pytest.fixture(scope="module")
def cloud():
    return np.random.default_rng(0).standard_normal((60, 4)) * [3, 2, 1, 0.5] + 1


def test_the_angle_to_linear_pca_is_zero_for_the_linear_kernel(cloud):
    A = KernelPCA(2, kernel="linear").fit(cloud).eigenvectors_
    assert limits.plane_angle(A, cloud) < 1e-7


@pytest.mark.parametrize("k", [1, 2, 3])
def test_perturbation_gives_the_angle_of_wide_kernels(cloud, k):
    c = limits.linear_limit(cloud, k)
    for sigma, tolerance in ((50.0, 0.05), (500.0, 0.001)):
        A = KernelPCA(k, kernel="rbf", gamma=0.5 / sigma**2).fit(cloud).eigenvectors_
        assert limits.plane_angle(A, cloud) * sigma**2 == pytest.approx(c, rel=tolerance)


def test_the_median_width_is_that_of_the_median_distance():
    assert limits.median_width(np.array([[0.0], [2.0]])) == pytest.approx(np.sqrt(2))


def test_locality_of_one_row_of_some_and_of_all():
    X = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0]])
    A = np.array([[1.0, 0, 0, 0], [0.5**0.5, 0.5**0.5, 0, 0], [0.5] * 4]).T
    assert participation(A) == pytest.approx([1, 2, 4])
    assert spread(A, X) == pytest.approx([0, 0.5**0.5, 1])


def test_two_rows_that_are_nearest_carry_the_first_component_of_a_narrow_kernel():
    X = np.append(10.0 * np.arange(100), 30.5)[:, None]
    A = KernelPCA(1, kernel="rbf", gamma=8.0).fit(X).eigenvectors_
    assert participation(A)[0] == pytest.approx(2, rel=0.1)
    assert set(np.argsort(-np.abs(A[:, 0]))[:2]) == {3, 100}


def test_statements_hold_for_every_dataset():
    claims, tables = limits.measure(STATEMENTS, seed=0, replicates=3, widths=[0.1, 1, 100])
    assert len(claims) == 4 * len(limits.DATASETS)
    linear = [c for c in claims if c.claim.startswith(("6-sigma-linear", "6-sigma-rate"))]
    assert {claim.verdict for claim in linear} == {"holds"}
    widths = tables["widths"]
    assert (widths["rows"] <= widths["n"]).all()
    independent = widths[widths["overlap"].isna()]["dataset"].unique()
    assert sorted(independent) == ["rings", "swiss_roll"]
