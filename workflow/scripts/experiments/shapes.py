"""Rings, spirals and the Swiss roll: what kernel PCA separates and unrolls, and what it cannot.

The cases say whether a plane separates classes before and after kernel PCA, and whether a component
follows the coordinate along the Swiss roll. They also say whether level lines of components are
straight in the feature space, and whether points on an axis of kernel PCA have a pre-image.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from scipy.optimize import linprog
from scipy.stats import binomtest
from sklearn.manifold import Isomap

from kpca.kernel_pca import KernelPCA
from kpca.kernels.bandwidth import median_gamma
from kpca.linear.pca import PCA
from kpca.study.datasets.generators import GENERATORS, moons, swiss_roll
from kpca.study.scoring.metrics import correlation
from kpca.study.scoring.predictors import affine
from kpca.study.seeds import rng_for
from kpca.types import Array, Floats
from workflow.drawing.plane import Boundary
from workflow.job import Tables, script
from workflow.scripts.claims.claim import Case, averaged, exactly, spanned
from workflow.scripts.experiments.setting import GRIDS, fitted

REPLICATES = 5
N_TRAIN = 200
FRESH = 10_000
LEAST_MARGIN = 1e-6  # smallest margin that is not rounding, for columns of modulus up to 1
MULTIPLES = GRIDS["separability"]  # multiples of the median γ
N_COMPONENTS = 2
DATASETS = {
    "rings": {"noise": 0.08, "radius_ratio": 0.3},
    "spirals": {"noise": 0.02, "turns": 1.5},
}
SHEET = 800
GRID = GRIDS["unrolling"]  # kernel → its parameters
UNROLLED = 0.95  # A component unrolls the sheet if |r| with the coordinate along it reaches this.
# Settings of the search for the points of the plane whose images are nearest to points of an axis.
LENGTHS = np.round(np.linspace(-2, 2, 33), 10)  # positions of points along the axis
LEVELS = 12  # number of times that squares are quartered
ROUNDS = 19  # number of grids, each smaller than the last
SIDE = 61  # number of points along a side of the first grid
BEYOND = 1.0  # margin of the first grid on each side, relative to the range of the rows
Rows = tuple[Array, Array]  # points, and their classes 0 and 1


def draw_pair(name: str, seed: int, replicate: int) -> tuple[Rows, Rows]:
    """Return training rows and fresh rows of a dataset, each with its classes."""
    sides = []
    for n in (N_TRAIN, FRESH):
        rng = rng_for(seed, "separability", name, replicate, n)
        drawn = GENERATORS[name](n, rng, **DATASETS[name])
        sides.append((drawn.X, np.asarray(drawn.y)))
    return sides[0], sides[1]


def gaussian(X: Array, multiple: float, n_components: int) -> KernelPCA:
    """Fit Gaussian kernel PCA with γ = ``multiple`` times the median heuristic."""
    return KernelPCA(n_components, kernel="rbf", gamma=multiple * median_gamma(X)).fit(X)


def separating_plane(Z: Array, y: Array) -> Boundary | None:
    """Return a plane that has all rows of class 1 on one side and all of class 0 on the other.

    With s = ±1 by class and every column scaled to at most 1 in modulus, the linear program

        max t  subject to  s_i (w·z_i + b) ≥ t,  −1 ≤ w ≤ 1

    has a solution t > 0 exactly if such a plane exists. Otherwise the function returns None.
    """
    m = Z.shape[1]
    largest = np.abs(Z).max(axis=0)
    scale = np.where(largest > 0, largest, 1.0)
    design = np.column_stack([Z / scale, np.ones(len(Z))]) * np.where(y == 1, 1, -1)[:, None]
    solution = linprog(
        np.append(np.zeros(m + 1), -1.0),
        A_ub=np.column_stack([-design, np.ones(len(Z))]),
        b_ub=np.zeros(len(Z)),
        bounds=[(-1, 1)] * m + [(None, None)] * 2,
    )
    if solution.x is None or solution.x[-1] < LEAST_MARGIN:
        return None
    w = solution.x[:m] / scale
    norm = float(np.linalg.norm(w))
    return Boundary(w / norm, float(solution.x[m]) / norm)


def fresh_bound(model: Any, train: Rows, fresh: Rows) -> float:
    """Return a lower 95 % bound (Clopper and Pearson) on a plane's accuracy on fresh rows.

    The plane separates the model's scores of the training rows. The bound is 0 if no plane does.
    """
    X, y = fresh
    plane = separating_plane(model.transform(train[0]), train[1])
    if plane is None:
        return 0.0
    correct = round(plane.accuracy(model.transform(X), y) * len(y))
    test = binomtest(correct, len(y), alternative="greater")
    return test.proportion_ci(confidence_level=0.95).low


def separated(seed: int) -> Iterator[Case]:
    """Yield the cases on rings and on spirals, which measure `fresh_bound` of two components."""
    # In this order, ties go to the multiple nearest to the median γ.
    multiples = sorted(MULTIPLES, key=lambda multiple: abs(np.log(multiple)))
    for name in DATASETS:
        of_pca = []
        rows = []
        for replicate in range(REPLICATES):
            train, fresh = draw_pair(name, seed, replicate)
            of_pca.append(fresh_bound(PCA(N_COMPONENTS).fit(train[0]), train, fresh))
            models = [gaussian(train[0], multiple, N_COMPONENTS) for multiple in multiples]
            rows.append([fresh_bound(model, train, fresh) for model in models])
        bounds = pd.DataFrame(rows, columns=multiples)
        yield spanned("5-before", of_pca, name)
        yield spanned(f"5-{name}-two", bounds[1], "median γ")
        best = bounds.mean().round(10).idxmax()
        yield spanned(f"5-{name}-two", bounds[best], "best γ of the grid")


def draw_sheet(seed: int, replicate: int) -> tuple[Array, Array]:
    """Return the points of a Swiss roll without noise, and their coordinate along the sheet."""
    roll = swiss_roll(SHEET, rng_for(seed, "unrolling", replicate))
    return roll.X, np.asarray(roll.target)


def axis_correlation(Z: Array, coordinate: Array) -> float:
    """Return the largest |r| between a column of Z and ``coordinate``."""
    return max(abs(correlation(coordinate, column)) for column in Z.T)


def embed(X: Array, kernel: str, parameter: float) -> Array:
    """Return the first two components of X by kernel PCA.

    The parameter is the degree of "poly", the number of neighbours of "geodesic", and a multiple of
    the median γ for other kernels. The geodesic kernel is −½ D², where D has the shortest paths
    along neighbours, so that its components are the coordinates of Isomap (Tenenbaum et al. 2000,
    Science 290).
    """
    if kernel == "geodesic":
        D = np.asarray(Isomap(n_neighbors=int(parameter)).fit(X).dist_matrix_)
        # Distances on a graph are not Euclidean, so the fit warns of negative eigenvalues.
        return KernelPCA(2, kernel="precomputed").fit_transform(-0.5 * D**2)
    gamma = median_gamma(X, "laplacian" if kernel == "laplacian" else "rbf")
    gamma *= 1 if kernel == "poly" else parameter
    model = KernelPCA(2, kernel=kernel, gamma=gamma, degree=parameter, coef0=1)
    return model.fit_transform(X - X.mean(axis=0))


def unrolled(seed: int) -> tuple[list[Case], pd.DataFrame]:
    """Return the cases of the Swiss roll, and a table of `axis_correlation`.

    The table has one row per kernel, parameter and replicate.
    """
    rows = []
    settings = [(kernel, parameter) for kernel, tried in GRID.items() for parameter in tried]
    for replicate in range(REPLICATES):
        X, coordinate = draw_sheet(seed, replicate)
        for setting in settings:
            rows.append((*setting, replicate, axis_correlation(embed(X, *setting), coordinate)))
    table = pd.DataFrame(rows, columns=["kernel", "parameter", "replicate", "value"])
    geodesic = table["kernel"] == "geodesic"
    best = table[~geodesic].groupby("replicate")["value"].max()
    neighbours = table[geodesic].pivot(index="replicate", columns="parameter", values="value")
    at_best = neighbours[neighbours.mean().idxmax()]
    cases = [averaged("5-roll-two", best), averaged("5-roll-geodesic", at_best)]
    return cases, table


def features(X: Floats) -> Floats:
    """Return φ(x) = (x₁², √2 x₁x₂, x₂²), the features of the kernel (x·y)²."""
    first, second = X.T
    return np.column_stack([first**2, np.sqrt(2) * first * second, second**2])


def quadratic(X: Floats) -> KernelPCA:
    """Fit all three components of kernel PCA with the kernel (x·y)²."""
    return KernelPCA(3, kernel="poly", degree=2, gamma=1, coef0=0).fit(X)


def curvature(F: Floats, scores: Floats) -> Floats:
    """Return the fraction of each score's variance that no affine function of F explains."""
    weights, offsets = affine(F, scores)
    return (scores - F @ weights - offsets).var(axis=0) / scores.var(axis=0)


