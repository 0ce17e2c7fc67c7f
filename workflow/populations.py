"""Populations of which the truth is known, since as many rows as needed can be drawn."""

import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

# Name → title, numbers of rows, and what a dataset is likened by.
POPULATIONS: dict[str, dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8")
)
# How often the shipped answers are right, one row per population and number of rows.
CELLS = Path(__file__).with_suffix(".csv")
# Simulated with the default grid, too, under their name with this end.
DEFAULT_GRID = "_default_grid"
# Simulated datasets with a smaller number, of the earlier populations, chose the threshold of
# `kpca.study.evidence.recommendation` and `TRAINING_SETS`; docs/calibration.md has the others.
CHOSE_RULES = 103
BATCH = 10  # datasets that a job simulates, which are kept if the run is interrupted
OF_DEFAULT_GRID = 5  # times fewer datasets are simulated with the default grid, which takes longer
LEAST_SETS = 50  # simulated datasets from which on a coverage is worth telling


def batches(sets: int) -> Iterator[tuple[str, int, int, int]]:
    """Yield population, rows, and the first dataset of each job with the end of its datasets.

    They come after those that chose the rules, so many for each population and number of rows.
    """
    cells = [(name, rows, sets) for name, facts in POPULATIONS.items() for rows in facts["rows"]]
    for name, facts in POPULATIONS.items():
        if rows := facts.get("default_grid"):
            cells.append((name + DEFAULT_GRID, rows, sets // OF_DEFAULT_GRID))
    for name, rows, of_cell in cells:
        end = CHOSE_RULES + of_cell
        for first in range(CHOSE_RULES, end, BATCH):
            yield name, rows, first, min(first + BATCH, end)


def resembled(
    cells: Iterable[Mapping[Any, Any]],
    *,
    numeric: bool,
    rows: int,
    classes: float,
    groups: int,
    gain: float,
) -> Mapping[Any, Any]:
    """Return the row of `CELLS`, of at least `LEAST_SETS` datasets, that a dataset resembles most.

    Populations of the same kind of target come first, then those with groups or without. Of these
    it is the nearest one in log rows, log classes, and the size of the difference from PCA.
    """

    def away(cell: Mapping[Any, Any]) -> float:
        facts = POPULATIONS[cell["population"].removesuffix(DEFAULT_GRID)]
        distance = 9 * (facts.get("numeric", False) != numeric)
        distance += 3 * (("groups" in facts) != (groups > 0))
        truth = 0.0 if math.isnan(cell["truth"]) else cell["truth"]
        distance += abs(math.log(cell["rows"] / rows)) + 5 * abs(truth - gain)
        if not numeric:
            distance += abs(math.log(facts.get("classes", 2) / classes))
        return distance

    return min((cell for cell in cells if cell["sets"] >= LEAST_SETS), key=away)
