"""Reproduce the Pitprops table and the synthetic example of Zou, Hastie and Tibshirani (2006)."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from kpca import SparsePCA
from kpca.linear.sparse import adjusted_variances, covariance_root
from kpca.types import Array
from workflow.job import script
from workflow.scripts.papers import with_ours

PENALTIES = (0.06, 0.16, 0.1, 0.5, 0.5, 0.5)
SYNTHETIC_PENALTY = 500.0
STOP = 1e-3


def pitprops(correlations: pd.DataFrame) -> dict[str, float]:
    """Return every cell of the tables on the Pitprops data; loadings have our signs."""
    R = correlations.to_numpy()
    k = len(PENALTIES)
    eigenvalues = np.linalg.eigvalsh(R)[::-1][:k]
    model = SparsePCA(k, l1_penalty=PENALTIES, l2_penalty=1e-6, input="covariance", tol=STOP)
    model.fit(R)
    rows = {
        "PCA variance %": 100 * eigenvalues / np.trace(R),
        "SPCA nonzeros": model.n_nonzero_,
        "SPCA variance %": 100 * model.explained_variance_ratio_,
        "SPCA adjusted variance %": 100 * model.adjusted_variance_ratio_,
        "SPCA cumulative adjusted variance %": 100 * np.cumsum(model.adjusted_variance_ratio_),
    }
    return _cells("pitprops", rows, correlations.columns.tolist(), model.components_)


def synthetic() -> dict[str, float]:
    """Return the cells of the synthetic example, from its exact covariance matrix."""
    C = synthetic_covariance()
    eigenvalues, vectors = np.linalg.eigh(C)
    leading = vectors[:, ::-1][:, :2]
    model = SparsePCA(2, l1_penalty=SYNTHETIC_PENALTY, l2_penalty=0, input="covariance", tol=STOP)
    model.fit(C)
    loadings = {
        "PCA": eigenvalues[::-1][:2],
        "simple thresholding": adjusted_variances(covariance_root(C), thresholded(leading, 4)),
        "SPCA": model.adjusted_variance_,
    }
    rows = {f"{row} adjusted variance %": 100 * v / np.trace(C) for row, v in loadings.items()}
    return _cells("synthetic", rows, [f"X{i}" for i in range(1, 11)], model.components_)


def synthetic_covariance() -> Array:
    """Return the covariance of X₁…X₁₀: two independent factors, a third that mixes them, noise."""
    factors = np.zeros((10, 3))
    factors[:4, 0] = 1
    factors[4:8, 1] = 1
    factors[8:] = [-0.3, 0.925, 1]
    return factors @ np.diag([290.0, 300.0, 1.0]) @ factors.T + np.eye(10)


def thresholded(V: Array, size: int) -> Array:
    """Return V with only the ``size`` largest entries of each column, normalised.

    Among equal entries, the first ones are kept.
    """
    order = np.argsort(-np.abs(V).round(9), axis=0, kind="stable")
    sparse = np.where(order.argsort(axis=0) < size, V, 0)
    return sparse / np.linalg.norm(sparse, axis=0)


def compare(published: pd.DataFrame, ours: dict[str, float]) -> pd.DataFrame:
    """Join the published numbers with ours, whose loadings get the signs of the published ones."""
    values = published["cell"].map(ours)
    component = published["cell"].str.extract(r"^(.* loading PC\d+)")[0]
    signs = np.sign((values * published["published"]).groupby(component).transform("sum"))
    values *= signs.where(component.notna(), 1.0)
    tolerance = published["tolerance"]
    return with_ours(published, values, values - tolerance, values + tolerance)


def _cells(
    example: str, rows: Mapping[str, Array], variables: Sequence[str], components: Array
) -> dict[str, float]:
    cells = {f"{row} PC{j}": v for row, values in rows.items() for j, v in enumerate(values, 1)}
    for (j, i), loading in np.ndenumerate(components):
        cells[f"SPCA loading PC{j + 1} {variables[i]}"] = loading
    return {f"{example} {cell}": value for cell, value in cells.items()}


@script
def table(published: pd.DataFrame, correlations: pd.DataFrame) -> pd.DataFrame:
    """Return the published numbers with ours; see `compare`."""
    return compare(published, pitprops(correlations) | synthetic())
