"""Interleaved timing: what disturbs the machine disturbs every contender alike."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from statistics import median
from time import perf_counter, process_time, sleep
from typing import Any, NamedTuple

MIN_RUNS, MAX_RUNS = 3, 51
REST = 0.1  # seconds in which the threads of a linear algebra library, that wait awake, fall asleep


class Run(NamedTuple):
    """Wall-clock and processor seconds of one run; the latter tell whether it was disturbed."""

    wall: float
    processor: float


def timed(work: Callable[[], Any]) -> Run:
    """Time one call, garbage collected and threads asleep beforehand."""
    gc.collect()
    gc.freeze()  # what lives on, modules above all, is not gone through before every run
    sleep(REST)
    start, processor = perf_counter(), process_time()
    work()
    return Run(perf_counter() - start, process_time() - processor)


def interleaved(work: Mapping[str, Callable[[], Any]], n_runs: int) -> dict[str, list[Run]]:
    """Time the contenders in turn, `n_runs` times each."""
    runs: dict[str, list[Run]] = {name: [] for name in work}
    for _ in range(n_runs):
        for name, call in work.items():
            runs[name].append(timed(call))
    return runs


def runs_within(budget: float, first: Mapping[str, float]) -> int:
    """How many rounds fit into a budget of seconds, given a first time of each contender."""
    return int(min(MAX_RUNS, max(MIN_RUNS, budget / sum(first.values()))))


def medians(runs: Mapping[str, list[Run]]) -> dict[str, float]:
    """Give the median of each contender's wall-clock times."""
    return {name: median(run.wall for run in times) for name, times in runs.items()}
