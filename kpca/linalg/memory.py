"""How much memory a fit may take unless it is told otherwise."""

import os
from functools import cache
from pathlib import Path

_GROUP_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


@cache
def default_budget() -> float:
    """Half of the memory that this process may use, in bytes; asked once, not by every fit."""
    physical = float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    limits = [Path(p).read_text().strip() for p in _GROUP_LIMITS if Path(p).exists()]
    return min([physical, *(float(limit) for limit in limits if limit.isdigit())]) / 2
