"""Identities of the theory: PCA and its dual, definiteness, two eigenproblems, scales, inputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy import linalg

from kpca.kernel_pca import KernelPCA
from kpca.linear.pca import PCA
from kpca.types import Floats
from pipeline.datasets import make_dataset
from pipeline.datasets.dataset import Split
from pipeline.datasets.generators import moons
from pipeline.kernels import resolve_gamma
from pipeline.seeds import rng_for
from workflow.scripts.claims import costs, feature_space, rkhs
from workflow.scripts.claims.claim import Bounds, Claim, Statements, averaged
from workflow.scripts.claims.rkhs import centred
from workflow.scripts.claims.setting import (
    KERNELS,
    SEMIDEFINITE,
    balanced_accuracy,
    fitted,
    kernel_of,
    units,
)

N_COMPONENTS = 10
ZERO = 1e-10  # of the largest singular value
INVARIANT = ("linear", "rbf", "laplacian")
MOVED = ("poly", "sigmoid", "cosine")
REPLICATES = 10
RAW: Mapping[str, dict[str, Any]] = {
    "iris": {"sklearn": "iris"},
    "wine": {"sklearn": "wine"},
    "digits": {"sklearn": "digits", "max_rows": 300},
}


def samples(seed: int) -> list[tuple[Floats, Floats]]:
    """Return training and new rows: digits, 300 × 20 and 60 × 200."""
    rng = rng_for(seed, "claims", "duality")
    digits = make_dataset("digits", RAW["digits"], seed=seed, replicates=1).split(0)
    found = [(digits.X_train, digits.X_test[:50])]
    for n, d in ((300, 20), (60, 200)):
        X = rng.standard_normal((n + 50, d)) * np.arange(1, d + 1) ** -0.7 + 1
        found.append((X[:n], X[n:]))
    return found


def duality(X: Floats, new: Floats) -> dict[str, float]:
    """Return how far linear kernel PCA, from n × n, is from PCA, from d × d.

    Parameters
    ----------
    X, new : ndarray of shape (n, d) and (m, d)
        Training and new rows.
    """
    kernel = KernelPCA(N_COMPONENTS, kernel="linear", eigen_solver="dense").fit(X)
    pca = PCA(N_COMPONENTS, route="covariance").fit(X)
    n, primal, dual = len(X), pca.transform(new), kernel.transform(new)
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
    """Return what XᵀX, XXᵀ and X = UΣVᵀ of centred rows have to do with one another."""
    X = X - X.mean(axis=0)
    U, s, Vt = linalg.svd(X, full_matrices=False)
    small, large = (linalg.eigvalsh(A)[::-1] for A in (X.T @ X, X @ X.T))
    off = max(np.abs(values[: len(s)] - s**2).max() for values in (small, large))
    scores = X @ Vt[:N_COMPONENTS].T
    return {
        "3-gram": off / s[0] ** 2,
        "3-rank": float((s > ZERO * s[0]).sum() - min(len(X) - 1, X.shape[1])),
        "3-left-vectors": np.abs(U[:, :N_COMPONENTS] - scores).max() / np.abs(scores).max(),
        "3-positive-definite": large[-1] / large[0],
        "3-positive-definite-gram": small[-1] / small[0],
    }


def monomials(X: Floats) -> float:
    """Return the largest difference of eigenvalues over λ_1, explicit monomials against K̄."""
    options: dict[str, Any] = {"kernel": "poly", "degree": 3, "gamma": 1 / X.shape[1]}
    explicit, dense = (
        KernelPCA(N_COMPONENTS, eigen_solver=solver, **options).fit(X).eigenvalues_
        for solver in ("primal", "dense")
    )
    return float(np.abs(explicit - dense).max() / dense[0])


def negative(kernel: str, X: Floats) -> float:
    """Return −λ_n/λ_1 of the kernel matrix of rows, or 0 where no eigenvalue is negative."""
    values = linalg.eigvalsh(kernel_of(fitted(kernel, X, 1)))
    return max(-float(values[0] / values[-1]), 0.0)


def two_problems(K: Floats, new: Floats, rng: np.random.Generator) -> dict[str, float]:
    """Compare K̄²α = λ_1K̄α, the null space of K̄² − λ_1K̄, with K̄α = λ_1α.

    One solution α of the first is the unit eigenvector a with a random part of norm 1 beside it.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        K̄.
    new : ndarray of shape (m, n)
        Centred kernel rows of new points.
    rng : Generator
    """
    values, vectors = linalg.eigh(K)
    top, a = float(values[-1]), vectors[:, -1]
    _, sizes, Vt = linalg.svd(K @ K - top * K)
    basis = Vt[sizes <= ZERO * sizes[0]].T
    beside = basis @ rng.standard_normal(basis.shape[1])
    beside -= a * (a @ beside)
    alpha = a + beside / np.linalg.norm(beside)
    product, size = K @ alpha, top * np.linalg.norm(alpha)
    nullity = int((np.abs(values) <= ZERO * np.abs(values).max()).sum())
    others = basis - np.outer(a, a @ basis)
    changes = [np.abs(rows @ (alpha - a)).max() / np.abs(rows @ a).max() for rows in (K, new)]
    return {
        "11-squared-more": np.linalg.norm(product - top * alpha) / size,
        "11-squared-random": np.linalg.norm(K @ product - top * product) / (top * size),
        "11-squared-solutions": float(basis.shape[1] - 1 - nullity),
        "11-squared-null": np.abs(K @ others).max() / top,
        "11-squared-scores": max(changes),
    }


def scales(K: Floats, vectors: Floats, values: Floats) -> dict[str, float]:
    """Return the largest variance over the smallest of scores under two scales.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        K̄; the scores are K̄a_j times 1/√λ_j, or times √n/λ_j (whitened).
    vectors, values : ndarray of shape (n, k) and (k,)
        Unit eigenvectors a_j and their λ_j.
    """
    plain = (K @ vectors).var(axis=0)
    unit, white = plain / values, plain * len(K) / values**2
    return {"11-unit-axes": unit.max() / unit.min(), "11-whitening": white.max() / white.min()}


def moved(kernel: str, X: Floats) -> float:
    """Return ‖K̄(X) − K̄(X − mean)‖_F / ‖K̄(X)‖_F under the parameters that suit X."""
    model, shifted = fitted(kernel, X, 1), X - X.mean(axis=0)
    before, after = centred(kernel_of(model)), centred(kernel_of(model, shifted, shifted))
    return float(np.linalg.norm(before - after) / np.linalg.norm(before))


def accuracy(split: Split, kernel: str, *, centre: bool = False) -> float:
    """Return the balanced accuracy of a linear SVM on five components, of rows less their mean.

    The parameters of the kernel are those for the rows as they are.
    """
    gamma = resolve_gamma(KERNELS[kernel], split.X_train, seed=0)
    origin = split.X_train.mean(axis=0) if centre else 0.0
    model = fitted(kernel, split.X_train - origin, 5, gamma=gamma)
    sides = [model.transform(X - origin) for X in (split.X_train, split.X_test)]
    return balanced_accuracy(sides[0], sides[1], (split.y_train, split.y_test))


def gains(*, seed: int, replicates: int) -> pd.DataFrame:
    """Return what centring the inputs gains, and what standardising wine gains.

    Returns
    -------
    DataFrame
        Columns treatment ("centred" or "standardised"), dataset, kernel, mean, low, high: of the
        replicates, intervals joint over the rows of a treatment.
    """
    draws = {"seed": seed, "replicates": replicates}
    rows = [
        unit
        | {
            "treatment": "centred",
            "gain": accuracy(split, unit["kernel"], centre=True) - accuracy(split, unit["kernel"]),
        }
        for unit, split in units(RAW, MOVED, **draws)
    ]
    both = [{"wine": RAW["wine"] | {"standardize": flag}} for flag in (True, False)]
    scaled, raw = (units(spec, KERNELS, **draws) for spec in both)
    for (unit, standard), (_, plain) in zip(scaled, raw, strict=True):
        gain = accuracy(standard, unit["kernel"]) - accuracy(plain, unit["kernel"])
        rows.append(unit | {"treatment": "standardised", "gain": gain})
    found = []
    for treatment, group in pd.DataFrame(rows).groupby("treatment", sort=False):
        cases = group.groupby(["dataset", "kernel"], sort=False)
        for (dataset, kernel), case in cases:
            share = float(case["overlap"].iloc[0])
            bounds = averaged(case["gain"].to_numpy(), share, comparisons=len(cases))
            found.append((treatment, dataset, kernel, *bounds))
    columns = ["treatment", "dataset", "kernel", "mean", "low", "high"]
    return pd.DataFrame(found, columns=columns)


def least(rows: pd.DataFrame) -> Bounds:
    """Return the least mean with an interval, which joint intervals of all means give."""
    mean, low, high = (float(rows[column].min()) for column in ("mean", "low", "high"))
    return mean, low, high


def measure(
    statements: pd.DataFrame, *, seed: int, replicates: int = REPLICATES
) -> tuple[list[Claim], dict[str, pd.DataFrame]]:
    """Return the claims on identities, functions, spaces and costs, and the tables of figures.

    Parameters
    ----------
    statements : DataFrame
        `statements.csv`.
    seed, replicates : int
        Of the splits on which accuracies are compared.
    """
    tables = {"gains": gains(seed=seed, replicates=replicates)}
    measured: dict[str, float | Bounds] = {**_of_samples(seed), **_of_kernels(seed)}
    measured |= _of_inputs(tables["gains"], seed)
    for found, shown in (
        rkhs.measure(seed=seed),
        feature_space.measure(seed=seed),
        costs.measure(),
    ):
        measured |= found
        tables |= shown
    stated = Statements(statements)
    claims = [stated.of(name, value) for name, value in measured.items()]
    return claims, tables | {"deviations": deviations(statements, claims)}


def deviations(statements: pd.DataFrame, claims: list[Claim]) -> pd.DataFrame:
    """Return how far each identity was off, and how far it may be, in the order of statements.

    Returns
    -------
    DataFrame
        Columns group, label, deviation and bound (from the column origin of the statements),
        side, verdict; a row for each claim whose statement has a group.
    """
    by_name = {claim.claim: claim for claim in claims}
    rows = [
        (
            row["group"],
            row["label"],
            abs(by_name[row["claim"]].measured - row["origin"]),
            abs(row["threshold"] - row["origin"]),
            row["side"],
            by_name[row["claim"]].verdict,
        )
        for row in statements.dropna(subset="group").to_dict("records")
    ]
    return pd.DataFrame(rows, columns=["group", "label", "deviation", "bound", "side", "verdict"])


def _of_samples(seed: int) -> dict[str, float]:
    rows = samples(seed)
    found = pd.DataFrame([duality(X, new) | singular(X) for X, new in rows])
    smallest = ("3-left-vectors", "3-positive-definite", "3-positive-definite-gram")
    worst = {
        str(name): float(column.min() if name in smallest else column.max())
        for name, column in found.items()
    }
    return worst | {"11-monomials": monomials(rows[1][0][:, :8])}


def _of_kernels(seed: int) -> dict[str, float]:
    X = moons(150, rng_for(seed, "claims", "whitening"), noise=0.15).X
    model = fitted("rbf", X, 8)
    split = make_dataset("iris", RAW["iris"], seed=seed, replicates=1).split(0)
    middle = split.X_train.mean(axis=0)
    inner, new = split.X_train - middle, split.X_test - middle
    rng = rng_for(seed, "claims", "null space")
    return {
        "3-semidefinite": max(negative(kernel, X) for kernel in SEMIDEFINITE),
        "3-semidefinite-sigmoid": negative("sigmoid", X),
        **two_problems(centred(inner @ inner.T), new @ inner.T, rng),
        **scales(centred(kernel_of(model)), model.eigenvectors_, model.eigenvalues_),
    }


def _of_inputs(table: pd.DataFrame, seed: int) -> dict[str, float | Bounds]:
    X = make_dataset("iris", RAW["iris"], seed=seed, replicates=1).split(0).X_train
    changes = {kernel: moved(kernel, X) for kernel in KERNELS}
    scaled, cosine = table["treatment"] == "standardised", table["kernel"] == "cosine"
    return {
        "11-input-centring": min(changes.values()),
        "11-input-centring-distances": max(changes[kernel] for kernel in INVARIANT),
        "11-input-centring-products": min(changes[kernel] for kernel in MOVED),
        "11-input-accuracy": least(table[~scaled]),
        "11-standardisation": least(table[scaled & ~cosine]),
        "11-standardisation-cosine": least(table[scaled & cosine]),
    }
