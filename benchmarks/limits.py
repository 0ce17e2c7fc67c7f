"""What this machine can do at best: rates of matrix products and of exponentials.

A pass over the kernel matrix is little else, so these rates bound the time of a fit from below.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

import numpy as np
from threadpoolctl import threadpool_limits

from kpca.threads import run_threads

PRECISIONS = ("float32", "float64")
GEMM_EDGE, EXP_SIZE, SECONDS = 2048, 1 << 15, 0.25


@dataclass(frozen=True)
class Limits:
    """Rates by precision: floating-point operations and exponentials a second."""

    flops: dict[str, float]
    exponentials: dict[str, float]

    def seconds(self, precision: str, flops: float, exponentials: float = 0.0) -> float:
        """Give the least time in which so many operations can be done."""
        return flops / self.flops[precision] + exponentials / self.exponentials[precision]


def measure(n_threads: int) -> Limits:
    """Measure both rates in both precisions on so many threads."""
    with threadpool_limits(n_threads):
        flops = {precision: gemm_rate(precision) for precision in PRECISIONS}
        exponentials = {precision: exp_rate(precision, n_threads) for precision in PRECISIONS}
    return Limits(flops, exponentials)


def gemm_rate(precision: str) -> float:
    """Floating-point operations a second of a square matrix product, the best of several."""
    A, B = np.random.default_rng(0).normal(size=(2, GEMM_EDGE, GEMM_EDGE)).astype(precision)
    C = np.empty_like(A)
    best, stop = np.inf, perf_counter() + SECONDS
    while perf_counter() < stop:
        start = perf_counter()
        np.matmul(A, B, out=C)
        best = min(best, perf_counter() - start)
    return 2 * GEMM_EDGE**3 / best


def exp_rate(precision: str, n_threads: int) -> float:
    """Exponentials a second of arrays that stay in cache, all threads together."""
    counts = np.zeros(n_threads)

    def work(thread: int) -> None:
        x = np.linspace(-10, 0, EXP_SIZE, dtype=precision)
        y, stop = np.empty_like(x), perf_counter() + SECONDS
        while perf_counter() < stop:
            np.exp(x, out=y)
            counts[thread] += EXP_SIZE

    start = perf_counter()
    run_threads(work, n_threads)
    return float(counts.sum() / (perf_counter() - start))
