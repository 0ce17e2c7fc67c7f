"""Reproduce the Pitprops table and the synthetic example of Zou, Hastie and Tibshirani (2006)."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from kpca import SparsePCA
from kpca.linear.sparse.measures import adjusted_variances, covariance_root
from pipeline.job import script

PENALTIES = (0.06, 0.16, 0.1, 0.5, 0.5, 0.5)
SYNTHETIC_PENALTY = 500.0
STOP = 1e-3


def pitprops(correlations: pd.DataFrame) -> dict[str, float]:
    """Return every cell of the tables on the Pitprops data, loadings with our signs."""
    R, k = correlations.to_numpy(), len(PENALTIES)
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
    cells = {
        f"pitprops {row} PC{j}": float(v) for row, vs in rows.items() for j, v in enumerate(vs, 1)
    }
    return cells | _loadings("pitprops", correlations.columns.tolist(), model.components_)


def synthetic() -> dict[str, float]:
    """Return the cells of the synthetic example, from its exact covariance matrix."""
    C = synthetic_covariance()
    eigenvalues, vectors = np.linalg.eigh(C)
    leading = vectors[:, ::-1][:, :2]
    model = SparsePCA(
        2, l1_penalty=SYNTHETIC_PENALTY, l2_penalty=0.0, input="covariance", tol=STOP
    ).fit(C)
    rows = {
        "PCA": eigenvalues[::-1][:2],
        "simple thresholding": adjusted_variances(covariance_root(C), thresholded(leading, 4)),
        "SPCA": model.adjusted_variance_,
    }
    cells = {
        f"synthetic {row} adjusted variance % PC{j}": float(100 * v / np.trace(C))
        for row, vs in rows.items()
        for j, v in enumerate(vs, 1)
    }
    return cells | _loadings("synthetic", [f"X{i}" for i in range(1, 11)], model.components_)


def synthetic_covariance() -> np.ndarray:
    """Return the covariance of X₁…X₁₀: two independent factors, a third that mixes them, noise."""
    factors = np.zeros((10, 3))
    factors[:4, 0] = 1
    factors[4:8, 1] = 1
    factors[8:] = [-0.3, 0.925, 1]
    return factors @ np.diag([290.0, 300.0, 1.0]) @ factors.T + np.eye(10)


def thresholded(V: np.ndarray, size: int) -> np.ndarray:
    """Return the columns with their `size` largest entries kept, and norm 1.

    Exchangeable variables have equal loadings: of those the first are kept, and rounding
    errors do not decide.
    """
    largest = np.argsort(-np.abs(V).round(9), axis=0, kind="stable")[:size]
    kept = np.zeros_like(V)
    np.put_along_axis(kept, largest, np.take_along_axis(V, largest, axis=0), axis=0)
    return kept / np.linalg.norm(kept, axis=0)


def compare(published: pd.DataFrame, ours: dict[str, float]) -> pd.DataFrame:
    """Join our numbers with the published ones, each with its tolerance.

    Our loadings have signs of their own.
    """
    values = published["cell"].map(ours) * _turned(published, ours)
    low, high = values - published["tolerance"], values + published["tolerance"]
    return pd.DataFrame(
        {
            "cell": published["cell"],
            "published": published["published"],
            "ours": values,
            "low": low,
            "high": high,
            "inside": published["published"].between(low, high),
            "note": published["note"].fillna(""),
        }
    )


def _turned(published: pd.DataFrame, ours: dict[str, float]) -> pd.Series:
    """Return ±1 for each cell: the sign that turns a component's loadings to the printed ones."""
    component = published["cell"].str.extract(r"^(.* loading PC\d+)")[0]
    products = published["cell"].map(ours) * published["published"]
    signs = np.sign(products.groupby(component).transform("sum"))
    return signs.where(component.notna(), 1.0)


def _loadings(example: str, names: Sequence[str], components: np.ndarray) -> dict[str, float]:
    return {
        f"{example} SPCA loading PC{j} {name}": float(value)
        for j, component in enumerate(components, 1)
        for name, value in zip(names, component, strict=True)
    }


@script
def table(published: pd.DataFrame, correlations: pd.DataFrame) -> pd.DataFrame:
    """Return the published numbers with ours; see `compare`."""
    return compare(published, pitprops(correlations) | synthetic())
