"""An axis of the feature space, and how far its points lie from the image of the input space."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from kpca.kernel_pca import KernelPCA
from kpca.pipeline.datasets.generators import moons
from kpca.pipeline.seeds import rng_for
from kpca.pipeline.studies.claims.claim import Claim, Rule, exactly
from kpca.pipeline.studies.claims.setting import fitted
from kpca.subspace import Subspace
from kpca.types import Floats

FIGURE = "claims_axis"
KERNELS = ("linear", "poly", "rbf")
LENGTHS = np.round(np.linspace(-2, 2, 33), 10)
LEVELS = 12
ROUNDS = 18  # of ever smaller grids
SIDE = 61  # points of the grid along a side
BEYOND = 1.0  # of the range of the rows, on either side


def points_of(X: Floats) -> tuple[Floats, float]:
    """Return a grid of the plane around rows, of shape (SIDE², 2), and its larger spacing."""
    low, high = X.min(axis=0), X.max(axis=0)
    margin = BEYOND * (high - low)
    sides = [np.linspace(*ends, SIDE) for ends in zip(low - margin, high + margin, strict=True)]
    grid = np.stack(np.meshgrid(*sides), axis=-1).reshape(-1, 2)
    return grid, float(max(side[1] - side[0] for side in sides))


def distance(model: KernelPCA, t: float, points: Floats) -> Floats:
    """Return ‖φ(z) − t v_1‖ for points z, of shape (m,).

    Parameters
    ----------
    model : KernelPCA
        Of one component, fitted with ``center=False``: its axis runs through the origin.
    t : float
    points : ndarray of shape (m, d)
    """
    squares = Subspace(model).distances(model, np.full((len(points), 1), t), points)
    return np.sqrt(np.maximum(squares, 0))


def nearest(model: KernelPCA, t: float, grid: Floats, spacing: float) -> tuple[float, Floats]:
    """Return the distance of t·v_1 from the image of the plane, and the point that attains it.

    From the best point of the grid on, ever smaller grids are laid around the best point.

    Parameters
    ----------
    model : KernelPCA
    t : float
    grid : ndarray of shape (m, 2)
    spacing : float
        Of the grid.
    """
    points = grid
    for _ in range(ROUNDS):
        best = points[int(np.argmin(distance(model, t, points)))]
        side = np.linspace(-spacing, spacing, 9)
        points = best + np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
        spacing /= 3
    found = distance(model, t, points)
    return float(found.min()), points[int(np.argmin(found))]


def bracket(model: KernelPCA, levels: int = LEVELS) -> tuple[float, float]:
    """Return bounds of max_z |f(z)|, f the first component of a Gaussian kernel in the plane.

    Squares are quartered while they can hold the maximum: ‖v_1‖ = 1 makes f Lipschitz with
    constant √(2γ). Without centring all coefficients of f have one sign (Perron and Frobenius),
    and no point outside of the box around the rows is nearer to any row than its projection on
    the box: the maximum lies within.

    Parameters
    ----------
    model : KernelPCA
        Fitted with ``center=False``.
    levels : int
        How often squares are quartered: the bracket has the width √(2γ) · side · 2^(½ − levels).
    """
    low, high = model.X_fit_.min(axis=0), model.X_fit_.max(axis=0)
    centres, half = (low + high)[None, :] / 2, float((high - low).max()) / 2
    best, slope = 0.0, np.sqrt(2 * model.gamma_)
    for level in range(levels + 1):
        values = np.abs(model.transform(centres)[:, 0])
        best = max(best, float(values.max()))
        above = values + slope * half * np.sqrt(2)
        if level < levels:
            half /= 2
            corners = half * np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]])
            centres = (centres[above >= best][:, None, :] + corners).reshape(-1, 2)
    return best, float(above.max())


def paths(models: dict[str, KernelPCA], grid: Floats, spacing: float) -> pd.DataFrame:
    """Return the nearest image along every axis: columns kernel, t, distance, x, y."""
    rows = []
    for kernel, model in models.items():
        for t in LENGTHS:
            found, z = nearest(model, float(t), grid, spacing)
            rows.append((kernel, t, found, *z))
    return pd.DataFrame(rows, columns=["kernel", "t", "distance", "x", "y"])


def measure(*, seed: int) -> tuple[list[Claim], dict[str, pd.DataFrame]]:
    """Return the claims on axes without pre-image, and the tables ``paths`` and ``rows``."""
    X = moons(100, rng_for(seed, "claims", "axis"), noise=0.1).X
    models = {kernel: fitted(kernel, X, 1, center=False) for kernel in KERNELS}
    table = paths(models, *points_of(X))
    claims = [*_linear_claim(table), _gaussian_claim(models["rbf"])]
    return claims, {"paths": table, "rows": pd.DataFrame(X, columns=["x", "y"])}


def _linear_claim(table: pd.DataFrame) -> Iterator[Claim]:
    rows = table[table["kernel"] == "linear"]
    yield Claim(
        "11-axis-linear",
        "Every point of a linear axis is the image of a point of the input space.",
        "distance 0",
        *exactly(rows["distance"].max()),
        Rule(f"largest distance of t·v_1, |t| ≤ {LENGTHS[-1]:g}", "below", 1e-6),
        FIGURE,
    )


def _gaussian_claim(model: KernelPCA) -> Claim:
    """Judge the least distance over all t: √(1 − max f²), since ‖φ(z) − tv‖² = 1 − 2tf(z) + t²."""
    distances = [float(np.sqrt(max(1 - value**2, 0))) for value in bracket(model)]
    return Claim(
        "11-axis-gaussian",
        "The axis of a Gaussian kernel need not have a pre-image: no point of it has one.",
        "distance > 0",
        distances[0],
        distances[1],
        distances[0],
        Rule("least distance of t·v_1 over all t, between proven bounds", "above", 0.1),
        FIGURE,
    )
