"""List or prune cached fits and scores: ``python -m kpca.study.cache list|prune [FOLDER]``.

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

from kpca.reading.files import remove_abandoned
from kpca.study.tasks import CACHE


def main(arguments: Sequence[str] | None = None) -> int:
    """List or prune the folder that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m kpca.study.cache", description=__doc__)
    parser.add_argument("action", choices=("list", "prune"))
    named = Path(os.environ.get(CACHE) or "results/entries")
    parser.add_argument("folder", nargs="?", type=Path, default=named)
    parser.add_argument("--days", type=float, default=30, help="since the last use; default: 30")
    given = parser.parse_args(arguments)
    files: dict[Path, os.stat_result] = {}
    for path in given.folder.glob("*.npz"):
        with suppress(FileNotFoundError):  # another process prunes it
            files[path] = path.stat()
    last = time.time() - 24 * 3600 * given.days
    old = {path: status for path, status in files.items() if status.st_mtime <= last}
    for what, some in (("in all", files), (f"not used for {given.days:g} days", old)):
        size = sum(status.st_size for status in some.values()) / 1e6
        print(f"{given.folder}: {len(some)} files {what}, {size:.1f} MB")
    if given.action == "prune":
        remove_abandoned(given.folder)
        for path in old:
            path.unlink(missing_ok=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
