"""The one-standard-error rule: the simplest candidate that the data cannot tell from the best."""

import numpy as np

from kpca.types import Floats


def one_standard_error(means: Floats, errors: Floats) -> int:
    """Give the first candidate whose mean error is within one standard error of the least mean.

    Parameters
    ----------
    means, errors : ndarray of shape (candidates,)
        Mean error of each candidate, the simplest first, and the standard error of that mean
        (`standard_errors`). A mean that is not finite does not count.

    Returns
    -------
    int
        Number of the candidate.

    Raises
    ------
    ValueError
        Where no mean is finite.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), Classification and Regression Trees, §3.4.3.

    Examples
    --------
    >>> import numpy as np
    >>> one_standard_error(np.array([4.0, 2.1, 2.0]), np.array([0.3, 0.2, 0.1]))
    1
    """
    usable = np.where(np.isfinite(means), means, np.inf)
    best = int(usable.argmin())
    if not np.isfinite(usable[best]):
        raise ValueError("no candidate has a finite error: there is nothing to choose from.")
    return int(np.argmax(usable <= usable[best] + errors[best]))


def standard_errors(errors: Floats) -> Floats:
    """Give the standard error of the mean of each column, one measurement a row.

    A single measurement has none, and 0 stands for it.
    """
    n = len(errors)
    if n < 2:
        return np.zeros(errors.shape[1])
    return errors.std(axis=0, ddof=1) / np.sqrt(n)
