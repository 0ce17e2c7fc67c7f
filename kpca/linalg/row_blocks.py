"""Work on tall arrays by blocks of rows, on own threads.

With the linear algebra library pinned to one thread these scale, and they do not stall where
other jobs share the cores, as the library's own threads do.
"""

from collections.abc import Callable

from kpca.linalg.threads import going_on, run_threads

ROWS = 1024


def blocks(n: int, edge: int) -> list[slice]:
    """Slices of `edge` rows that cover n; the last may be shorter."""
    return [slice(start, min(n, start + edge)) for start in range(0, n, edge)]


def for_blocks(
    n: int, work: Callable[[slice, int], None], n_threads: int, rows: int = ROWS
) -> None:
    """Call ``work(rows, thread)`` for blocks of rows, dealt out to the threads in turn."""
    parts = blocks(n, rows)
    n_threads = max(1, min(n_threads, len(parts)))

    def run(thread: int) -> None:
        for part in going_on(parts[thread::n_threads]):
            work(part, thread)

    run_threads(run, n_threads)
