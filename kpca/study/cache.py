"""A cache of computed results: one file with checksums per result, named after its key.

``python -m kpca.study.cache FOLDER`` removes the results that no run has used for 30 days.
"""

import hashlib
import json
import logging
import os
import shutil
import sys
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from kpca.files import remove_abandoned, write_text
from kpca.study.store import INDEX, Arrays, DamagedError, read_arrays, write_arrays

LIBRARIES = ("kpca", "numpy", "scipy", "scikit-learn")
DAYS = 30


class Cache:
    """A folder of cached results, which several runs, checkouts and users can share.

    Parameters
    ----------
    folder : path
        The folder is created when the first result is written.
    code : iterable of paths, default=()
        Source files of the step. Their contents and the versions of `LIBRARIES` are part of every
        key.
    """

    def __init__(self, folder: Path | str, code: Iterable[Path | str] = ()) -> None:
        self.folder = Path(folder)
        contents = [hashlib.sha256(Path(path).read_bytes()).hexdigest() for path in code]
        self._basis = [contents, {name: version(name) for name in LIBRARIES}]

    def key(self, *parts: object) -> str:
        """Return the key of a result from ``parts``: data, settings and seeds as JSON values."""
        text = json.dumps([self._basis, parts], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def read(self, key: str) -> Arrays | None:
        """Return a result; None if there is none, or if its file is damaged."""
        path = self.folder / f"{key}.npz"
        try:
            arrays = read_arrays(path)
        except FileNotFoundError:
            return None
        except DamagedError as error:
            logging.warning("%s; computed again", error)
            return None
        with suppress(OSError):  # The time of another user's file cannot be set.
            os.utime(path)
        return arrays

    def write(self, key: str, arrays: Arrays) -> None:
        """Store a result. Two runs may write the same result at once."""
        write_arrays(self.folder / f"{key}.npz", sorted(arrays.items()))

    def link(self, keys: Mapping[str, str], folder: Path | str) -> None:
        """Link or, on another file system, copy the results ``keys`` (name → key) into a folder."""
        for key in set(keys.values()):
            target = Path(folder, f"{key}.npz")
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(self.folder / target.name, target)
            except OSError:
                shutil.copyfile(self.folder / target.name, target)
        write_text(Path(folder, INDEX), json.dumps(keys))


if __name__ == "__main__":
    remove_abandoned(Path(sys.argv[1]))
    for unused in Path(sys.argv[1]).glob("*.npz"):
        if unused.stat().st_mtime < time.time() - 24 * 3600 * DAYS:
            unused.unlink(missing_ok=True)
