"""The width σ of the Gaussian kernel: small ones see locally, large ones give linear PCA."""

import numpy as np
import pandas as pd
import scipy.linalg

from kpca.types import Floats
from pipeline.job import script
from workflow.scripts.claims.claim import of_rows
from workflow.scripts.claims.separability import gaussian
from workflow.scripts.claims.setting import REPLICATES, bounds, units

DATASETS = {
    "rings": {"generator": "rings", "n_train": 200, "n_test": 1, "noise": 0.08},
    "swiss_roll": {"generator": "swiss_roll", "n_train": 300, "n_test": 1},
    "wine": {"sklearn": "wine", "standardize": True},
    "digits": {"sklearn": "digits", "max_rows": 400},
}
# σ in multiples of the median width, and where the statements are judged.
WIDTHS = (0.056, 0.1, 0.18, 0.32, 0.56, 1, 1.8, 3.2, 5.6, 10, 18, 32, 56, 100)
SMALL, LARGE = 0.1, 100.0


def plane_angle(A: Floats, X: Floats) -> float:
    """Return the largest angle of the span of eigenvectors to the scores of linear PCA, radians."""
    left = scipy.linalg.svd(X - X.mean(axis=0), full_matrices=False)[0]
    return float(scipy.linalg.subspace_angles(A, left[:, : A.shape[1]]).max())


def spread(A: Floats, X: Floats) -> Floats:
    """Return the r.m.s. radius of X weighted by the squares of each column of A, over that of X."""
    weights = A**2
    centres = weights.T @ X
    squares = (X**2).sum(axis=1) @ weights - (centres**2).sum(axis=1)
    return np.asarray(np.sqrt(np.maximum(squares, 0) / X.var(axis=0).sum()))


@script
def measure(*, seed: int) -> dict[str, pd.DataFrame]:
    """Return the cases of σ, and the table ``widths`` of each `plane_angle` and mean `spread`."""
    rows = []
    for unit, split in units(DATASETS, ["rbf"], seed, REPLICATES):
        for width in WIDTHS:
            model = gaussian(split.X_train, width**-2, 5)  # γ = 1/(2σ²)
            angle = plane_angle(model.eigenvectors_[:, :2], split.X_train)
            local = spread(model.eigenvectors_, split.X_train).mean()
            rows.append(unit | {"width": width, "angle": angle, "spread": local})
    table = pd.DataFrame(rows)
    small, large = (table[table["width"] == w].reset_index(drop=True) for w in (SMALL, LARGE))
    near = small.assign(spread=small["spread"] / large["spread"])
    cases = [
        *of_rows("6-sigma-linear", bounds(large, ["dataset"], "angle")),
        *of_rows("6-sigma-near", bounds(near, ["dataset"], "spread")),
    ]
    return {"claims": pd.DataFrame(cases), "widths": table}
