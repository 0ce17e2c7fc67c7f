"""All routes of PCA give the same axes, and all spectra are one."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import scipy.linalg

from kpca.linear.routes import PrincipalAxes
from pipeline.job import script
from pipeline.seeds import rng_for, seed_for
from workflow.scripts.linear.routes import ROUTES, principal_axes
from workflow.scripts.linear.samples import tall_and_wide

EIGENVALUE_TOLERANCE = 1e-12
"""Largest difference of eigenvalues between routes, relative to the first."""

ANGLE_TOLERANCE = 1e-9
"""Largest angle between the spans of the leading axes of two routes, in radians."""


def agreement(samples: Mapping[str, np.ndarray], n_components: int) -> pd.DataFrame:
    """Compare the leading axes of every route with the SVD, as full as LAPACK gives it."""
    rows = []
    for name, X in samples.items():
        centred = X - X.mean(axis=0)
        reference = principal_axes(centred, n_components)
        for route in ROUTES:
            found = principal_axes(centred, n_components, route=route)
            error, angle = _differences(found, reference)
            rows.append(
                {
                    "data": name,
                    "route": route,
                    "eigenvalue_error": error,
                    "angle": angle,
                    "residual": found.residuals.max(),
                    "agrees": error < EIGENVALUE_TOLERANCE and angle < ANGLE_TOLERANCE,
                }
            )
    return pd.DataFrame(rows)


def spectra(X: np.ndarray) -> pd.DataFrame:
    """Return the squared singular values of centred data, and both eigenvalue spectra.

    XᵀX has d eigenvalues and XXᵀ has n: those beyond the rank are rounding errors of either sign.
    """
    centred = X - X.mean(axis=0)
    parts = {
        "XᵀX": scipy.linalg.eigvalsh(centred.T @ centred)[::-1],
        "XXᵀ": scipy.linalg.eigvalsh(centred @ centred.T)[::-1],
        "σ²": scipy.linalg.svdvals(centred) ** 2,
    }
    frames = [
        pd.DataFrame({"index": np.arange(1, len(v) + 1), "matrix": name, "value": v / v[0]})
        for name, v in parts.items()
    ]
    return pd.concat(frames, ignore_index=True)


def _differences(found: PrincipalAxes, reference: PrincipalAxes) -> tuple[float, float]:
    error = np.abs(found.eigenvalues - reference.eigenvalues).max() / reference.eigenvalues[0]
    angle = scipy.linalg.subspace_angles(found.axes.T, reference.axes.T).max()
    return float(error), float(angle)


@script
def tables(seed: int, n_components: int = 10) -> dict[str, pd.DataFrame]:
    """Return the agreement of the routes, and the spectra of a small wide sample."""
    samples = tall_and_wide(seed_for(seed, "linear", "agreement"))
    # XᵀX has at least 11 eigenvalues 0, and XXᵀ has one.
    X = rng_for(seed, "linear", "spectra").standard_normal((20, 30)) * np.linspace(2, 0.2, 30)
    return {"agreement": agreement(samples, n_components), "spectra": spectra(X)}
