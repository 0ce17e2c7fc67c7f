"""Compare our figures and Table 1 with Schölkopf, Smola and Müller (1998), and with 1997."""

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.stats import binomtest

from pipeline.job import script
from workflow.scripts.papers.published import COLUMNS, printed
from workflow.scripts.papers.scholkopf1998 import figures

N_TEST = 2007
NORMAL = 1.96
# Degrees and components of the numbers of 1997; 256 linear ones only rotate the images.
OF_1997 = {
    "linear SVM": ([1], 256),
    "PCA m=128": ([1], 128),
    "degrees 2 to 6 m=128": (range(2, 7), 128),
    "degrees above 2 m=2048": (range(3, 8), 2048),
}


def prediction_intervals(errors: pd.DataFrame) -> pd.DataFrame:
    """Return where the error of one more subset is expected, for every cell.

    The mean over R subsets ± 1.96 s √(1 + 1/R), s² the mean over all cells of their variance.
    """
    cells = errors.groupby("cell")["error"]
    ours, subsets = cells.mean(), cells.size()
    half = NORMAL * math.sqrt(cells.var().mean()) * np.sqrt(1 + 1 / subsets)
    return pd.DataFrame({"ours": ours, "low": ours - half, "high": ours + half, "subsets": subsets})


def ours(errors: pd.DataFrame) -> pd.DataFrame:
    """Return mean and prediction interval of every cell, by its name."""
    groups = errors["images"].map({"smoothed": "table 1", "plain": "table 1 without smoothing"})
    degrees, sizes = errors["degree"].astype(str), errors["components"].astype(str)
    named = errors.assign(cell=groups + " d=" + degrees + " m=" + sizes)
    parts = [of_images for _, of_images in named.groupby("images")]
    return pd.concat(map(prediction_intervals, [*parts, errors_of_1997(errors)]))


def errors_of_1997(errors: pd.DataFrame) -> pd.DataFrame:
    """Return errors by cell and subset, averaged over those degrees of a cell that were run."""
    smoothed = errors[errors["images"] == "smoothed"]
    parts = [
        smoothed[smoothed["degree"].isin(degrees) & (smoothed["components"] == m)]
        .groupby("subset")["error"]
        .mean()
        .to_frame()
        .assign(cell=f"1997 {cell}")
        for cell, (degrees, m) in OF_1997.items()
    ]
    return pd.concat(parts)


def compare(published: pd.DataFrame, errors: pd.DataFrame) -> pd.DataFrame:
    """Join our `errors` of the cells that were run with the published ones."""
    joined = published.merge(ours(errors), on="cell", validate="one_to_one")
    joined["inside"] = joined["published"].between(joined["low"], joined["high"])
    joined["note"] = list(map(remark, joined["note"], joined["subsets"], joined["published"]))
    return joined[COLUMNS]


def remark(note: object, subsets: int, published: float) -> str:
    """Return what is to be known about a cell, with Wilson's 95 % interval on the test images.

    >>> remark("inferred", 10, 4.4)
    'inferred; 10 subsets; binomial interval 3.6 to 5.4 decides nothing'
    """
    wrong = round(published * N_TEST / 100)
    low, high = binomtest(wrong, N_TEST).proportion_ci(method="wilson")
    binomial = f"binomial interval {100 * low:.1f} to {100 * high:.1f} decides nothing"
    own = [note] if isinstance(note, str) else []
    return "; ".join([*own, f"{subsets} subsets", binomial])


@script
def table(published: pd.DataFrame, errors: Sequence[str], seed: int) -> pd.DataFrame:
    """Return the cells of both figures, and below them those of Table 1 if there are images."""
    cells = figures.table(published, seed)
    if not errors:
        return cells
    return pd.concat([cells, compare(printed(published), pd.concat(map(pd.read_csv, errors)))])
