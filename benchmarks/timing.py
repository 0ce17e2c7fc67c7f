"""Interleaved timing: what disturbs the machine disturbs every contender alike."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from statistics import median
from time import perf_counter
from typing import Any

MIN_RUNS, MAX_RUNS = 3, 51


def seconds(work: Callable[[], Any]) -> float:
    """Wall-clock seconds of one call, garbage collected beforehand."""
    gc.collect()
    start = perf_counter()
    work()
    return perf_counter() - start


def interleaved(work: Mapping[str, Callable[[], Any]], n_runs: int) -> dict[str, list[float]]:
    """Time the contenders in turn, `n_runs` times each."""
    times: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(n_runs):
        for name, call in work.items():
            times[name].append(seconds(call))
    return times


def runs_within(budget: float, first: Mapping[str, float]) -> int:
    """How many rounds fit into a budget of seconds, given a first time of each contender."""
    return int(min(MAX_RUNS, max(MIN_RUNS, budget / sum(first.values()))))


def medians(times: Mapping[str, list[float]]) -> dict[str, float]:
    """Give the median of each contender's times."""
    return {name: median(values) for name, values in times.items()}
