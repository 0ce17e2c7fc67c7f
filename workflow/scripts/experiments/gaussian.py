"""The Gaussian kernel: its width σ, how linear its components are, and eigenvalues in a population.

For x ~ N(0, 1) and k(x, y) = exp(−(x − y)²), the eigenvalues without centring are known: 1/2, 1/4,
1/8 and so on (Zhu et al. 1998; Rasmussen and Williams 2006, section 4.3.1). The variance of new
samples along an axis is an integral of normal densities, so that no test sample is needed.
"""

from collections.abc import Iterator
from itertools import product

import numpy as np
import pandas as pd
import scipy.linalg

from kpca.kernel_pca import KernelPCA
from kpca.study.datasets.dataset import Split
from kpca.study.evidence.statistics import intervals
from kpca.study.scoring.predictors import affine
from kpca.study.seeds import rng_for
from kpca.types import Floats
from workflow.job import Tables, script
from workflow.scripts.claims.claim import Case, averaged, of_rows, spanned
from workflow.scripts.experiments.setting import (
    DATA,
    DATASETS,
    GRIDS,
    REPLICATES,
    balanced_accuracy,
    best_of_others,
    unit_functions,
    units,
)
from workflow.scripts.experiments.shapes import gaussian

MULTIPLES = GRIDS["reading"]  # multiples of the median γ
# σ in multiples of the median width; the statements are judged at `NARROW` and `WIDE`.
WIDTHS = GRIDS["width"]
NARROW = 0.1
WIDE = 100.0
# Study of the population: number of components, γ, level δ of the bound, number of draws, and
# sample sizes.
N_COMPONENTS = 5
GAMMA = 1.0
DELTA = 0.05
DRAWS = 40
SIZES = (50, 100, 200, 400, 800)
SMALL = SIZES[:3]  # sizes at which the bias, of order 1/n, exceeds its error over 40 draws


def plane_angle(A: Floats, X: Floats) -> float:
    """Return the largest angle (radians) between the spans of A's columns and of X's PCA scores."""
    left_vectors = scipy.linalg.svd(X - X.mean(axis=0), full_matrices=False)[0]
    return scipy.linalg.subspace_angles(A, left_vectors[:, : A.shape[1]]).max()


def spread(A: Floats, X: Floats) -> Floats:
    """Return the r.m.s. radius of X weighted by each column of A², divided by the plain radius."""
    weights = A**2
    centres = weights.T @ X
    squares = (X**2).sum(axis=1) @ weights - (centres**2).sum(axis=1)
    return np.sqrt(np.maximum(squares, 0) / X.var(axis=0).sum())


def eigenvalues(k: int) -> Floats:
    """Return the k leading eigenvalues of the Gaussian kernel under the normal distribution.

    >>> eigenvalues(3)
    array([0.5  , 0.25 , 0.125])
    """
    total = 0.25 + GAMMA + np.sqrt(0.0625 + GAMMA / 2)
    return np.sqrt(0.5 / total) * (GAMMA / total) ** np.arange(k)


def new_variances(model: KernelPCA) -> Floats:
    """Return the expected square of each score of a new sample x ~ N(0, 1)."""
    x = model.X_fit_
    gamma = model.gamma_
    middle = (x + x.T) / 2
    spread = 1 + 4 * gamma
    exponent = gamma * (x - x.T) ** 2 / 2 + 2 * gamma * middle**2 / spread
    products = np.exp(-exponent) / np.sqrt(spread)  # mean of k(x_i, x) k(x_j, x)
    axes = unit_functions(model)
    return np.sum(axes * (products @ axes), axis=0)


def residual_bound(shares: Floats, n: int) -> float:
    """Return a bound that the mean residual of new samples exceeds with probability at most 5 %.

    The probability is over training sets of size n. The kernel has k(x, x) = 1, and `shares` are
    the λ_j/n of the components that are kept.

    Proof. Let C be the mean of φ(x)φ(x)ᵀ in the population, Ĉ its mean in the training set, and P_m
    the projection on the m leading components of Ĉ. The mean residual of new samples is
    1 − tr(P_m C), and that of the training set is 1 − tr(P_m Ĉ) = 1 − Σ_{j≤m} λ_j/n. By Cauchy and
    Schwarz the two differ by at most √m ‖C − Ĉ‖ in the Hilbert–Schmidt norm. In this norm,
    E‖C − Ĉ‖² ≤ 1/n since ‖φφᵀ‖ = 1, and replacing one x_i moves Ĉ by at most √2/n since
    ⟨φφᵀ, ψψᵀ⟩ = k(x, y)² ≥ 0. By McDiarmid, ‖C − Ĉ‖ ≤ (1 + √ln(1/δ))/√n with probability 1 − δ, for
    all m at once. The residual falls with m, so that the smallest of the bounds for
    m = 1, 2, … holds for all components together.
    """
    counts = np.arange(1, len(shares) + 1)
    apart = (1 + np.sqrt(np.log(1 / DELTA))) / np.sqrt(n)
    return (1 - np.cumsum(shares) + np.sqrt(counts) * apart).min()


