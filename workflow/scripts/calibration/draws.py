"""Draw rows of each simulated population; workflow/populations.py has their titles and sizes."""

from collections.abc import Callable
from functools import partial

import numpy as np

from kpca.study.datasets import generators
from kpca.study.datasets.generators import Draw

Random = np.random.Generator


def wrong_spirals(rows: int, rng: Random) -> Draw:
    """Draw spirals with 20 % wrong labels."""
    drawn = generators.spirals(rows, rng, noise=0.05)
    assert drawn.y is not None
    return drawn._replace(y=_with_errors(drawn.y, rng, 0.2))


def moons(rows: int, rng: Random) -> Draw:
    """Draw moons and a column of noise."""
    drawn = generators.moons(rows, rng, noise=0.2)
    return drawn._replace(X=np.column_stack([drawn.X, 0.3 * rng.standard_normal(rows)]))


def noisy_moons(rows: int, rng: Random) -> Draw:
    """Draw moons with 20 columns of noise."""
    drawn = generators.moons(rows, rng, noise=0.2)
    return drawn._replace(X=np.column_stack([drawn.X, 0.5 * rng.standard_normal((rows, 20))]))


def pocket(rows: int, rng: Random) -> Draw:
    """Draw two classes; 8 % of one are on the far side of the other one."""
    classes = _alternating(rows)
    X = 0.5 * rng.standard_normal((rows, 3))
    far = (rng.random(rows) < 0.08) & (classes == 1)
    X[:, 0] += np.where(far, -4.0, np.where(classes == 1, 1.5, -1.5))
    return Draw(X, classes)


def rare_ring(rows: int, rng: Random) -> Draw:
    """Draw a ring whose inner class has 5 % of the rows."""
    return _rings_of(rows, rng, _rare(rows, 0.05), radius=0.3, noise=0.15)


def wrong_labels(rows: int, rng: Random) -> Draw:
    """Draw rings with 20 % wrong labels."""
    drawn = _rings_of(rows, rng, _alternating(rows), radius=0.4, noise=0.12)
    assert drawn.y is not None
    return Draw(drawn.X, _with_errors(drawn.y, rng, 0.2))


def ten_classes(rows: int, rng: Random) -> Draw:
    """Draw ten clusters in eight columns."""
    centres = 1.3 * np.random.default_rng(5).standard_normal((10, 8))
    classes = np.arange(rows) % 10
    return Draw(centres[classes] + rng.standard_normal((rows, 8)), classes)


def binary(rows: int, rng: Random) -> Draw:
    """Draw six binary columns; the label is whether two differ, wrong in 10 %."""
    X = (rng.random((rows, 6)) < 0.5).astype(float)
    return Draw(X, ((X[:, 0] != X[:, 1]) ^ (rng.random(rows) < 0.1)).astype(np.int64))


def checkerboard(rows: int, rng: Random) -> Draw:
    """Draw a board of three by three fields."""
    X = rng.uniform(0, 3, (rows, 2))
    return Draw(X, np.floor(X).sum(axis=1).astype(np.int64) % 2)


def wide(rows: int, rng: Random) -> Draw:
    """Draw 300 columns, of which ten differ between the classes."""
    classes = _alternating(rows)
    X = rng.standard_normal((rows, 300))
    X[:, :10] += np.where(classes == 1, 0.55, -0.55)[:, None]
    return Draw(X, classes)


def sparse(rows: int, rng: Random) -> Draw:
    """Draw 200 columns, of which five make the label."""
    X = rng.standard_normal((rows, 200))
    return _logistic(X, X[:, :5] @ np.array([2, -1.5, 1.5, -1, 1]), rng)


def outliers(rows: int, rng: Random) -> Draw:
    """Draw a target with noise of a t distribution."""
    X = rng.uniform(-2, 2, (rows, 3))
    smooth = np.sin(2 * X[:, 0]) + 0.5 * X[:, 1]
    return Draw(X, target=smooth + 0.3 * rng.standard_t(1.5, rows))


def heavy_tails(rows: int, rng: Random) -> Draw:
    """Draw features of a t distribution."""
    X = rng.standard_t(2, (rows, 5))
    bowl = np.minimum(X[:, 2] ** 2, 9) - 1.5
    return _logistic(X, 1.5 * X[:, 0] + 0.8 * X[:, 1] + bowl, rng)


def noise(rows: int, rng: Random) -> Draw:
    """Draw labels that do not depend on the features."""
    return Draw(rng.standard_normal((rows, 5)), _alternating(rows))


def unbalanced(rows: int, rng: Random) -> Draw:
    """Draw a class of 3 % on one side."""
    X, rare = rng.standard_normal((rows, 5)), _rare(rows, 0.03)
    X[:, 0] += 2 * rare
    return Draw(X, rare)


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


def bent(rows: int, rng: Random) -> Draw:
    """Draw two classes on either side of a bent plane."""
    X = rng.standard_normal((rows, 5))
    return _logistic(X[:, :3], 2 * X[:, 0] + 1.2 * (X[:, 1] ** 2 - 1), rng)


def plane(rows: int, rng: Random) -> Draw:
    """Draw two classes on either side of a plane."""
    X = rng.standard_normal((rows, 5))
    return _logistic(X, 2.5 * X[:, 0] + X[:, 1], rng)


