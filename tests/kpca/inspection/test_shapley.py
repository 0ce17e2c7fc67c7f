"""Shapley values of scores and statistics, against the definition over all subsets."""

from functools import partial
from itertools import permutations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from kpca import KernelPCA
from kpca.inspection import contributions, shapley, shapley_values
from kpca.inspection.contributions import attributed
from kpca.inspection.sensitivity import statistic_at
from kpca.novelty import STATISTICS

RNG = np.random.default_rng(0)
TRAINING, POINTS, REFERENCE = (RNG.normal(size=(n, 5)) for n in (40, 2, 2))
KERNELS = {"rbf": 2, "laplacian": 1}


def by_definition(value):
    """Return the mean changes of a value by each of five variables, over all orders of them."""
    changes = []
    for order in permutations(range(5)):
        values = np.array([value([*order[:size]]) for size in range(6)])
        changes.append(np.diff(values, axis=0)[np.argsort(order)])
    return np.mean(changes, axis=0)


@pytest.mark.parametrize("kernel", KERNELS)
def test_those_of_scores_are_the_definition(kernel):
    model = KernelPCA(3, kernel=kernel, gamma=0.2).fit(TRAINING)
    distances = np.abs(TRAINING - POINTS[:, None]) ** KERNELS[kernel]

    def without(kept):
        return np.exp(-0.2 * distances[:, :, kept].sum(axis=2)) @ model.expansion().axes

    expected = np.moveaxis(by_definition(without), 0, 2)
    assert_allclose(shapley_values(model, POINTS), expected, atol=1e-12)


@pytest.mark.parametrize("statistic", STATISTICS)
@pytest.mark.parametrize("kernel", KERNELS)
def test_those_of_statistics_are_the_definition_within_the_error_that_is_stated(
    kernel, statistic, monkeypatch
):
    """Landmarks move single values, and a rough quadrature their sum."""
    model = KernelPCA(3, kernel=kernel, gamma=0.2).fit(TRAINING)
    shares = partial(attributed, model, POINTS, statistic, REFERENCE)
    measure = partial(statistic_at, model.expansion(), statistic)
    base = measure(REFERENCE)
    exact = measure(POINTS)

    def mixed(kept):
        return measure(np.where(np.isin(range(5), kept), POINTS, REFERENCE))

    expected = by_definition(mixed).T
    values, errors = shares()
    assert_allclose(values, expected, atol=1e-12)
    assert errors.max() < 1e-9
    monkeypatch.setattr(shapley, "LANDMARKS", 20)
    rough, errors = shares()
    off = np.abs(rough - expected).max(axis=1)
    assert (off > 1e-6 * np.abs(expected).max()).all()
    assert (off < 2 * errors).all()
    assert_allclose(base + rough.sum(axis=1), exact, atol=1e-12)
    monkeypatch.setattr(shapley, "NODES", 1)
    inexact, errors = shares()
    gaps = np.abs(base + inexact.sum(axis=1) - exact)
    assert gaps.min() > 1e-6
    assert (errors >= gaps).all()


def test_a_sample_at_the_reference_or_far_from_all_has_finite_values():
    model = KernelPCA(0.9, kernel="laplacian", gamma="median").fit(TRAINING)
    far = np.full((1, 5), 1e9)
    assert_array_equal(contributions(model, far, reference=far), 0)
    assert np.isfinite(shapley_values(model, far)).all()


def test_kernels_that_are_no_product_are_refused():
    with pytest.raises(ValueError, match="kernel='poly' is no product over the variables"):
        shapley_values(KernelPCA(2, kernel="poly").fit(TRAINING), POINTS)
