"""One kernel with many parameters on the same points."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from kpca.kernel_pca import KernelPCA
from kpca.kernels import KERNELS
from kpca.model_selection.side_by_side import side_by_side
from kpca.types import Array, Matrix

SWEPT = ("gamma", "degree", "coef0")


def sweep(
    estimator: KernelPCA,
    X: Matrix,
    grid: Mapping[str, Sequence[Any]],
    *,
    sample_weight: Array | None = None,
) -> list[KernelPCA]:
    """Fit one kernel with every combination of parameters on the same points.

    The fits are independent, and run side by side on the threads that there are, as far as the
    memory budget allows.

    Parameters
    ----------
    estimator : KernelPCA
        Not fitted, with a kernel by name; gives all that the grid does not.
    X : array or sparse matrix of shape (n, d)
    grid : mapping
        Values of "gamma", "degree" and "coef0".
    sample_weight : array of shape (n,), optional

    Returns
    -------
    list of KernelPCA
        Fitted, one a combination; the last name of the grid varies fastest.

    Raises
    ------
    ValueError
        For a grid of other parameters, a kernel without a name, or eigen_solver="nystrom".

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(50, 2))
    >>> models = sweep(KernelPCA(2, kernel="rbf"), X, {"gamma": [0.1, 1.0]})
    >>> [model.gamma_ for model in models]
    [0.1, 1.0]
    """
    if estimator.eigen_solver == "nystrom":
        raise ValueError("sweep shares exact fits: fit eigen_solver='nystrom' one by one.")
    if estimator.kernel not in KERNELS:
        raise ValueError(
            f"sweep needs a kernel by name, one of {sorted(KERNELS)}, and got "
            f"{estimator.kernel!r}: fit other kernels one by one."
        )

    def work(_: int, own: KernelPCA) -> KernelPCA:
        return own.fit(X, sample_weight=sample_weight).set_params(n_jobs=estimator.n_jobs)

    n = X.shape[0] if hasattr(X, "shape") else len(X)
    return side_by_side(estimator, combinations(grid), work, n)


def combinations(grid: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Give every combination of the values of a grid; the last name varies fastest.

    >>> combinations({"degree": [2, 3], "coef0": [0, 1]})[1]
    {'degree': 2, 'coef0': 1}
    """
    if unknown := sorted(set(grid) - set(SWEPT)):
        raise ValueError(f"A grid may name {', '.join(SWEPT)}, and this one names {unknown}.")
    return [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]
