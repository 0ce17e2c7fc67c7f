"""What a run leaves in its folder of results, in the words that it ends with, and how to go on.

Imported while the Snakefile is parsed, hence the standard library only.
"""

import csv
import json
from collections.abc import Collection
from pathlib import Path

from pipeline.errors import shortlist

FIRST = "report/index.html"
"""What to look at first: written by every whole run."""

MODEL_FILES = {
    "model": ("model.npz", ".npz"),
    "predictor": ("predictor.npz", "-predictor.npz"),
    "embedding": ("embedding.csv", ".csv"),
    "script": ("model.py", ".py"),
    "predictor_script": ("predictor.py", "-predictor.py"),
}
"""What is written per dataset → its name for a user's file, and how its name ends for others."""

MOST_SENTENCES = 5

KINDS = {"tables": (".csv", "table"), "figures": (".svg", "figure")}
"""Folder → what is counted there: how its files end, and what they are."""


GO_ON = """\
Fix the errors above and rerun the same command; finished jobs are kept."""

GO_ON_CLUSTER = (
    GO_ON
    + """
A job that took more memory or time than it asked for, or asked for more than a node has:
    --set-resources RULE:mem_mb=MEGABYTES RULE:runtime=MINUTES
A job that was cancelled, or lost with its node, needs nothing but the same command."""
)
"""What to do after a failure, on one machine and on a cluster."""


def closing_words(folder: Path, targets: Collection[Path]) -> str:
    """Return the closing message: the decisions, the outputs and where to look.

    Parameters
    ----------
    folder : Path
        That of the results.
    targets : collection of Path
        The files of a whole run. Where one is missing, the run had other targets, and it is not
        known where to begin and what is left over.
    """
    lines = [f"Results are in {folder}."]
    if all(path.exists() for path in targets):
        found = []
        for name, (suffix, kind) in KINDS.items():
            if n := sum(path.suffix == suffix for path in targets if folder / name in path.parents):
                found.append(f"{n} {kind}{'s' * (n > 1)} in {name}/")
        lines = [f"Results are in {folder}: {', '.join(found)}."]
        lines = [*sentences(folder), *lines, f"Look first at {folder / FIRST}."]
        if others := [path.name for path in leftovers(folder, targets)]:
            lines.append(
                f"{len(others)} other figure{'s' * (len(others) > 1)} there, of an earlier "
                f"configuration or another target: {shortlist(others)}."
            )
    return "\n".join(lines)


def sentences(folder: Path) -> list[str]:
    """Return what was decided for each dataset, of many for the first ones."""
    table = folder / "tables/decisions.csv"
    if not table.is_file():
        return []
    with table.open(newline="", encoding="utf-8") as file:
        said = [f"{row['dataset']}: {row['sentence']}" for row in csv.DictReader(file)]
    more = len(said) - MOST_SENTENCES
    return said[:MOST_SENTENCES] + [f"… and {more} more in {table}."] * (more > 0)


def leftovers(folder: Path, targets: Collection[Path]) -> list[Path]:
    """Return the figures that a whole run does not stand for."""
    return sorted(set((folder / "figures").glob("[!.]*.*")) - set(targets))


def replaced_file(folder: Path, dataset: str, path: str) -> str | None:
    """Return the other file that the results in a folder are of, if there is one.

    Files of one name in two folders share a folder of results; `provenance.csv` there says of
    which of them a run was.
    """
    provenance = folder / "provenance.csv"
    if not provenance.is_file():
        return None
    with provenance.open(newline="") as file:
        values = {row["name"]: row["value"] for row in csv.DictReader(file)}
    before = json.loads(values.get(f"datasets.{dataset}.path", "null"))
    same = before is None or Path(before).resolve() == Path(path).resolve()
    return None if same else str(before)
