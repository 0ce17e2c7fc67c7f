"""One kernel with many parameters on the same points."""

import itertools
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from sklearn.base import clone

from kpca.arguments import as_list, as_points, check_kernel_pca
from kpca.kernel_pca import KernelPCA
from kpca.kernels import KERNELS
from kpca.model_selection.side_by_side import Results, side_by_side
from kpca.rules import check
from kpca.types import Array, Matrix
from kpca.validation import RULES, check_weights

SWEPT = ("gamma", "degree", "coef0")


def sweep(
    estimator: KernelPCA,
    X: Matrix,
    grid: Mapping[str, Sequence[Any]],
    *,
    sample_weight: Array | None = None,
) -> "Fits":
    """Fit one kernel with every combination of parameters on the same points.

    The fits are independent, and run side by side on the threads that there are, as far as the
    memory budget allows.

    Parameters
    ----------
    estimator : KernelPCA
        Not fitted, with a kernel by name; gives all that the grid does not.
    X : array or sparse matrix of shape (n, d)
    grid : mapping
        Lists of values of "gamma", "degree" and "coef0".
    sample_weight : array of shape (n,), optional

    Returns
    -------
    Fits
        A list of fitted models, one a combination; the last name of the grid varies fastest.
        ``pandas.DataFrame(fits.table())`` is their table.

    Raises
    ------
    TypeError, ValueError
        For another estimator, a grid of other parameters, a kernel without a name,
        eigen_solver="nystrom", and as `KernelPCA.fit`; parameters are checked before the first fit.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(50, 2))
    >>> models = sweep(KernelPCA(2, kernel="rbf"), X, {"gamma": [0.1, 1.0]})
    >>> [model.gamma_ for model in models]
    [0.1, 1.0]
    """
    combined = combinations_of(estimator, grid)
    if estimator.eigen_solver == "nystrom":
        raise ValueError("sweep shares exact fits: fit eigen_solver='nystrom' one by one.")
    if estimator.kernel not in KERNELS:
        raise ValueError(
            f"sweep needs a kernel by name, one of {sorted(KERNELS)}, and got "
            f"{estimator.kernel!r}: fit other kernels one by one."
        )

    points = as_points(X)
    rows = X if hasattr(X, "columns") else points  # a frame names the variables of the models
    weights = check_weights(sample_weight, points.shape[0])

    def work(_: int, own: KernelPCA) -> KernelPCA:
        return own.fit(rows, sample_weight=weights).set_params(n_jobs=estimator.n_jobs)

    return Fits(side_by_side(estimator, combined, work, points.shape[0]))


class Fits(Results[KernelPCA]):
    """Fitted models; ``pandas.DataFrame(fits.table())`` is their table."""

    def table(self) -> dict[str, list[Any]]:
        """Give parameters and what the fits say of themselves, by column, a value a model.

        The largest eigenvalue, the share of the variance of all components together, and the
        largest residual.
        """
        columns = {name: [getattr(model, name) for model in self] for name in ("degree", "coef0")}
        return {"gamma": [model.gamma_ for model in self], **columns} | {
            "n_components": [len(model.eigenvalues_) for model in self],
            "eigenvalue": [float(model.eigenvalues_.max(initial=0)) for model in self],
            "explained_variance": [float(model.explained_variance_ratio_.sum()) for model in self],
            "residual": [float(model.residuals_.max(initial=0)) for model in self],
            "solver": [model.solver_.name for model in self],
        }


def combinations(grid: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Give every combination of the values of a grid; the last name varies fastest.

    >>> combinations({"degree": [2, 3], "coef0": [0, 1]})[1]
    {'degree': 2, 'coef0': 1}
    """
    if not isinstance(grid, Mapping):
        raise TypeError(f"grid must be a mapping such as {{'gamma': [0.1, 1.0]}}, got {grid!r}.")
    for name in grid:
        if name not in SWEPT:
            close = "".join(
                f" Did you mean {near!r}?" for near in get_close_matches(str(name), SWEPT, 1)
            )
            raise ValueError(
                f"A grid may name {', '.join(SWEPT)}, and this one names {name!r}.{close}"
            )
    listed = [as_list(values, f"grid[{name!r}]", "values to try") for name, values in grid.items()]
    return [dict(zip(grid, values, strict=True)) for values in itertools.product(*listed)]


def combinations_of(
    estimator: KernelPCA, grid: Mapping[str, Sequence[Any]]
) -> list[dict[str, Any]]:
    """Give the combinations of a grid, of which an estimator takes every one."""
    check_kernel_pca(estimator)
    combined = combinations(grid)
    for values in combined:
        check(clone(estimator).set_params(**values), RULES)
    return combined
