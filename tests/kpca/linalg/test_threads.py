import os
import threading

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from kpca.linalg.row_blocks import blocks
from kpca.linalg.threads import pinned_blas, run_threads, snake, thread_count


def test_count_follows_the_limit_of_the_library() -> None:
    with threadpool_limits(1, "blas"):
        assert thread_count() == 1
    assert thread_count(3) == 3
    assert thread_count(-1) == len(os.sched_getaffinity(0))


def test_pinned_blas_is_restored() -> None:
    def limits() -> list[int]:
        return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]

    before = limits()
    with pinned_blas():
        assert set(limits()) == {1}
    assert limits() == before


def test_blocks_cover() -> None:
    assert blocks(10, 4) == [slice(0, 4), slice(4, 8), slice(8, 10)]


@pytest.mark.parametrize("n_threads", [1, 2, 3])
def test_snake_deals_out_every_item_evenly(n_threads: int) -> None:
    n = 24
    dealt = [list(snake(n, thread, n_threads)) for thread in range(n_threads)]
    assert sorted(item for items in dealt for item in items) == list(range(n))
    loads = [sum(n - i for i in items) for items in dealt]
    assert max(loads) - min(loads) <= n_threads


def test_threads_run_and_errors_come_back() -> None:
    seen = set()
    run_threads(seen.add, 4)
    assert seen == {0, 1, 2, 3}

    def fail(thread: int) -> None:
        if thread == 2:
            raise KeyError(threading.current_thread().name)

    with pytest.raises(KeyError):
        run_threads(fail, 3)
