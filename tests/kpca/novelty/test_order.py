"""Samples next to each other that are alike: found, with a remedy, and seldom found by chance."""

import warnings
from pathlib import Path

import numpy as np
import pytest

from kpca import KernelPCANovelty, load, save
from kpca.novelty import order


def autoregressive(n: int, correlation: float, seed: int) -> np.ndarray:
    steps = np.random.default_rng(seed).normal(size=(n, 4)) * np.sqrt(1 - correlation**2)
    for place in range(1, n):
        steps[place] += correlation * steps[place - 1]
    return steps


@pytest.mark.parametrize("curved", [True, False])
@pytest.mark.parametrize("correlation", [0.5, 0.6, 0.7, 0.8, 0.9])
def test_ten_processes_are_found(correlation: float, curved: bool, tmp_path: Path) -> None:
    X = autoregressive(200, correlation, seed=0)
    if curved:
        X = np.column_stack([X, np.tanh(X), X[:, 0] ** 2])
    with pytest.warns(UserWarning, match="next to each other are alike, over about"):
        detector = KernelPCANovelty().fit(X)
    assert detector.memory_ > 1.4
    save(detector, tmp_path / "m")
    assert load(tmp_path / "m").memory_ == detector.memory_


def test_at_most_a_twentieth_of_exchangeable_samples_is_found() -> None:
    """Of 300 sets, also of groups whose samples are alike."""
    found = []
    for seed in range(100):
        rng = np.random.default_rng(seed)
        n = (60, 150, 400)[seed % 3]
        values, scores = rng.exponential(size=n), rng.normal(size=(n, 6)) * np.arange(6, 0, -1)
        found.append(order.memory(values, scores, np.arange(n)))
        found.append(order.memory(values, rng.standard_t(3, size=(n, 2)), np.arange(n)))
        groups = np.arange(n) // 5
        found.append(order.memory(values[groups], scores[groups], groups))
    assert np.mean(np.array(found) > 1) <= 0.05


def test_blocks_of_the_length_that_is_named_keep_the_rate() -> None:
    alone, blocks = [], []
    for seed in range(3):
        X = autoregressive(1500, 0.8, seed)
        normal, new = X[:600], X[700:]
        with pytest.warns(UserWarning, match=r"groups=np.arange\(600\) // \d+"):
            detector = KernelPCANovelty().fit(normal)
        alone.append((detector.predict(new) < 0).mean())
        block = int(np.ceil(order.MEMORIES * detector.memory_))
        with warnings.catch_warnings(action="error"):
            detector.fit(normal, groups=np.arange(600) // block)
        assert detector.memory_ == 1
        blocks.append((detector.predict(new) < 0).mean())
    assert np.mean(alone) > 0.08 > np.mean(blocks)


def test_no_rate_is_promised_if_no_block_is_long_enough() -> None:
    with pytest.warns(UserWarning, match="no rate of false alarms can be promised, since 19 bl"):
        KernelPCANovelty().fit(autoregressive(300, 0.95, 0))
    assert order.dependence(1.0, 300, 0.05) == order.dependence(np.nan, 300, 0.05) == ""
