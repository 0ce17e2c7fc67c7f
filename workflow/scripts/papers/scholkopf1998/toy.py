"""The toy examples of Schölkopf, Smola and Müller (1998), Figures 3 and 4."""

import numpy as np

from kpca.kernel_pca import KernelPCA
from pipeline.datasets.generators import clusters, parabola

DEGREES = (1, 2, 3, 4)
N_PARABOLA, PARABOLA_NOISE = 100, 0.2
N_CLUSTERS, CLUSTER_NOISE = 90, 0.1
CLUSTER_GAMMA = 10.0  # exp(−‖x − y‖²/0.1)
PARABOLA_REGION = (-1.5, 1.5, -1.0, 1.5)
CLUSTER_REGION = (-1.0, 1.0, -0.5, 1.0)


def parabola_draw(rng: np.random.Generator) -> np.ndarray:
    """Draw the noisy parabola of Figure 3."""
    return parabola(N_PARABOLA, rng, noise=PARABOLA_NOISE).X


def cluster_draw(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw the three clusters of Figure 4, and which cluster each point is of."""
    drawn = clusters(N_CLUSTERS, rng, noise=CLUSTER_NOISE)
    return drawn.X, np.asarray(drawn.y)


def polynomial(X: np.ndarray, degree: int, *, center: bool = True) -> KernelPCA:
    """Fit three components with the kernel (x·y)^degree."""
    model = KernelPCA(3, kernel="poly", gamma=1.0, degree=degree, coef0=0.0, center=center)
    return model.fit(X)


def gaussian(X: np.ndarray) -> KernelPCA:
    """Fit eight components with the kernel of Figure 4."""
    return KernelPCA(8, kernel="rbf", gamma=CLUSTER_GAMMA).fit(X)


def shares(model: KernelPCA) -> np.ndarray:
    """Return three eigenvalues scaled to sum 1, a missing one being 0."""
    values = np.zeros(3)
    values[: len(model.eigenvalues_)] = model.eigenvalues_[:3]
    return values / values.sum()


def separation(Z: np.ndarray, y: np.ndarray) -> float:
    """Return the share of rows nearest to the mean of their own cluster."""
    means = np.stack([Z[y == c].mean(axis=0) for c in np.unique(y)])
    distances = np.square(Z[:, None] - means).sum(axis=2)
    return float((distances.argmin(axis=1) == y).mean())


def between_share(Z: np.ndarray, y: np.ndarray) -> float:
    """Return the fraction of the variance of scores that lies between the clusters."""
    means = np.stack([Z[y == c].mean(axis=0) for c in np.unique(y)])
    return float(np.square(means[y] - Z.mean(axis=0)).sum() / np.square(Z - Z.mean(axis=0)).sum())


def owners(Z: np.ndarray, y: np.ndarray) -> list[int]:
    """Return, for each column, the cluster within which most of its variance lies."""
    within = np.stack([np.square(Z[y == c] - Z[y == c].mean(axis=0)).sum(axis=0) for c in set(y)])
    return within.argmax(axis=0).tolist()


def split_directions(X: np.ndarray, Z: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return, for each column, the unit direction in which it varies within its cluster.

    The direction is the gradient of the least-squares plane through the scores.
    """
    rows = []
    for column, cluster in zip(Z.T, owners(Z, y), strict=True):
        inside = X[y == cluster]
        slope = np.linalg.lstsq(inside - inside.mean(axis=0), column[y == cluster], rcond=None)[0]
        rows.append(slope / np.linalg.norm(slope))
    return np.stack(rows)
