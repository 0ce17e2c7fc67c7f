"""Draw rows of the simulated populations that workflow/populations.yaml describes."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from kpca.study.datasets.generators import GENERATORS, Draw
from workflow.populations import COLUMNS, POPULATIONS

Random = np.random.Generator
# Default distribution of columns: method of NumPy's generator → its parameters.
NORMAL: dict[str, list[float]] = {"standard_normal": []}


def draw(name: str, rows: int, rng: Random, groups: np.ndarray | None = None) -> Draw:
    """Draw rows of a population.

    The rows of a group share a random offset in the features and the label.
    """
    population = POPULATIONS[name]
    if name == "ten_classes":
        drawn = ten_classes(rows, rng)
    elif name == "ring_groups" and groups is not None:
        drawn = ring_groups(groups, rng)
    elif "generator" in population:
        drawn = _generated(population, rows, rng)
    else:
        drawn = _by_formula(population, rows, rng, groups)
    if drawn.y is None or "errors" not in population:
        return drawn
    is_wrong = rng.random(rows) < population["errors"]
    return drawn._replace(y=drawn.y ^ is_wrong)


def ten_classes(rows: int, rng: Random) -> Draw:
    """Draw ten clusters in eight columns."""
    centres = 1.3 * np.random.default_rng(5).standard_normal((10, 8))
    classes = np.arange(rows) % 10
    return Draw(centres[classes] + rng.standard_normal((rows, 8)), classes)


def ring_groups(groups: np.ndarray, rng: Random) -> Draw:
    """Draw groups of similar rows with a common label; class 1 lies inside a ring of class 0."""
    number = int(groups.max()) + 1
    labels = rng.permutation(np.arange(number) % 2)
    angle = rng.uniform(0, 2 * np.pi, number)
    radius = 0.35**labels * (1 + 0.17 * rng.standard_normal(number))
    centres = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return Draw(centres[groups] + 0.1 * rng.standard_normal((len(groups), 2)), labels[groups])


def _generated(population: Mapping[str, Any], rows: int, rng: Random) -> Draw:
    """Draw rows with a generator of the library, and append columns of noise."""
    ((generator, options),) = population["generator"].items()
    drawn = GENERATORS[generator](rows, rng, **options)
    columns, scale = population.get("noise_columns", (0, 1))
    further = scale * rng.standard_normal((rows, columns))
    return drawn._replace(X=np.column_stack([drawn.X, further]))


def _by_formula(
    population: Mapping[str, Any], rows: int, rng: Random, groups: np.ndarray | None
) -> Draw:
    """Draw the columns and random variables, and compute labels or a target by a formula."""
    columns = population.get("columns", COLUMNS)
    size = rows, population.get("columns_drawn", columns)
    table: Any = pd.DataFrame(_sample(population.get("features", NORMAL), rng, size))
    table = table.rename(columns=lambda j: f"x{j + 1}")
    if groups is not None:
        shared = pd.DataFrame(rng.standard_normal((groups.max() + 1, COLUMNS + 1))[groups])
        table = table.join(shared.rename(columns=lambda j: f"g{j + 1}"))
    for name, distribution in population.get("random", {}).items():
        table[name] = _sample(distribution, rng, rows)
    table["y"] = np.arange(rows) % 2
    if "rarest" in population:
        table["y"] = (np.arange(rows) < round(population["rarest"] * rows)).astype(int)
    table = table.eval(population["formula"], engine="python")
    if "levels" in population:
        cells = table.iloc[:, : size[1]].to_numpy()
        X = (cells[:, :, None] == np.arange(population["levels"])).reshape(rows, -1)
    else:
        X = table[[f"x{j + 1}" for j in range(columns)]].to_numpy()
    X = X.astype(float, order="C")
    if "target" in table:
        return Draw(X, target=table["target"].to_numpy())
    if "logit" in table:
        table["y"] = rng.random(rows) < 1 / (1 + np.exp(-table["logit"]))
    return Draw(X, table["y"].to_numpy(dtype=np.int64))


def _sample(distribution: Mapping[str, list[float]], rng: Random, size: Any) -> np.ndarray:
    ((name, parameters),) = distribution.items()
    return np.asarray(getattr(rng, name)(*parameters, size=size))
