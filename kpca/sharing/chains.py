"""Chains of fits that help one another, and chains side by side."""

import itertools
from collections.abc import Callable, Iterable, Sequence
from queue import Empty, SimpleQueue
from typing import TypeVar

import numpy as np

from kpca.kernel_pca import KernelPCA
from kpca.memory import default_budget
from kpca.threads import run_threads, thread_count

FIT_BYTES = 24  # times n²: what a fit and its share of the pairs may take, LAPACK's included

Task = TypeVar("Task")
Result = TypeVar("Result")


def chain_count(estimator: KernelPCA, n: int, n_tasks: int) -> int:
    """Give how many chains may run side by side: one a thread, as far as memory allows.

    Parameters
    ----------
    estimator : KernelPCA
        Gives the number of threads and the memory budget.
    n : int
        Number of points of the largest fit.
    n_tasks : int
    """
    room = int((estimator.memory_budget or default_budget()) // (FIT_BYTES * n**2 or 1))
    return max(1, min(thread_count(estimator.n_jobs), n_tasks, room))


def cut(tasks: Sequence[Task], count: int) -> list[Sequence[Task]]:
    """Cut tasks that follow one another into so many chains of about the same length."""
    ends = np.linspace(0, len(tasks), count + 1).round().astype(int)
    return [tasks[a:b] for a, b in itertools.pairwise(ends)]


def run_chains(
    work: Callable[[KernelPCA, Sequence[Task]], Iterable[Result]],
    chains: Sequence[Sequence[Task]],
    estimator: KernelPCA,
    n: int,
) -> list[Result]:
    """Work through chains side by side; a thread that is done takes the next.

    A product with a few thousand points gains less from a second thread than a second fit does.
    No result depends on which chains ran beside it.

    Parameters
    ----------
    work : callable
        An estimator with its share of the threads, and the tasks of a chain → their results, in
        order.
    chains : sequence of sequence
    estimator, n
        As for `chain_count`.
    """
    threads, count = thread_count(estimator.n_jobs), chain_count(estimator, n, len(chains))
    found: list[list[Result]] = [[] for _ in chains]
    waiting: SimpleQueue[int] = SimpleQueue()
    for number in range(len(chains)):
        waiting.put(number)

    def run(_: int) -> None:
        own = KernelPCA(**estimator.get_params(deep=False)).set_params(n_jobs=threads // count)
        while True:
            try:
                number = waiting.get_nowait()
            except Empty:
                return
            found[number] = list(work(own, chains[number]))

    run_threads(run, count)
    return [result for results in found for result in results]
