"""Memory does not grow with the number of points times the number of landmarks."""

from pathlib import Path

import numpy as np
import pytest

from kpca.nystrom import sample
from kpca.nystrom import streaming as rows
from tests.kpca.eigensolvers.test_memory import peak
from tests.kpca.nystrom.clouds import nystrom

N, WIDTH, M = 60_000, 20, 100
FEATURES = 8 * N * M


def test_features_are_never_held() -> None:
    points = np.random.default_rng(0).normal(size=(N, WIDTH))
    model = nystrom(2, n_landmarks=M, landmarks="uniform", n_jobs=1)
    model.fit(points[:500])
    assert peak(lambda: model.fit(points)) < FEATURES / 3


def test_sums_of_many_blocks_are_never_held() -> None:
    points = np.random.default_rng(0).normal(size=(20_000, 2))
    model = nystrom(2, n_landmarks=3 * M, landmarks="uniform", n_jobs=1)
    blocks = np.split(points, 200)
    model.fit(blocks[:5])
    assert peak(lambda: model.fit(blocks)) < 200 * 8 * (3 * M) ** 2 / 4


@pytest.mark.parametrize("held", [False, True])
def test_no_whole_numbers_are_copied_or_cast_at_once(
    held: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "CHUNK_BYTES", 1 << 20)
    monkeypatch.setattr(sample, "MAX_SAMPLE", 2000)
    points = np.random.default_rng(0).integers(0, 9, (N, 4 * WIDTH), np.int8)
    np.save(tmp_path / "points.npy", points)
    mapped = points if held else np.load(tmp_path / "points.npy", mmap_mode="r")
    model = nystrom(2, n_landmarks=M, landmarks="uniform", gamma=0.01, n_jobs=1)
    model.fit(mapped[:500])
    assert peak(lambda: model.fit(mapped)) < 8 * mapped.size / 3
