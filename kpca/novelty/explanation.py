"""What is said of each sample: the names of the columns, and the variables to blame."""

from collections.abc import Sequence

import numpy as np

from kpca.types import Array, Floats

BLAMED = 3  # variables
COLUMNS = [
    *("novelty", "threshold", "novel", "p_value", "hotelling"),
    *("variable_1", "variable_2", "variable_3", "part_1", "part_2", "part_3"),
]


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
    parts = np.pad(shares, ((0, 0), (0, BLAMED)))
    parts[parts <= 0] = np.nan
    parts /= np.nansum(parts, axis=1, keepdims=True)
    largest = np.argsort(-parts, axis=1, kind="stable")[:, :BLAMED]
    parts = np.take_along_axis(parts, largest, axis=1)
    variables = np.array(names + BLAMED * [""], dtype=object)[largest]
    return [*np.where(parts > 0, variables, "").T, *parts.T]
