"""Points that come in blocks: what counts as blocks, passes over them, and a sample of them."""

import numpy as np
import pandas as pd
import pytest

from kpca.linalg.resources import ArrayRows
from kpca.nystrom import sample as sampling
from kpca.nystrom import streaming
from kpca.nystrom.sample import draw_sample
from kpca.nystrom.streaming import as_blocks
from tests.kpca.eigensolvers.test_memory import peak
from tests.kpca.nystrom.test_fit import X, nystrom

TABLE = pd.DataFrame(X, columns=list("abcd"))


def test_what_counts_as_blocks_and_iterators_do_not():
    again_and_again = {"first": X[:50], "rest": X[50:]}.values()
    for blocks in (again_and_again, lambda: [X], [X[:3], X[3:]], (X,), [pd.DataFrame(X)]):
        assert as_blocks(blocks) is not None
    for array in (X, pd.DataFrame(X), X.tolist(), [[1.0, 2.0]], []):
        assert as_blocks(array) is None

    for count in (599, 601):
        with pytest.raises(ValueError, match=r"shape \(600,\), got"):
            nystrom().fit([X], sample_weight=np.ones(count))
    model = nystrom(2, n_landmarks=50).fit([TABLE[:300], TABLE[300:]])
    assert list(model.feature_names_in_) == list("abcd")


def test_blocks_that_change_between_passes_are_refused():
    passes = iter(range(10))

    def blocks():
        yield X[:100] + (next(passes) > 1)
        yield X[100:]

    with pytest.raises(ValueError, match=r"not the \d+ of an earlier one"):
        nystrom().fit(blocks)


def test_points_are_drawn_in_proportion_to_their_weights(monkeypatch):
    monkeypatch.setattr(sampling, "MAX_SAMPLE", 40)
    numbers = np.arange(400.0)[:, None]
    weights = np.where(numbers[:, 0] < 100, 9.0, 1.0)
    heavy = [
        (draw_sample(ArrayRows(numbers), 5, weights, seed).points < 100).mean()
        for seed in range(60)
    ]
    # Without replacement slightly below 900/1200.
    assert 0.68 < np.mean(heavy) < 0.76


def test_neither_features_nor_sums_of_many_blocks_are_held():
    N = 60_000
    M = 100
    points = np.random.default_rng(0).normal(size=(N, 20))
    model = nystrom(2, n_landmarks=M, landmarks="uniform", n_jobs=1)
    model.fit(points[:500])
    assert peak(lambda: model.fit(points)) < 8 * N * M / 3
    points = np.random.default_rng(0).normal(size=(20_000, 2))
    model = nystrom(2, n_landmarks=3 * M, landmarks="uniform", n_jobs=1)
    blocks = np.split(points, 200)
    model.fit(blocks[:5])
    assert peak(lambda: model.fit(blocks)) < 200 * 8 * (3 * M) ** 2 / 4


@pytest.mark.parametrize("held", [False, True])
def test_integers_are_cast_in_pieces(held, tmp_path, monkeypatch):
    monkeypatch.setattr(streaming, "CHUNK_BYTES", 1 << 20)
    monkeypatch.setattr(sampling, "MAX_SAMPLE", 2000)
    points = np.random.default_rng(0).integers(0, 9, (60_000, 80), np.int8)
    np.save(tmp_path / "points.npy", points)
    mapped = points if held else np.load(tmp_path / "points.npy", mmap_mode="r")
    model = nystrom(2, n_landmarks=100, landmarks="uniform", gamma=0.01, n_jobs=1)
    model.fit(mapped[:500])
    assert peak(lambda: model.fit(mapped)) < 8 * mapped.size / 3
