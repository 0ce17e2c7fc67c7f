"""What is said of each sample: statistic, limit, p-value, T², and the variables to blame."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kpca.base import BaseKernelPCA
from kpca.inspection.contributions import contributions
from kpca.novelty.statistics import conformal_pvalues, hotelling, novelty_scores
from kpca.operators.sources import KernelSource
from kpca.types import Array, Floats, Matrix

BLAMED = 3  # variables
COLUMNS = (
    *("novelty", "threshold", "novel", "p_value", "hotelling"),
    *("variable_1", "variable_2", "variable_3", "part_1", "part_2", "part_3"),
)


class Calibration(NamedTuple):
    """What a statistic is compared with."""

    statistic: str
    limit: float
    values: Floats  # of ordinary samples, sorted; empty if only the limit is known


def explained(
    model: BaseKernelPCA,
    X: Matrix,
    calibration: Calibration,
    names: Sequence[str] | None = None,
) -> dict[str, Array]:
    """Return the columns of `KernelPCANovelty.explain` for checked samples of a fitted model.

    Parameters
    ----------
    model : KernelPCA or LandmarkKernelPCA
        Fitted.
    X : array or sparse matrix of shape (m, d), or kernel values of shape (m, n)
        Samples.
    calibration : Calibration
        Statistic, limit and values. Without values p-values are NaN.
    names : sequence of str of length d or None, default=None
        Names of the variables. None means x1, x2 and so on.
    """
    values = novelty_scores(model, X, statistic=calibration.statistic)
    novel = values > calibration.limit
    pvalues = np.full(len(values), np.nan)
    if len(calibration.values):
        pvalues = conformal_pvalues(values, calibration.values)
    shares = np.zeros(X.shape)
    if novel.any() and isinstance(model.expansion().source, KernelSource):
        shares[novel] = contributions(model, X[novel], statistic=calibration.statistic)
    limits = np.full(len(values), calibration.limit)
    columns = [values, limits, novel, pvalues, hotelling(model, X), *blamed(shares, names)]
    return dict(zip(COLUMNS, columns, strict=True))


def blamed(shares: Floats, names: Sequence[str] | None = None) -> list[Array]:
    """Return the variables with the largest contributions, and their parts of the positive ones.

    Parameters
    ----------
    shares : ndarray of shape (m, d)
        Contributions.
    names : sequence of str of length d or None, default=None
        Names of the variables. None means x1, x2 and so on.

    Returns
    -------
    list of ndarray of shape (m,)
        Names of the first, second and third variable, empty if there are no more positive
        contributions. Then the fractions of their sum, else NaN.
    """
    d = shares.shape[1]
    names = [f"x{number + 1}" for number in range(d)] if names is None else list(names)
    positive = np.pad(np.maximum(shares, 0), ((0, 0), (0, BLAMED)))
    largest = np.argsort(-positive, axis=1, kind="stable")[:, :BLAMED]
    chosen = np.take_along_axis(positive, largest, axis=1)
    totals = positive.sum(axis=1, keepdims=True)
    variables = np.array(names + BLAMED * [""], dtype=object)[largest]
    parts = np.divide(chosen, totals, out=np.full(chosen.shape, np.nan), where=chosen > 0)
    return [*np.where(chosen > 0, variables, "").T, *parts.T]
