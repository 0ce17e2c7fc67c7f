"""Fits spread over the workers of a Dask cluster: two processes on loopback."""

import sys
from collections.abc import Iterator
from typing import Any

import joblib
import numpy as np
import pytest

from kpca import KernelPCA
from kpca.linalg.resources import Cluster


class Counted:
    """Something to hold on the workers, which counts how often it is pickled."""

    sent = 0

    def __reduce__(self) -> tuple[Any, ...]:
        type(self).sent += 1
        return Counted, ()


def scaled(held: Any, V: np.ndarray, part: int, n_parts: int) -> np.ndarray:
    assert isinstance(held, Counted)
    return V * (part + 1) / n_parts


X = np.random.default_rng(0).normal(size=(3000, 4)) * [2.0, 1.0, 1.0, 0.5]


@pytest.fixture
def dask(client: Any) -> Iterator[None]:
    with joblib.parallel_config(backend="dask"):
        yield


def test_nothing_leaves_the_process_unless_dask_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Cluster().size() == 1
    for backend in ("threading", "sequential", "loky"):
        with joblib.parallel_config(backend=backend, n_jobs=2):
            assert Cluster().size() == 1
    monkeypatch.delitem(sys.modules, "joblib")
    assert Cluster().size() == 1


def test_a_fit_inside_a_task_of_the_cluster_stays_there(dask: None) -> None:
    found = joblib.Parallel()(joblib.delayed(Cluster.size)(Cluster()) for _ in range(2))
    assert found == [1, 1]


def test_a_fit_is_the_local_one(client: Any) -> None:
    options = {"kernel": "rbf", "gamma": "median", "eigen_solver": "davidson", "n_jobs": 2}
    local, spread = KernelPCA(5, **options).fit(X), KernelPCA(5, **options)
    with joblib.parallel_config(backend="dask"):
        spread.fit(X)
    np.testing.assert_allclose(spread.eigenvalues_, local.eigenvalues_, rtol=1e-8)
    np.testing.assert_allclose(spread.eigenvectors_, local.eigenvectors_, 1e-8, 1e-8)
    np.testing.assert_allclose(spread.transform(X), local.transform(X), atol=1e-8)
    assert spread.residuals_.max() <= 1e-8


def test_a_pass_sends_one_block_and_gets_one(dask: None, monkeypatch: pytest.MonkeyPatch) -> None:
    from distributed.comm.tcp import TCP

    write, bytes_sent = TCP.write, list[int]()

    async def counted(self: Any, *arguments: Any, **options: Any) -> int:
        bytes_sent.append(await write(self, *arguments, **options))
        return bytes_sent[-1]

    monkeypatch.setattr(TCP, "write", counted)  # of the client, and of the scheduler beside it
    cluster, V, per_pass = Cluster(Counted()), np.ones((100_000, 10)), []
    assert cluster.size() == 2
    for n_parts in (1, 2, 16):
        held = Counted.sent
        bytes_sent.clear()
        np.testing.assert_allclose(cluster.sum(scaled, V, n_parts), V * (n_parts + 1) / 2)
        per_pass.append(sum(bytes_sent) / V.nbytes)
    # To the scheduler and on to a worker, and the sum from the scheduler to the client.
    np.testing.assert_allclose(per_pass, 3, rtol=0.02)
    assert Counted.sent == held > 0  # in the first pass only
