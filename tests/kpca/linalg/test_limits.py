"""Threads and memory that a process may use."""

import os
import resource
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from kpca.linalg import resources
from kpca.linalg.resources import _available, pinned_blas, run_threads, thread_count


def test_count_follows_the_limits_of_library_and_process(monkeypatch):
    with threadpool_limits(1, "blas"):
        assert thread_count() == 1
    assert thread_count(3) == 3
    assert thread_count(-1) == len(os.sched_getaffinity(0))
    monkeypatch.setattr("kpca.linalg.resources._available", _available.__wrapped__)
    monkeypatch.setenv("LOKY_MAX_CPU_COUNT", "1")
    assert thread_count(-1) == thread_count(-5) == 1
    with threadpool_limits(2, "blas"):
        assert thread_count() == 1
    with pytest.raises(ValueError, match="n_jobs must not be 0"):
        thread_count(0)


def limits():
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


def test_the_last_of_several_pins_restores_the_library():
    with threadpool_limits(2, "blas"):
        before = limits()
        first = pinned_blas()
        second = pinned_blas()
        first.__enter__()
        second.__enter__()
        first.__exit__(None, None, None)
        assert set(limits()) == {1}
        # A fit that starts now has the threads that it would have alone.
        assert thread_count() == min(2, thread_count(-1))
        second.__exit__(None, None, None)
        assert limits() == before


def limits_of_a_fork():
    thread_count()  # This call loads the library of SciPy.
    with threadpool_limits(2, "blas"):
        before = limits()
        with pinned_blas(), get_context("fork").Pool(1) as pool:
            return before, pool.apply(limits)


def test_a_process_forked_while_the_library_is_pinned_is_not():
    """In a fresh process: threads of Dask that are left in this one do not survive a fork."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as fresh:
        before, forked = fresh.submit(limits_of_a_fork).result()
    assert forked == before


def test_threads_are_pinned_and_their_errors_come_back():
    pinned = []
    with threadpool_limits(2, "blas"):
        run_threads(lambda _: pinned.extend(limits()), 1)
    assert set(pinned) == {1}

    def fail(thread):
        if thread == 2:
            raise KeyError(threading.current_thread().name)

    with pytest.raises(KeyError):
        run_threads(fail, 3)


@pytest.fixture(autouse=True)
def forgotten_budget():
    resources.default_budget.cache_clear()
    yield
    resources.default_budget.cache_clear()


def test_the_limits_of_the_groups_around_a_job_count(tmp_path):
    group_file = tmp_path / "cgroup"
    group_file.write_text("0::/slurm/job7/step0\n")
    for group, limit in {"slurm/job7": "3000", "slurm/job7/step0": "max", "slurm": "5000"}.items():
        (tmp_path / group).mkdir(parents=True, exist_ok=True)
        (tmp_path / group / "memory.max").write_text(f"{limit}\n")

    assert sorted(resources._group_limits(tmp_path, group_file)) == [3000, 5000]

    group_file.write_text("5:memory:/docker\n4:cpu:/docker\n")
    (tmp_path / "memory/docker").mkdir(parents=True)
    (tmp_path / "memory/docker/memory.limit_in_bytes").write_text("7000\n")
    assert list(resources._group_limits(tmp_path, group_file)) == [7000]
    assert list(resources._group_limits(tmp_path, tmp_path / "none")) == []


@pytest.mark.parametrize(
    "variables",
    [{"SLURM_MEM_PER_NODE": "100"}, {"SLURM_MEM_PER_CPU": "50", "SLURM_CPUS_ON_NODE": "2"}],
)
def test_a_job_has_what_slurm_gave(monkeypatch, variables):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert resources.default_budget() == 100 * 2**20 / 2
    resources.default_budget.cache_clear()
    monkeypatch.setattr(resource, "getrlimit", lambda _: (10**6, 10**6))  # limit of addresses
    assert resources.default_budget() == 10**6 / 2
