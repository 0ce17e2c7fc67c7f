import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from kpca import KernelPCA
from kpca.kernels import KernelParameters
from kpca.memory import required
from kpca.source import KernelSource

X = np.random.default_rng(0).normal(size=(2600, 4))
SOURCE = KernelSource(X, "rbf", KernelParameters(0.1))


def peak(work: Callable[[], Any]) -> int:
    """The most bytes that Python held at a time."""
    tracemalloc.start()
    work()
    highest = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return highest


def test_an_impossible_fit_is_refused_before_anything_is_allocated() -> None:
    model = KernelPCA(5, kernel="rbf", eigen_solver="arpack", memory_budget=1e7)

    def refused() -> None:
        with pytest.raises(MemoryError, match=r"needs about .* bytes.*allows 1e\+07: raise mem"):
            model.fit(X)

    assert peak(refused) < 5e6


@pytest.mark.parametrize("solver", ["arpack", "krylov", "davidson"])
def test_estimates_hold(solver: str) -> None:
    model = KernelPCA(5, kernel="rbf", gamma=0.1, eigen_solver=solver, copy_X=False, n_jobs=1)
    estimate = required(solver, SOURCE, 5)
    assert 0.4 * estimate < peak(lambda: model.fit(X)) < 1.2 * estimate


def test_packed_and_matrix_free_need_less() -> None:
    n = 20_000
    many = KernelSource(np.zeros((n, 10)), "rbf", KernelParameters(0.1))
    whole = 8 * n**2
    assert required("arpack", many, 10) > whole
    assert required("krylov", many, 10) < whole / 3.4
    assert required("davidson", many, 10) < whole / 25


def test_transform_streams() -> None:
    model = KernelPCA(5, kernel="rbf", gamma=0.1, n_jobs=1).fit(X)
    assert peak(lambda: model.transform(X)) < 0.1 * 8 * len(X) ** 2
