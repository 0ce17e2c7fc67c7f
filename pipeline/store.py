"""A file of results that keeps what is still valid and computes the rest.

A store is one NPZ: for every entry a few arrays and a key, the digest of all that
determined them. A job states the entries it wants with their keys; those present
under the same key are copied, the others computed. Entries are written in sorted
order and without time stamps, so that a file built step by step is byte for byte
the one built at once.
"""

import hashlib
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.files import write_atomically

Arrays = dict[str, np.ndarray]
_KEYS = "keys"


def key_of(*parts: object) -> str:
    """Return the digest of values that JSON can hold.

    >>> key_of("rbf", {"gamma": 1.0}) == key_of("rbf", {"gamma": 1.0})
    True
    """
    text = json.dumps(parts, sort_keys=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def read_store(path: Path | str) -> dict[str, Arrays]:
    """Return the entries of a store: name → arrays.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    """
    with np.load(path) as archive:
        return _entries(archive)


def update_store(
    path: Path | str,
    wanted: Mapping[str, str],
    compute: Callable[[str], Arrays],
) -> tuple[int, int]:
    """Bring a store to the wanted entries, given by name → key.

    A missing or unreadable file counts as an empty store. ``compute`` gives the arrays of the entry
    of a name; entries that are not wanted are dropped. Returned is how many entries were computed
    and how many were there already.
    """
    keys, stored = _read_if_possible(Path(path))
    valid = {name for name, key in wanted.items() if keys.get(name) == key and name in stored}
    entries = {name: stored[name] if name in valid else compute(name) for name in wanted}
    _write(Path(path), dict(wanted), entries)
    return len(wanted) - len(valid), len(valid)


def _entries(archive: Any) -> dict[str, Arrays]:
    entries: dict[str, Arrays] = {}
    for member in archive.files:
        if member != _KEYS:
            name, _, array = member.rpartition("/")
            entries.setdefault(name, {})[array] = archive[member]
    return entries


def _read_if_possible(path: Path) -> tuple[dict[str, str], dict[str, Arrays]]:
    try:
        with np.load(path) as archive:
            return json.loads(str(archive[_KEYS])), _entries(archive)
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return {}, {}


def _write(path: Path, keys: dict[str, str], entries: dict[str, Arrays]) -> None:
    members = {_KEYS: np.array(json.dumps(keys, sort_keys=True))}
    for name in sorted(entries):
        members |= {f"{name}/{array}": entries[name][array] for array in sorted(entries[name])}
    # numpy writes the members in order and with a fixed date.
    write_atomically(path, lambda file: np.savez(file, allow_pickle=False, **members))
