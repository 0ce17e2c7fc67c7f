"""The whole sweep of a configuration beside one plain script with scikit-learn.

    python -m benchmarks.whole_sweep SNAKEFILE CONFIG FOLDER CORES

Snakemake runs the sweep from nothing to its tables in FOLDER, the plain script then does the
same on the datasets that it left, on as many cores, and the scores are compared.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

import pandas as pd
import yaml

from benchmarks import sweep_anatomy
from benchmarks.plain_sweep import KEYS
from benchmarks.sweep_anatomy import processor_seconds
from benchmarks.timing import Run
from kpca.pipeline.errors import shortlist

EQUAL = 1e-9
WHERE = ["dataset", "replicate", "cell", "n_components"]


def timed(command: list[str], folder: Path) -> Run:
    """Run a command on one thread a process; give its wall-clock and processor seconds."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    here = {"PYTHONPATH": str(Path(__file__).parents[1])}
    before, start = processor_seconds(), perf_counter()
    subprocess.run(command, check=True, cwd=folder, env=os.environ | threads | here)
    return Run(perf_counter() - start, processor_seconds() - before)


def agreement(ours: pd.DataFrame, plain: pd.DataFrame) -> pd.DataFrame:
    """Compare scores, by method, metric and split.

    Raises
    ------
    ValueError
        If either has a score that the other lacks, with the first few of them.
    """
    without_nan = (table[[*KEYS, "value"]].fillna({"C": -1.0}) for table in (ours, plain))
    left, right = without_nan
    both = left.merge(right, on=KEYS, how="outer", suffixes=("", "_plain"), indicator=True)
    lonely = both[both["_merge"] != "both"]
    if len(lonely):
        raise ValueError(
            f"{len(lonely)} scores of the sweep and of the plain script have no partner: "
            f"{places(lonely)}. Both must keep the same numbers of components of the same cells."
        )
    both["apart"] = (both["value"] - both["value_plain"]).abs()
    groups = both.groupby(["method", "metric", "split"])["apart"]
    return groups.agg(
        scores="size",
        equal=lambda apart: (apart <= EQUAL).mean(),
        mean_difference="mean",
        largest_difference="max",
    ).reset_index()


def places(lonely: pd.DataFrame) -> str:
    """Say which cells scores without a partner come from, and on which side they stand."""
    side = lonely["_merge"].map({"left_only": "sweep", "right_only": "plain script"})
    table = lonely.assign(side=side.astype(str))[[*WHERE, "side"]].drop_duplicates()
    return shortlist(
        [
            f"{dataset}, replicate {replicate}, {cell}, n_components {m} (only in the {side})"
            for dataset, replicate, cell, m, side in table.itertuples(index=False)
        ]
    )


def times(ours: Run, plain: Run) -> pd.DataFrame:
    """Give wall-clock and processor seconds of both, and how many times faster the sweep is."""
    rows = {"sweep": ours, "plain script": plain}
    ratios = Run(plain.wall / ours.wall, plain.processor / ours.processor)
    table = pd.DataFrame({"times faster": ratios, **rows}, index=Run._fields).T
    return table.rename_axis("what").reset_index().iloc[[1, 2, 0]]


def main(snakefile: str, config: str, folder: str, cores: str) -> None:
    """Run both and write scores, agreement, times and anatomy into the folder."""
    place = Path(folder).resolve()
    place.mkdir(parents=True, exist_ok=True)
    settings: dict[str, Any] = yaml.safe_load(Path(config).read_text())
    settings |= {"studies": [], "results": "results"}
    (place / "config.yaml").write_text(yaml.safe_dump(settings))
    launch = [sys.executable, "-m"]
    sweep = [
        *(*launch, "snakemake", "--snakefile", str(Path(snakefile).resolve())),
        *("--configfile", "config.yaml", "--cores", cores, "--quiet", "--", "tables"),
    ]
    script = ["benchmarks.plain_sweep", "config.yaml", "results", "plain.csv", cores]
    ours = timed(sweep, place)
    plain = timed([*launch, *script], place)
    anatomy = pd.DataFrame(sweep_anatomy.rows(settings, place / "results/datasets"))
    scores = (pd.read_csv(place / file) for file in ("results/tables/scores.csv", "plain.csv"))
    tables = {
        "agreement": agreement(*scores),
        "times": times(ours, plain),
        "anatomy": anatomy,
    }
    for name, table in tables.items():
        table.to_csv(place / f"{name}.csv", index=False, float_format="%.6g")


if __name__ == "__main__":
    main(*sys.argv[1:])