def curved(rows: int, rng: Random) -> Draw:
    """Draw two classes on either side of a slightly curved plane."""
    X = rng.standard_normal((rows, 5))
    return _logistic(X, 2.5 * X[:, 0] + X[:, 1] + 1.3 * (X[:, 2] ** 2 - 1), rng)


def bowl(rows: int, rng: Random) -> Draw:
    """Draw labels by a square and a product of columns."""
    X = rng.standard_normal((rows, 5))
    logit = 1.5 * X[:, 0] + 0.8 * (X[:, 1] ** 2 - 1) + 0.8 * X[:, 2] * X[:, 3]
    return _logistic(X, logit, rng)


def parity(rows: int, rng: Random) -> Draw:
    """Draw the sign of a product of three of six columns, wrong in 5 %."""
    X = rng.uniform(-1, 1, (rows, 6))
    return Draw(X, _with_errors((X[:, :3].prod(axis=1) > 0).astype(np.int64), rng, 0.05))


def categories(rows: int, rng: Random) -> Draw:
    """Draw five columns of four categories, one-hot; the xor of two halves, wrong in 10 %."""
    drawn = rng.integers(0, 4, (rows, 5))
    X = (drawn[:, :, None] == np.arange(4)).reshape(rows, -1).astype(float)
    return Draw(X, _with_errors(((drawn[:, 0] < 2) ^ (drawn[:, 1] < 2)).astype(np.int64), rng, 0.1))


def covariances(rows: int, rng: Random) -> Draw:
    """Draw two classes of almost the same mean, and other covariances."""
    classes, X = _alternating(rows), rng.standard_normal((rows, 8))
    X[:, :3] *= np.where(classes == 1, 2.0, 1.0)[:, None]
    X[:, 3] += np.where(classes == 1, 0.5, -0.5)
    return Draw(X, classes)


def additive(rows: int, rng: Random) -> Draw:
    """Draw a target that is a sum of bent functions of single columns."""
    X = rng.uniform(-2, 2, (rows, 6))
    smooth = np.sin(2 * X[:, 0]) + np.abs(X[:, 1]) + 0.5 * X[:, 2] ** 2 + 0.7 * X[:, 3]
    return Draw(X, target=smooth + 0.5 * rng.standard_normal(rows))


def _parabolic(curvature: float) -> Callable[[int, Random], Draw]:
    """Return the draw of a regression with normal noise, linear without curvature."""

    def draw_parabolic(rows: int, rng: Random) -> Draw:
        X = rng.standard_normal((rows, 5))
        smooth = 2 * X[:, 0] + X[:, 1] + curvature * (X[:, 2] ** 2 - 1)
        return Draw(X, target=smooth + np.sqrt(2) * rng.standard_normal(rows))

    return draw_parabolic


DRAWS: dict[str, Callable[[int, Random], Draw]] = {
    "ring": partial(generators.rings, noise=0.12, radius_ratio=0.3),
    "spirals": partial(generators.spirals, noise=0.02),
    "roll": partial(generators.swiss_roll, noise=0.3),
    "clusters": partial(generators.clusters, noise=0.3),
    **{
        function.__name__: function
        for function in (
            *(wrong_spirals, moons, noisy_moons, pocket),
            *(rare_ring, wrong_labels, ten_classes, binary, checkerboard, wide, sparse),
            *(outliers, heavy_tails, noise, unbalanced, two_sides, small_clusters, bent),
            *(plane, curved, bowl, parity, categories, covariances, additive),
        )
    },
    "line": _parabolic(0.0),
    "bent_line": _parabolic(0.5),
    "curved_line": _parabolic(1.0),
}


def draw(name: str, rows: int, rng: Random, groups: np.ndarray | None = None) -> Draw:
    """Draw rows of a population; rows of a group share an offset of features, and of the label."""
    if groups is None:
        return DRAWS[name](rows, rng)
    number = int(groups.max()) + 1
    if name == "ring_groups":  # a label per group, whose rows are alike
        labels = rng.permutation(_alternating(number))
        centres = _rings_of(number, rng, labels, radius=0.35, noise=0.17).X
        return Draw(centres[groups] + 0.1 * rng.standard_normal((rows, 2)), labels[groups])
    X, shared = rng.standard_normal((rows, 5)), rng.standard_normal((number, 6))
    X += shared[groups, :5]
    return _logistic(X, 2.5 * X[:, 0] + X[:, 1] + shared[groups, 5], rng)


def _alternating(rows: int) -> np.ndarray:
    return np.arange(rows) % 2


def _rare(rows: int, fraction: float) -> np.ndarray:
    return (np.arange(rows) < round(fraction * rows)).astype(np.int64)


def _with_errors(labels: np.ndarray, rng: Random, fraction: float) -> np.ndarray:
    return np.where(rng.random(len(labels)) < fraction, 1 - labels, labels)


def _logistic(X: np.ndarray, logit: np.ndarray, rng: Random) -> Draw:
    return Draw(X, (rng.random(len(X)) < 1 / (1 + np.exp(-logit))).astype(np.int64))


def _rings_of(rows: int, rng: Random, labels: np.ndarray, *, radius: float, noise: float) -> Draw:
    """Draw class 0 at radius 1 and class 1 at another radius, with noise along the radius."""
    angle, away = rng.uniform(0, 2 * np.pi, rows), 1 + noise * rng.standard_normal(rows)
    lengths = np.where(labels == 1, radius, 1.0) * away
    return Draw(lengths[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]), labels)
