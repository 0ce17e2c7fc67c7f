"""Independent fits side by side."""

from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from sklearn.base import clone

from kpca.kernel_pca import KernelPCA
from kpca.memory import default_budget
from kpca.threads import run_threads, thread_count

FIT_BYTES = 24  # times n²: what a fit may take, LAPACK's workspace included

Result = TypeVar("Result")


def side_by_side(
    estimator: KernelPCA,
    parameters: Sequence[dict[str, Any]],
    work: Callable[[int, KernelPCA], Result],
    n: int,
) -> list[Result]:
    """Do one task for each set of parameters; a thread that is done takes the next.

    A fit of a few thousand points gains less from a second thread than a second fit does. No
    result depends on which fits ran beside it.

    Parameters
    ----------
    estimator : KernelPCA
        Gives all that the parameters do not, the number of threads and the memory budget.
    parameters : sequence of dict
    work : callable
        (number of the task, estimator with its parameters and its share of the threads) → result.
    n : int
        Number of points of the largest fit.

    Returns
    -------
    list
        In the order of the parameters.
    """
    threads = thread_count(estimator.n_jobs)
    room = int((estimator.memory_budget or default_budget()) // (FIT_BYTES * n**2 or 1))
    count = max(1, min(threads, len(parameters), room))
    found: dict[int, Result] = {}
    waiting: SimpleQueue[int] = SimpleQueue()
    for number in range(len(parameters)):
        waiting.put(number)

    def run(_: int) -> None:
        while True:
            try:
                number = waiting.get_nowait()
            except Empty:
                return
            own = clone(estimator).set_params(**parameters[number], n_jobs=threads // count)
            found[number] = work(number, own)

    run_threads(run, count)
    return [found[number] for number in range(len(parameters))]
