"""Write tables into docs/calibration.md, and ``pipeline/populations.csv``, which the page reads.

``python -m workflow.scripts.calibration.document FOLDER`` reads a folder that has
``effects.csv`` and ``reliability.csv``: ``results/calibration`` of the default run.
"""

import math
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from pipeline.decision.sentence import number
from pipeline.files import write_text
from pipeline.fingerprint import ROOT
from pipeline.populations import CELLS
from pipeline.store import read_table
from workflow.scripts.calibration.effects import EFFECTS, SHORT, cells_of

INTERVALS = {
    "score": "score of kernel PCA",
    "raw": "difference from raw features",
    "pca": "difference from PCA",
    "recommended": "recommended score",
}
WORDS = (
    ("raw", "false", "False words, raw features"),
    ("raw", "better", "“Better” than raw features"),
    ("raw", "enough", "“Raw features are enough”"),
    ("pca", "false", "False words, PCA"),
    ("pca", "better", "“Better” than PCA"),
    ("pca", "enough", "“PCA is enough”"),
    ("recommended", "loss_said", "Expected loss of the recommended option, points"),
    ("recommended", "loss_real", "Its true loss, points"),
    ("recommended", "bounds_held", "Bounds of losses that held"),
    ("recommended", "bias", "Recommended score minus truth, points"),
)
"""Comparison and column of the table of effects → what it is."""

PARTS = {"all": "all datasets", "held out": "held-out datasets"}


def document(text: str, effects: pd.DataFrame, reliability: pd.DataFrame) -> str:
    """Return a document with its tables written anew, each below a comment with its name."""
    pooled = effects[effects["population"] == "all"]
    found = {
        "coverage": _coverage(pooled[pooled["datasets"] == "all"]),
        "words": _words(pooled),
        "reliability": _reliability(reliability),
    }
    for name, lines in found.items():
        table = "\n".join([f"<!-- {name} -->", *lines])
        text = re.sub(rf"<!-- {name} -->.*?(?=\n\n)", table, text, flags=re.S)
    return text


def _part(table: pd.DataFrame) -> tuple[str, pd.DataFrame]:
    """Return the rows of held-out datasets, or of all, and what they are."""
    part = "held out" if (table["datasets"] == "held out").any() else "all"
    return PARTS[part], table[table["datasets"] == part]


def _by(table: pd.DataFrame, *keys: str) -> dict[tuple[Any, ...], dict[Any, Any]]:
    return {tuple(row[key] for key in keys): row for row in table.to_dict("records")}


def _coverage(pooled: pd.DataFrame) -> Iterator[str]:
    rows = _by(pooled, "comparison", "effect")
    yield from _header("Interval", EFFECTS)
    for comparison, words in INTERVALS.items():
        here = [rows[comparison, effect] for effect in EFFECTS]
        yield _row([words, *(_percent(row["coverage"], row["coverage_error"]) for row in here)])


def _words(pooled: pd.DataFrame) -> Iterator[str]:
    part, table = _part(pooled)
    rows = _by(table, "comparison", "effect")
    yield from _header(f"Per cent of {part}, or points", EFFECTS)
    for comparison, column, words in WORDS:
        values = [100 * rows[comparison, effect][column] for effect in EFFECTS]
        yield _row([words, *("" if math.isnan(value) else number(value, 1) for value in values)])


def _reliability(reliability: pd.DataFrame) -> Iterator[str]:
    part, table = _part(reliability)
    rows = _by(table, "from", "to", "comparison")
    options, what = ("raw features", "PCA"), ("said", "true", "datasets")
    names = [f"{option}: {name}" for option in options for name in what]
    yield from _header(f"Probability, {part}", names)
    for low, high in sorted({key[:2] for key in rows}):
        cells = [f"{low:g} to {high:g}"]
        for name in SHORT[:2]:
            row = rows.get((low, high, name))
            cells += ["", "", ""] if row is None else _bin(row)
        yield _row(cells)


def _bin(row: Mapping[Any, Any]) -> list[str]:
    true = f"{number(row['true'], 2)} ± {number(row['error'], 2)}"
    return [number(row["said"], 2), true + " (missed)" * (not row["held"]), str(row["sets"])]


def _header(first: str, names: Iterable[str]) -> Iterator[str]:
    columns = [first, *(name[0].upper() + name[1:] for name in names)]
    yield _row(columns)
    yield "|" + "---|" * len(columns)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _percent(fraction: float, error: float) -> str:
    if math.isnan(fraction):
        return ""
    return f"{number(100 * fraction, 1)} ± {number(100 * error, 1)}"


def main(folder: Path) -> None:
    """Write the tables of a folder into the document, and what the page reads."""
    tables = {name: read_table(folder / f"{name}.csv") for name in ("effects", "reliability")}
    path = ROOT / "docs/calibration.md"
    write_text(path, document(path.read_text(encoding="utf-8"), **tables))
    cells_of(tables["effects"]).round(4).to_csv(CELLS, index=False)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
