"""Draw rows of each simulated population, by its entry in workflow/populations.yaml."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from kpca.study.datasets.generators import GENERATORS, Draw
from workflow.populations import COLUMNS, POPULATIONS

Random = np.random.Generator
# Distribution of NumPy, with its parameters, if a population names no other one.
NORMAL: dict[str, list[float]] = {"standard_normal": []}


def pocket(rows: int, rng: Random) -> Draw:
    """Draw two classes; 8 % of one are on the far side of the other one."""
    classes = _alternating(rows)
    X = 0.5 * rng.standard_normal((rows, 3))
    far = (rng.random(rows) < 0.08) & (classes == 1)
    X[:, 0] += np.where(far, -4.0, np.where(classes == 1, 1.5, -1.5))
    return Draw(X, classes)


def rare_ring(rows: int, rng: Random) -> Draw:
    """Draw a ring whose inner class has 5 % of the rows."""
    return _rings_of(_rare(rows, 0.05), rng, radius=0.3, noise=0.15)


def wrong_labels(rows: int, rng: Random) -> Draw:
    """Draw two rings of equal classes."""
    return _rings_of(_alternating(rows), rng, radius=0.4, noise=0.12)


def ten_classes(rows: int, rng: Random) -> Draw:
    """Draw ten clusters in eight columns."""
    centres = 1.3 * np.random.default_rng(5).standard_normal((10, 8))
    classes = np.arange(rows) % 10
    return Draw(centres[classes] + rng.standard_normal((rows, 8)), classes)


def binary(rows: int, rng: Random) -> Draw:
    """Draw six binary columns; the label is whether two differ."""
    X = (rng.random((rows, 6)) < 0.5).astype(float)
    return Draw(X, (X[:, 0] != X[:, 1]).astype(np.int64))


def wide(rows: int, rng: Random) -> Draw:
    """Draw 300 columns, of which ten differ between the classes."""
    classes = _alternating(rows)
    X = rng.standard_normal((rows, 300))
    X[:, :10] += np.where(classes == 1, 0.55, -0.55)[:, None]
    return Draw(X, classes)


def two_sides(rows: int, rng: Random) -> Draw:
    """Draw a rare class, mostly on one side of the other class."""
    X, rare = rng.standard_normal((rows, 5)), _rare(rows, 0.05)
    X[:, 0] += 2.2 * rare * np.where(rng.random(rows) < 0.7, 1, -1)
    return Draw(X[:, :4], rare)


def small_clusters(rows: int, rng: Random) -> Draw:
    """Draw a class of 3 % in two small clusters, on either side of the other class."""
    rare, X = _rare(rows, 0.03), rng.standard_normal((rows, 4))
    side = np.where(rng.random(rows) < 0.5, 1, -1)
    near = 0.4 * X + side[:, None] * np.array([1.8, 1.2, 0, 0])
    return Draw(np.where(rare[:, None] == 1, near, X), rare)


def categories(rows: int, rng: Random) -> Draw:
    """Draw five columns of four categories, one-hot; the label is the xor of two halves."""
    drawn = rng.integers(0, 4, (rows, 5))
    X = (drawn[:, :, None] == np.arange(4)).reshape(rows, -1).astype(float)
    return Draw(X, ((drawn[:, 0] < 2) ^ (drawn[:, 1] < 2)).astype(np.int64))


# The populations that neither a generator nor a formula gives.
DRAWS: dict[str, Callable[[int, Random], Draw]] = {
    function.__name__: function
    for function in (
        *(pocket, rare_ring, wrong_labels, ten_classes, binary, wide),
        *(two_sides, small_clusters, categories),
    )
}


def draw(name: str, rows: int, rng: Random, groups: np.ndarray | None = None) -> Draw:
    """Draw rows of a population; rows of a group share an offset of features, and of the label."""
    population = POPULATIONS[name]
    if groups is not None:
        return _grouped(name, rng, groups)
    if name in DRAWS:
        drawn = DRAWS[name](rows, rng)
    elif "generator" in population:
        drawn = _generated(population, rows, rng)
    else:
        drawn = _by_formula(population, rows, rng)
    if drawn.y is None or "errors" not in population:
        return drawn
    is_wrong = rng.random(rows) < population["errors"]
    return drawn._replace(y=np.where(is_wrong, 1 - drawn.y, drawn.y))


def _generated(population: Mapping[str, Any], rows: int, rng: Random) -> Draw:
    """Draw from a generator of the library, with columns of noise."""
    ((generator, options),) = population["generator"].items()
    drawn = GENERATORS[generator](rows, rng, **options)
    columns, scale = population.get("noise_columns", (0, 1))
    further = scale * rng.standard_normal((rows, columns))
    return drawn._replace(X=np.column_stack([drawn.X, further]))


def _by_formula(population: Mapping[str, Any], rows: int, rng: Random) -> Draw:
    """Draw columns, and labels or a target by the formula of a population."""
    columns = population.get("columns", COLUMNS)
    size = rows, population.get("columns_drawn", columns)
    drawn = _sample(population.get("features", NORMAL), rng, size)
    table = pd.DataFrame(drawn).rename(columns=lambda j: f"x{j + 1}")
    X = drawn[:, :columns]
    if "logit" in population:
        return _logistic(X, _evaluated(table, population["logit"]), rng)
    if "by_class" in population:
        rarest = population.get("rarest")
        y = _rare(rows, rarest) if rarest else _alternating(rows)
        moved = _evaluated(table.assign(y=y), population["by_class"])
        return Draw(np.ascontiguousarray(moved[:, :-1]), y)
    if "label" in population:
        return Draw(X, _evaluated(table, population["label"]).astype(np.int64))
    scatter = population["scale"] * _sample(population.get("noise", NORMAL), rng, rows)
    return Draw(X, target=_evaluated(table, population["target"]) + scatter)


def _sample(distribution: Mapping[str, list[float]], rng: Random, size: Any) -> np.ndarray:
    ((name, parameters),) = distribution.items()
    return np.asarray(getattr(rng, name)(*parameters, size=size))


def _evaluated(table: pd.DataFrame, formula: str) -> np.ndarray:
    return np.asarray(table.eval(formula, engine="python"))


def _grouped(name: str, rng: Random, groups: np.ndarray) -> Draw:
    rows, number = len(groups), int(groups.max()) + 1
    if name == "ring_groups":  # a label per group, whose rows are alike
        labels = rng.permutation(_alternating(number))
        centres = _rings_of(labels, rng, radius=0.35, noise=0.17).X
        return Draw(centres[groups] + 0.1 * rng.standard_normal((rows, 2)), labels[groups])
    X, shared = rng.standard_normal((rows, 5)), rng.standard_normal((number, 6))
    X += shared[groups, :5]
    return _logistic(X, 2.5 * X[:, 0] + X[:, 1] + shared[groups, 5], rng)


def _alternating(rows: int) -> np.ndarray:
    return np.arange(rows) % 2


def _rare(rows: int, fraction: float) -> np.ndarray:
    return (np.arange(rows) < round(fraction * rows)).astype(np.int64)


def _logistic(X: np.ndarray, logit: np.ndarray, rng: Random) -> Draw:
    return Draw(X, (rng.random(len(X)) < 1 / (1 + np.exp(-logit))).astype(np.int64))


def _rings_of(labels: np.ndarray, rng: Random, *, radius: float, noise: float) -> Draw:
    """Draw class 0 at radius 1 and class 1 at another radius, with noise along the radius."""
    angle = rng.uniform(0, 2 * np.pi, len(labels))
    away = 1 + noise * rng.standard_normal(len(labels))
    lengths = np.where(labels == 1, radius, 1.0) * away
    return Draw(lengths[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]), labels)
