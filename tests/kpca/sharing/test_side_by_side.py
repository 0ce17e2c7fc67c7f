"""Fits side by side."""

import threading

import pytest

from kpca import KernelPCA
from kpca.sharing.side_by_side import FIT_BYTES, side_by_side


@pytest.mark.parametrize(
    ("n_jobs", "n_tasks", "fits", "expected"),
    [(4, 9, 9, 4), (4, 2, 9, 2), (4, 9, 3, 3), (2, 9, 0, 1)],
)
def test_fits_run_on_as_many_threads_as_tasks_and_memory_allow(
    n_jobs: int, n_tasks: int, fits: int, expected: int
) -> None:
    asked = KernelPCA(n_jobs=n_jobs, memory_budget=(fits + 0.5) * FIT_BYTES * 100**2)
    together = threading.Barrier(expected, timeout=20)

    def work(number: int, model: KernelPCA) -> tuple[int, int | None, float | str | None]:
        if number < expected:
            together.wait()
        return number, model.n_jobs, model.gamma

    found = side_by_side(asked, [{"gamma": float(i)} for i in range(n_tasks)], work, 100)

    assert found == [(i, n_jobs // expected, float(i)) for i in range(n_tasks)]


def test_an_error_in_a_fit_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        side_by_side(KernelPCA(n_jobs=2), [{}] * 3, lambda number, _: 1 // number, 10)
