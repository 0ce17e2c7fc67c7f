"""Threads: own threads over blocks, with the linear algebra library pinned to one inside.

The number of threads is what the job was given: the present limit of the BLAS, which
follows ``OMP_NUM_THREADS``, ``OPENBLAS_NUM_THREADS`` and `threadpoolctl.threadpool_limits`,
and never more than the processors that the process may run on.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import Any


@cache
def _controller() -> Any:
    """Find the loaded BLAS libraries; cached, since that takes milliseconds."""
    import scipy.linalg  # noqa: F401  (brings its own BLAS, which must be loaded to be controlled)
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="blas")


def thread_count(n_jobs: int | None = None) -> int:
    """Give the number of threads a fit may use.

    Parameters
    ----------
    n_jobs : int, optional
        A positive number is taken as it is, −1 means every processor that the process may run
        on, and None the present limit of the linear algebra library.
    """
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    if n_jobs is None:
        limits = [library.num_threads for library in _controller().lib_controllers]
        return max(1, min(max(limits, default=1), available or 1))
    return n_jobs if n_jobs > 0 else max(1, (available or 1) + 1 + n_jobs)


@contextmanager
def pinned_blas() -> Iterator[None]:
    """Hold the BLAS to one thread; free of cost where it is so already."""
    controller = _controller()
    if all(library.num_threads == 1 for library in controller.lib_controllers):
        yield
        return
    with controller.limit(limits=1):
        yield


def snake(n_items: int, thread: int, n_threads: int) -> list[int]:
    """Items of one thread when items shrink: 0, 3, 4, 7, … and 1, 2, 5, 6, … for two threads.

    The schedule is fixed, so that sums are taken in the same order in every run.
    """
    turn = 2 * n_threads
    return [i for i in range(n_items) if min(i % turn, turn - 1 - i % turn) == thread]


def run_threads(work: Callable[[int], None], n_threads: int) -> None:
    """Call ``work(0) … work(n_threads − 1)``, each in its thread, with the BLAS pinned inside.

    An exception of any of them is raised again here.
    """
    if n_threads == 1:
        work(0)
        return
    with pinned_blas(), ThreadPoolExecutor(n_threads - 1) as pool:
        others = [pool.submit(work, thread) for thread in range(1, n_threads)]
        work(0)
    for other in others:
        other.result()
