"""Populations of which the truth is known, since as many rows as needed can be drawn."""

import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

TITLES = {
    "plane": "plane: no improvement",
    "curved": "curved plane: small improvement",
    "ring": "ring: large improvement",
    "spirals": "spirals: large improvement",
    "pocket": "pocket: rare rows",
    "unbalanced": "unbalanced: a class of 3 %",
    "noise": "noise: no signal",
    "moons": "moons: raw features win",
    "roll": "Swiss roll: regression",
    "clusters": "clusters: three classes",
    "groups12": "12 groups",
    "groups20": "20 groups",
    "groups40": "40 groups",
    "rare_ring": "ring with a class of 5 %",
    "two_sides": "class of 5 % on two sides",
    "wrong_labels": "ring, 20 % wrong labels",
    "ring_groups": "ring of 30 groups",
    "ten_classes": "ten classes",
    "binary": "binary columns: raw features win",
    "checkerboard": "checkerboard: raw features win",
    "wide": "300 columns",
    "heavy_tails": "heavy tails",
    "bent": "bent plane: middle improvement",
    "outliers": "regression with outliers",
    "line": "regression: no improvement",
    "bent_line": "regression: small improvement",
    "curved_line": "regression: middle improvement",
    "additive": "additive regression: raw features win",
    "bowl": "bowl and product",
    "categories": "xor of two of five categories: raw features win",
    "covariances": "two covariances",
    "small_clusters": "class of 3 % in two clusters",
    "noisy_moons": "moons and 20 columns of noise",
    "parity": "parity of three columns: raw features win",
    "sparse": "five of 200 columns",
    "wrong_spirals": "spirals, 20 % wrong labels",
}
# Simulated datasets with a smaller number, of the earlier populations, chose the threshold of
# `kpca.study.evidence.recommendation` and `TRAINING_SETS`; docs/calibration.md has the others.
CHOSE_RULES = 103
# Simulated with the default grid, too, under their name with this end.
DEFAULT_GRID = "_default_grid"
GROUPS = {"groups12": 12, "groups20": 20, "groups40": 40, "ring_groups": 30}
ROWS: dict[str, tuple[int, ...]] = dict.fromkeys(TITLES, (60, 150))
ROWS |= dict.fromkeys((*GROUPS, "noise", "moons", "clusters", "ten_classes"), (150,))
ROWS |= dict.fromkeys(("rare_ring", "two_sides"), (200,))
ROWS |= dict.fromkeys(("wrong_labels", "binary"), (80,))
ROWS |= dict.fromkeys(("checkerboard", "heavy_tails", "outliers"), (100,)) | {"wide": (60,)}
ROWS["plane"], ROWS["bent"] = (60, 150, 500), (400,)
ROWS |= dict.fromkeys(("line", "curved_line"), (100, 300)) | {"bent_line": (100, 300, 1000)}
ROWS |= dict.fromkeys(("additive", "covariances", "sparse"), (120,))
ROWS |= dict.fromkeys(("categories", "noisy_moons"), (150,))
ROWS |= dict.fromkeys(("bowl", "parity", "wrong_spirals"), (200,)) | {"small_clusters": (300,)}
ROWS |= {
    f"{name}{DEFAULT_GRID}": (rows,)
    for name, rows in {
        **dict.fromkeys(("plane", "noise", "ring", "spirals", "moons", "categories"), 150),
        **{"bowl": 200, "bent_line": 100},
    }.items()
}
ROWS["unbalanced"] = (500,)  # fewer rows of a class are refused

NUMERIC = ("roll", "outliers", "line", "bent_line", "curved_line", "additive")
CLASSES = {"clusters": 3, "ten_classes": 10}
# How often the shipped answers are right, one row per population and number of rows.
CELLS = Path(__file__).with_suffix(".csv")


BATCH = 10  # datasets that a job simulates, which are kept if the run is interrupted
OF_DEFAULT_GRID = 5  # times fewer datasets are simulated with the default grid, which takes longer


def batches(sets: int) -> Iterator[tuple[str, int, int, int]]:
    """Yield population, rows, and the first dataset of each job with the end of its datasets.

    They come after those that chose the rules, so many for each population and number of rows.
    """
    for population, sizes in ROWS.items():
        of_cell = sets // OF_DEFAULT_GRID if population.endswith(DEFAULT_GRID) else sets
        end = CHOSE_RULES + of_cell
        for rows in sizes:
            for first in range(CHOSE_RULES, end, BATCH):
                yield population, rows, first, min(first + BATCH, end)


LEAST_SETS = 50  # simulated datasets from which on a coverage is worth telling


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
        name, truth = cell["population"], cell["truth"]
        of_kind = 9 * ((name in NUMERIC) != numeric) + 3 * ((name in GROUPS) != (groups > 0))
        of_size = abs(math.log(cell["rows"] / rows))
        of_size += 5 * abs((0 if math.isnan(truth) else truth) - gain)
        of_classes = 0 if numeric else abs(math.log(CLASSES.get(name, 2) / classes))
        return of_kind + of_size + of_classes

    return min((cell for cell in cells if cell["sets"] >= LEAST_SETS), key=away)
