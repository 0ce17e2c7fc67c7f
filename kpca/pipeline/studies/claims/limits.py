"""The width σ of the Gaussian kernel: small ones see locally, large ones give linear PCA."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
import scipy.linalg

from kpca.bandwidth import median_gamma
from kpca.kernel_pca import KernelPCA
from kpca.pipeline.datasets import make_dataset
from kpca.pipeline.studies.claims.claim import Claim, Rule, averaged
from kpca.pipeline.studies.claims.locality import participation, spread

PLANE = 2
"""Components whose plane is compared with that of linear PCA."""

LEADING = 5
"""Components whose locality is averaged."""

DATASETS: Mapping[str, Mapping[str, Any]] = {
    "rings": {"generator": "rings", "n_train": 200, "n_test": 1, "noise": 0.08},
    "swiss_roll": {"generator": "swiss_roll", "n_train": 300, "n_test": 1},
    "wine": {"sklearn": "wine", "standardize": True},
    "digits": {"sklearn": "digits", "max_rows": 400},
}
SMALL, LARGE = 0.1, 100.0
"""Widths at which the statements are judged, in multiples of the median σ."""

STATEMENTS: Mapping[str, tuple[str, str, str, Literal["below", "within"], float]] = {
    "linear": (
        "With a large σ kernel PCA tends to linear PCA",
        "angle → 0",
        f"angle of the first two to those of PCA at σ = {LARGE:g} medians, in radians,",
        "below",
        0.01,
    ),
    "rate": (
        "The angle to linear PCA falls as c/σ², with c by perturbation",
        "c/σ²",
        f"angle·σ²/c − 1 at σ = {LARGE:g} medians",
        "within",
        0.05,
    ),
    "few": (
        "With a small σ few rows carry a component",
        "",
        f"rows 1/Σa⁴ of the first {LEADING} at σ = {SMALL:g} medians, over {LARGE:g},",
        "below",
        0.5,
    ),
    "near": (
        "With a small σ the rows that carry a component lie together",
        "",
        f"radius of the rows of the first {LEADING} at σ = {SMALL:g} medians, over {LARGE:g},",
        "below",
        0.5,
    ),
}
"""Name: what is said, the source's value, the estimand, and the rule."""

FIGURE = "claims_limits"


def median_width(X: np.ndarray) -> float:
    """Return the σ that belongs to the median heuristic: γ = 1/(2σ²) = 1/median ‖x − y‖²."""
    return float(np.sqrt(0.5 / median_gamma(X)))


def linear_limit(X: np.ndarray, k: int = PLANE) -> float:
    """Return c such that the angle to the first k components of linear PCA tends to c/σ².

    With S the squared distances, the expansion exp(−S/2σ²) = 1 − S/2σ² + S²/8σ⁴ − … gives

        σ² K̄ = G + E/σ² + O(1/σ⁴),   G = H XXᵀ H,   E = H (S∘S) H / 8,

    whose first-order perturbation moves the eigenvector u_j of G by
    σ⁻² Σ_l u_l (u_lᵀ E u_j) / (λ_j − λ_l), l beyond k. c is the largest singular value of
    these displacements.

    Parameters
    ----------
    X : array of shape (n, d)
    k : int
        At most the rank of X less one.

    References
    ----------
    Stewart and Sun, Matrix Perturbation Theory (1990), Theorem V.2.7.
    """
    centred = X - X.mean(axis=0)
    gram = centred @ centred.T
    norms = np.diag(gram)
    fourth = (norms[:, None] + norms - 2 * gram) ** 2 / 8
    E = fourth - fourth.mean(axis=0) - fourth.mean(axis=1)[:, None] + fourth.mean()
    values, vectors = scipy.linalg.eigh(gram)
    inside, outside = vectors[:, -k:], vectors[:, :-k]
    moved = outside.T @ E @ inside / (values[-k:] - values[:-k, None])
    return float(np.linalg.norm(moved, 2))


