"""Write tables into docs/calibration.md, and ``workflow/populations.csv``, which the page reads.

``python -m workflow.scripts.calibration.document RESULTS/calibration`` judges the answers in its
folder ``answers`` by the rules of this version, ships the tables, and writes them here.
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
from kpca.study.store import write_table
from workflow import ROOT
from workflow.populations import CELLS, DEFAULT_GRID, LEAST_SETS, TITLES
from workflow.scripts.calibration.effects import EFFECTS, SHORT, effects

SHIPPED = Path(__file__).parent  # of the tables that the default run draws

INTERVALS = {
    "score": "score of kernel PCA",
    "raw": "difference from raw features",
    "pca": "difference from PCA",
    "recommended": "recommended score",
    "exported_raw": "exported raw features",
    "exported_pca": "exported PCA",
    "exported_kernel": "exported kernel PCA",
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


def document(
    text: str, effects: pd.DataFrame, reliability: pd.DataFrame, cells: pd.DataFrame
) -> str:
    """Return a document with its tables written anew, each below a comment with its name."""
    found = {
        "coverage": _coverage(effects),
        "words": _words(effects),
        "reliability": _reliability(reliability),
        "populations": _populations(cells),
    }
    for name, (header, *rows) in found.items():
        titles = [title[0].upper() + title[1:] for title in header]
        lines = [f"| {' | '.join(cells)} |" for cells in (titles, *rows)]
        lines.insert(1, "|" + "---|" * len(header))
        table = "\n".join([f"<!-- {name} -->", *lines])
        text = re.sub(rf"<!-- {name} -->.*?(?=\n\n)", table, text, flags=re.S)
    return text


def _coverage(effects: pd.DataFrame) -> Iterator[list[str]]:
    yield ["Interval", *EFFECTS]
    rows = effects.set_index(["comparison", "effect"])[["coverage", "coverage_error"]] * 100
    for comparison, words in INTERVALS.items():
        pairs = rows.loc[comparison].reindex([*EFFECTS]).to_numpy()
        yield [words, *("" if math.isnan(p) else _with_error(p, error, 1) for p, error in pairs)]


def _words(effects: pd.DataFrame) -> Iterator[list[str]]:
    yield ["Per cent of datasets, or points", *EFFECTS]
    rows = effects.set_index(["comparison", "effect"])
    for comparison, column, words in WORDS:
        values = 100 * rows.loc[comparison].reindex([*EFFECTS])[column]
        yield [words, *("" if math.isnan(value) else number(value, 1) for value in values)]


def _reliability(reliability: pd.DataFrame) -> Iterator[list[str]]:
    options, what = ("raw features", "PCA"), ("said", "true", "datasets")
    yield ["Probability", *(f"{option}: {name}" for option in options for name in what)]
    for (low, high), rows in reliability.groupby(["from", "to"]):
        cells, by = [f"{low:g} to {high:g}"], rows.set_index("comparison").to_dict("index")
        for name in SHORT[:2]:
            cells += _bin(by[name]) if name in by else ["", "", ""]
        yield cells


def _populations(cells: pd.DataFrame) -> Iterator[list[str]]:
    """Yield what came out for populations on which no rule was chosen."""
    yield ["Population", "rows", "sets", "over PCA", "over raw", "“better” than PCA", "covered"]
    for row in cells[cells["sets"] < LEAST_SETS].to_dict("records"):
        name = str(row["population"])
        title = TITLES[name.removesuffix(DEFAULT_GRID)]
        if name.endswith(DEFAULT_GRID):
            title += ", default grid"
        gains = [number(100 * row[name], 1) for name in ("truth", "truth_raw")]
        shares = [number(100 * row[name], 0) for name in ("better", "recommended")]
        yield [title, str(row["rows"]), str(row["sets"]), *gains, *shares]


def _bin(row: Mapping[Any, Any]) -> list[str]:
    true = _with_error(row["true"], row["error"], 2) + " (missed)" * (not row["held"])
    return [number(row["said"], 2), true, str(row["sets"])]


def _with_error(value: float, error: float, digits: int) -> str:
    return f"{number(value, digits)} ± {number(error, digits)}"


def main(folder: Path) -> None:
    """Judge the answers in a folder, ship the tables, and write them into the document."""
    tables = effects(sorted(map(str, (folder / "answers").glob("*.csv"))))
    for name in ("effects", "reliability"):
        write_table(tables[name], SHIPPED / f"{name}.csv")
    tables["cells"] = tables["cells"].round(4)
    write_table(tables["cells"], CELLS)
    path = ROOT / "docs/calibration.md"
    write_text(path, document(path.read_text(encoding="utf-8"), **tables))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