def affine_share(model: KernelPCA, split: Split) -> dict[str, float]:
    """Return how much of the components an affine function explains, and an SVM's accuracy.

    ``share`` is the fraction of the variance of all components on new rows that an affine function
    of the variables explains. ``accuracy`` is that of a linear SVM on the components.
    """
    train = model.transform(split.X_train)
    test = model.transform(split.X_test)
    weights, offset = affine(split.X_train, train)
    missed = (test - split.X_test @ weights - offset) ** 2
    share = 1 - missed.sum() / (len(test) * test.var(axis=0).sum())
    return {"share": share, "accuracy": balanced_accuracy(train, test, split)}


def at_best_multiple(read: pd.DataFrame) -> pd.DataFrame:
    """Return each replicate's ``share`` at the γ that is most accurate in the other replicates."""
    keys = ["dataset", "overlap"]
    by = read.set_index([*keys, "replicate", "multiple"]).unstack("multiple")
    shares = best_of_others(by["accuracy"], by["share"], keys)
    return by.index.to_frame(index=False).assign(share=shares)


def of_population(spectra: pd.DataFrame, residuals: pd.DataFrame) -> Iterator[Case]:
    """Yield the cases on the population.

    The limits of the cases follow from λ_j/n ≤ 1 and from residuals ≤ 1.
    """
    for component, rows in spectra[spectra["n"] == max(SIZES)].groupby("component"):
        errors = rows["training"] / rows["population"] - 1
        most = 1 / rows["population"].iloc[0] - 1
        yield averaged("16-limit", errors, f"component {component}", lowest=-1, highest=most)
    for n, rows in residuals.groupby("n"):
        case = f"n = {n}"
        most = 1 / rows["bound"].max()
        yield spanned("16-bound", rows["new"] / rows["bound"], case, highest=most)
        if n in SMALL:
            gained = rows["population"] - rows["training"]
            yield averaged("16-optimistic", gained, case, highest=rows["population"].max())
            remaining = 1 - rows["training"]
            shrunk = (1 - rows["new"]) / remaining
            yield averaged("16-shrink", shrunk, case, highest=(1 / remaining).mean())


@script
def measure(*, seed: int) -> Tables:
    """Return the cases of the Gaussian kernel, and the tables of the figures.

    ``widths`` has the `plane_angle` and the mean `spread` of every fit, and ``shares`` has the
    `affine_share`.
    """
    rows = []
    read = []
    spectra = []
    residuals = []
    for unit, split in units(DATASETS["widths"], ["rbf"], seed, REPLICATES):
        for width in WIDTHS:
            model = gaussian(split.X_train, width**-2, N_COMPONENTS)  # γ = 1/(2σ²)
            angle = plane_angle(model.eigenvectors_[:, :2], split.X_train)
            local = spread(model.eigenvectors_, split.X_train).mean()
            rows.append(unit | {"width": width, "angle": angle, "spread": local})
    for unit, split in units(DATA, ["rbf"], seed, REPLICATES):
        for multiple in MULTIPLES:
            model = gaussian(split.X_train, multiple, N_COMPONENTS)
            read.append(unit | {"multiple": multiple} | affine_share(model, split))
    for n, draw in product(SIZES, range(DRAWS)):
        x = rng_for(seed, "population", n, draw).standard_normal((n, 1))
        model = KernelPCA(N_COMPONENTS, kernel="rbf", gamma=GAMMA, center=False).fit(x)
        in_limit = eigenvalues(N_COMPONENTS)
        estimates = np.array([model.eigenvalues_ / n, new_variances(model), in_limit])
        spectra += [(n, draw, j, *values) for j, values in enumerate(estimates.T, 1)]
        residuals.append((n, draw, *(1 - estimates.sum(axis=1)), residual_bound(estimates[0], n)))
    widths = pd.DataFrame(rows)
    shares = pd.DataFrame(read).drop(columns="kernel")
    names = ["training", "new", "population"]
    spectrum_table = pd.DataFrame(spectra, columns=["n", "draw", "component", *names])
    residual_table = pd.DataFrame(residuals, columns=["n", "draw", *names, "bound"])
    bounded = intervals(at_best_multiple(shares), ["dataset"], "share")
    bounded["high"] = bounded["high"].clip(upper=1.0)
    narrow, wide = (widths[widths["width"] == w].reset_index(drop=True) for w in (NARROW, WIDE))
    near = narrow.assign(spread=narrow["spread"] / wide["spread"])
    cases = [
        *of_rows("6-sigma-linear", intervals(wide, ["dataset"], "angle")),
        *of_rows("6-sigma-near", intervals(near, ["dataset"], "spread")),
        *of_rows("11-reading", bounded),
        *of_population(spectrum_table, residual_table),
    ]
    return {"claims": pd.DataFrame(cases), "widths": widths, "shares": shares}
