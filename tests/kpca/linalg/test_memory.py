"""What a process may use, by what its surroundings say."""

import os
import resource
from pathlib import Path

import pytest

from kpca.linalg import memory


@pytest.fixture(autouse=True)
def asked_anew() -> None:
    memory.default_budget.cache_clear()


def test_the_limits_of_the_groups_around_a_job_count(tmp_path: Path) -> None:
    own = tmp_path / "cgroup"
    own.write_text("0::/slurm/job7/step0\n")
    for group, limit in {"slurm/job7": "3000", "slurm/job7/step0": "max", "slurm": "5000"}.items():
        (tmp_path / group).mkdir(parents=True, exist_ok=True)
        (tmp_path / group / "memory.max").write_text(f"{limit}\n")

    assert sorted(memory._group_limits(tmp_path, own)) == [3000, 5000]

    own.write_text("5:memory:/docker\n4:cpu:/docker\n")
    (tmp_path / "memory/docker").mkdir(parents=True)
    (tmp_path / "memory/docker/memory.limit_in_bytes").write_text("7000\n")
    assert list(memory._group_limits(tmp_path, own)) == [7000]
    assert list(memory._group_limits(tmp_path, tmp_path / "none")) == []


@pytest.mark.parametrize(
    "given", [{"SLURM_MEM_PER_NODE": "100"}, {"SLURM_MEM_PER_CPU": "50", "SLURM_CPUS_ON_NODE": "2"}]
)
def test_a_job_has_what_slurm_gave(monkeypatch: pytest.MonkeyPatch, given: dict[str, str]) -> None:
    for name, value in given.items():
        monkeypatch.setenv(name, value)

    assert memory.default_budget() == 100 * 2**20 / 2


def test_a_limit_on_addresses_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (10**6, 10**6))

    assert memory.default_budget() == 10**6 / 2


def test_a_system_without_these_calls_has_a_budget_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sysconf")
    monkeypatch.setitem(__import__("sys").modules, "resource", None)

    assert 0 < memory.default_budget() <= memory._ASSUMED / 2
