"""Compare the sweep of a configuration with one plain script that uses scikit-learn.

    python -m benchmarks.whole_sweep CONFIG FOLDER CORES

Snakemake runs the sweep in FOLDER from the beginning to its tables. The plain script then computes
the same scores from the datasets of this sweep, on the same number of cores. Finally the scores are
compared.
"""

import os
import resource
import subprocess
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

import pandas as pd
import yaml

from benchmarks.plain_sweep import KEYS
from benchmarks.timing import Run

ROOT = Path(__file__).parents[1]
EQUAL = 1e-9  # largest difference of scores that count as equal


def timed(module: str, *arguments: str, folder: Path) -> Run:
    """Run a module with one thread per process; return its wall-clock and processor seconds."""
    here = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", module, *arguments]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = perf_counter()
    subprocess.run(command, check=True, cwd=folder, env=os.environ | here)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
    return Run(perf_counter() - start, processor)


def agreement(ours: pd.DataFrame, plain: pd.DataFrame) -> pd.DataFrame:
    """Return how well scores agree, per method, metric and split.

    Raises
    ------
    ValueError
        If one table has a score that the other one lacks; the message gives the first such score.
    """
    our_values, plain_values = (
        table[[*KEYS, "value"]].fillna({"C": -1.0}) for table in (ours, plain)
    )
    both = our_values.merge(
        plain_values, on=KEYS, how="outer", suffixes=("", "_plain"), indicator=True
    )
    lonely = both[both["_merge"] != "both"]
    if len(lonely):
        first = lonely.iloc[0][[*KEYS, "_merge"]].tolist()
        raise ValueError(f"{len(lonely)} scores of one have no partner, first of all {first}.")
    both["apart"] = (both["value"] - both["value_plain"]).abs()
    groups = both.groupby(["method", "metric", "split"])["apart"]
    return groups.agg(
        scores="size", equal=lambda apart: (apart <= EQUAL).mean(), largest_difference="max"
    ).reset_index()


def main(config: str, folder: str, cores: str) -> None:
    """Run the sweep and the plain script; write scores, agreement and times into the folder."""
    target = Path(folder).resolve()
    target.mkdir(parents=True, exist_ok=True)
    settings: dict[str, Any] = yaml.safe_load(Path(config).read_text(encoding="utf-8"))
    settings |= {"studies": [], "results": "results"}
    (target / "config.yaml").write_text(yaml.safe_dump(settings))
    options = ["--snakefile", str(ROOT / "Snakefile"), "--configfile", "config.yaml", "--quiet"]
    sweep = timed("snakemake", *options, "--cores", cores, "--", "tables", folder=target)
    script = ["config.yaml", "results", "plain.csv", cores]
    plain = timed("benchmarks.plain_sweep", *script, folder=target)
    scores = (pd.read_csv(target / file) for file in ("results/tables/scores.csv", "plain.csv"))
    agreement(*scores).to_csv(target / "agreement.csv", index=False, float_format="%.6g")
    times = pd.DataFrame({"sweep": sweep, "plain script": plain}, index=Run._fields).T
    times.rename_axis("what").to_csv(target / "times.csv", float_format="%.6g")


if __name__ == "__main__":
    main(*sys.argv[1:])