def level_lines(seed: int) -> list[Case]:
    """Measure on fresh rings how straight level lines are, and whether a plane separates the rings.

    Level lines of scores are straight if the scores are an affine function (see `curvature`).
    """
    in_features: list[float] = []
    in_plane: list[float] = []
    bounds = []
    for replicate in range(REPLICATES):
        train, fresh = draw_pair("rings", seed, replicate)
        model = quadratic(train[0])
        scores = model.transform(fresh[0])
        in_features.extend(curvature(features(fresh[0]), scores))
        in_plane.extend(curvature(fresh[0], scores))
        bounds.append(fresh_bound(model, train, fresh))
    return [
        spanned("5-level-lines-feature", in_features),
        spanned("5-level-lines-input", in_plane),
        spanned("5-rings-quadric", bounds),
    ]


def nearest(model: KernelPCA, t: float, low: Floats, high: Floats) -> tuple[float, Floats]:
    """Return the distance of t·v_1 from the image of the plane, and the point that attains it.

    The search begins with a grid between the corners ``low`` and ``high``. Ever smaller grids
    around the best point follow.
    """
    sides = np.linspace(low, high, SIDE).T
    spacing = (sides[:, 1] - sides[:, 0]).max()
    for _ in range(ROUNDS):
        points = np.stack(np.meshgrid(*sides), axis=-1).reshape(-1, 2)
        squares = model.expansion().distances(np.full((len(points), 1), t), points)
        distances = np.sqrt(np.maximum(squares, 0))
        best = points[distances.argmin()]
        sides = best[:, None] + np.linspace(-spacing, spacing, 9)
        spacing /= 3
    return distances.min(), best


