"""Fits spread over the workers of a Dask cluster: two processes on loopback."""

import sys
from collections.abc import Iterator
from typing import Any

import joblib
import numpy as np
import pytest

from kpca import KernelPCA
from kpca.linalg.cluster import Cluster


class Counted:
    """Something to hold on the workers, which counts how often it is pickled."""

    sent = 0

    def __reduce__(self) -> tuple[Any, ...]:
        type(self).sent += 1
        return Counted, ()


def third(held: Any, x: int) -> tuple[bool, int]:
    return isinstance(held, Counted), x**3


X = np.random.default_rng(0).normal(size=(3000, 4)) * [2.0, 1.0, 1.0, 0.5]
WEIGHTS = np.random.default_rng(1).random(len(X))


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


@pytest.mark.parametrize(
    ("options", "weights", "tolerance"),
    [
        ({"eigen_solver": "davidson", "gamma": "median", "n_jobs": 2}, None, 1e-8),
        ({"eigen_solver": "nystrom", "n_landmarks": 60}, WEIGHTS, 1e-10),
    ],
)
def test_a_fit_is_the_local_one(
    workers: None, options: dict[str, Any], weights: np.ndarray | None, tolerance: float
) -> None:
    local, spread = (KernelPCA(5, kernel="rbf", **options) for _ in range(2))
    local.fit(X, sample_weight=weights)
    with joblib.parallel_config(backend="dask"):
        spread.fit(X, sample_weight=weights)
    np.testing.assert_allclose(spread.eigenvalues_, local.eigenvalues_, rtol=tolerance)
    np.testing.assert_allclose(spread.eigenvectors_, local.eigenvectors_, tolerance, tolerance)
    np.testing.assert_allclose(spread.transform(X), local.transform(X), atol=1e-8)
    assert spread.residuals_.max() <= 1e-8 or np.isnan(spread.residuals_).all()


def test_workers_get_what_they_hold_once(dask: None) -> None:
    held = Counted()
    cluster = Cluster(held)
    assert cluster.size() == 2
    assert cluster.call(third, [(x,) for x in range(3)]) == [(True, 0), (True, 1), (True, 8)]
    sent = Counted.sent
    assert cluster.call(third, [(4,)]) == [(True, 64)]
    assert Counted.sent == sent > 0
