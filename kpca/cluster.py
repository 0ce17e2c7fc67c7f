"""One fit on the processes of a joblib backend, such as the workers of a Dask cluster.

Inside ``joblib.parallel_config(backend="dask")`` the passes over the points go to the workers.
Where no backend was asked for, or one of threads, nothing here takes part: a fit then runs on
own threads (`kpca.threads`).
"""

import sys
from collections.abc import Callable, Iterable
from typing import Any


class Cluster:
    """The processes that the active joblib configuration names, with an object they all hold.

    Parameters
    ----------
    held : object
        What every call needs, such as the training points. A Dask cluster gets it once, other
        backends with every call.
    """

    def __init__(self, held: Any = None) -> None:
        self._held = held
        self._backend: Any = None
        self._own: Any = None

    def size(self) -> int:
        """Give the number of calls that run at a time; 1 where none is to leave this process."""
        joblib = sys.modules.get("joblib")
        if joblib is None:  # then nobody can have asked for a backend
            return 1
        backend, n_jobs = joblib.parallel.get_active_backend(prefer="threads")
        if getattr(backend, "uses_threads", False):
            return 1
        if backend is not self._backend:
            self._backend, self._own = backend, self._holding(backend)
        return int(backend.effective_n_jobs(n_jobs))

    def call(self, function: Callable[..., Any], arguments: Iterable[tuple[Any, ...]]) -> list[Any]:
        """Give ``function(held, *a)`` for each tuple of arguments, in their order.

        To be asked only where `size` is above 1, with a function that has no side effects.
        """
        from joblib import Parallel, delayed

        parallel = Parallel(n_jobs=self.size(), backend=self._own, batch_size=1, pre_dispatch="all")
        return list(parallel(delayed(function)(self._held, *a) for a in arguments))

    def _holding(self, backend: Any) -> Any:
        """Give the backend with the object on its workers, where it can be kept there."""
        if self._held is None or not hasattr(backend, "client"):
            return backend
        return type(backend)(client=backend.client, scatter=[self._held])
