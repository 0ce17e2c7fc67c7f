"""How much memory a fit may take unless it is told otherwise."""

import os
import resource
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath

_GROUPS = Path("/sys/fs/cgroup")


@cache
def default_budget() -> float:
    """Half of the memory that this process may use, in bytes; asked once, not by every fit.

    What it may use is the least of what the machine has, the limits of its control groups (those
    of a container, or of a job on a cluster), Slurm's allotment, and the limit on its addresses.
    """
    physical = float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    return min([physical, *_group_limits(), *_slurm_limits(), *_address_limits()]) / 2


def _group_limits(groups: Path = _GROUPS, own: Path = Path("/proc/self/cgroup")) -> Iterator[float]:
    """Yield the limits of the group of this process, and of the groups around it."""
    for line in own.read_text(encoding="utf-8").split() if own.exists() else []:
        _, controllers, path = line.split(":", 2)
        if controllers not in ("", "memory"):
            continue
        name = "memory.limit_in_bytes" if controllers else "memory.max"
        place = PurePosixPath(path)
        for folder in (place, *place.parents):
            file = groups / controllers / str(folder).lstrip("/") / name
            limit = file.read_text().strip() if file.exists() else "max"
            if limit.isdigit():
                yield float(limit)


def _slurm_limits() -> Iterator[float]:
    """Yield what a Slurm job was given on this node; 0 there means all of it."""
    given = os.environ
    cores = given.get("SLURM_CPUS_ON_NODE", "1")
    for name, times in (("SLURM_MEM_PER_NODE", "1"), ("SLURM_MEM_PER_CPU", cores)):
        if (megabytes := given.get(name, "")).isdigit() and int(megabytes) and times.isdigit():
            yield float(megabytes) * int(times) * 2**20


def _address_limits() -> Iterator[float]:
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit != resource.RLIM_INFINITY:
        yield float(limit)
