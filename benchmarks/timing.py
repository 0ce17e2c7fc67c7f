"""Time, interleaved so that what disturbs the machine disturbs every contender alike; memory.

Memory is that of a fresh process, above what was held before. Processes are forked from a server
that has only imported what they need: they start in milliseconds, and nothing of an earlier fit is
left in them.
"""

import gc
import multiprocessing
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from time import perf_counter, process_time, sleep
from typing import Any, NamedTuple, TypeVar

REST = 0.1  # seconds in which the threads of a linear algebra library, that wait awake, fall asleep
PRELOADED = ["benchmarks.contenders", "benchmarks.data", "scipy.linalg", "scipy.sparse.linalg"]
Result = TypeVar("Result")
PROCESS = Path("/proc/self")


class Run(NamedTuple):
    """Wall-clock and processor seconds of one run; the latter tell whether it was disturbed."""

    wall: float
    processor: float


def timed(work: Callable[[], Any]) -> Run:
    """Time one call, garbage collected and threads asleep beforehand."""
    gc.collect()
    gc.freeze()  # Objects that live on, modules above all, are not visited before every run.
    sleep(REST)
    start = perf_counter()
    processor = process_time()
    work()
    return Run(perf_counter() - start, process_time() - processor)


def interleaved(work: Mapping[str, Callable[[], Any]], n_runs: int) -> dict[str, list[Run]]:
    """Time the contenders in turn, `n_runs` times each."""
    runs: dict[str, list[Run]] = {name: [] for name in work}
    for _ in range(n_runs):
        for name, call in work.items():
            runs[name].append(timed(call))
    return runs


def in_fresh_process(work: Callable[..., Result], *arguments: Any) -> Result:
    """Call a function of a module in a process of its own, and give what it returns."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        return pool.submit(work, *arguments).result()


def resident(field: str) -> int:
    """Bytes in memory now (``VmRSS``) or at the peak (``VmHWM``)."""
    for line in (PROCESS / "status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) * 1024
    raise ValueError(f"/proc/self/status has no field {field}: peak memory needs Linux.")


def peak_above(work: Callable[[], Any]) -> int:
    """Bytes that a call needs above those held before it, in this process."""
    (PROCESS / "clear_refs").write_text("5")  # the peak starts anew from here
    before = resident("VmRSS")
    work()
    return resident("VmHWM") - before
