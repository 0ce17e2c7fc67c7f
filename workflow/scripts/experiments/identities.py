"""Identities: PCA and linear kernel PCA, definiteness, two eigenproblems, axes as functions."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from scipy import linalg

from kpca.kernel_pca import KernelPCA
from kpca.linear.pca import PCA
from kpca.study.datasets.generators import moons
from kpca.study.evidence.statistics import intervals
from kpca.study.seeds import rng_for
from kpca.types import Floats
from workflow.job import Tables, script
from workflow.scripts.claims.claim import exactly, of_rows
from workflow.scripts.experiments import setting
from workflow.scripts.experiments.centring import centred_by
from workflow.scripts.experiments.setting import (
    KERNELS,
    REPLICATES,
    fitted,
    kernel_of,
    unit_functions,
)

N_COMPONENTS = 10
ZERO = 1e-10  # A singular value below this fraction of the largest counts as zero.
# Claims that are judged by the smallest number over the samples; others, by the largest.
SMALLEST = ["3-left-vectors", "3-positive-definite", "3-positive-definite-gram"]
# Kernels for the claims about components as functions. The kernel matrix of the last one is well
# conditioned.
FUNCTIONS = ("poly", "rbf", "laplacian")
N = 120
N_FUNCTIONS = 5
N_STARTS = 10
STEPS = 200


def samples(seed: int) -> list[tuple[Floats, Floats]]:
    """Return pairs of training and new rows: digits, and normal data (300 × 20 and 60 × 200)."""
    rng = rng_for(seed, "claims", "duality")
    digits = setting.first_split("digits", setting.DATA["digits"], seed)
    pairs = [(digits.X_train, digits.X_test[:50])]
    for n, d in ((300, 20), (60, 200)):
        X = rng.standard_normal((n + 50, d)) * np.arange(1, d + 1) ** -0.7 + 1
        pairs.append((X[:n], X[n:]))
    return pairs


def duality(X: Floats, new: Floats) -> dict[str, float]:
    """Return the differences between linear kernel PCA (n × n matrix) and PCA (d × d matrix).

    The scores are compared on the rows ``new``.
    """
    kernel = KernelPCA(N_COMPONENTS, kernel="linear", eigen_solver="dense").fit(X)
    pca = PCA(N_COMPONENTS, route="covariance").fit(X)
    n = len(X)
    primal = pca.transform(new)
    dual = kernel.transform(new)
    variances = pca.explained_variance_ * (n - 1) / n
    signs = np.sign((dual * primal).sum(axis=0))
    axes = (X - X.mean(axis=0)).T @ kernel.eigenvectors_ / np.sqrt(kernel.eigenvalues_)
    cosines = np.abs(np.einsum("jd,dj->j", pca.components_, axes))
    return {
        "3-linear-eigenvalues": np.abs(kernel.eigenvalues_ / n - variances).max() / variances[0],
        "3-linear-scores": np.abs(dual - primal * signs).max() / np.abs(primal).max(),
        "3-linear-axes": np.max(1 - cosines),
    }


def singular(X: Floats) -> dict[str, float]:
    """Return numbers that compare XᵀX, XXᵀ and the SVD X = UΣVᵀ of centred rows."""
    X = X - X.mean(axis=0)
    U, s, Vt = linalg.svd(X, full_matrices=False)
    small = linalg.eigvalsh(X.T @ X)[::-1]
    large = linalg.eigvalsh(X @ X.T)[::-1]
    off = max(np.abs(values[: len(s)] - s**2).max() for values in (small, large))
    scores = X @ Vt[:N_COMPONENTS].T
    return {
        "3-gram": off / s[0] ** 2,
        "3-rank": (s > ZERO * s[0]).sum() - min(len(X) - 1, X.shape[1]),
        "3-left-vectors": np.abs(U[:, :N_COMPONENTS] - scores).max() / np.abs(scores).max(),
        "3-positive-definite": large[-1] / large[0],
        "3-positive-definite-gram": small[-1] / small[0],
    }


def negative(kernel: str, X: Floats) -> float:
    """Return −λ_n/λ_1 of the kernel matrix of X, or 0 if no eigenvalue is negative."""
    values = linalg.eigvalsh(kernel_of(fitted(kernel, X, 1)))
    return max(-float(values[0] / values[-1]), 0.0)


def two_problems(K: Floats, new: Floats, rng: np.random.Generator) -> dict[str, float]:
    """Compare the eigenproblem K²α = λ_1Kα with Kα = λ_1α, for a centred kernel matrix K.

    The solutions of the first problem are the null space of K² − λ_1K. One of them, α, is the unit
    eigenvector a of the second problem, plus a random vector of norm 1 in this null space that is
    orthogonal to a.
    """
    values, vectors = linalg.eigh(K)
    top = values[-1]
    a = vectors[:, -1]
    _, sizes, Vt = linalg.svd(K @ K - top * K)
    basis = Vt[sizes <= ZERO * sizes[0]].T
    beside = basis @ rng.standard_normal(basis.shape[1])
    beside -= a * (a @ beside)
    alpha = a + beside / np.linalg.norm(beside)
    others = basis - np.outer(a, a @ basis)
    changes = [np.abs(rows @ (alpha - a)).max() / np.abs(rows @ a).max() for rows in (K, new)]
    return {
        "11-squared-more": np.linalg.norm(K @ alpha - top * alpha) / (top * np.linalg.norm(alpha)),
        "11-squared-null": np.abs(K @ others).max() / top,
        "11-squared-scores": max(changes),
    }


def scales(model: KernelPCA) -> dict[str, float]:
    """Return the ratio of the largest to the smallest variance of scores, for two scalings.

    The scores are K̄a_j/√λ_j for unit axes, and K̄a_j√n/λ_j for whitening.
    """
    K = centred_by(kernel_of(model))
    values = model.eigenvalues_
    plain = (K @ model.eigenvectors_).var(axis=0)
    unit = plain / values
    white = plain * len(K) / values**2
    return {"11-unit-axes": unit.max() / unit.min(), "11-whitening": white.max() / white.min()}


def moved(kernel: str, X: Floats) -> float:
    """Return ‖K̄(X) − K̄(X − mean)‖_F / ‖K̄(X)‖_F, with kernel parameters chosen for X."""
    model = fitted(kernel, X, 1)
    shifted = X - X.mean(axis=0)
    before, after = (centred_by(kernel_of(model, rows, rows)) for rows in (X, shifted))
    return float(np.linalg.norm(before - after) / np.linalg.norm(before))


def gains(seed: int) -> pd.DataFrame:
    """Return the gain in accuracy from standardising wine, one row of `intervals` per kernel."""
    rows = []
    for standardize, sign in ((True, 1), (False, -1)):
        wine = {"wine": setting.DATA["wine"] | {"standardize": standardize}}
        for unit, split in setting.units(wine, KERNELS, seed, REPLICATES):
            model = fitted(unit["kernel"], split.X_train, 5)
            train, test = map(model.transform, (split.X_train, split.X_test))
            rows.append(unit | {"gain": sign * setting.balanced_accuracy(train, test, split)})
    paired = pd.DataFrame(rows).groupby(["kernel", "replicate", "overlap"], sort=False)
    return intervals(paired.sum().reset_index(), ["kernel"], "gain")


def without(K: Floats, alpha: Floats, basis: Floats) -> Floats:
    """Return α orthogonalised in the RKHS against the columns of ``basis``, all of norm 1."""
    return alpha - basis @ (basis.T @ (K @ alpha))


def ascend(K: Floats, alpha: Floats, basis: Floats, steps: int) -> Iterator[float]:
    """Yield Ψ(f) at each step of a steepest ascent with exact line search.

    Here f = Σ_j α_j k(x_j, ·) is kept orthogonal to the ``basis``, and
    Ψ(f) = αᵀK²α / (n αᵀKα). Up to a factor, the gradient of Ψ in the RKHS
    has the coefficients Kα/n − Ψ(f) α, so that the best step leads to the best function of
    span{α, Kα}.
    """
    for _ in range(steps):
        alpha = without(K, alpha, basis)
        alpha = alpha / np.sqrt(alpha @ K @ alpha)
        gradient = without(K, K @ alpha, basis)
        gradient -= alpha * (alpha @ K @ gradient)
        size = np.sqrt(gradient @ K @ gradient)
        yield np.square(K @ alpha).mean()  # This is Ψ, since α has norm 1.
        if size <= 1e-14 * len(K):
            continue
        plane = np.column_stack([alpha, gradient / size])
        _, rotation = linalg.eigh((K @ plane).T @ (K @ plane))
        alpha = plane @ rotation[:, -1]


def inner_products(model: KernelPCA) -> Floats:
    """Return the inner product ⟨v_i, v_j⟩ in the RKHS for every pair of axes."""
    A = unit_functions(model)
    return A.T @ centred_by(kernel_of(model)) @ A


def furthest_ascent(model: KernelPCA, seed: int) -> float:
    """Return the largest relative difference of λ_j/n and the Ψ after an ascent, for j ≤ 3."""
    rng = rng_for(seed, "claims", "ascents")
    K = centred_by(kernel_of(model))
    axes = unit_functions(model)
    errors = []
    for j in range(3):
        for _ in range(N_STARTS):
            *_, end = ascend(K, rng.standard_normal(len(K)), axes[:, :j], STEPS)
            errors.append(abs(end * len(K) / model.eigenvalues_[j] - 1))
    return max(errors)


def largest(points: Floats, n: int) -> float:
    """Return the largest Ψ (see `ascend`) over the span of k(z, ·) for points z.

    ``points`` is the kernel matrix of these points. The first n of them are the training points.
    """
    squares = points[:, :n] @ points[:n] / n
    return linalg.eigh(squares, points, eigvals_only=True)[-1]


def span(seed: int) -> dict[str, float]:
    """Return how much five further points raise the largest Ψ, and a cosine between two axes.

    The two axes are the first axis with centring and the first axis without.
    """
    rng = rng_for(seed, "claims", "span")
    X = moons(N, rng, noise=0.15).X
    model, right = (fitted(FUNCTIONS[-1], X, 1, center=center) for center in (False, True))
    both = np.concatenate([X, moons(5, rng, noise=0.3).X])
    points = kernel_of(model, both, both)
    K = points[:N, :N]
    first = model.eigenvectors_[:, 0]
    second = right.eigenvectors_[:, 0]
    top = model.eigenvalues_[0]
    cosine = abs(first @ K @ second) / np.sqrt(top * right.eigenvalues_[0])
    return {
        "4-representer-maximum": largest(points, N) * N / top - 1,
        "4-uncentred-maximum": cosine,
    }


def functions(seed: int) -> dict[str, float]:
    """Return the numbers that decide the claims about components as functions."""
    X = moons(N, rng_for(seed, "claims", "rkhs"), noise=0.15).X
    models = {kernel: fitted(kernel, X, N_FUNCTIONS) for kernel in FUNCTIONS}
    diagonal = np.eye(N_FUNCTIONS, dtype=bool)
    off = np.array([inner_products(model) - diagonal for model in models.values()])
    # Variances of training scores, divided by λ_j/n.
    ratios = np.array([m.transform(X).var(axis=0) * N / m.eigenvalues_ for m in models.values()])
    return {
        "4-unit-norm": np.abs(off[:, diagonal]).max(),
        "4-orthogonal": np.abs(off[:, ~diagonal]).max(),
        "4-variance": np.abs(ratios - 1).max(),
        "4-maximal-optimised": furthest_ascent(models["rbf"], seed),
    }


@script
def measure(*, seed: int) -> Tables:
    """Return the cases on identities, on components as functions, and on standardisation."""
    measured = pd.DataFrame([duality(X, new) | singular(X) for X, new in samples(seed)])
    worst = measured.max()
    worst[SMALLEST] = measured[SMALLEST].min()
    X = moons(150, rng_for(seed, "claims", "whitening"), noise=0.15).X
    split = setting.first_split("iris", setting.DATA["iris"], seed)
    middle = split.X_train.mean(axis=0)
    inner = split.X_train - middle
    new = split.X_test - middle
    rng = rng_for(seed, "claims", "null space")
    changes = {kernel: moved(kernel, split.X_train) for kernel in KERNELS}
    numbers = {
        **worst,
        "3-semidefinite": max(negative(kernel, X) for kernel in setting.SEMIDEFINITE),
        "3-semidefinite-sigmoid": negative("sigmoid", X),
        **functions(seed),
        **span(seed),
        **two_problems(centred_by(inner @ inner.T), new @ inner.T, rng),
        **scales(fitted("rbf", X, 8)),
        "11-input-centring": min(changes.values()),
        "11-input-centring-distances": max(changes[k] for k in ("linear", "rbf", "laplacian")),
        "11-input-centring-products": min(changes[k] for k in ("poly", "sigmoid", "cosine")),
    }
    cases = [exactly(str(claim), value) for claim, value in numbers.items()]
    cases += of_rows("11-standardisation", gains(seed))
    return {"claims": pd.DataFrame(cases)}
