"""Dividing by √λ_j makes the axes unit vectors; equal variances take another division."""

from __future__ import annotations

import numpy as np
import pandas as pd

from kpca.pipeline.datasets.generators import moons
from kpca.pipeline.seeds import rng_for
from kpca.pipeline.studies.claims.claim import Claim, Rule, exactly
from kpca.pipeline.studies.claims.rkhs import centred
from kpca.pipeline.studies.claims.setting import fitted, kernel_of

FIGURE = "claims_identities"
N_COMPONENTS = 8
EQUAL = 1.01


def variances(K: np.ndarray, vectors: np.ndarray, values: np.ndarray) -> pd.DataFrame:
    """Return the variance of training scores whose coefficients are scaled in three ways.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        K̄.
    vectors : ndarray of shape (n, k)
        Unit eigenvectors a_j; the scores are K̄ a_j times a factor.
    values : ndarray of shape (k,)
        λ_j.

    Returns
    -------
    DataFrame
        Columns component (from 1), none (factor 1), unit_axes (1/√λ_j), whitened (√n/λ_j),
        eigenvalue (λ_j/n).
    """
    plain = (K @ vectors).var(axis=0)
    columns = {
        "component": np.arange(1, len(values) + 1),
        "none": plain,
        "unit_axes": plain / values,
        "whitened": plain * len(K) / values**2,
        "eigenvalue": values / len(K),
    }
    return pd.DataFrame(columns)


def measure(*, seed: int) -> tuple[list[Claim], dict[str, pd.DataFrame]]:
    """Return the claims on scaling the scores, and the table ``variances``."""
    X = moons(150, rng_for(seed, "claims", "whitening"), noise=0.15).X
    model = fitted("rbf", X, N_COMPONENTS)
    table = variances(centred(kernel_of(model)), model.eigenvectors_, model.eigenvalues_)
    rule = Rule(f"largest variance / smallest, {N_COMPONENTS} components", "below", EQUAL)
    claims = [
        Claim(
            f"11-{name}",
            statement,
            formula,
            *exactly(table[column].max() / table[column].min()),
            rule,
            FIGURE,
        )
        for name, statement, formula, column in (
            ("unit-axes", "Dividing v by √λ makes the variances equal.", "ṽ = v/√λ", "unit_axes"),
            ("whitening", "Dividing by λ_j/√n makes the variances equal.", "1", "whitened"),
        )
    ]
    return claims, {"variances": table}
