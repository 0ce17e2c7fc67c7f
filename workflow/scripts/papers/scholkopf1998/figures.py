"""Reproduce the numbers of Figures 3 and 4 of Schölkopf, Smola and Müller (1998)."""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd
from scipy.stats import binomtest
from sklearn.neighbors import NearestCentroid

from kpca.kernel_pca import KernelPCA
from pipeline.datasets.generators import clusters, parabola
from pipeline.seeds import rng_for
from workflow.scripts.papers.published import COLUMNS, printed

DEGREES = (1, 2, 3, 4)
CLUSTER_GAMMA = 10.0  # exp(−‖x − y‖²/0.1)
PARABOLA_REGION = (-1.5, 1.5, -1.0, 1.5)
CLUSTER_REGION = (-1.0, 1.0, -0.5, 1.0)
FIRST, SECOND = slice(2, 5), slice(5, 8)  # components 3–5 and 6–8
# The noisy parabola of Figure 3, and the three clusters of Figure 4.
parabola_draw = partial(parabola, 100, noise=0.2)
cluster_draw = partial(clusters, 90, noise=0.1)


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


def between_share(Z: np.ndarray, y: np.ndarray) -> float:
    """Return the fraction of the variance of scores that lies between the clusters."""
    means = np.stack([Z[y == c].mean(axis=0) for c in np.unique(y)])
    return float(np.square(means[y] - Z.mean(axis=0)).sum() / np.square(Z - Z.mean(axis=0)).sum())


def owners(Z: np.ndarray, y: np.ndarray) -> list[int]:
    """Return, for each column, the cluster within which most of its variance lies."""
    within = np.stack([np.square(Z[y == c] - Z[y == c].mean(axis=0)).sum(axis=0) for c in set(y)])
    return within.argmax(axis=0).tolist()


def split_directions(X: np.ndarray, Z: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return, for each column, the unit gradient of the plane through its scores in its cluster."""
    rows = []
    for column, cluster in zip(Z.T, owners(Z, y), strict=True):
        inside = X[y == cluster]
        slope = np.linalg.lstsq(inside - inside.mean(axis=0), column[y == cluster], rcond=None)[0]
        rows.append(slope / np.linalg.norm(slope))
    return np.stack(rows)


def figure_3(seed: int, draws: int) -> dict[str, list[float]]:
    """Return the eigenvalues of every degree in every draw, by cell."""
    rngs = (rng_for(seed, "scholkopf1998", "figure 3", draw) for draw in range(draws))
    clouds, cells = [parabola_draw(rng).X for rng in rngs], {}
    for degree in DEGREES:
        found = np.array([shares(polynomial(X, degree)) for X in clouds])
        for j, values in enumerate(found.T.tolist(), 1):
            cells[f"figure 3 d={degree} eigenvalue {j}"] = values
    return cells


def figure_4(seed: int, draws: int) -> dict[str, list[float]]:
    """Return what the components do to the clusters in every draw, by cell."""
    cells: dict[str, list[float]] = {}
    for draw in range(draws):
        X, y, _ = cluster_draw(rng_for(seed, "scholkopf1998", "figure 4", draw))
        assert y is not None
        Z = gaussian(X).transform(X)
        first, second = (sorted(owners(Z[:, part], y)) == [0, 1, 2] for part in (FIRST, SECOND))
        values = {
            "accuracy of components 1-2": [NearestCentroid().fit(Z[:, :2], y).score(Z[:, :2], y)],
            "share between clusters of components 1-2": [between_share(Z[:, :2], y)],
            "draws in which 3-5 split a cluster each": [float(first)],
            "draws in which 6-8 split a cluster each": [float(second)],
            "|cos| of the two splits of a cluster": cosines(X, Z, y) if first and second else [],
        }
        for name, measured in values.items():
            cells.setdefault(f"figure 4 {name}", []).extend(measured)
    return cells


def cosines(X: np.ndarray, Z: np.ndarray, y: np.ndarray) -> list[float]:
    """Return |cos| between the first and the second direction in which each cluster is split."""
    first, second = (
        split_directions(X, Z[:, part], y)[np.argsort(owners(Z[:, part], y))]
        for part in (FIRST, SECOND)
    )
    return np.abs((first * second).sum(axis=1)).tolist()


def compare(published: pd.DataFrame, drawn: Mapping[str, Sequence[float]]) -> pd.DataFrame:
    """Join our draws with the published numbers: low and high hold 95 % of the draws."""
    rows = []
    for cell, value, note in published.fillna({"note": ""}).itertuples(index=False):
        draws = np.array(drawn[cell])
        if "draws in which" in cell:
            low, high = binomtest(int(draws.sum()), len(draws)).proportion_ci()
        else:
            low, high = np.quantile(draws, [0.025, 0.975])
        # Printed with three digits: what rounds to a bound is on it.
        inside = None if np.isnan(value) else bool(low - 5e-4 <= value <= high + 5e-4)
        rows.append((cell, value, draws.mean(), low, high, inside, note))
    return pd.DataFrame(rows, columns=COLUMNS)


def table(published: pd.DataFrame, seed: int, draws: int = 300) -> pd.DataFrame:
    """Return the cells of both figures; see `compare`."""
    drawn = figure_3(seed, draws) | figure_4(seed, draws)
    return compare(printed(published[published["cell"].str.startswith("figure ")]), drawn)
