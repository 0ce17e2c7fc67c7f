"""What a fit takes of the machine: threads and memory; and passes over rows.

Own threads go over blocks of rows, with the linear algebra library pinned to one inside. They scale
so, and do not stall where other jobs share the cores, as the library's own threads do.

The number of threads is what the job was given: the limit of the BLAS, which follows
``OMP_NUM_THREADS``, ``OPENBLAS_NUM_THREADS`` and `threadpoolctl.threadpool_limits`, and never
more than the processors that the process may use: its affinity, and the quota of its container.

A fit runs on own threads, but for passes over rows that are on the workers of a Dask cluster.
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
    """The process-wide limit of the BLAS: the first to pin saves it, the last restores it."""

    def __init__(self) -> None:
        self.limits: list[int] = []  # threads of each library before the pin
        self.limiter = ExitStack()
        self.forget()

    def forget(self) -> None:
        """Start anew in a forked process, which has none of the threads that held the pin."""
        self.limiter.close()
        self.lock = threading.Lock()
        self.holders = 0


_pin = _Pin()
os.register_at_fork(after_in_child=_pin.forget)


@cache
def _controller() -> Any:
    """Find the loaded BLAS libraries; cached, since that takes milliseconds."""
    from threadpoolctl import ThreadpoolController

    # SciPy brings its own BLAS, which must be loaded to be controlled.
    import_module("scipy.linalg")
    return ThreadpoolController().select(user_api="blas")


def _limits() -> list[int]:
    return [library.num_threads for library in _controller().lib_controllers]


_available = cache(joblib.cpu_count)  # processors of the process; asked once, not by every fit


def thread_count(n_jobs: int | None = None) -> int:
    """Return the number of threads a fit may use.

    Parameters
    ----------
    n_jobs : int, optional
        A positive number is taken as it is, −1 means every processor that the process may use,
        −2 all but one, and None the limit of the linear algebra library, as it is without the
        pin of concurrent fits.

    Raises
    ------
    ValueError
        For 0.
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
    """Half of the memory that this process may use, in bytes; asked once, not by every fit.

    What it may use is the least of what the machine has, the limits of its control groups (those
    of a container, or of a job on a cluster), Slurm's allotment, and the limit on its addresses.
    """
    physical = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    limits = [physical, *_group_limits(), *_slurm_limits()]
    addresses = resource.getrlimit(resource.RLIMIT_AS)[0]
    if addresses != resource.RLIM_INFINITY:
        limits.append(addresses)
    return min(limits) / 2


def _group_limits(groups: Path = _GROUPS, own: Path = Path("/proc/self/cgroup")) -> Iterator[float]:
    """Yield the limits of the group of this process, and of the groups around it."""
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
    """Yield what a Slurm job was given on this node; 0 there means all of it."""
    cores = os.environ.get("SLURM_CPUS_ON_NODE", "1")
    for name, times in (("SLURM_MEM_PER_NODE", "1"), ("SLURM_MEM_PER_CPU", cores)):
        megabytes = os.environ.get(name, "")
        if megabytes.isdigit() and int(megabytes) and times.isdigit():
            yield float(megabytes) * int(times) * 2**20


@contextmanager
def pinned_blas() -> Iterator[None]:
    """Hold the BLAS to one thread, for as long as anybody in this process asks for it."""
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
    """Return ``work(0) … work(n_threads − 1)``, each from its thread, with the BLAS pinned inside.

    All of them end before an exception of one of them, or an interrupt, is raised here.
    """
    with pinned_blas():
        if n_threads == 1:
            return [work(0)]
        with ThreadPoolExecutor(n_threads - 1) as pool:
            others = [pool.submit(work, thread) for thread in range(1, n_threads)]
            first = work(0)
        return [first, *(other.result() for other in others)]


def blocks(n: int, edge: int) -> list[slice]:
    """Slices of `edge` rows that cover n; the last may be shorter."""
    return [slice(start, min(n, start + edge)) for start in range(0, n, edge)]


def for_blocks(
    n: int, work: Callable[[slice], None], n_threads: int, rows: int = BLOCK_ROWS
) -> None:
    """Call ``work(rows)`` for blocks of rows, dealt out to the threads in turn."""
    parts = blocks(n, rows)
    n_threads = max(1, min(n_threads, len(parts)))

    def run(thread: int) -> None:
        for part in parts[thread::n_threads]:
            work(part)

    run_threads(run, n_threads)


def dask_client() -> Any:
    """Return the Dask client of this process, or None.

    There is none inside a task of the cluster, which would wait for others of its kind.
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
    """Points that are gone through in passes."""

    n: int | None  # number of points, once it is known
    on_workers = False  # True if the points stay on the workers of a cluster

    def chunks(self) -> Iterator[tuple[int, Matrix]]:
        """Yield arrays of them, each with the number of points before it."""
        raise NotImplementedError

    def reduce(self, of: Callable[[Matrix, int], T], join: Callable[[T, T], T]) -> T:
        """Return what `of` gives of each chunk and its start, joined two by two."""
        return in_pairs((of(chunk, start) for start, chunk in self.chunks()), join)


class ArrayRows(Rows):
    """Points of one array or sparse matrix in memory, which was checked already."""

    def __init__(self, X: Matrix) -> None:
        self._X = X
        self.n = X.shape[0]

    def chunks(self) -> Iterator[tuple[int, Matrix]]:
        """Yield where the array begins, and the array."""
        yield 0, self._X


def in_pairs(parts: Iterable[T], join: Callable[[T, T], T]) -> T:
    """Join parts two by two, and so on, in an order that depends on their number alone.

    No more than the logarithm of their number is held at a time.
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
    """Go through all points once, and fill `out`, of shape (n, k), with what `work` gives."""
    for start, chunk in rows.chunks():

        def fill_block(part: slice, start: int = start, chunk: Matrix = chunk) -> None:
            where = slice(start + part.start, start + part.stop)
            out[where] = work(chunk[part], where)

        for_blocks(chunk.shape[0], fill_block, n_threads)


def add_up(rows: Rows, work: Callable[[Matrix, slice], T], n_threads: int) -> T:
    """Go through all points once and add up what `work` gives for blocks of them.

    It is a pure function of points and their rows, so that blocks can go to any worker. Blocks go
    to threads in turn and sums are taken in a fixed order, so that a pass repeats bit by bit for a
    given number of threads. On a Dask cluster, blocks stay where they are and each takes one
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
