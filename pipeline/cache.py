"""List and prune cached fits and scores: ``python -m pipeline.cache list|prune [FOLDER]``.

FOLDER is by default what the environment variable `VARIABLE` names, or ``results/entries``. Files
are named by keys of all that determines them, so several runs, checkouts and users can share a
folder. What is pruned is computed again when a run needs it.
"""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from pipeline.files import remove_abandoned

VARIABLE = "KPCA_CACHE"
_DAY = 24 * 3600


def lend_folder(named: str) -> str:
    """Tell jobs the folder that is named here, or by `VARIABLE`; return it, or ""."""
    os.environ[VARIABLE] = named or os.environ.get(VARIABLE, "")
    return os.environ[VARIABLE]


def folder_or(default: Path | str) -> Path:
    """Return the folder of the cache: that of `VARIABLE`, or the default."""
    return Path(os.environ.get(VARIABLE) or default).expanduser()


def mark_used(path: Path) -> None:
    """Note in the time of a file that it was read; a file of somebody else keeps its time."""
    with suppress(OSError):
        os.utime(path)


def ages(folder: Path) -> dict[Path, tuple[float, int]]:
    """Return the cached files with the days since their last use and their bytes."""
    found, now = {}, time.time()
    for path in sorted(folder.glob("*.npz")):
        with suppress(FileNotFoundError):  # another process prunes, too
            status = path.stat()
            found[path] = (now - status.st_mtime) / _DAY, status.st_size
    return found


def listed(folder: Path) -> str:
    """Return how many files there are, and how large, by the days since their last use."""
    files = [*ages(folder).values()]
    lines = [f"{folder}: {len(files)} files, {sum(size for _, size in files) / 1e6:.1f} MB"]
    for days in (1, 7, 30, 90):
        sizes = [size for age, size in files if age >= days]
        lines.append(f"not used for {days} days: {len(sizes)} files, {sum(sizes) / 1e6:.1f} MB")
    return "\n".join(lines)


def prune(folder: Path, days: float) -> str:
    """Remove files that nobody used for some days, and what killed writers left."""
    remove_abandoned(folder)
    old = {path: size for path, (age, size) in ages(folder).items() if age >= days}
    for path in old:
        path.unlink(missing_ok=True)
    return f"{folder}: {len(old)} files removed, {sum(old.values()) / 1e6:.1f} MB"


def main(arguments: Sequence[str] | None = None) -> int:
    """List or prune the folder that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.cache", description=__doc__)
    parser.add_argument("action", choices=("list", "prune"))
    parser.add_argument("folder", nargs="?", type=Path, default=folder_or("results/entries"))
    keep = "prune keeps what was used since; default: %(default)g"
    parser.add_argument("--days", type=float, default=30, help=keep)
    given = parser.parse_args(arguments)
    if not given.folder.is_dir():
        parser.exit(2, f"there is no folder {given.folder}; name that of the cache\n")
    print(listed(given.folder) if given.action == "list" else prune(given.folder, given.days))
    return 0


if __name__ == "__main__":
    sys.exit(main())
