"""Times of fits: beside the results, never in them, since they alone differ between runs."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from pipeline.files import write_atomically
from pipeline.store import read_store


def update_timings(path: Path | str, store: Path | str, seconds: dict[str, float]) -> None:
    """Write the wall time of every entry of a store, keeping those that were not run again.

    Parameters
    ----------
    path : path
        CSV with the columns entry and seconds.
    store : path
        The store whose entries are listed.
    seconds : dict
        Times of the entries that were computed now.
    """
    known = read_timings(path) | seconds
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(["entry", "seconds"])
    for name in sorted(read_store(store)):
        writer.writerow([name, f"{known[name]:.6f}" if name in known else ""])
    write_atomically(path, lambda file: file.write(lines.getvalue().encode()))


def read_timings(path: Path | str) -> dict[str, float]:
    """Return the times that are known; none where there is no file yet."""
    if not Path(path).is_file():
        return {}
    with Path(path).open(newline="") as file:
        rows = csv.DictReader(file)
        return {row["entry"]: float(row["seconds"]) for row in rows if row["seconds"]}
