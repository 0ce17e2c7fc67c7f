"""Sparsity against variance, and the loadings behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from kpca.linear.sparse_pca import SparsePCA
from kpca.linear.svd import axis_signs
from workflow.scripts.linear.sparse_fits import Fits, Sample


def path_table(sample: Sample, fits: Fits) -> pd.DataFrame:
    """Return what every fit explains.

    Returns
    -------
    DataFrame
        Columns method, strength, nonzeros (mean over the components), variance,
        adjusted_variance, reconstruction_error (shares of the total variance), iterations,
        converged, and pca: the share that as many ordinary components explain.
    """
    rows = [
        {"method": method, "strength": strength, **_row(model)}
        for method, by_strength in fits.items()
        for strength, model in by_strength.items()
    ]
    eigenvalues = np.linalg.eigvalsh(sample.covariance)[::-1]
    pca = float(eigenvalues[: sample.n_components].sum() / eigenvalues.sum())
    return pd.DataFrame(rows).assign(pca=pca)


def loadings(sample: Sample, fits: Fits, names: Sequence[str], nonzeros: float) -> pd.DataFrame:
    """Return the loadings of ordinary components, and of every method about as sparse.

    Parameters
    ----------
    sample : Sample
    fits : Fits
        Of these each method shows the one nearest to `nonzeros`.
    names : sequence of str
        One a variable.
    nonzeros : float
        Mean number of nonzeros of a component.

    Returns
    -------
    DataFrame
        Columns method, component (from 1), variable, loading.
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