def bracket(model: KernelPCA, levels: int = LEVELS) -> tuple[float, float]:
    """Return bounds below and above max |f|, where f is the first component of a Gaussian kernel.

    Without centring, all coefficients of f have one sign (Perron and Frobenius), so that the
    maximum lies within the box around the rows. Squares that can contain it are quartered. The
    bound on a square follows because f is Lipschitz with constant √(2γ), since ‖v_1‖ = 1.
    """
    low = model.X_fit_.min(axis=0)
    high = model.X_fit_.max(axis=0)
    centres = (low + high)[None, :] / 2
    half = (high - low).max() / 2
    best = 0.0
    slope = np.sqrt(2 * model.gamma_)
    for level in range(levels + 1):
        values = np.abs(model.transform(centres)[:, 0])
        best = max(best, values.max())
        above = values + slope * half * np.sqrt(2)
        if level < levels:
            half /= 2
            corners = half * np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]])
            centres = (centres[above >= best][:, None, :] + corners).reshape(-1, 2)
    return best, above.max()


def without_preimage(seed: int) -> list[Case]:
    """Return the cases on how far points of an axis are from the image of the plane.

    The smallest distance between the image and the axis of the Gaussian kernel is √(1 − max f²),
    because ‖φ(z) − tv‖² = 1 − 2tf(z) + t².
    """
    X = moons(100, rng_for(seed, "claims", "axis"), noise=0.1).X
    linear, curved = (fitted(kernel, X, 1, center=False) for kernel in ("linear", "rbf"))
    margin = BEYOND * np.ptp(X, axis=0)
    box = X.min(axis=0) - margin, X.max(axis=0) + margin
    distances = [nearest(linear, t, *box)[0] for t in LENGTHS]
    far, near = (np.sqrt(max(1 - value**2, 0)) for value in bracket(curved))
    return [exactly("11-axis-linear", max(distances)), Case("11-axis-gaussian", far, near, far)]


@script
def measure(*, seed: int) -> Tables:
    """Return the cases of shapes, and the table ``embeddings``."""
    of_roll, embeddings = unrolled(seed)
    cases = [*separated(seed), *of_roll, *level_lines(seed), *without_preimage(seed)]
    return {"claims": pd.DataFrame(cases), "embeddings": embeddings}
