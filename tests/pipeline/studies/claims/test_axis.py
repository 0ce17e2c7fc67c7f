import numpy as np
import pytest

from kpca import KernelPCA
from kpca.pipeline.studies.claims import axis


@pytest.fixture(scope="module")
def single():
    """One point: its own image is the axis."""
    return KernelPCA(1, kernel="rbf", gamma=0.5, center=False).fit(np.array([[1.0, 2.0]]))


def test_the_axis_through_the_image_of_a_point_meets_it(single):
    found, z = axis.nearest(single, 1.0, np.array([[0.8, 2.1]]), 0.3)
    assert found == pytest.approx(0, abs=1e-6)
    assert z == pytest.approx([1, 2], abs=1e-4)


def test_beyond_it_only_the_length_differs(single):
    assert axis.distance(single, 3.0, np.array([[1.0, 2.0]]))[0] == pytest.approx(2)


def test_the_bracket_holds_the_maximum_and_closes():
    X = np.random.default_rng(0).standard_normal((15, 2))
    model = KernelPCA(1, kernel="rbf", gamma=0.7, center=False).fit(X)
    coarse, fine = axis.bracket(model, 3), axis.bracket(model, 10)
    dense = np.abs(model.transform(axis.points_of(X)[0])).max()
    assert coarse[0] <= fine[0] <= fine[1] <= coarse[1]
    assert dense <= fine[1]
    assert fine[1] - fine[0] < 0.01


def test_verdicts():
    claims, tables = axis.measure(seed=0)
    assert {claim.verdict for claim in claims} == {"holds"}
    gaussian = tables["paths"].query("kernel == 'rbf'")
    assert gaussian["distance"].min() > claims[1].low
