"""Columns that explain novel samples: their statistics, and the responsible variables."""

from collections.abc import Sequence

import numpy as np

from kpca.types import Array, Floats

BLAMED = 3  # number of responsible variables that are named for each sample
COLUMNS = [
    "novelty",
    "threshold",
    "novel",
    "p_value",
    "hotelling",
    "variable_1",
    "variable_2",
    "variable_3",
    "part_1",
    "part_2",
    "part_3",
]


def explained(measured: Sequence[Array], shares: Floats, names: Sequence[str]) -> dict[str, Array]:
    """Return the `measured` columns, and the variables with the largest contributions.

    Parameters
    ----------
    measured : sequence of ndarray of shape (m,)
        Novelty, threshold, whether samples are novel, p-value, and Hotelling's T².
    shares : ndarray of shape (m, d)
        Contributions.
    names : sequence of str of length d
        Names of the variables.

    Returns
    -------
    dict of str to ndarray of shape (m,)
        The columns `COLUMNS`. Parts are fractions of the sum of positive contributions. If a sample
        has fewer than three of these, the other variables are empty, and their parts NaN.
    """
    parts = np.pad(shares, ((0, 0), (0, BLAMED)))
    parts[parts <= 0] = np.nan
    parts /= np.nansum(parts, axis=1, keepdims=True)
    largest = np.argsort(-parts, axis=1, kind="stable")[:, :BLAMED]
    parts = np.take_along_axis(parts, largest, axis=1)
    variables = np.array([*names, "", "", ""], dtype=object)[largest]
    variables = np.where(parts > 0, variables, "")
    return dict(zip(COLUMNS, [*measured, *variables.T, *parts.T], strict=True))
