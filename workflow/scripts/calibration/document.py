"""Write tables into docs/calibration.md, and ``workflow/populations.csv``, which the page reads.

``python -m workflow.scripts.calibration.document RESULTS/calibration`` takes the answers in its
folder ``answers``, ships the tables, and writes two of them here.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from kpca.files import write_text
from kpca.study.decision.record import number
from kpca.study.store import write_table
from workflow import ROOT
from workflow.populations import CELLS
from workflow.scripts.calibration.effects import COMPARED, EFFECTS, effects

SHIPPED = Path(__file__).parent  # of the tables that the default run draws

# Comparison and column of the table of effects, and what it is.
ROWS = (
    ("score", "coverage", "Covered: score of kernel PCA"),
    ("raw", "coverage", "Covered: difference from raw features"),
    ("pca", "coverage", "Covered: difference from PCA"),
    ("recommended", "coverage", "Covered: recommended score"),
    ("exported_raw", "coverage", "Covered: exported raw features"),
    ("exported_pca", "coverage", "Covered: exported PCA"),
    ("exported_kernel", "coverage", "Covered: exported kernel PCA"),
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


def document(text: str, effects: pd.DataFrame, reliability: pd.DataFrame) -> str:
    """Return a document with its tables written anew, each below a comment with its name."""
    for name, rows in {"effects": _effects(effects), "bins": _bins(reliability)}.items():
        lines = [f"| {' | '.join(cells)} |" for cells in rows]
        lines.insert(1, "|" + "---|" * (lines[0].count("|") - 1))
        table = "\n".join([f"<!-- {name} -->", *lines])
        text = re.sub(rf"<!-- {name} -->.*?(?=\n\n)", table, text, flags=re.S)
    return text


def _effects(effects: pd.DataFrame) -> Iterator[list[str]]:
    yield ["Per cent of datasets, or points", *map(str.capitalize, EFFECTS)]
    percent = effects.set_index(["comparison", "effect"]) * 100
    for comparison, column, title in ROWS:
        here = percent.loc[comparison].reindex([*EFFECTS])
        values = [number(value, 1) for value in here[column]]
        if column == "coverage":
            errors = [number(error, 1) for error in here["coverage_error"]]
            values = [" ± ".join(pair) for pair in zip(values, errors, strict=True)]
        yield [title, *values]


def _bins(reliability: pd.DataFrame) -> Iterator[list[str]]:
    options = ("Raw features", "PCA")
    columns = [f"{option}: {name}" for option in options for name in ("said", "true", "datasets")]
    yield ["Probability", *columns]
    for (low, high), rows in reliability.groupby(["from", "to"]):
        cells = [f"{low:g} to {high:g}"]
        for name in COMPARED:
            texts = ["", "", ""]
            for row in rows[rows["comparison"] == name].to_dict("records"):
                true = f"{number(row['true'], 2)} ± {number(row['error'], 2)}"
                true += "" if row["held"] else " (missed)"
                texts = [number(row["said"], 2), true, str(row["sets"])]
            cells += texts
        yield cells


def main(folder: Path) -> None:
    """Judge the answers in a folder, ship the tables, and write them into the document."""
    tables = effects(sorted(map(str, (folder / "answers").glob("*.csv"))))
    write_table(tables.pop("cells").round(4), CELLS)
    for name, table in tables.items():
        write_table(table, SHIPPED / f"{name}.csv")
    path = ROOT / "docs/calibration.md"
    write_text(path, document(path.read_text(encoding="utf-8"), **tables))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
