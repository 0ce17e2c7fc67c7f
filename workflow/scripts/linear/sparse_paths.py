"""Sparsity against variance, exact references for few variables, and the loadings behind it."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from kpca.linear.sparse.measures import adjusted_variances, covariance_root
from kpca.linear.sparse_pca import SparsePCA
from kpca.linear.svd import axis_signs
from pipeline.job import run
from workflow.scripts.linear.exact_sparse import exact_components
from workflow.scripts.linear.samples import builtin, standardized
from workflow.scripts.linear.sparse_fits import N_COMPONENTS, STRENGTHS, Fits, Sample, fit_all

NONZEROS = {"pitprops": 3, "digits": 10}
"""Mean nonzeros of a component, about, of the loadings that are shown."""


def tables(
    correlations: pd.DataFrame,
    strengths: Sequence[float] = STRENGTHS,
    n_components: Mapping[str, int] = N_COMPONENTS,
) -> dict[str, pd.DataFrame]:
    """Return paths, loadings and the exact path of the Pitprops.

    The covariance matrices are those of standardised variables, and of the grey values of digits.
    """
    matrices = {
        "pitprops": correlations.to_numpy(),
        "breast_cancer": np.cov(standardized(builtin("breast_cancer")), rowvar=False),
        "digits": np.cov(builtin("digits"), rowvar=False),
    }
    data = {name: Sample(matrix, n_components[name]) for name, matrix in matrices.items()}
    fits = {name: fit_all(sample, strengths) for name, sample in data.items()}
    variables: dict[str, list[str]] = {
        "pitprops": correlations.columns.tolist(),
        "digits": [f"pixel {i}" for i in range(64)],
    }
    paths = [path_table(data[name], fits[name]).assign(data=name) for name in data]
    shown = [
        loadings(data[name], fits[name], variables[name], size).assign(data=name)
        for name, size in NONZEROS.items()
    ]
    return {
        "paths": pd.concat(paths),
        "loadings": pd.concat(shown),
        "exact_path": exact_path(data["pitprops"]),
    }


def path_table(sample: Sample, fits: Fits) -> pd.DataFrame:
    """Return what every fit explains, as shares of the total variance."""
    rows = [
        {"method": method, "strength": strength, **_row(model)}
        for method, by_strength in fits.items()
        for strength, model in by_strength.items()
    ]
    eigenvalues = np.linalg.eigvalsh(sample.covariance)[::-1]
    pca = float(eigenvalues[: sample.n_components].sum() / eigenvalues.sum())
    return pd.DataFrame(rows).assign(pca=pca)


def exact_path(sample: Sample) -> pd.DataFrame:
    """Return what exact components explain, all of one size, for every size."""
    root, total = covariance_root(sample.covariance), np.trace(sample.covariance)
    rows = []
    for size in range(1, len(sample.covariance) + 1):
        W = exact_components(sample.covariance, [size] * sample.n_components)
        rows.append((size, float(adjusted_variances(root, W).sum() / total)))
    return pd.DataFrame(rows, columns=["nonzeros", "adjusted_variance"])


def loadings(sample: Sample, fits: Fits, names: Sequence[str], nonzeros: float) -> pd.DataFrame:
    """Return the loadings of ordinary components, and of every method about as sparse.

    Each method shows the fit whose mean number of nonzeros of a component is nearest.
    """
    vectors = np.linalg.eigh(sample.covariance)[1][:, : -sample.n_components - 1 : -1].T
    found = {"pca": vectors * axis_signs(vectors)[:, None]}
    for method, by_strength in fits.items():
        models = by_strength.values()
        nearest = min(models, key=lambda model: abs(model.n_nonzero_.mean() - nonzeros))
        found[method] = nearest.components_
    rows = [
        (method, j, name, value)
        for method, components in found.items()
        for j, component in enumerate(components, 1)
        for name, value in zip(names, component, strict=True)
    ]
    return pd.DataFrame(rows, columns=["method", "component", "variable", "loading"])


def _row(model: SparsePCA) -> dict[str, Any]:
    return {
        "nonzeros": float(model.n_nonzero_.mean()),
        "variance": float(model.explained_variance_ratio_.sum()),
        "adjusted_variance": float(model.adjusted_variance_ratio_.sum()),
        "reconstruction_error": model.reconstruction_error_,
        "iterations": model.n_iter_,
        "converged": model.converged_,
    }


if __name__ == "__main__":
    run(tables)
