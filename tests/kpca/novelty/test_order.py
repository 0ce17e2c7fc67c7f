"""Samples next to each other that are alike: found, with a remedy, and seldom found by chance."""

import warnings

import numpy as np
import pytest

from kpca import KernelPCANovelty, load, save
from kpca.novelty import order
from kpca.study.monitoring import process


def test_at_most_a_twentieth_of_exchangeable_samples_is_found():
    """Of 300 sets, also of groups whose samples are alike."""
    memories = []
    for seed in range(100):
        rng = np.random.default_rng(seed)
        n = (60, 150, 400)[seed % 3]
        values = rng.exponential(size=n)
        scores = rng.normal(size=(n, 6)) * np.arange(6, 0, -1)
        rows = np.arange(n)
        groups = rows // 5
        memories += [
            order.memory(values, scores, rows),
            order.memory(values, rng.standard_t(3, size=(n, 2)), rows),
            order.memory(values[groups], scores[groups], groups),
        ]
    assert np.mean(np.greater(memories, 1)) <= 0.05


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
    message = "no rate of false alarms can be promised, since 19 blocks of 16 samples"
    with pytest.warns(UserWarning, match=message):
        order.warn_of_memory(5.1, 300, 0.05)
    with warnings.catch_warnings(action="error"):
        order.warn_of_memory(1.0, 300, 0.05)
