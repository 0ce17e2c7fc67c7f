"""Fits of one kernel with many parameters on the same points."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kpca.kernel_pca import KernelPCA
from kpca.kernels import KERNELS
from kpca.sharing.chains import chain_count, cut, run_chains
from kpca.sharing.fit import fit_on
from kpca.sharing.pairs import shared_pairs
from kpca.types import Array, Floats, Matrix

SWEPT = ("gamma", "degree", "coef0")


def sweep(
    estimator: KernelPCA,
    X: Matrix,
    grid: Mapping[str, Sequence[Any]],
    *,
    sample_weight: Array | None = None,
) -> list[KernelPCA]:
    """Fit one kernel with every combination of parameters on the same points.

    Distances (rbf, laplacian) or inner products (poly, sigmoid) of all pairs are computed once
    and stored, where their 8 n² bytes (4 n² more in float32, for searches) are at most half of
    the memory budget. Where the matrix is large, each fit starts from the eigenvectors of the fit
    before it. The grid is cut into as many such chains as there are threads, as far as memory
    allows. The results are those of independent fits to the tolerance `tol`, with the same
    residuals. A start that is known says nothing of what may be missing, so that their
    ``completeness_`` is what the space searched leaves room for: proven, or open, where
    `check_completeness` asks further.

    Parameters
    ----------
    estimator : KernelPCA
        Not fitted, with a kernel by name; gives all that the grid does not.
    X : array or sparse matrix of shape (n, d)
    grid : mapping
        Values of "gamma", "degree" and "coef0". Neighbouring values should follow one another.
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
    pairs = shared_pairs(estimator, X)
    make_source = None if pairs is None else pairs.source

    def work(own: KernelPCA, part: Sequence[dict[str, Any]]) -> Iterator[KernelPCA]:
        start: Floats | None = None
        for values in part:
            model = fit_on(
                own, X, make_source, values=values, sample_weight=sample_weight, start=start
            )
            start = model.eigenvectors_
            yield model.set_params(n_jobs=estimator.n_jobs)

    tasks = combinations(grid)
    chains = cut(tasks, chain_count(estimator, X.shape[0], len(tasks)))
    return run_chains(work, chains, estimator, X.shape[0])


def combinations(grid: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Give every combination of the values of a grid; the last name varies fastest.

    Raises
    ------
    ValueError
        If the grid names something that does not vary in a sweep.

    Examples
    --------
    >>> combinations({"degree": [2, 3], "coef0": [0, 1]})[1]
    {'degree': 2, 'coef0': 1}
    """
    if unknown := sorted(set(grid) - set(SWEPT)):
        raise ValueError(f"A grid may name {', '.join(SWEPT)}, and this one names {unknown}.")
    return [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]
