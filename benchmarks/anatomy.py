"""Where the time of a fit goes, and how far that is from what the machine can do.

Kernel blocks and products of one fit are counted and timed from outside; the rates of
`benchmarks.limits` then say how long the same work takes at the machine's best.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any
from unittest.mock import patch

from benchmarks.limits import Limits
from kpca.gram import Gram
from kpca.gram.full import FullGram
from kpca.gram.packed import PackedGram
from kpca.gram.tiled import TiledGram
from kpca.kernels import KERNELS, BoundKernel
from kpca.types import Array, Floats, Matrix

TRANSCENDENTAL = [KERNELS[name] for name in ("rbf", "laplacian", "sigmoid")]
OPERATORS = (FullGram, PackedGram, TiledGram)


@dataclass
class Work:
    """Seconds that work of one kind took, and how many operations it was."""

    seconds: float = 0.0
    flops: float = 0.0
    exponentials: float = 0.0

    def add(self, seconds: float, flops: float, exponentials: float = 0.0) -> None:
        """Count some more of it."""
        self.seconds += seconds
        self.flops += flops
        self.exponentials += exponentials


@dataclass
class Anatomy:
    """Work of one fit by kind and precision, and the seconds of the whole."""

    parts: dict[tuple[str, str], Work] = field(default_factory=lambda: defaultdict(Work))
    seconds: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def kernel_seconds(self) -> float:
        """Seconds spent on kernel values so far."""
        return sum(work.seconds for (kind, _), work in self.parts.items() if kind == "kernel")

    def rows(self, limits: Limits) -> list[dict[str, Any]]:
        """One row a part with its least time; the rest is the algebra of the solver."""
        rows: list[dict[str, Any]] = [
            {
                "part": kind,
                "precision": precision,
                "seconds": work.seconds,
                "limit": limits.seconds(precision, work.flops, work.exponentials),
            }
            for (kind, precision), work in sorted(self.parts.items())
        ]
        rest = max(0.0, self.seconds - sum(row["seconds"] for row in rows))
        return [*rows, {"part": "solver", "precision": "", "seconds": rest, "limit": 0.0}]


@contextmanager
def recorded() -> Iterator[Anatomy]:
    """Record the work done inside the block."""
    anatomy = Anatomy()
    with ExitStack() as stack:
        stack.enter_context(patch.object(BoundKernel, "block", timed_block(anatomy)))
        for kind in OPERATORS:
            stack.enter_context(patch.object(kind, "matmul", timed_product(kind.matmul, anatomy)))
        start = perf_counter()
        yield anatomy
        anatomy.seconds = perf_counter() - start


def timed_block(anatomy: Anatomy) -> Callable[..., Array]:
    """`BoundKernel.block` that counts itself; threads at work together share its seconds."""
    block = BoundKernel.block

    def timed(kernel: BoundKernel, left: Matrix, columns: slice, out: Array) -> Array:
        start = perf_counter()
        result = block(kernel, left, columns, out)
        seconds = (perf_counter() - start) / threading.active_count()
        flops = 2.0 * out.size * left.shape[1]
        exponentials = float(out.size) * (kernel.kernel in TRANSCENDENTAL)
        with anatomy.lock:
            anatomy.parts["kernel", kernel.dtype.name].add(seconds, flops, exponentials)
        return result

    return timed


def timed_product(matmul: Callable[..., Floats], anatomy: Anatomy) -> Callable[..., Floats]:
    """`Gram.matmul` that counts itself, without the kernel values computed on the way."""

    def timed(operator: Gram, V: Array) -> Floats:
        start, kernel_before = perf_counter(), anatomy.kernel_seconds()
        result = matmul(operator, V)
        seconds = perf_counter() - start - (anatomy.kernel_seconds() - kernel_before)
        flops = 2.0 * operator.n**2 * V.shape[1]
        anatomy.parts["products", operator.dtype.name].add(max(0.0, seconds), flops)
        return result

    return timed
