"""The feature space and the plane: level lines of components, and axes without a pre-image."""

from itertools import product

import numpy as np
import pandas as pd

from kpca.kernel_pca import KernelPCA
from kpca.types import Floats
from pipeline.datasets.generators import moons
from pipeline.evaluation.predictors import affine
from pipeline.job import script
from pipeline.seeds import rng_for
from workflow.scripts.claims.claim import Case, exactly, spanned
from workflow.scripts.claims.separability import draw_pair, fresh_bound
from workflow.scripts.claims.setting import fitted

REPLICATES = 5
KERNELS = ("linear", "rbf")
LENGTHS = np.round(np.linspace(-2, 2, 33), 10)
LEVELS = 12
ROUNDS = 19  # of ever smaller grids
SIDE = 61  # points of the grid along a side
BEYOND = 1.0  # of the range of the rows, on either side


def features(X: Floats) -> Floats:
    """Return φ(x) = (x₁², √2 x₁x₂, x₂²), the features of the kernel (x·y)²."""
    first, second = X.T
    return np.column_stack([first**2, np.sqrt(2) * first * second, second**2])


def quadratic(X: Floats) -> KernelPCA:
    """Fit all three components of kernel PCA with (x·y)²."""
    return KernelPCA(3, kernel="poly", degree=2, gamma=1, coef0=0).fit(X)


def curvature(F: Floats, scores: Floats) -> Floats:
    """Return the share of each score's variance that no affine function of F explains."""
    weights, offsets = affine(F, scores)
    return np.asarray((scores - F @ weights - offsets).var(axis=0) / scores.var(axis=0))


def level_lines(seed: int) -> list[Case]:
    """Measure on fresh rings how straight level lines are, and whether a plane separates them."""
    found = []
    for replicate in range(REPLICATES):
        (X, y), (fresh, y_fresh) = draw_pair("rings", seed, replicate)
        model = quadratic(X)
        scores = model.transform(fresh)
        bound = fresh_bound((model.transform(X), y), (scores, y_fresh))
        found.append((curvature(features(fresh), scores), curvature(fresh, scores), bound))
    straight, curved, bounds = zip(*found, strict=True)
    return [
        spanned("5-level-lines-feature", np.concatenate(straight)),
        spanned("5-level-lines-input", np.concatenate(curved)),
        spanned("5-rings-quadric", bounds),
    ]


def nearest(model: KernelPCA, t: float, low: Floats, high: Floats) -> tuple[float, Floats]:
    """Return the distance of t·v_1 from the image of the plane, and the point that attains it.

    From the best point of a grid between two corners on, ever smaller grids are laid around it.
    """
    sides = np.linspace(low, high, SIDE).T
    spacing = (sides[:, 1] - sides[:, 0]).max()
    for _ in range(ROUNDS):
        points = np.stack(np.meshgrid(*sides), axis=-1).reshape(-1, 2)
        squares = model.expansion().distances(np.full((len(points), 1), t), points)
        distances = np.sqrt(np.maximum(squares, 0))
        best = points[int(np.argmin(distances))]
        sides = best[:, None] + np.linspace(-spacing, spacing, 9)
        spacing /= 3
    return float(distances.min()), best


def bracket(model: KernelPCA, levels: int = LEVELS) -> tuple[float, float]:
    """Return bounds of max_z |f(z)|, f the first component of a Gaussian kernel in the plane.

    Squares are quartered while they can hold the maximum: ‖v_1‖ = 1 makes f Lipschitz with constant
    √(2γ). Without centring all coefficients of f have one sign (Perron and Frobenius), so that the
    maximum lies within the box around the rows.
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


@script
def measure(*, seed: int) -> dict[str, pd.DataFrame]:
    """Return the cases of level lines and axes, and the table of the figure.

    The least distance from the Gaussian axis is √(1 − max f²), as ‖φ(z) − tv‖² = 1 − 2tf(z) + t².
    """
    X = moons(100, rng_for(seed, "claims", "axis"), noise=0.1).X
    models = {kernel: fitted(kernel, X, 1, center=False) for kernel in KERNELS}
    margin = BEYOND * np.ptp(X, axis=0)
    box = X.min(axis=0) - margin, X.max(axis=0) + margin
    found = []
    for kernel, t in product(KERNELS, LENGTHS):
        found.append((kernel, t, nearest(models[kernel], t, *box)[0]))
    axes = pd.DataFrame(found, columns=["kernel", "t", "distance"])
    far, near = (float(np.sqrt(max(1 - value**2, 0))) for value in bracket(models["rbf"]))
    cases = [
        *level_lines(seed),
        exactly("11-axis-linear", axes.loc[axes["kernel"] == "linear", "distance"].max()),
        Case("11-axis-gaussian", far, near, far),
    ]
    return {"claims": pd.DataFrame(cases), "axes": axes}
