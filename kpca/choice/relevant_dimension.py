"""The relevant dimension of Braun, Buhmann and Müller: how many components describe the labels.

The criterion uses labels, but needs neither cross-validation nor a classifier. It chooses the
number of components, and the kernel, that describe what the labels have in common with the rows.
"""

from dataclasses import dataclass

import numpy as np

from kpca.types import EPS, Array, Floats
from kpca.validation import checked


@dataclass(frozen=True, eq=False)
class RelevantDimension:
    """Estimate of the relevant dimension.

    Attributes
    ----------
    likelihood : ndarray of shape (d,)
        Negative log-likelihood of the two-component model for each dimension 1, 2, …, up to an
        additive constant.
    """

    likelihood: Floats

    @property
    def dimension(self) -> int:
        """Dimension with the largest likelihood, which the paper calls the relevant dimension."""
        return int(self.likelihood.argmin()) + 1


def relevant_dimension(vectors: Floats, y: Array) -> RelevantDimension:
    """Estimate the relevant dimension, which splits coefficients of labels into signal and noise.

    Parameters
    ----------
    vectors : ndarray of shape (n, k)
        Unit eigenvectors of the centred kernel matrix, leading first:
        ``KernelPCA(...).fit(X).eigenvectors_``.
    y : array of shape (n,) or (n, c)
        Numeric target, or the 0/1 indicators of c classes (`indicators`). The coefficients of
        several columns are pooled: s_i² = Σ_c s_ic².

    Returns
    -------
    RelevantDimension
        Likelihoods for dimensions d up to k, but at most n/2, as in the paper.

    Raises
    ------
    ValueError
        If there is no component, if the target is constant, or if labels are not numbers.

    Notes
    -----
    Let a_1, a_2, … be the eigenvectors of K̄, and s_i = a_iᵀy. The model is s_i ~ N(0, σ₁²) for
    i ≤ d, and s_i ~ N(0, σ₂²) for i > d. There are N = n − 1 coefficients, since K̄ has no component
    along the vector of ones. With maximum-likelihood values of both variances, minus twice the
    log-likelihood per coefficient is (d/N) log σ₁² + (1 − d/N) log σ₂². The smallest value chooses
    d, and also the kernel.

    References
    ----------
    Braun, Buhmann, Müller (2008), On relevant dimensions in kernel feature spaces, Journal of
    Machine Learning Research 9. The paper leaves the kernel matrix uncentred.

    Examples
    --------
    >>> import numpy as np
    >>> from kpca import KernelPCA
    >>> X = np.random.default_rng(0).normal(size=(50, 5))
    >>> model = KernelPCA().fit(X)
    >>> signal = model.transform(X)[:, 1]
    >>> relevant_dimension(model.eigenvectors_, signal).dimension
    2
    """
    vectors = checked(vectors, "vectors", ensure_min_features=0, dtype=np.float64)
    n = len(vectors)
    A = vectors[:, : n // 2]
    if not A.shape[1] or n < 3:
        raise ValueError(
            f"at least one component and three rows are needed, got vectors of {vectors.shape}."
        )
    try:
        Y = checked(y, "y", ensure_2d=False, dtype=np.float64)
    except ValueError as error:
        raise ValueError(f"{error} Classes are given as indicators(y).") from None
    Y = Y.reshape(len(Y), -1)
    Y = Y - Y.mean(axis=0)
    if len(Y) != n:
        raise ValueError(f"y must have one row for each of the {n} of vectors, got {len(Y)}.")
    if not Y.any():
        raise ValueError("y is the same for every row, so no component can be relevant.")
    signal = np.cumsum(np.square(A.T @ Y).sum(axis=1))
    total = np.square(Y).sum()
    noise = total - signal
    N = n - 1
    d = np.arange(1, A.shape[1] + 1)
    parts = ((d / N, signal / d), ((N - d) / N, noise / (N - d)))
    logs = [share * np.log(np.maximum(s, EPS * total)) for share, s in parts]
    return RelevantDimension(np.sum(logs, axis=0))


def indicators(labels: Array) -> Floats:
    """Return one 0/1 column per class.

    Parameters
    ----------
    labels : array of shape (n,)
        Class of each row: numbers or texts, none missing.

    Returns
    -------
    ndarray of shape (n, c)
        1 in the column of the row's class, else 0. The columns have the sorted order of the
        classes.

    Raises
    ------
    ValueError
        If labels are missing, not one-dimensional, or of kinds that cannot be sorted.

    Examples
    --------
    >>> indicators(np.array([0, 2, 2])).tolist()
    [[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]
    """
    try:
        labels = np.asarray(labels)
        classes = np.unique(labels)
        missing = labels != labels  # NaN is not equal to itself
    except (TypeError, ValueError):
        raise ValueError("labels must be of one kind that can be sorted, none missing.") from None
    if labels.ndim != 1 or not labels.size or np.any(missing):
        raise ValueError("labels must be a one-dimensional array, not empty, none missing.")
    return (labels[:, None] == classes).astype(np.float64)
