"""One fit on the workers of a Dask cluster.

Inside ``joblib.parallel_config(backend="dask")`` the passes over the points go to the workers.
Under any other configuration, and inside a task that runs on a worker already, nothing here takes
part: a fit then runs on own threads (`kpca.linalg.threads`).
"""

import sys
from collections.abc import Callable, Iterable
from typing import Any

from kpca.linalg.threads import pinned_blas


class Cluster:
    """The workers that the active joblib configuration names.

    They all hold one object that every call needs, such as the training points; it is sent once.
    """

    def __init__(self, held: Any = None) -> None:
        self._held = held
        self._client: Any = None
        self._there: Any = None

    def size(self) -> int:
        """Return the number of calls that run at a time; 1 where none is to leave this process."""
        return 1 if _client() is None else int(sys.modules["joblib"].effective_n_jobs(None))

    def call(self, function: Callable[..., Any], arguments: Iterable[tuple[Any, ...]]) -> list[Any]:
        """Return ``function(held, *a)`` for each tuple of arguments, in their order.

        To be asked only where `size` is above 1, with a function that has no side effects.
        """
        client = _client()
        if client is not self._client:
            self._there = client.scatter([self._held], broadcast=True, hash=False)[0]
            self._client = client
        # Held here until all is done: equal arguments of two calls are not the same.
        sent = [client.scatter(list(a), hash=False) for a in arguments]
        tasks = [client.submit(_pinned, function, self._there, *a, pure=False) for a in sent]
        return list(client.gather(tasks))


def _pinned(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function in a process of its own, the linear algebra library held to one thread."""
    with pinned_blas():
        return function(*arguments)


def _client() -> Any:
    """Return the Dask client of the active joblib configuration, or None.

    There is none inside a task of the cluster, which would wait for others of its kind.
    """
    joblib = sys.modules.get("joblib")
    if joblib is None:  # then nobody can have asked for a backend
        return None
    client = getattr(joblib.parallel.get_active_backend()[0], "client", None)
    if client is None:
        return None
    from distributed import get_worker

    try:
        get_worker()
    except ValueError:
        return client
    return None
