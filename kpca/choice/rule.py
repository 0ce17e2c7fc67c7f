"""The one-standard-error rule: the simplest candidate that the data cannot tell from the best."""

import numpy as np

from kpca.types import Floats


def one_standard_error(errors: Floats) -> int:
    """Give the first candidate whose mean error is within one standard error of the least mean.

    Parameters
    ----------
    errors : ndarray of shape (n, candidates)
        n measurements of each candidate, the simplest candidate first. Candidates with a
        measurement that is not finite do not count.

    Returns
    -------
    int
        Number of the candidate.

    Raises
    ------
    ValueError
        Where no candidate is finite.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), Classification and Regression Trees, §3.4.3.

    Examples
    --------
    >>> import numpy as np
    >>> one_standard_error(np.array([[3.0, 1.1, 1.0], [5.0, 1.3, 1.4]]))
    1
    """
    means = np.where(np.isfinite(errors).all(axis=0), errors.mean(axis=0), np.inf)
    best = int(means.argmin())
    if not np.isfinite(means[best]):
        raise ValueError("no candidate has finite errors: there is nothing to choose from.")
    return int(np.argmax(means <= means[best] + standard_errors(errors)[best]))


def standard_errors(errors: Floats) -> Floats:
    """Give the standard error of the mean of each column; 0 for a single measurement."""
    n = len(errors)
    if n < 2:
        return np.zeros(errors.shape[1])
    return errors.std(axis=0, ddof=1) / np.sqrt(n)
