"""Peak memory of one step in a fresh process, above what the process held before it.

    python -m benchmarks.memory CASE CONTENDER

prints a number of bytes. It reads Linux's ``/proc``, which can reset the peak.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from threadpoolctl import threadpool_limits

from benchmarks.cases import Case, named
from benchmarks.contenders import step
from benchmarks.data import points

PROCESS = Path("/proc/self")


def resident(field: str) -> int:
    """Bytes in memory now (``VmRSS``) or at the peak (``VmHWM``)."""
    for line in (PROCESS / "status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) * 1024
    raise ValueError(f"/proc/self/status has no field {field}: peak memory needs Linux.")


def peak(case: Case, contender: str) -> int:
    """Bytes that the step needs above those held before it, in this process."""
    with threadpool_limits(case.threads):
        work = step(case, contender, points(case.data, case.n))
        (PROCESS / "clear_refs").write_text("5")  # the peak starts anew from here
        before = resident("VmRSS")
        work()
    return resident("VmHWM") - before


def peak_in_fresh_process(case: Case, contender: str) -> int:
    """Measure the same in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.memory", case.name, contender]
    return int(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


if __name__ == "__main__":
    print(peak(named(sys.argv[1]), sys.argv[2]))
