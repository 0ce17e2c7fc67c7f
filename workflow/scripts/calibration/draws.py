"""Draw rows of the simulated populations."""

import numpy as np

from pipeline.datasets import generators
from pipeline.datasets.generators import Draw


def draw(name: str, rows: int, rng: np.random.Generator, groups: np.ndarray | None = None) -> Draw:
    """Draw rows of a population; rows of a group share an offset of features, and of the label."""
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
        case "rare_ring":
            return _ring(rows, rng, _rare(rows, 0.05), radius=0.3, noise=0.15)
        case "wrong_labels":
            ring = _ring(rows, rng, classes, radius=0.4, noise=0.12)
            return Draw(ring.X, np.where(rng.random(rows) < 0.2, 1 - classes, classes))
        case "ring_groups" if groups is not None:  # a label per group, whose rows are alike
            labels = rng.permutation(np.arange(int(groups.max()) + 1) % 2)
            centres = _ring(len(labels), rng, labels, radius=0.35, noise=0.17).X
            return Draw(centres[groups] + 0.1 * rng.standard_normal((rows, 2)), labels[groups])
        case "ten_classes":
            centres = 1.3 * np.random.default_rng(5).standard_normal((10, 8))
            ten = np.arange(rows) % 10
            return Draw(centres[ten] + rng.standard_normal((rows, 8)), ten)
        case "binary":  # the label is whether two of six binary columns differ, wrong in 10 %
            X = (rng.random((rows, 6)) < 0.5).astype(float)
            return Draw(X, ((X[:, 0] != X[:, 1]) ^ (rng.random(rows) < 0.1)).astype(np.int64))
        case "checkerboard":
            X = rng.uniform(0, 3, (rows, 2))
            return Draw(X, np.floor(X).sum(axis=1).astype(np.int64) % 2)
        case "wide":  # ten of 300 columns differ between the classes
            X = rng.standard_normal((rows, 300))
            X[:, :10] += np.where(classes == 1, 0.55, -0.55)[:, None]
            return Draw(X, classes)
        case "outliers":
            X = rng.uniform(-2, 2, (rows, 3))
            smooth = np.sin(2 * X[:, 0]) + 0.5 * X[:, 1]
            return Draw(X, target=smooth + 0.3 * rng.standard_t(1.5, rows))
        case "heavy_tails":
            X = rng.standard_t(2, (rows, 5))
            bowl = np.minimum(X[:, 2] ** 2, 9) - 1.5
            return _logistic(X, 1.5 * X[:, 0] + 0.8 * X[:, 1] + bowl, rng)
    X, offset = rng.standard_normal((rows, 5)), np.zeros(rows)
    if name == "noise":
        return Draw(X, classes)
    if name == "unbalanced":
        rare = _rare(rows, 0.03)
        X[:, 0] += 2 * rare
        return Draw(X, rare)
    if name == "two_sides":  # a rare class, mostly on one side of the other class
        rare = _rare(rows, 0.05)
        X[:, 0] += 2.2 * rare * np.where(rng.random(rows) < 0.7, 1, -1)
        return Draw(X[:, :4], rare)
    if name == "bent":
        return _logistic(X[:, :3], 2 * X[:, 0] + 1.2 * (X[:, 1] ** 2 - 1), rng)
    if groups is not None:
        shared = rng.standard_normal((int(groups.max()) + 1, 6))
        X, offset = X + shared[groups, :5], shared[groups, 5]
    curvature = 1.3 if name == "curved" else 0.0
    return _logistic(X, 2.5 * X[:, 0] + X[:, 1] + curvature * (X[:, 2] ** 2 - 1) + offset, rng)


def _logistic(X: np.ndarray, logit: np.ndarray, rng: np.random.Generator) -> Draw:
    return Draw(X, (rng.random(len(X)) < 1 / (1 + np.exp(-logit))).astype(np.int64))


def _rare(rows: int, fraction: float) -> np.ndarray:
    return (np.arange(rows) < round(fraction * rows)).astype(np.int64)


def _ring(
    rows: int, rng: np.random.Generator, labels: np.ndarray, *, radius: float, noise: float
) -> Draw:
    """Draw class 0 at radius 1 and class 1 at another radius, with noise along the radius."""
    angle, away = rng.uniform(0, 2 * np.pi, rows), 1 + noise * rng.standard_normal(rows)
    lengths = np.where(labels == 1, radius, 1.0) * away
    return Draw(lengths[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]), labels)
