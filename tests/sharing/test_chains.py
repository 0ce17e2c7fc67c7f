"""Chains side by side."""

from collections.abc import Iterator, Sequence

import pytest

from kpca import KernelPCA
from kpca.sharing.chains import FIT_BYTES, chain_count, cut, run_chains


def test_tasks_are_cut_into_chains_of_about_one_length() -> None:
    parts = cut(range(11), 3)
    assert [task for part in parts for task in part] == list(range(11))
    assert {len(part) for part in parts} == {3, 4}


@pytest.mark.parametrize(
    ("n_jobs", "n_tasks", "fits", "expected"),
    [(4, 9, 9, 4), (4, 2, 9, 2), (4, 9, 3, 3), (2, 9, 0, 1)],
)
def test_chains_are_as_many_as_threads_tasks_and_memory_allow(
    n_jobs: int, n_tasks: int, fits: int, expected: int
) -> None:
    budget = (fits + 0.5) * FIT_BYTES * 100**2
    assert chain_count(KernelPCA(n_jobs=n_jobs, memory_budget=budget), 100, n_tasks) == expected


def test_results_stand_in_the_order_of_the_chains() -> None:
    def work(own: KernelPCA, tasks: Sequence[int]) -> Iterator[tuple[int, int | None]]:
        yield from ((task, own.n_jobs) for task in tasks)

    found = run_chains(work, [range(0, 3), range(3, 4), range(4, 7)], KernelPCA(n_jobs=6), 10)
    assert found == [(task, 2) for task in range(7)]


def test_an_error_in_a_chain_is_raised() -> None:
    def work(own: KernelPCA, tasks: Sequence[int]) -> Iterator[int]:
        yield from (1 // task for task in tasks)

    with pytest.raises(ZeroDivisionError):
        run_chains(work, [range(1, 3), range(0, 1)], KernelPCA(n_jobs=2), 10)
