"""Linear kernel PCA is PCA: the primal and the dual problem give equal numbers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from kpca.kernel_pca import KernelPCA
from kpca.linear.pca import PCA
from kpca.pipeline.datasets import make_dataset
from kpca.pipeline.seeds import rng_for
from kpca.pipeline.studies.claims.claim import Claim, Rule, exactly
from kpca.types import Floats

FIGURE = "claims_duality"
N_COMPONENTS = 10
N_NEW = 50
EQUAL = 1e-10
DEGREE = 3


def samples(seed: int) -> dict[str, tuple[Floats, Floats]]:
    """Return training and new rows of more rows than columns, of fewer, and of images."""
    rng = rng_for(seed, "claims", "duality")
    digits = make_dataset("digits", {"sklearn": "digits", "max_rows": 300}, seed=seed, replicates=1)
    split = digits.split(0)
    found = {"digits": (split.X_train, split.X_test[:N_NEW])}
    for name, n, d in (("300 × 20", 300, 20), ("60 × 200", 60, 200)):
        X = rng.standard_normal((n + N_NEW, d)) * np.arange(1, d + 1) ** -0.7 + 1
        found[name] = X[:n], X[n:]
    return found


def variances(X: Floats) -> tuple[Floats, Floats]:
    """Return λ_j/n of the n × n problem and the variances of the d × d one, which are equal."""
    kernel = KernelPCA(N_COMPONENTS, kernel="linear", eigen_solver="dense").fit(X)
    pca = PCA(N_COMPONENTS, route="covariance").fit(X)
    n = len(X)
    return kernel.eigenvalues_ / n, pca.explained_variance_ * (n - 1) / n


def score_difference(X: Floats, new: Floats) -> float:
    """Return the largest difference of scores of new rows up to sign, over the largest score."""
    dual = KernelPCA(N_COMPONENTS, kernel="linear", eigen_solver="dense").fit(X).transform(new)
    primal = PCA(N_COMPONENTS, route="covariance").fit(X).transform(new)
    signs = np.sign((dual * primal).sum(axis=0))
    return float(np.abs(dual - primal * signs).max() / np.abs(primal).max())


def axis_difference(X: Floats) -> float:
    """Return the largest 1 − |cos| between the primal axes w_j and X̄ᵀa_j/√λ_j."""
    kernel = KernelPCA(N_COMPONENTS, kernel="linear", eigen_solver="dense").fit(X)
    axes = (X - X.mean(axis=0)).T @ kernel.eigenvectors_ / np.sqrt(kernel.eigenvalues_)
    primal = PCA(N_COMPONENTS, route="covariance").fit(X).components_
    return float(np.max(1 - np.abs(np.einsum("jd,dj->j", primal, axes))))


def monomial_difference(X: Floats) -> float:
    """Return the largest difference of eigenvalues over λ_1, explicit monomials against K̄."""
    options = {"kernel": "poly", "degree": DEGREE, "gamma": 1 / X.shape[1]}
    values = [
        KernelPCA(N_COMPONENTS, eigen_solver=solver, **options).fit(X).eigenvalues_
        for solver in ("primal", "dense")
    ]
    return float(np.abs(values[0] - values[1]).max() / values[1][0])


def smallest_eigenvalue(X: Floats) -> float:
    """Return λ_n / λ_1 of the centred linear kernel matrix."""
    centred = X - X.mean(axis=0)
    values = np.linalg.eigvalsh(centred @ centred.T)
    return float(values[0] / values[-1])


def spectra(rows: dict[str, tuple[Floats, Floats]]) -> pd.DataFrame:
    """Return both sets of variances: columns sample, component (from 1), dual, primal, difference.

    The difference, over λ_1, is lost where the variances are written with twelve digits.
    """
    parts = []
    for name, (X, _) in rows.items():
        dual, primal = variances(X)
        component = np.arange(1, len(dual) + 1)
        off = np.abs(dual - primal) / primal[0]
        columns = {
            "sample": name,
            "component": component,
            "dual": dual,
            "primal": primal,
            "difference": off,
        }
        parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True)


def measure(*, seed: int) -> tuple[list[Claim], dict[str, pd.DataFrame]]:
    """Return the claims on primal and dual, and the table ``spectra``."""
    rows = samples(seed)
    table = spectra(rows)
    return [*_equality_claims(rows, table), _definite_claim(rows)], {"spectra": table}


def _equality_claims(
    rows: dict[str, tuple[Floats, Floats]], table: pd.DataFrame
) -> Iterator[Claim]:
    over = ", largest of three samples"
    yield Claim(
        "3-linear-eigenvalues",
        "Linear kernel PCA has the variances of PCA, from n × n as from d × d.",
        "λ_j/n = σ_j²",
        *exactly(table["difference"].max()),
        Rule(f"largest difference / λ_1{over}", "below", EQUAL),
        FIGURE,
    )
    yield Claim(
        "3-linear-scores",
        "Linear kernel PCA gives new rows the scores of PCA.",
        "Σ a_ij k̄(x_i, x)/√λ_j = w_j·x̄",
        *exactly(max(score_difference(X, new) for X, new in rows.values())),
        Rule(f"largest difference / largest score{over}", "below", 1e-8),
        FIGURE,
    )
    yield Claim(
        "3-linear-axes",
        "The primal axes are combinations of the points with the dual coefficients.",
        "w_j = X̄ᵀa_j/√λ_j",
        *exactly(max(axis_difference(X) for X, _ in rows.values())),
        Rule(f"largest 1 − |cos|{over}", "below", EQUAL),
        FIGURE,
    )
    yield Claim(
        "11-monomials",
        "Explicit monomials and the polynomial kernel have the same eigenvalues.",
        "C(d + p, p) features",
        *exactly(monomial_difference(rows["300 × 20"][0][:, :8])),
        Rule(f"largest difference / λ_1, d = 8, p = {DEGREE}", "below", EQUAL),
        "claims_costs",
    )


def _definite_claim(rows: dict[str, tuple[Floats, Floats]]) -> Claim:
    return Claim(
        "3-positive-definite",
        "The kernel matrix is positive definite, as one source has it.",
        "λ_n > 0",
        *exactly(min(smallest_eigenvalue(X) for X, _ in rows.values())),
        Rule("λ_n / λ_1, smallest of three samples", "above", 1e-12),
        FIGURE,
    )
