"""The Swiss roll: what kernel PCA unrolls, and with which kernel."""

import numpy as np
import pandas as pd
from sklearn.manifold import Isomap

from kpca.kernel_pca import KernelPCA
from kpca.kernels.bandwidth import median_gamma
from pipeline.datasets.generators import swiss_roll
from pipeline.evaluation.metrics import correlation
from pipeline.job import script
from pipeline.seeds import rng_for
from workflow.scripts.claims.claim import averaged

REPLICATES, N = 5, 800
MULTIPLES = (0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100)
# Kernel → its parameters: degrees, multiples of the median γ, or neighbours.
GRID = {
    "linear": (1,),
    "poly": (2, 3, 4, 5),
    "cosine": (1,),
    "rbf": MULTIPLES,
    "laplacian": MULTIPLES,
    "geodesic": (6, 8, 10, 12, 15, 20),
}
UNROLLED = 0.95  # a component that correlates as much with the coordinate along the sheet is it


def draw_sheet(seed: int, replicate: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the points of a Swiss roll without noise, and their coordinate along the sheet."""
    roll = swiss_roll(N, rng_for(seed, "unrolling", replicate))
    return roll.X, np.asarray(roll.target)


def axis_correlation(Z: np.ndarray, coordinate: np.ndarray) -> float:
    """Return the largest |r| between a column of Z and the coordinate."""
    return max(abs(correlation(coordinate, column)) for column in Z.T)


def embed(X: np.ndarray, kernel: str, parameter: float) -> np.ndarray:
    """Return two scores of kernel PCA.

    The parameter is the degree of "poly", the number of neighbours of "geodesic", and else a
    multiple of the median γ. The geodesic kernel is −½ D² of the shortest paths D between
    neighbours, so that these are the coordinates of Isomap (Tenenbaum et al. 2000, Science 290).
    """
    if kernel == "geodesic":
        D = np.asarray(Isomap(n_neighbors=int(parameter)).fit(X).dist_matrix_)
        # Distances on a graph are not Euclidean: the fit warns of negative eigenvalues.
        return KernelPCA(2, kernel="precomputed").fit_transform(-0.5 * D**2)
    gamma = median_gamma(X, "laplacian" if kernel == "laplacian" else "rbf")
    gamma *= 1 if kernel == "poly" else parameter
    model = KernelPCA(2, kernel=kernel, gamma=gamma, degree=parameter, coef0=1)
    return model.fit_transform(X - X.mean(axis=0))


@script
def measure(*, seed: int) -> dict[str, pd.DataFrame]:
    """Return the cases of the Swiss roll, and ``embeddings`` with each `axis_correlation`."""
    rows = [
        (kernel, parameter, replicate, axis_correlation(embed(X, kernel, parameter), coordinate))
        for replicate in range(REPLICATES)
        for X, coordinate in [draw_sheet(seed, replicate)]
        for kernel, parameters in GRID.items()
        for parameter in parameters
    ]
    table = pd.DataFrame(rows, columns=["kernel", "parameter", "replicate", "value"])
    geodesic = table["kernel"] == "geodesic"
    best = table[~geodesic].groupby("replicate")["value"].max()
    neighbours = table[geodesic].pivot(index="replicate", columns="parameter", values="value")
    at_best = neighbours[neighbours.mean().idxmax()]
    cases = [
        averaged("5-roll-two", best.to_numpy(), None),
        averaged("5-roll-geodesic", at_best.to_numpy(), None),
    ]
    return {"claims": pd.DataFrame(cases), "embeddings": table}
