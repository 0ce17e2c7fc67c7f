"""Populations of which the truth is known, since as many rows as needed can be drawn.

Imported while the Snakefile is parsed, hence no NumPy at its top.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from pipeline.datasets.generators import Draw

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
}
GROUPS = {"groups12": 12, "groups20": 20, "groups40": 40}
ROWS: dict[str, tuple[int, ...]] = dict.fromkeys(TITLES, (60, 150))
ROWS |= dict.fromkeys((*GROUPS, "noise", "moons", "clusters"), (150,))
ROWS["plane"] = (60, 150, 500)
ROWS["unbalanced"] = (500,)  # fewer rows of a class are refused


def draw(name: str, rows: int, rng: np.random.Generator, groups: np.ndarray | None = None) -> Draw:
    """Draw rows of a population.

    Parameters
    ----------
    name : str
        One of `TITLES`.
    rows : int
    rng : Generator
    groups : array of int of shape (rows,), default=None
        Group of each row. Rows of a group share an offset of their features, and of their label.
    """
    import numpy as np

    from pipeline.datasets import generators
    from pipeline.datasets.generators import Draw

    classes = np.arange(rows) % 2
    match name:
        case "ring":
            return generators.rings(rows, rng, noise=0.12, radius_ratio=0.3)
        case "spirals":
            return generators.spirals(rows, rng, noise=0.02)
        case "roll":
            return generators.swiss_roll(rows, rng, noise=0.3)
        case "clusters":
            return generators.clusters(rows, rng, noise=0.3)
        case "moons":
            moons = generators.moons(rows, rng, noise=0.2)
            return moons._replace(X=np.column_stack([moons.X, 0.3 * rng.standard_normal(rows)]))
        case "pocket":  # 8 % of a class are on the far side of the other one
            X = 0.5 * rng.standard_normal((rows, 3))
            far = (rng.random(rows) < 0.08) & (classes == 1)
            X[:, 0] += np.where(far, -4.0, np.where(classes == 1, 1.5, -1.5))
            return Draw(X, classes)
    X, offset = rng.standard_normal((rows, 5)), np.zeros(rows)
    if name == "noise":
        return Draw(X, classes)
    if name == "unbalanced":
        rare = (np.arange(rows) < round(0.03 * rows)).astype(np.int64)
        X[:, 0] += 2 * rare
        return Draw(X, rare)
    if groups is not None:
        shared = rng.standard_normal((int(groups.max()) + 1, 6))
        X, offset = X + shared[groups, :5], shared[groups, 5]
    curvature = 1.3 if name == "curved" else 0.0
    logit = 2.5 * X[:, 0] + X[:, 1] + curvature * (X[:, 2] ** 2 - 1) + offset
    return Draw(X, (rng.random(rows) < 1 / (1 + np.exp(-logit))).astype(np.int64))
