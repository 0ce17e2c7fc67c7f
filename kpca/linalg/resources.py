"""Threads and memory of a fit, and passes over rows.

The threads of this package go over blocks of rows, and the linear algebra library (BLAS) is limited
to one thread in each of them. Unlike the threads of the BLAS, these threads scale, and do not stall
if other jobs share the cores.

The number of threads is the limit of the BLAS, which follows ``OMP_NUM_THREADS``,
``OPENBLAS_NUM_THREADS`` and `threadpoolctl.threadpool_limits`. It never exceeds the number of
processors that the process may use by its affinity and the quota of its container.

A fit runs on these threads. If its rows are on a Dask cluster, passes over them run on the workers.
"""

import os
import resource
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, reduce
from importlib import import_module
from operator import add
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

import joblib  # Scikit-learn requires joblib.

from kpca.types import Array, Matrix

T = TypeVar("T")
BLOCK_ROWS = 1024  # rows per block of a tall array
_GROUPS = Path("/sys/fs/cgroup")


class _Pin:
    """The process-wide limit of the BLAS to one thread.

    The first holder of the pin saves the former limits, and the last holder restores them.
    """

    def __init__(self) -> None:
        self.limits: list[int] = []  # number of threads of each library before the pin
        self.limiter = ExitStack()
        self.forget()

    def forget(self) -> None:
        """Reset the pin in a forked process, which has none of the threads that held it."""
        self.limiter.close()
        self.lock = threading.Lock()
        self.holders = 0


_pin = _Pin()
os.register_at_fork(after_in_child=_pin.forget)


@cache
def _controller() -> Any:
    """Return the loaded BLAS libraries; cached, because finding them takes milliseconds."""
    from threadpoolctl import ThreadpoolController

    # SciPy brings its own BLAS, which must be loaded to be controlled.
    import_module("scipy.linalg")
    return ThreadpoolController().select(user_api="blas")


def _limits() -> list[int]:
    return [library.num_threads for library in _controller().lib_controllers]


# Number of processors that the process may use; counted once, not in every fit.
_available = cache(joblib.cpu_count)


def thread_count(n_jobs: int | None = None) -> int:
    """Return the number of threads a fit may use.

    Parameters
    ----------
    n_jobs : int, optional
        Number of threads. −1 means every processor that the process may use, and −2 all but one.
        None means the thread limit of the linear algebra library. Concurrent fits, which lower this
        limit to one, do not change the number.

    Raises
    ------
    ValueError
        If `n_jobs` is 0.
    """
    if n_jobs == 0:
        raise ValueError("n_jobs must not be 0: give a number of threads, -1 for all, or None.")
    if n_jobs is None:
        with _pin.lock:
            limits = _pin.limits if _pin.holders else _limits()
        return min(max(limits, default=1), _available())
    return n_jobs if n_jobs > 0 else max(1, _available() + 1 + n_jobs)


@cache
def default_budget() -> float:
    """Return half of the bytes of memory that this process may use; computed once per process.

    The process may use the smallest of the memory of the machine, the limits of its control groups
    (those of a container, or of a job on a cluster), Slurm's allotment and its address space limit.
    """
    physical = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    limits = [physical, *_group_limits(), *_slurm_limits()]
    addresses = resource.getrlimit(resource.RLIMIT_AS)[0]
    if addresses != resource.RLIM_INFINITY:
        limits.append(addresses)
    return min(limits) / 2


def _group_limits(groups: Path = _GROUPS, own: Path = Path("/proc/self/cgroup")) -> Iterator[float]:
    """Yield the memory limits of the control group of this process and of its parent groups."""
    for line in own.read_text(encoding="utf-8").split() if own.exists() else []:
        _, controllers, path = line.split(":", 2)
        if controllers not in ("", "memory"):
            continue
        name = "memory.limit_in_bytes" if controllers else "memory.max"
        group = PurePosixPath(path)
        for folder in (group, *group.parents):
            file = groups / controllers / str(folder).lstrip("/") / name
            limit = file.read_text().strip() if file.exists() else "max"
            if limit.isdigit():
                yield float(limit)


def _slurm_limits() -> Iterator[float]:
    """Yield the bytes that Slurm allots on this node; a variable of 0 means no limit."""
    cores = os.environ.get("SLURM_CPUS_ON_NODE", "1")
    for name, times in (("SLURM_MEM_PER_NODE", "1"), ("SLURM_MEM_PER_CPU", cores)):
        megabytes = os.environ.get(name, "")
        if megabytes.isdigit() and int(megabytes) and times.isdigit():
            yield float(megabytes) * int(times) * 2**20


@contextmanager
def pinned_blas() -> Iterator[None]:
    """Limit the BLAS to one thread until every block that uses this context has ended."""
    with _pin.lock:
        if _pin.holders == 0:
            _pin.limits = _limits()
            if any(limit != 1 for limit in _pin.limits):
                _pin.limiter.enter_context(_controller().limit(limits=1))
        _pin.holders += 1
    try:
        yield
    finally:
        with _pin.lock:
            _pin.holders -= 1
            if _pin.holders == 0:
                _pin.limiter.close()


