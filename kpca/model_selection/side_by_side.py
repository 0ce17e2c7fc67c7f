"""Independent fits, side by side on the threads there are."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from sklearn.base import clone

from kpca.kernel_pca import KernelPCA
from kpca.linalg.memory import default_budget
from kpca.linalg.threads import going_on, run_threads, thread_count

FIT_BYTES = 24  # times n²: what a fit may take, LAPACK's workspace included

Result = TypeVar("Result")


class Results(list[Result]):
    """A list of results, printed one a line."""

    def __repr__(self) -> str:
        """Give a line a result, whatever its own says."""
        return "[" + ",\n ".join(" ".join(repr(result).split()) for result in self) + "]"


def side_by_side(
    estimator: KernelPCA,
    parameters: Sequence[dict[str, Any]],
    work: Callable[[int, KernelPCA], Result],
    n: int,
) -> list[Result]:
    """Do one task for each set of parameters; a thread that is done takes the next.

    A fit of a few thousand points gains less from a second thread than a second fit does. No
    result depends on which fits ran beside it. `work` is given the number of the task and the
    estimator with its parameters and its share of the threads; `n` are the points of the largest
    fit, which say how many the memory budget has room for.
    """
    threads = thread_count(estimator.n_jobs)
    room = int((estimator.memory_budget or default_budget()) // (FIT_BYTES * n**2 or 1))
    count = max(1, min(threads, len(parameters), room))
    found: dict[int, Result] = {}
    waiting = iter(range(len(parameters)))  # shared: no two threads are given the same number

    def run(_: int) -> None:
        for number in going_on(waiting):
            own = clone(estimator).set_params(**parameters[number], n_jobs=threads // count)
            found[number] = work(number, own)

    run_threads(run, count)
    return [found[number] for number in range(len(parameters))]
