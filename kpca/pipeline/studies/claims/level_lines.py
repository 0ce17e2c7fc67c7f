"""Level lines of components: straight in the feature space, curved in the input space."""

from __future__ import annotations

import numpy as np
import pandas as pd

from kpca.kernel_pca import KernelPCA
from kpca.pipeline.studies.claims.claim import Claim, Rule, spanned
from kpca.pipeline.studies.claims.separable import LEAST, draw_pair, fresh_bound

COMPONENTS = 3
"""All that the features of degree 2 of two variables have."""

FIGURE = "claims_level_lines"


def features(X: np.ndarray) -> np.ndarray:
    """Return φ(x) = (x₁², √2 x₁x₂, x₂²), the features of the kernel (x·y)².

    >>> features(np.array([[1.0, 2.0]])).round(3).tolist()
    [[1.0, 2.828, 4.0]]
    """
    first, second = X.T
    return np.column_stack([first**2, np.sqrt(2) * first * second, second**2])


def quadratic(X: np.ndarray) -> KernelPCA:
    """Fit kernel PCA with (x·y)²."""
    return KernelPCA(COMPONENTS, kernel="poly", degree=2, gamma=1, coef0=0).fit(X)


def affine(F: np.ndarray, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the affine map of F nearest to scores by least squares.

    Parameters
    ----------
    F : array of shape (n, p)
    scores : array of shape (n, k)

    Returns
    -------
    weights : array of shape (p, k)
    offsets : array of shape (k,)
    """
    solution = np.linalg.lstsq(np.column_stack([F, np.ones(len(F))]), scores, rcond=None)[0]
    return solution[:-1], solution[-1]


def curvature(F: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Return the share of each score's variance that no affine function of F explains.

    0 where the level lines in the space of F are straight and parallel.
    """
    weights, offsets = affine(F, scores)
    return np.asarray((scores - F @ weights - offsets).var(axis=0) / scores.var(axis=0))


def level_lines(*, seed: int, replicates: int) -> pd.DataFrame:
    """Measure how straight the level lines of the components of rings are, on fresh rows.

    Returns
    -------
    DataFrame
        Columns replicate, component, feature and input (`curvature` in either space), bound (of
        the accuracy of a plane between the rings on all components, see `fresh_bound`).
    """
    rows = []
    for replicate in range(replicates):
        (X, y), (fresh, y_fresh) = draw_pair("rings", seed, replicate)
        model = quadratic(X)
        scores = model.transform(fresh)
        bound = fresh_bound((model.transform(X), y), (scores, y_fresh))
        shares = curvature(features(fresh), scores), curvature(fresh, scores)
        rows += [
            (replicate, j + 1, *pair, bound) for j, pair in enumerate(zip(*shares, strict=True))
        ]
    return pd.DataFrame(rows, columns=["replicate", "component", "feature", "input", "bound"])


def measure(*, seed: int, replicates: int) -> tuple[list[Claim], dict[str, pd.DataFrame]]:
    """Return the statements on level lines with their verdicts, and what was measured."""
    table = level_lines(seed=seed, replicates=replicates)
    variance = "share of a component's variance that no affine function"
    every = f"in each of {replicates} replicates"
    straight = Rule(f"{variance} of φ(x) explains, {every}", "below", 1e-12)
    curved = Rule(f"{variance} of x explains, {every}", "above", 0.5)
    quadric = Rule(
        f"lower 95 % bound of the accuracy on 10 000 fresh rows, {every}", "above", LEAST
    )
    claims = [
        Claim(
            "5-level-lines-feature",
            "In the feature space of (x·y)² components have straight, parallel level lines.",
            "⟨v_j, φ(x)⟩ = c",
            *spanned(table["feature"]),
            straight,
            FIGURE,
        ),
        Claim(
            "5-level-lines-input",
            "In the input space level lines are curved.",
            "",
            *spanned(table["input"]),
            curved,
            FIGURE,
        ),
        Claim(
            "5-rings-quadric",
            "A kernel of degree 2 finds quadratic surfaces: its three components separate rings.",
            "(x·y)²",
            *spanned(table["bound"]),
            quadric,
            FIGURE,
        ),
    ]
    return claims, {"shares": table}
