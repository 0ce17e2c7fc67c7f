"""Memory: what a fit will use, estimated before anything is allocated."""

import os
from functools import cache
from pathlib import Path

from kpca.eigensolvers.block_lanczos import WHOLE
from kpca.eigensolvers.davidson import landmarks
from kpca.eigensolvers.primal import feature_count
from kpca.linalg.row_blocks import ROWS
from kpca.operators.sources import KernelSource, Source

_GROUP_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


@cache
def default_budget() -> float:
    """Half of the memory that this process may use, in bytes; asked once, not by every fit."""
    physical = float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    limits = [Path(p).read_text().strip() for p in _GROUP_LIMITS if Path(p).exists()]
    return min([physical, *(float(limit) for limit in limits if limit.isdigit())]) / 2


def required(solver: str, source: Source, k: int) -> float:
    """Estimate the bytes a solver needs beyond the training points.

    Parameters
    ----------
    solver : str
    source : Source
    k : int
        Number of components.
    """
    n = float(source.n)
    # Columns of length n that the search holds at once.
    search = {"dense": k, "primal": 2 * k, "davidson": 10 * k + 40, "arpack": 4 * k + 40}
    blocks = 8 * n * search.get(solver, max(120, 3 * k + 36) + 6 * k + 60)
    if solver == "dense":
        return 8 * n * n * (4 if k > n // 2 else 2.2) + blocks
    if solver == "primal":
        return 8 * n * 3 * float(feature_count(source) or 0) + blocks
    # Features of both sides, in both precisions.
    features = 24 * n * (source.X.shape[1] + 2) if isinstance(source, KernelSource) else 0.0
    if solver == "davidson":
        return 40.0 * landmarks(source.n, k) ** 2 + features + blocks
    if solver == "krylov" and features and n > WHOLE:
        return 2 * n * n + features + blocks
    return 8 * n * n + blocks


def check_landmarks(
    n: int, width: int, m: int, k: int, sample: int, n_threads: int, budget: float
) -> None:
    """Refuse a fit by landmarks that cannot be held in the budget.

    Parameters
    ----------
    n, width : int
        Training points and their columns.
    m, k : int
        Landmarks and components.
    sample : int
        Points from which landmarks are chosen.
    n_threads : int
    budget : float

    Raises
    ------
    MemoryError
        Naming the bytes needed, the bytes allowed, and what to change.
    """
    blocks = n_threads * ROWS * (3.0 * m + 4 * width)
    needed = 8 * (float(n) * k + sample * (width + m) + (5 + n_threads) * m * m + blocks)
    if needed > budget:
        raise MemoryError(
            f"{k} eigenvectors of n = {n} points by {m} landmarks need about {needed:.3g} bytes, "
            f"and memory_budget allows {budget:.3g}: raise memory_budget, or ask for fewer "
            "components or landmarks."
        )
