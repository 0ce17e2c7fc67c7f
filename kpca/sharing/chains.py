"""Chains of fits, each of which starts from those before it, and chains side by side."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from kpca.kernel_pca import KernelPCA
from kpca.memory import default_budget
from kpca.sharing.fit import MakeSource, fit_on
from kpca.threads import run_threads, thread_count
from kpca.types import Array, Floats, Matrix

NEIGHBOURS = 3  # whose eigenvectors span the start of the next fit
FIT_BYTES = 24  # times n²: what a fit and its share of the pairs may take, LAPACK's included

Task = TypeVar("Task")
Result = TypeVar("Result")


def chain(
    estimator: KernelPCA,
    X: Matrix,
    parameters: Sequence[Mapping[str, Any]],
    make_source: MakeSource | None = None,
    sample_weight: Array | None = None,
    starts: Sequence[Floats | None] = (),
) -> Iterator[KernelPCA]:
    """Fit one set of parameters after the other, each from the eigenvectors of those before.

    Parameters
    ----------
    starts : sequence of ndarray of shape (n, p) or None, optional
        Directions nearer than those, where there are such.
    """
    vectors: list[Array] = []
    for values, near in zip(parameters, starts or [None] * len(parameters), strict=True):
        start = np.hstack(vectors[-NEIGHBOURS:]) if near is None and vectors else near
        model = fit_on(
            estimator, X, make_source, values=values, sample_weight=sample_weight, start=start
        )
        vectors.append(model.eigenvectors_)
        yield model


def in_chains(
    work: Callable[[KernelPCA, Sequence[Task]], Iterable[Result]],
    tasks: Sequence[Task],
    estimator: KernelPCA,
    n: int,
) -> list[Result]:
    """Cut tasks that follow one another into a chain for each thread, as far as memory allows.

    A product with a few thousand points gains less from a second thread than a second fit does.

    Parameters
    ----------
    work : callable
        An estimator for one chain, with its share of the threads, and the tasks of that chain
        → their results, in order.
    tasks : sequence
    estimator : KernelPCA
        Gives the number of threads and the memory budget.
    n : int
        Number of points of the largest fit.
    """
    threads = thread_count(estimator.n_jobs)
    room = int((estimator.memory_budget or default_budget()) // (FIT_BYTES * n**2 or 1))
    count = max(1, min(threads, len(tasks), room))
    edges = np.linspace(0, len(tasks), count + 1).round().astype(int)
    found: list[list[Result]] = [[] for _ in range(count)]

    def run(thread: int) -> None:
        own = KernelPCA(**estimator.get_params(deep=False)).set_params(n_jobs=threads // count)
        found[thread] = list(work(own, tasks[edges[thread] : edges[thread + 1]]))

    run_threads(run, count)
    return [result for results in found for result in results]
