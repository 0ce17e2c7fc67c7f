"""How near a fit comes to what this machine can do: its work at the machine's best rates.

A fit is little else than kernel values and products with the kernel matrix. They are counted in
one fit from outside; the rates of matrix products and exponentials, measured in the same
process, then bound its time from below.
"""

import threading
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from time import perf_counter
from typing import Any
from unittest.mock import patch

import numpy as np
from threadpoolctl import threadpool_limits

from kpca.kernels import KERNELS, BoundKernel
from kpca.linalg.threads import run_threads, thread_count
from kpca.operators import FullGram, Gram, PackedGram, TiledGram
from kpca.types import Array, Floats, Matrix

TRANSCENDENTAL = [KERNELS[name] for name in ("rbf", "laplacian", "sigmoid")]
OPERATORS = (FullGram, PackedGram, TiledGram)
GEMM_EDGE, EXP_SIZE, SECONDS = 2048, 1 << 15, 0.25

Work = Counter[tuple[str, str]]  # (flops or exponentials, precision) → how many


def least_seconds(fit: Callable[[], Any]) -> float:
    """Return the least time of the kernel values and products of a fit on this machine."""
    return sum(amount / RATES[kind](precision) for (kind, precision), amount in work(fit).items())


def work(fit: Callable[[], Any]) -> Work:
    """Count floating-point operations and exponentials of one fit, by precision."""
    found, lock = Work(), threading.Lock()

    def block(kernel: BoundKernel, left: Matrix, columns: slice, out: Array) -> Array:
        with lock:
            found["flops", kernel.dtype.name] += 2 * out.size * left.shape[1]
            if kernel.kernel in TRANSCENDENTAL:
                found["exponentials", kernel.dtype.name] += out.size
        return plain(kernel, left, columns, out)

    def counted(matmul: Callable[..., Floats]) -> Callable[..., Floats]:
        def product(operator: Gram, V: Array) -> Floats:
            found["flops", operator.dtype.name] += 2 * operator.n**2 * V.shape[1]
            return matmul(operator, V)

        return product

    plain = BoundKernel.block
    with ExitStack() as stack:
        stack.enter_context(patch.object(BoundKernel, "block", block))
        for kind in OPERATORS:
            stack.enter_context(patch.object(kind, "matmul", counted(kind.matmul)))
        fit()
    return found


def gemm_rate(precision: str) -> float:
    """Floating-point operations a second of a square matrix product, the best of several."""
    A, B = np.random.default_rng(0).normal(size=(2, GEMM_EDGE, GEMM_EDGE)).astype(precision)
    C = np.empty_like(A)
    best, stop = np.inf, perf_counter() + SECONDS
    with threadpool_limits(thread_count()):
        while perf_counter() < stop:
            start = perf_counter()
            np.matmul(A, B, out=C)
            best = min(best, perf_counter() - start)
    return 2 * GEMM_EDGE**3 / best


def exp_rate(precision: str) -> float:
    """Exponentials a second of arrays that stay in cache, all threads together."""
    counts = np.zeros(thread_count())

    def exponentials(thread: int) -> None:
        x = np.linspace(-10, 0, EXP_SIZE, dtype=precision)
        y, stop = np.empty_like(x), perf_counter() + SECONDS
        while perf_counter() < stop:
            np.exp(x, out=y)
            counts[thread] += EXP_SIZE

    start = perf_counter()
    run_threads(exponentials, len(counts))
    return float(counts.sum() / (perf_counter() - start))


RATES = {"flops": gemm_rate, "exponentials": exp_rate}
