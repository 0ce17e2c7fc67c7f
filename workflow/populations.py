"""Simulated populations, whose true scores are known, since enough rows can be drawn."""

import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

# Name of a population → title, numbers of rows, and facts by which datasets are compared with it.
POPULATIONS: dict[str, dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8")
)
# Table of how often answers are right, one row per population and number of rows.
CELLS = Path(__file__).with_suffix(".csv")
# Suffix of the name of a population that is simulated with the default grid.
DEFAULT_GRID = "_default_grid"
# Number of the first simulated dataset in docs/calibration.md. Datasets with smaller numbers, from
# earlier populations, were used to choose the threshold of `kpca.study.evidence.comparison` and
# `TRAINING_SETS`.
CHOSE_RULES = 103
COLUMNS = 5  # default number of columns of a population
BATCH = 10  # number of datasets per job; finished jobs are kept if the run is interrupted
OF_DEFAULT_GRID = 5  # factor by which the default grid, which is slower, has fewer datasets
LEAST_SETS = 50  # smallest number of simulated datasets for which the page states a coverage


def batches(sets: int) -> Iterator[tuple[str, int, int, int]]:
    """Yield population, number of rows, and range of numbers of datasets (end excluded) per job.

    There are ``sets`` datasets for each population and number of rows. Their numbers begin at
    `CHOSE_RULES`.
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
    """Facts about a dataset by which it is compared with populations."""

    numeric: bool  # whether the dataset has a numeric target
    is_grouped: bool
    heavy: bool  # whether the residuals of a target have heavy tails
    rows: int
    columns: int
    rarest: float  # fraction of the rows in the smallest class
    groups: int
    gain: float  # score of kernel PCA minus score of PCA


def resembled(cells: Iterable[Mapping[Any, Any]], dataset: Likeness) -> Mapping[Any, Any]:
    """Return the row of `CELLS`, with at least `LEAST_SETS` datasets, that ``dataset`` resembles.

    The population must agree in the kind of target, heavy tails, and whether there are groups. Its
    numbers of rows and groups and its rarest class must be within a factor of 3, its columns within
    a factor of 10, and its difference from PCA within 0.2. The nearest such row is returned, or an
    empty mapping if there is none.
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