def plane_angle(A: np.ndarray, X: np.ndarray) -> float:
    """Return the largest principal angle between scores and those of linear PCA, in radians.

    Parameters
    ----------
    A : array of shape (n, k)
        Eigenvectors of the centred kernel matrix: their span is that of the training scores.
    X : array of shape (n, d)
    """
    left = scipy.linalg.svd(X - X.mean(axis=0), full_matrices=False)[0]
    return float(scipy.linalg.subspace_angles(A, left[:, : A.shape[1]]).max())


def widths_table(*, seed: int, replicates: int, widths: Sequence[float]) -> pd.DataFrame:
    """Measure Gaussian components over the width of the kernel.

    Parameters
    ----------
    seed, replicates : int
    widths : sequence of float
        σ in multiples of the median width.

    Returns
    -------
    DataFrame
        Columns dataset, replicate, overlap (n_test/n_train of re-drawn splits, NaN for
        independent draws), n, width, angle, limit (c/σ², both in radians), rows and spread
        (means over the leading components).
    """
    rows = []
    for name, spec in DATASETS.items():
        dataset = make_dataset(name, spec, seed=seed, replicates=replicates)
        for replicate in range(replicates):
            split = dataset.split(replicate)
            share = len(split.X_test) / len(split.X_train)
            overlap = np.nan if dataset.independent else share
            fixed = (name, replicate, overlap, len(split.X_train))
            rows += [(*fixed, *row) for row in _over_widths(split.X_train, widths)]
    columns = ["dataset", "replicate", "overlap", "n", "width", "angle", "limit", "rows", "spread"]
    return pd.DataFrame(rows, columns=columns)


def _over_widths(X: np.ndarray, widths: Sequence[float]) -> Iterator[tuple[float, ...]]:
    unit, limit = median_width(X), linear_limit(X)
    for width in widths:
        sigma = width * unit
        model = KernelPCA(LEADING, kernel="rbf", gamma=0.5 / sigma**2).fit(X)
        A = model.eigenvectors_
        angle = plane_angle(A[:, :PLANE], X)
        yield width, angle, limit / sigma**2, participation(A).mean(), spread(A, X).mean()


def measure(
    *, seed: int, replicates: int, widths: Sequence[float]
) -> tuple[list[Claim], dict[str, pd.DataFrame]]:
    """Return the statements on σ with their verdicts, and what was measured."""
    table = widths_table(seed=seed, replicates=replicates, widths=widths)
    claims = [
        claim
        for name, rows in table.groupby("dataset", sort=False)
        for claim in _claims(str(name), rows, replicates)
    ]
    return claims, {"widths": table}


def at_width(rows: pd.DataFrame, column: str, width: float) -> np.ndarray:
    """Return a column at the width of the grid that is nearest, one value a replicate."""
    distance = np.log(rows["width"] / width).abs()
    return rows[distance == distance.min()].sort_values("replicate")[column].to_numpy()


def _claims(name: str, rows: pd.DataFrame, replicates: int) -> Iterator[Claim]:
    overlap = None if rows["overlap"].isna().all() else float(rows["overlap"].iloc[0])
    angles = at_width(rows, "angle", LARGE)
    measured = {
        "linear": angles,
        "rate": angles / at_width(rows, "limit", LARGE) - 1,
        "few": at_width(rows, "rows", SMALL) / at_width(rows, "rows", LARGE),
        "near": at_width(rows, "spread", SMALL) / at_width(rows, "spread", LARGE),
    }
    for short, (statement, value, estimand, side, threshold) in STATEMENTS.items():
        rule = Rule(estimand, side, threshold, replicates, comparisons=len(DATASETS))
        bounds = averaged(measured[short], overlap, comparisons=rule.comparisons)
        said = f"{statement} ({name.replace('_', ' ')})."
        yield Claim(f"6-sigma-{short}-{name}", said, value, *bounds, rule, FIGURE)
