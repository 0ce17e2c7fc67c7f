"""A fit that takes long tells a line a pass."""

import logging
from itertools import pairwise

import numpy as np
import pytest

from kpca import KernelPCA
from kpca.linalg import block_lanczos as progress

X = np.random.default_rng(0).normal(size=(600, 5))


@pytest.mark.parametrize("solver", ["krylov", "davidson"])
def test_each_pass_has_a_line(
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
