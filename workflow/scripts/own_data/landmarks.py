"""How many landmarks would do in place of all rows."""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from scipy.linalg import subspace_angles

from kpca.kernel_pca import KernelPCA
from kpca.kernels.bandwidth import median_gamma
from pipeline.datasets.dataset import Dataset, FloatArray
from pipeline.job import run
from pipeline.seeds import rng_for, seed_for
from workflow.scripts.own_data.setting import of_files, some, standardised

COMPONENTS = 5
SIZES = (10, 20, 40, 80, 160, 320, 640)
DRAWS = 5
MOST_ROWS = 2000
NEGLIGIBLE = 10
"""An angle so many times below that of sampling changes nothing that the data could tell."""


def angles(dataset: Dataset, *, seed: int) -> pd.DataFrame:
    """Return how far components of landmarks are from those of all rows.

    One row a number of landmarks, with columns: dataset, rows (that are fitted exactly),
    n_components, landmarks, angle, low, high (root mean square angle between the spans of the
    scores in degrees: median, least and largest of `DRAWS` choices), sampling (the median angle
    where rows are drawn again with replacement), enough (whether the angle is `NEGLIGIBLE`).
    """
    X = some(standardised(dataset), MOST_ROWS)
    gamma, n = median_gamma(X), len(X)
    exact = _model(COMPONENTS, gamma).fit(X)
    k = len(exact.eigenvalues_)
    drawn = []
    for draw in range(DRAWS):
        rng = rng_for(seed, dataset.seed_axis, draw, "bootstrap")
        weights = rng.multinomial(n, np.full(n, 1 / n))
        model = _model(k, gamma).fit(X, sample_weight=weights)
        drawn.append(_angle(exact.eigenvectors_, model.transform(X)))
    sampling, rows = float(np.median(drawn)), []
    for m in (size for size in SIZES if k < size < n):
        found = []
        for draw in range(DRAWS):
            own = seed_for(seed, dataset.seed_axis, draw, "landmarks")
            model = _model(k, gamma, eigen_solver="nystrom", n_landmarks=m, random_state=own)
            found.append(_angle(exact.eigenvectors_, model.fit(X).transform(X)))
        angle = float(np.median(found))
        enough = angle <= sampling / NEGLIGIBLE
        rows.append((dataset.name, n, k, m, angle, min(found), max(found), sampling, enough))
    columns = ["dataset", "rows", "n_components", "landmarks", "angle", "low", "high"]
    return pd.DataFrame(rows, columns=[*columns, "sampling", "enough"])


def _model(k: int, gamma: float, **options: Any) -> KernelPCA:
    return KernelPCA(k, kernel="rbf", gamma=gamma, remove_zero_eig=True, **options)


def _angle(exact: FloatArray, scores: FloatArray) -> float:
    """Return the root mean square principal angle between two spans, in degrees."""
    found = subspace_angles(exact, scores - scores.mean(axis=0))
    return float(np.degrees(np.sqrt(np.mean(np.square(found)))))


if __name__ == "__main__":
    run(partial(of_files, angles))
