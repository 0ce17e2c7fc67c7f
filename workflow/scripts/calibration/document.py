"""Write tables into docs/calibration.md, and ``workflow/populations.csv``, which the page reads.

``python -m workflow.scripts.calibration.document FOLDER`` reads a folder that has
``effects.csv`` and ``reliability.csv``: ``results/calibration`` of the default run.
"""

import math
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from kpca.reading.files import write_text
from kpca.study.decision.sentence import number
from kpca.study.store import read_table
from workflow import ROOT
from workflow.populations import CELLS
from workflow.scripts.calibration.effects import EFFECTS, SHORT, cells_of

INTERVALS = {
    "score": "score of kernel PCA",
    "raw": "difference from raw features",
    "pca": "difference from PCA",
    "recommended": "recommended score",
}
# Comparison and column of the table of effects, and what it is.
WORDS = (
    ("raw", "false", "False words, raw features"),
    ("raw", "better", "“Better” than raw features"),
    ("raw", "worse", "“Worse” than raw features"),
    ("raw", "enough", "“Raw features are enough”"),
    ("pca", "false", "False words, PCA"),
    ("pca", "better", "“Better” than PCA"),
    ("pca", "enough", "“PCA is enough”"),
    ("recommended", "loss", "Loss of the recommended option, points"),
    ("recommended", "loss_of_raw", "Loss by raw features throughout, points"),
    ("recommended", "population_loss", "Loss in the population, points"),
    ("recommended", "population_loss_of_raw", "The same by raw features throughout, points"),
    ("recommended", "bias", "Recommended score minus truth, points"),
)
PARTS = {"all": "all datasets", "held out": "held-out datasets"}


def document(text: str, effects: pd.DataFrame, reliability: pd.DataFrame) -> str:
    """Return a document with its tables written anew, each below a comment with its name."""
    pooled = effects[effects["population"] == "all"]
    found = {
        "coverage": _coverage(pooled[pooled["datasets"] == "all"]),
        "words": _words(*_part(pooled)),
        "reliability": _reliability(*_part(reliability)),
    }
    for name, (header, *rows) in found.items():
        titles = [title[0].upper() + title[1:] for title in header]
        lines = [f"| {' | '.join(cells)} |" for cells in (titles, *rows)]
        lines.insert(1, "|" + "---|" * len(header))
        table = "\n".join([f"<!-- {name} -->", *lines])
        text = re.sub(rf"<!-- {name} -->.*?(?=\n\n)", table, text, flags=re.S)
    return text


def _part(table: pd.DataFrame) -> tuple[str, pd.DataFrame]:
    """Return what some rows are, and the rows: of held-out datasets, or of all."""
    part = "held out" if (table["datasets"] == "held out").any() else "all"
    return PARTS[part], table[table["datasets"] == part]


def _coverage(pooled: pd.DataFrame) -> Iterator[list[str]]:
    yield ["Interval", *EFFECTS]
    rows = pooled.set_index(["comparison", "effect"])[["coverage", "coverage_error"]] * 100
    for comparison, words in INTERVALS.items():
        found = rows.loc[comparison].loc[[*EFFECTS]].to_numpy()
        yield [words, *("" if math.isnan(p) else _with_error(p, error, 1) for p, error in found)]


def _words(part: str, pooled: pd.DataFrame) -> Iterator[list[str]]:
    yield [f"Per cent of {part}, or points", *EFFECTS]
    rows = pooled.set_index(["comparison", "effect"])
    for comparison, column, words in WORDS:
        values = 100 * rows.loc[comparison].loc[[*EFFECTS], column]
        yield [words, *("" if math.isnan(value) else number(value, 1) for value in values)]


def _reliability(part: str, reliability: pd.DataFrame) -> Iterator[list[str]]:
    options, what = ("raw features", "PCA"), ("said", "true", "datasets")
    yield [f"Probability, {part}", *(f"{option}: {name}" for option in options for name in what)]
    for (low, high), rows in reliability.groupby(["from", "to"]):
        cells, by = [f"{low:g} to {high:g}"], rows.set_index("comparison").to_dict("index")
        for name in SHORT[:2]:
            cells += _bin(by[name]) if name in by else ["", "", ""]
        yield cells


def _bin(row: Mapping[Any, Any]) -> list[str]:
    true = _with_error(row["true"], row["error"], 2) + " (missed)" * (not row["held"])
    return [number(row["said"], 2), true, str(row["sets"])]


def _with_error(value: float, error: float, digits: int) -> str:
    return f"{number(value, digits)} ± {number(error, digits)}"


def main(folder: Path) -> None:
    """Write the tables of a folder into the document, and what the page reads."""
    tables = {name: read_table(folder / f"{name}.csv") for name in ("effects", "reliability")}
    path = ROOT / "docs/calibration.md"
    write_text(path, document(path.read_text(encoding="utf-8"), **tables))
    cells_of(tables["effects"]).round(4).to_csv(CELLS, index=False)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
