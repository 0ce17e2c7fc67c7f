"""Write tables into docs/calibration.md, and ``workflow/populations.csv``, which the page reads.

``python -m workflow.scripts.calibration.document RESULTS/calibration`` reads the answers in the
subfolder ``answers``. It writes two tables to this package, and shows both in the document.
"""

import re
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pandas as pd

from kpca.files import write_text
from kpca.study.decision.record import number
from kpca.study.store import read_table, write_table
from workflow import ROOT
from workflow.populations import CELLS
from workflow.scripts.calibration.effects import COMPARED, EFFECTS, effects

SHIPPED = Path(__file__).parent  # folder of the tables from which the default run draws figures

# Rows of the first table in the document: comparison, column of the table of effects, and title.
ROWS = read_table(SHIPPED / "document.csv")
OPTIONS = ("Raw features", "PCA")


def document(text: str, effects: pd.DataFrame, reliability: pd.DataFrame) -> str:
    """Return the document ``text`` with new tables, each below the comment that names it."""
    for name, rows in {"effects": _effects(effects), "bins": _bins(reliability)}.items():
        lines = [f"| {' | '.join(cells)} |" for cells in rows]
        lines.insert(1, "|" + "---|" * (lines[0].count("|") - 1))
        table = "\n".join([f"<!-- {name} -->", *lines])
        text = re.sub(rf"<!-- {name} -->.*?(?=\n\n)", table, text, flags=re.S)
    return text


def _effects(effects: pd.DataFrame) -> Iterator[list[str]]:
    yield ["Per cent of datasets, or points", *map(str.capitalize, EFFECTS)]
    percent = effects.set_index(["comparison", "effect"]) * 100
    for comparison, column, title in ROWS.to_numpy():
        here = percent.loc[comparison].reindex([*EFFECTS])
        values = [number(value, 1) for value in here[column]]
        if column == "coverage":
            errors = [number(error, 1) for error in here["coverage_error"]]
            values = [" ± ".join(pair) for pair in zip(values, errors, strict=True)]
        yield [title, *values]


def _bins(reliability: pd.DataFrame) -> Iterator[list[str]]:
    columns = [f"{option}: {name}" for option in OPTIONS for name in ("said", "true", "datasets")]
    yield ["Probability", *columns]
    for (low, high), rows in reliability.groupby(["from", "to"]):
        cells = dict.fromkeys(COMPARED, ("", "", ""))
        for row in rows.to_dict("records"):
            true = f"{number(row['true'], 2)} ± {number(row['error'], 2)}"
            true += "" if row["held"] else " (missed)"
            cells[row["comparison"]] = (number(row["said"], 2), true, str(row["sets"]))
        yield [f"{low:g} to {high:g}", *chain.from_iterable(cells.values())]


def main(folder: Path) -> None:
    """Compute the tables from the answers in ``folder``, store them, and update the document."""
    tables = effects(sorted(map(str, (folder / "answers").glob("*.csv"))))
    write_table(tables.pop("cells").round(4), CELLS)
    for name, table in tables.items():
        write_table(table, SHIPPED / f"{name}.csv")
    path = ROOT / "docs/calibration.md"
    write_text(path, document(path.read_text(encoding="utf-8"), **tables))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
