"""Messages at the end of a run: the results, where to look, and how to go on after a failure."""

import csv
import errno
import json
import os
import shutil
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from kpca.reading.errors import shortlist

FIRST = "report/index.html"  # The page to look at first, which every complete run writes.

# Kind of file per dataset → its name for a user's data, and the end of its name for other datasets.
MODEL_FILES = {
    "model": ("model.npz", ".npz"),
    "predictor": ("predictor.npz", "-predictor.npz"),
    "novelty": ("novelty.npz", "-novelty.npz"),
    "embedding": ("embedding.csv", ".csv"),
}
ANSWERS = ("label", "target")  # roles of the column that is predicted
MOST_SENTENCES = 5

FULL = "The disk is full: free some space, or name another folder by --config results=FOLDER.\n"
LEAST_SPACE = 10**6  # number of free bytes below which a disk counts as full
GO_ON = "Fix the errors above and rerun the same command; finished jobs are kept."

# What to do after a failure, on one machine and on a cluster.
GO_ON_CLUSTER = f"""\
{GO_ON}
A job that took more memory or time than it asked for, or asked for more than a node has:
    --set-resources RULE:mem_mb=MEGABYTES RULE:runtime=MINUTES
A job that was cancelled, or lost with its node, needs nothing but the same command."""


def last_words(folder: Path, logs: Iterable[str], is_local: bool) -> str:
    """Return how to go on after a failure; Snakemake's ``logs`` contain the logs of its jobs.

    The free space is checked as well, because the log of a job may be empty on a full disk.
    """
    no_space = os.strerror(errno.ENOSPC)
    texts = (Path(log).read_text(encoding="utf-8", errors="replace") for log in logs)
    is_full = shutil.disk_usage(folder).free < LEAST_SPACE or any(no_space in t for t in texts)
    return (FULL if is_full else "") + (GO_ON if is_local else GO_ON_CLUSTER)


def closing_words(folder: Path, targets: Collection[Path]) -> str:
    """Return the closing message: decisions, outputs and where to look, if all targets exist."""
    if not all(path.exists() for path in targets):
        return f"Results are in {folder}."
    tables = sum(path.suffix == ".csv" and folder / "tables" in path.parents for path in targets)
    figures = {path for path in targets if path.parent == folder / "figures"}
    drawn = sum(path.suffix == ".svg" for path in figures)
    lines = sentences(folder)
    lines += [
        f"Results are in {folder}: {tables} tables in tables/, {drawn} figures in figures/.",
        f"Look first at {folder / FIRST}.",
    ]
    if others := sorted(set((folder / "figures").glob("[!.]*.*")) - figures):
        listed = shortlist([path.name for path in others])
        lines.append(f"Figures of an earlier configuration or another target: {listed}.")
    return "\n".join(lines)


def sentences(folder: Path) -> list[str]:
    """Return the answer for each dataset, or for the first `MOST_SENTENCES` of many datasets."""
    table = folder / "tables/decisions.csv"
    listed = [f"{row['dataset']}: {row['sentence']}" for row in read_rows(table)]
    more = len(listed) - MOST_SENTENCES
    return listed[:MOST_SENTENCES] + [f"… and {more} more in {table}."] * (more > 0)


def replaced(folder: Path, dataset: str, spec: Mapping[str, Any]) -> tuple[str, str]:
    """Return the file and the answer of the results in a folder, each "" if ``spec`` has the same.

    The answer is the label or target. Files with the same name share a folder, and so do different
    answers for one file. The table `provenance.csv` says which file and answer the results are for.
    Both are "" if the folder has no results.
    """
    values = {row["name"]: row["value"] for row in read_rows(folder / "provenance.csv")}
    keys = ("path", *ANSWERS)
    before = {key: json.loads(values.get(f"datasets.{dataset}.{key}", "null")) for key in keys}
    if before["path"] is None:
        return "", ""
    same = Path(before["path"]).resolve() == Path(spec["path"]).resolve()
    answer = answer_of(before)
    return "" if same else before["path"], "" if answer == answer_of(spec) else answer


def answer_of(spec: Mapping[str, Any]) -> str:
    """Return the role and column of the answer, such as "label species", or "no answer"."""
    named = [f"{role} {spec[role]}" for role in ANSWERS if spec.get(role) is not None]
    return named[0] if named else "no answer"


def read_rows(table: Path) -> list[dict[str, str]]:
    """Return the rows of a table with values as text, or none if there is no such file."""
    if not table.is_file():
        return []
    with table.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))
