"""Tables of every case from the files of measurements.

python -m benchmarks.tables OUTPUT_FOLDER MEASUREMENT.json …
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks.cases import CASES, named
from benchmarks.contenders import OURS
from benchmarks.data import points

Measurement = dict[str, Any]


def summary_row(found: Measurement) -> dict[str, Any]:
    """One row a case: what was fitted, ours, theirs, and how they compare."""
    case, ours = named(found["case"]), found["trials"][OURS]
    theirs = next((name for name in found["seconds"] if name != OURS), None)
    row = {
        "case": case.name,
        "step": case.step,
        "data": case.data,
        "n": case.n,
        "d": points(case.data, 1).shape[1],
        "k": case.k,
        "kernel": case.kernel,
        "threads": found["threads"],
        "solver": ours["solver"].split(":")[0],
        "seconds": found["seconds"][OURS],
        "best_seconds": min(found["runs"][OURS])[0],
        "residual": ours["residual"],
        "peak_bytes": found["peak_bytes"][OURS],
        "share_of_limit": share_of_limit(found),
        "theirs": theirs,
        "floor": case.floor,
        "target": case.target,
    }
    if theirs is None:
        return row
    return row | {
        "their_seconds": found["seconds"][theirs],
        "their_best_seconds": min(found["runs"][theirs])[0],
        "their_residual": found["trials"][theirs]["residual"],
        "their_peak_bytes": found["peak_bytes"][theirs],
        "times_faster": found["seconds"][theirs] / found["seconds"][OURS],
        "times_smaller": found["peak_bytes"][theirs] / max(found["peak_bytes"][OURS], 1),
    }


def share_of_limit(found: Measurement) -> float:
    """Least time of the kernel values and products of a fit over the median time of the fit.

    Not a number where the fit needed none of either, as with explicit features.
    """
    least = sum(part["limit"] for part in found["anatomy"])
    return float(least / found["seconds"][OURS]) if least > 0 else float("nan")


def run_rows(found: Measurement) -> Iterable[dict[str, Any]]:
    """One row a timed run."""
    for contender, runs in found["runs"].items():
        for number, (seconds, processor) in enumerate(runs):
            yield {
                "case": found["case"],
                "contender": contender,
                "run": number,
                "seconds": seconds,
                "processor_seconds": processor,
            }


def trial_rows(found: Measurement) -> Iterable[dict[str, Any]]:
    """One row a contender: its first run, and its residual."""
    for contender, trial in found["trials"].items():
        yield {"case": found["case"], "contender": contender, **trial}


def anatomy_rows(found: Measurement) -> Iterable[dict[str, Any]]:
    """One row a part of the time of our fit."""
    for part in found["anatomy"]:
        yield {"case": found["case"], **part}


def limit_rows(found: Measurement) -> Iterable[dict[str, Any]]:
    """One row a rate of the machine, as it was in the process of the case."""
    for rate, by_precision in found["limits"].items():
        for precision, value in by_precision.items():
            yield {
                "case": found["case"],
                "rate": rate,
                "precision": precision,
                "per_second": value,
            }


TABLES = {
    "summary": lambda found: [summary_row(found)],
    "runs": run_rows,
    "trials": trial_rows,
    "anatomy": anatomy_rows,
    "limits": limit_rows,
}


def main(folder: str, *files: str) -> None:
    """Write every table into a folder."""
    measurements = [json.loads(Path(file).read_text()) for file in files]
    measurements.sort(key=lambda found: CASES.index(named(found["case"])))
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, rows in TABLES.items():
        table = pd.DataFrame([row for found in measurements for row in rows(found)])
        table.to_csv(Path(folder) / f"{name}.csv", index=False, float_format="%.6g")


if __name__ == "__main__":
    main(*sys.argv[1:])
