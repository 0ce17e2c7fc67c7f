"""Synthetic data lie where their formulas put them."""

from functools import partial

import numpy as np
import pytest

from kpca.study.datasets import generators
from kpca.study.datasets.synthetic import SYNTHETIC

_rng = partial(np.random.default_rng, 7)


@pytest.mark.parametrize("name", generators.GENERATORS)
def test_rows_labels_and_target_fit_each_other_and_what_the_rules_are_told(name):
    draw, again = (generators.GENERATORS[name](101, _rng()) for _ in range(2))
    np.testing.assert_array_equal(draw.X, again.X)
    assert np.isfinite(draw.X).all()
    assert draw.X.shape == (101, SYNTHETIC[name].features)
    lengths = {"label": np.size(draw.y), "target": np.size(draw.target)}
    assert lengths == {"label": 1, "target": 1} | {SYNTHETIC[name].answer: 101}
    assert draw.y is None or np.ptp(np.bincount(draw.y)) <= 1


def test_rings_have_their_radii_and_noise_its_standard_deviation():
    X, y, _ = generators.rings(400, _rng(), noise=0, radius_ratio=0.4)
    np.testing.assert_allclose(np.linalg.norm(X, axis=1), np.where(y == 0, 1, 0.4))
    X, y, _ = generators.rings(20000, _rng(), noise=0.05)
    radial = np.linalg.norm(X, axis=1)[y == 0] - 1
    np.testing.assert_allclose(radial.std(), 0.05, rtol=0.03)


def test_moons_lie_on_unit_half_circles():
    X, y, _ = generators.moons(200, _rng(), noise=0)
    moved = X - np.outer(y, [1, 0.5])
    np.testing.assert_allclose(np.linalg.norm(moved, axis=1), 1)
    assert (moved[:, 1] * np.where(y == 0, 1, -1)).min() >= 0


def test_one_spiral_is_the_other_turned():
    X, y, _ = generators.spirals(2000, _rng(), noise=0, turns=1.0)
    radius = np.linalg.norm(X, axis=1)
    angle = np.arctan2(X[:, 1], X[:, 0])
    phase = np.mod(angle - 2 * np.pi * radius, 2 * np.pi)
    assert radius.max() <= 1
    np.testing.assert_allclose(np.cos(phase), np.where(y == 0, 1, -1), atol=1e-12)


def test_the_swiss_roll_is_unrolled_by_its_target():
    """Neighbours along the roll are as far apart as their coordinates."""
    X, _, target = generators.swiss_roll(20000, _rng())
    order = np.argsort(target)
    steps = np.linalg.norm(np.diff(X[order][:, [0, 2]], axis=0), axis=1)
    np.testing.assert_allclose(steps.sum(), np.ptp(target), rtol=1e-6)
    assert 0 <= X[:, 1].min() <= X[:, 1].max() <= 21


def test_clusters_and_the_parabola_are_as_published():
    X, y, _ = generators.clusters(6000, _rng())
    centres = np.array([X[y == label].mean(axis=0) for label in range(3)])
    np.testing.assert_allclose(centres, [[-0.5, -0.2], [0, 0.6], [0.5, 0]], atol=0.01)
    np.testing.assert_allclose(X[y == 0].std(axis=0), 0.1, rtol=0.05)
    X, _, target = generators.parabola(5000, _rng())
    np.testing.assert_array_equal(X[:, 0], target)
    np.testing.assert_allclose((X[:, 1] - X[:, 0] ** 2).std(), 0.2, rtol=0.05)


def test_the_linear_control_is_separable_with_its_margin():
    X, y, _ = generators.linear(500, _rng(), margin=0.4)
    across = np.where(y == 0, -1, 1) * (X @ [np.cos(np.pi / 6), np.sin(np.pi / 6)])
    assert across.min() >= 0.2
