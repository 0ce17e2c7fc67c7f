"""Populations of which the truth is known, since as many rows as needed can be drawn."""

import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

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
# `kpca.study.evidence.comparison` and `TRAINING_SETS`; docs/calibration.md has the others.
CHOSE_RULES = 103
COLUMNS = 5  # columns of a population, unless its entry has another number
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


class Likeness(NamedTuple):
    """What a dataset is likened by."""

    numeric: bool  # whether it has a numeric target
    is_grouped: bool
    heavy: bool  # whether the residuals of a target have heavy tails
    rows: int
    columns: int
    rarest: float  # fraction of the rows in the smallest class
    groups: int
    gain: float  # kernel PCA minus PCA


def resembled(cells: Iterable[Mapping[Any, Any]], dataset: Likeness) -> Mapping[Any, Any]:
    """Return the row of `CELLS`, of at least `LEAST_SETS` datasets, that a dataset resembles most.

    It is of a population with the same kind of target, tails, and groups or none. Rows, groups
    and the rarest class are within a factor of 3, columns within 10, and the difference from PCA
    within 0.2. Of several rows it is the nearest one; the mapping is empty if there is none.
    """
    near = {}
    for number, cell in enumerate(cells):
        facts = POPULATIONS[cell["population"].removesuffix(DEFAULT_GRID)]
        kind = (facts.get("numeric", False), "groups" in facts, facts.get("heavy", False))
        truth = 0.0 if math.isnan(cell["truth"]) else cell["truth"]
        away = [
            abs(math.log(cell["rows"] / dataset.rows, 3)),
            abs(math.log(facts.get("columns", COLUMNS) / dataset.columns, 10)),
            abs(truth - dataset.gain) / 0.2,
        ]
        if dataset.is_grouped and "groups" in facts:
            away.append(abs(math.log(facts["groups"] / dataset.groups, 3)))
        if not dataset.numeric:
            away.append(abs(math.log(facts.get("rarest", 0.5) / dataset.rarest, 3)))
        if kind == dataset[:3] and cell["sets"] >= LEAST_SETS and max(away) <= 1:
            near[sum(away), number] = cell
    return near[min(near)] if near else {}
