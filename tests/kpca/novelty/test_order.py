"""Samples next to each other that are alike: found, with a remedy, and seldom found by chance."""

import warnings

import numpy as np
import pytest

from kpca import KernelPCANovelty, load, save
from kpca.novelty import order
from kpca.study.monitoring import process


def test_at_most_a_twentieth_of_exchangeable_samples_is_found():
    """Of 300 sets, also of groups whose samples are alike."""
    lengths = []
    for seed in range(100):
        rng = np.random.default_rng(seed)
        n = (60, 150, 400)[seed % 3]
        values = rng.exponential(size=n)
        scores = rng.normal(size=(n, 6)) * np.arange(6, 0, -1)
        lengths.append(order.memory(values, scores, np.arange(n)))
        lengths.append(order.memory(values, rng.standard_t(3, size=(n, 2)), np.arange(n)))
        groups = np.arange(n) // 5
        lengths.append(order.memory(values[groups], scores[groups], groups))
    assert np.mean(np.array(lengths) > 1) <= 0.05


def test_blocks_of_the_length_that_is_named_keep_the_rate(tmp_path):
    X = process.process(1600, seed=3, correlation=0.9).drop(columns="minute")
    normal = X[:900]
    new = X[1000:]
    with pytest.warns(UserWarning, match=r"groups=np.arange\(900\) // \d+"):
        detector = KernelPCANovelty().fit(normal)
    save(detector, tmp_path / "m")
    assert load(tmp_path / "m").memory_ == detector.memory_ > 1
    alone = (detector.predict(new) < 0).mean()
    block = order.block_length(detector.memory_)
    with warnings.catch_warnings(action="error"):
        detector.fit(normal, groups=np.arange(900) // block)
    assert detector.memory_ == 1
    assert alone > 0.05 > (detector.predict(new) < 0).mean()


def test_no_rate_is_promised_if_no_block_is_long_enough():
    message = order.dependence(5.1, 300, 0.05)
    assert "no rate of false alarms can be promised, since 19 blocks of 16 samples" in message
    assert order.dependence(1.0, 300, 0.05) == order.dependence(np.nan, 300, 0.05) == ""
