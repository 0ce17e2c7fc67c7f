"""List or prune cached fits and scores: ``python -m pipeline.cache list|prune [FOLDER]``.

FOLDER is by default what the environment variable KPCA_CACHE names, or ``results/entries``. What is
pruned is computed again when a run needs it.
"""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from pipeline.files import remove_abandoned
from pipeline.tasks import CACHE


def unused(folder: Path, days: float) -> dict[Path, int]:
    """Return the files that nobody used for some days, with their bytes."""
    found = {}
    for path in folder.glob("*.npz"):
        with suppress(FileNotFoundError):  # another process prunes, too
            status = path.stat()
            if time.time() - status.st_mtime >= 24 * 3600 * days:
                found[path] = status.st_size
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """List or prune the folder that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.cache", description=__doc__)
    parser.add_argument("action", choices=("list", "prune"))
    named = os.environ.get(CACHE) or "results/entries"
    parser.add_argument("folder", nargs="?", type=Path, default=named)
    keep = "prune keeps what was used since; default: %(default)g"
    parser.add_argument("--days", type=float, default=30, help=keep)
    given = parser.parse_args(arguments)
    listing = given.action == "list"
    for days in (0, 1, 7, 30, 90) if listing else (given.days,):
        files = unused(given.folder, days)
        size = f"{len(files)} files, {sum(files.values()) / 1e6:.1f} MB"
        print(f"{size} not used for {days:g} days {'' if listing else 'are removed'}".rstrip())
    if not listing:
        remove_abandoned(given.folder)
        for path in files:
            path.unlink(missing_ok=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
