"""Fits spread over the workers of a Dask cluster: two processes on loopback."""

import sys
from collections.abc import Iterator
from typing import Any

import joblib
import numpy as np
import pytest

from kpca import KernelPCA
from kpca.linalg.threads import Cluster


class Counted:
    """Something to hold on the workers, which counts how often it is pickled."""

    sent = 0

    def __reduce__(self) -> tuple[Any, ...]:
        type(self).sent += 1
        return Counted, ()


def third(held: Any, x: int) -> tuple[bool, int]:
    return isinstance(held, Counted), x**3


X = np.random.default_rng(0).normal(size=(3000, 4)) * [2.0, 1.0, 1.0, 0.5]


@pytest.fixture(scope="module")
def workers() -> Iterator[None]:
    """A scheduler and two workers, each a process, talking over loopback."""
    distributed = pytest.importorskip("distributed")
    options = {"host": "127.0.0.1", "dashboard_address": None}
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, **options) as cluster,
        distributed.Client(cluster),
    ):
        yield


@pytest.fixture
def dask(workers: None) -> Iterator[None]:
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


def test_a_fit_is_the_local_one(workers: None) -> None:
    options = {"kernel": "rbf", "gamma": "median", "eigen_solver": "davidson", "n_jobs": 2}
    local, spread = KernelPCA(5, **options).fit(X), KernelPCA(5, **options)
    with joblib.parallel_config(backend="dask"):
        spread.fit(X)
    np.testing.assert_allclose(spread.eigenvalues_, local.eigenvalues_, rtol=1e-8)
    np.testing.assert_allclose(spread.eigenvectors_, local.eigenvectors_, 1e-8, 1e-8)
    np.testing.assert_allclose(spread.transform(X), local.transform(X), atol=1e-8)
    assert spread.residuals_.max() <= 1e-8


def test_workers_get_what_they_hold_once(dask: None) -> None:
    held = Counted()
    cluster = Cluster(held)
    assert cluster.size() == 2
    assert cluster.call(third, [(x,) for x in range(3)]) == [(True, 0), (True, 1), (True, 8)]
    sent = Counted.sent
    assert cluster.call(third, [(4,)]) == [(True, 64)]
    assert Counted.sent == sent > 0
