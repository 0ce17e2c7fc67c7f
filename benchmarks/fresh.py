"""Work in a fresh process, and what memory it takes there above what was held before.

Processes are forked from a server that has only imported what they need: they start in
milliseconds, and nothing of an earlier fit is left in them.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

PRELOADED = ["benchmarks.contenders", "benchmarks.data", "scipy.linalg", "scipy.sparse.linalg"]
Result = TypeVar("Result")
PROCESS = Path("/proc/self")


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
