"""What is said of each sample: statistic, limit, p-value, T², and the variables to blame."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kpca.base import BaseKernelPCA
from kpca.inspection.contributions import ordinary_points, shared_out
from kpca.kernels.registry import as_dense
from kpca.novelty.statistics import conformal_pvalues, hotelling, novelty_scores
from kpca.operators.sources import KernelSource
from kpca.types import Array, Floats, Matrix

BLAMED = 3  # variables
_VARIABLES = [f"variable_{place}" for place in range(1, BLAMED + 1)]
_PARTS = [f"part_{place}" for place in range(1, BLAMED + 1)]
COLUMNS = ("novelty", "threshold", "novel", "p_value", "hotelling", *_VARIABLES, *_PARTS)


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
    variables = np.full((len(values), BLAMED), "", dtype=object)
    parts = np.full((len(values), BLAMED), np.nan)
    expansion = model.expansion()
    if isinstance(expansion.source, KernelSource) and novel.any():
        points = as_dense(X[novel])
        start = ordinary_points(expansion, points)
        shares, _ = shared_out(expansion, calibration.statistic, points, start)
        variables[novel], parts[novel] = blamed(shares, names)
    limits = np.full(len(values), calibration.limit)
    columns = [values, limits, novel, pvalues, hotelling(model, X), *variables.T, *parts.T]
    return dict(zip(COLUMNS, columns, strict=True))


def blamed(shares: Floats, names: Sequence[str] | None = None) -> tuple[Array, Floats]:
    """Return the variables with the largest contributions, and their parts of the positive ones.

    Parameters
    ----------
    shares : ndarray of shape (m, d)
        Contributions.
    names : sequence of str of length d or None, default=None
        Names of the variables. None means x1, x2 and so on.

    Returns
    -------
    variables : object ndarray of shape (m, 3)
        Names, the largest contribution first; empty if there are no more positive ones.
    parts : ndarray of shape (m, 3)
        Fractions of the sum of positive contributions, else NaN.
    """
    m, d = shares.shape
    if names is None:
        names = [f"x{place + 1}" for place in range(d)]
    positive = np.maximum(shares, 0)
    largest = np.argsort(-positive, axis=1, kind="stable")[:, :BLAMED]
    chosen = np.take_along_axis(positive, largest, axis=1)
    variables = np.full((m, BLAMED), "", dtype=object)
    parts = np.full((m, BLAMED), np.nan)
    width = largest.shape[1]
    with np.errstate(invalid="ignore"):
        fractions = chosen / positive.sum(axis=1, keepdims=True)
    variables[:, :width] = np.where(chosen > 0, np.asarray(names, dtype=object)[largest], "")
    parts[:, :width] = np.where(chosen > 0, fractions, np.nan)
    return variables, parts
