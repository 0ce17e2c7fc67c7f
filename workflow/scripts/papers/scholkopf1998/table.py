"""Compare our numbers with Schölkopf, Smola and Müller: Figure 3, Table 1, and a paper of 1997."""

import math
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd
from scipy.stats import binomtest

from kpca.kernel_pca import KernelPCA
from kpca.study.datasets.generators import clusters, parabola
from kpca.study.seeds import rng_for
from workflow.job import script
from workflow.scripts.papers import with_ours

DEGREES = (1, 2, 3, 4)
CLUSTER_GAMMA = 10.0  # k(x, y) = exp(−‖x − y‖²/0.1)
PARABOLA_REGION = (-1.5, 1.5, -1.0, 1.5)
CLUSTER_REGION = (-1.0, 1.0, -0.5, 1.0)
# The noisy parabola of Figure 3, and the three clusters of Figure 4.
parabola_draw = partial(parabola, 100, noise=0.2)
cluster_draw = partial(clusters, 90, noise=0.1)
DRAWS = 300
# Constants of Table 1.
N_TEST = 2007
NORMAL = 1.96
# Name of a number published in 1997 → its degrees and number of components. For the linear SVM,
# these are 256 linear components, which only rotate the images.
OF_1997 = {
    "linear SVM": ([1], 256),
    "PCA m=128": ([1], 128),
    "degrees 2 to 6 m=128": (range(2, 7), 128),
    "degrees above 2 m=2048": (range(3, 8), 2048),
}


def polynomial_kpca(X: np.ndarray, degree: int) -> KernelPCA:
    """Fit three components with the kernel (x·y)^degree."""
    return KernelPCA(3, kernel="poly", gamma=1.0, degree=degree, coef0=0.0).fit(X)


def gaussian(X: np.ndarray) -> KernelPCA:
    """Fit eight components with the kernel of Figure 4."""
    return KernelPCA(8, kernel="rbf", gamma=CLUSTER_GAMMA).fit(X)


def shares(model: KernelPCA) -> np.ndarray:
    """Return three eigenvalues scaled to sum 1; a missing eigenvalue is 0."""
    values = np.pad(model.eigenvalues_, (0, 3 - len(model.eigenvalues_)))
    return values / values.sum()


def figure_3(seed: int) -> dict[str, list[float]]:
    """Return, for each cell of Figure 3, its eigenvalue in every draw."""
    rngs = (rng_for(seed, "scholkopf1998", "figure 3", draw) for draw in range(DRAWS))
    clouds = [parabola_draw(rng).X for rng in rngs]
    cells = {}
    for degree in DEGREES:
        ratios = np.array([shares(polynomial_kpca(X, degree)) for X in clouds])
        for j, values in enumerate(ratios.T.tolist(), 1):
            cells[f"figure 3 d={degree} eigenvalue {j}"] = values
    return cells


def drawn_beside(published: pd.DataFrame, drawn: Mapping[str, Sequence[float]]) -> pd.DataFrame:
    """Join the published numbers with our draws; 95 % of draws lie in [low, high]."""
    draws = np.array([drawn[cell] for cell in published["cell"]])
    low, high = np.quantile(draws, [0.025, 0.975], axis=1)
    table = with_ours(published, draws.mean(axis=1), low, high)
    # Widen the bounds by half of the last digit, since published numbers have three digits.
    return table.assign(inside=table["published"].between(low - 5e-4, high + 5e-4))


def prediction_intervals(errors: pd.DataFrame) -> pd.DataFrame:
    """Return a 95 % prediction interval for the error of one more subset, for every cell.

    The interval is the mean over R subsets ± 1.96 s √(1 + 1/R), where s² is the variance, averaged
    over all cells.
    """
    cells = errors.groupby("cell")["error"]
    ours = cells.mean()
    subsets = cells.size()
    half = NORMAL * math.sqrt(cells.var().mean()) * np.sqrt(1 + 1 / subsets)
    return pd.DataFrame({"ours": ours, "low": ours - half, "high": ours + half, "subsets": subsets})


def cell_errors(errors: pd.DataFrame) -> pd.DataFrame:
    """Return the mean error and the prediction interval of every cell, indexed by its name."""
    groups = errors["images"].map({"smoothed": "table 1", "plain": "table 1 without smoothing"})
    degrees = errors["degree"].astype(str)
    sizes = errors["components"].astype(str)
    named = errors.assign(cell=groups + " d=" + degrees + " m=" + sizes)
    parts = [of_images for _, of_images in named.groupby("images")]
    return pd.concat(map(prediction_intervals, [*parts, errors_of_1997(errors)]))


def errors_of_1997(errors: pd.DataFrame) -> pd.DataFrame:
    """Return errors by cell and subset, averaged over those degrees of a cell that were run."""
    smoothed = errors[errors["images"] == "smoothed"]
    parts = []
    for cell, (degrees, m) in OF_1997.items():
        rows = smoothed[smoothed["degree"].isin(degrees) & (smoothed["components"] == m)]
        means = rows.groupby("subset")["error"].mean()
        parts.append(means.to_frame().assign(cell=f"1997 {cell}"))
    return pd.concat(parts)


def compare(published: pd.DataFrame, errors: pd.DataFrame) -> pd.DataFrame:
    """Join the published errors with our ``errors``, for the cells that were run."""
    joined = published.merge(cell_errors(errors), on="cell", validate="one_to_one")
    table = with_ours(joined, joined["ours"], joined["low"], joined["high"])
    notes = list(map(remark, table["note"], joined["subsets"], table["published"]))
    return table.assign(note=notes)


def remark(note: str, subsets: int, published: float) -> str:
    """Return the remark on a cell, with Wilson's 95 % interval for the error on the test images.

    >>> remark("inferred", 10, 4.4)
    'inferred; 10 subsets; binomial interval 3.6 to 5.4 decides nothing'
    """
    wrong = round(published * N_TEST / 100)
    low, high = binomtest(wrong, N_TEST).proportion_ci(method="wilson")
    binomial = f"binomial interval {100 * low:.1f} to {100 * high:.1f} decides nothing"
    return "; ".join(filter(None, [note, f"{subsets} subsets", binomial]))


@script
def table(published: pd.DataFrame, errors: Sequence[str], seed: int) -> pd.DataFrame:
    """Return the cells of Figure 3 and, if digit images were classified, those of Table 1."""
    of_figure = published[published["table"] == "Figure 3"]
    parts = [drawn_beside(of_figure, figure_3(seed))]
    if errors:
        parts.append(compare(published, pd.concat(map(pd.read_csv, errors))))
    return pd.concat(parts)