def run_threads(work: Callable[[int], T], n_threads: int) -> list[T]:
    """Return ``work(0) … work(n_threads − 1)``, each from its own thread, with the BLAS pinned.

    All calls end before an exception of one of them, or an interrupt, is raised.
    """
    with pinned_blas():
        if n_threads == 1:
            return [work(0)]
        with ThreadPoolExecutor(n_threads - 1) as pool:
            others = [pool.submit(work, thread) for thread in range(1, n_threads)]
            first = work(0)
        return [first, *(other.result() for other in others)]


def blocks(n: int, edge: int) -> list[slice]:
    """Return slices of `edge` rows that cover n rows; the last one may be shorter."""
    return [slice(start, min(n, start + edge)) for start in range(0, n, edge)]


def for_blocks(
    n: int, work: Callable[[slice], None], n_threads: int, rows: int = BLOCK_ROWS
) -> None:
    """Call `work` with slices of `rows` rows that cover n rows, dealt out to threads in turn."""
    parts = blocks(n, rows)
    n_threads = max(1, min(n_threads, len(parts)))

    def run(thread: int) -> None:
        for part in parts[thread::n_threads]:
            work(part)

    run_threads(run, n_threads)


def dask_client() -> Any:
    """Return the Dask client of this process, or None.

    The result is None inside a task of the cluster, because the task would wait for other tasks.
    """
    distributed = sys.modules.get("distributed")
    if distributed is None:
        return None
    try:
        distributed.get_worker()
    except ValueError:
        with suppress(ValueError):
            return distributed.get_client()
    return None


class Rows:
    """Points that are read in passes."""

    n: int | None  # number of points, once it is known
    on_workers = False  # True if the points stay on the workers of a cluster

    def chunks(self) -> Iterator[tuple[int, Matrix]]:
        """Yield pairs: the number of points before an array, and the array of points."""
        raise NotImplementedError

    def reduce(self, of: Callable[[Matrix, int], T], join: Callable[[T, T], T]) -> T:
        """Return the results ``of(chunk, start)`` for all chunks, combined in pairs by `join`."""
        return in_pairs((of(chunk, start) for start, chunk in self.chunks()), join)


class ArrayRows(Rows):
    """Points of one validated array or sparse matrix in memory."""

    def __init__(self, X: Matrix) -> None:
        self._X = X
        self.n = X.shape[0]

    def chunks(self) -> Iterator[tuple[int, Matrix]]:
        """Yield one pair: 0, because no points are before the array, and the array."""
        yield 0, self._X


def in_pairs(parts: Iterable[T], join: Callable[[T, T], T]) -> T:
    """Join the `parts` in pairs, then the results in pairs, until one result is left.

    The order of joins depends only on the number of parts. The number of results in memory is at
    most the logarithm of the number of parts.
    """
    waiting: list[tuple[int, T]] = []
    for part in parts:
        level = 0
        while waiting and waiting[-1][0] == level:
            part = join(waiting.pop()[1], part)
            level = level + 1
        waiting.append((level, part))
    joined = waiting.pop()[1]
    while waiting:
        joined = join(waiting.pop()[1], joined)
    return joined


def fill(rows: Rows, work: Callable[[Matrix, slice], Array], n_threads: int, out: Array) -> None:
    """Fill `out` in one pass over blocks: its rows `where` become ``work(points, where)``."""
    for start, chunk in rows.chunks():

        def fill_block(part: slice, start: int = start, chunk: Matrix = chunk) -> None:
            where = slice(start + part.start, start + part.stop)
            out[where] = work(chunk[part], where)

        for_blocks(chunk.shape[0], fill_block, n_threads)


def add_up(rows: Rows, work: Callable[[Matrix, slice], T], n_threads: int) -> T:
    """Return the sum of ``work(points, where)`` over blocks of the points in the rows `where`.

    `work` must be a pure function, so that blocks can go to any worker. Blocks go to threads in
    turn, and sums are taken in a fixed order. Therefore a pass repeats bit by bit for a given
    number of threads. On a Dask cluster, blocks stay on their workers, and each block takes one
    thread.
    """
    threads = 1 if rows.on_workers else n_threads

    def of(chunk: Matrix, start: int) -> T:
        parts = blocks(chunk.shape[0], BLOCK_ROWS)
        n_sums = min(threads, len(parts))

        def add_blocks(thread: int) -> T:
            dealt = parts[thread::n_sums]
            terms = (work(chunk[p], slice(start + p.start, start + p.stop)) for p in dealt)
            return reduce(add, terms)

        return reduce(add, run_threads(add_blocks, n_sums))

    return rows.reduce(of, add)
