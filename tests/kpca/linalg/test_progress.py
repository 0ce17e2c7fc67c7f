"""A fit that takes long tells a line a pass."""

import logging
from itertools import pairwise

import numpy as np
import pytest

from kpca import KernelPCA
from kpca.linalg import search as progress

X = np.random.default_rng(0).normal(size=(600, 5))


@pytest.mark.parametrize("solver", ["krylov", "davidson"])
def test_a_line_a_pass_with_the_time_left(
    solver: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    model = KernelPCA(3, kernel="rbf", gamma=0.1, eigen_solver=solver)
    with caplog.at_level(logging.INFO, "kpca"):
        monkeypatch.setattr(progress, "QUIET", 3600)
        model.fit(X)
        assert not [line for line in caplog.messages if line.startswith("pass ")]
        monkeypatch.setattr(progress, "QUIET", 0)
        model.fit(X)
    lines = [line for line in caplog.messages if line.startswith("pass ")]
    numbers = [int(line.split()[1].rstrip(":")) for line in lines]
    assert numbers[:4] == [1, 2, 3, 4]
    assert all(later in (1, before + 1) for before, later in pairwise(numbers))  # a round anew
    assert all("residual" in line and " s" in line for line in lines)
    assert any(line.endswith("s left") for line in lines[1:-1])
    assert not lines[-1].endswith("s left")  # the tolerance is met


def test_the_time_left_follows_the_rate_of_decline(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    clock = iter([0.0, 10.0, 20.0, 30.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    told = progress.Progress(1e-8)
    with caplog.at_level(logging.INFO, "kpca"):
        for number, residual in enumerate([1e-2, 1e-4, 1e-8], start=1):
            told.after(number, residual)
    assert caplog.messages == [
        "pass 1: residual 1.0e-02 after 10 s",
        "pass 2: residual 1.0e-04 after 20 s, about 20 s left",
        "pass 3: residual 1.0e-08 after 30 s",
    ]
