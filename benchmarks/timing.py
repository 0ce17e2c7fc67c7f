"""Measure time and memory.

Runs of contenders are interleaved, so that a disturbance of the machine affects all of them alike.
Memory is measured in a new process, in addition to the memory in use before the run. Processes are
forked from a server that has only imported modules. Therefore they start in milliseconds, and
contain nothing of an earlier fit.
"""

import gc
import multiprocessing
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from time import perf_counter, process_time, sleep
from typing import Any, NamedTuple, TypeVar

REST = 0.1  # seconds after which idle threads of a linear algebra library no longer spin
PRELOADED = ["benchmarks.contenders", "benchmarks.data", "scipy.linalg", "scipy.sparse.linalg"]
Result = TypeVar("Result")
PROCESS = Path("/proc/self")


class Run(NamedTuple):
    """Wall-clock and processor seconds of one run; the latter show whether it was disturbed."""

    wall: float
    processor: float


def timed(work: Callable[[], Any]) -> Run:
    """Return the time of one call, after garbage collection and a pause for threads."""
    gc.collect()
    gc.freeze()  # Later collections skip the objects that remain, which are mostly modules.
    sleep(REST)
    start = perf_counter()
    processor = process_time()
    work()
    return Run(perf_counter() - start, process_time() - processor)


def interleaved(work: Mapping[str, Callable[[], Any]], n_runs: int) -> dict[str, list[Run]]:
    """Return the times of the contenders, which run in turn, `n_runs` times each."""
    runs: dict[str, list[Run]] = {name: [] for name in work}
    for _ in range(n_runs):
        for name, call in work.items():
            runs[name].append(timed(call))
    return runs


def in_fresh_process(work: Callable[..., Result], *arguments: Any) -> Result:
    """Return the result of a function of a module, called in a new process."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        return pool.submit(work, *arguments).result()


def resident(field: str) -> int:
    """Return the bytes of this process in memory now (``VmRSS``) or at the peak (``VmHWM``)."""
    for line in (PROCESS / "status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) * 1024
    raise ValueError(f"/proc/self/status has no field {field}: peak memory needs Linux.")


def peak_above(work: Callable[[], Any]) -> int:
    """Return the bytes that a call needs in this process in addition to those in use before it."""
    (PROCESS / "clear_refs").write_text("5")  # resets the peak
    before = resident("VmRSS")
    work()
    return resident("VmHWM") - before
