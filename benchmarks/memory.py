"""Peak memory of one step in a fresh process, above what the process held before it."""

from __future__ import annotations

from threadpoolctl import threadpool_limits

from benchmarks.cases import Case
from benchmarks.contenders import step
from benchmarks.data import points
from benchmarks.fresh import in_fresh_process, peak_above


def peak(case: Case, contender: str) -> int:
    """Bytes that the step needs above those held before it, in this process."""
    with threadpool_limits(case.threads):
        return peak_above(step(case, contender, points(case.data, case.n)))


def peak_in_fresh_process(case: Case, contender: str) -> int:
    """Measure the same in a process of its own."""
    return in_fresh_process(peak, case, contender)
