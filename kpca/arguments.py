"""Checks of what is passed to functions: each refusal names the argument and says what it must be.

Those of estimators, made in `fit`, are in `kpca.validation`.
"""

from collections.abc import Collection
from typing import Any

import numpy as np
from sklearn.utils.validation import check_array, check_is_fitted

from kpca.kernel_pca import KernelPCA
from kpca.kernels import is_sparse
from kpca.nystrom.streaming import PRECISIONS
from kpca.operators.symmetry import symmetrised
from kpca.rules import Check, Rules, check_finite, one_of, real, share, whole
from kpca.types import Array, Floats, Matrix
from kpca.validation import check_points

# What an argument of this name must be, in words, and the checks of which one must hold.
VALUES: Rules = {
    "draws": ("a whole number from 1", (whole(1),)),
    "false_alarm": ("a share in (0, 1)", (share,)),
    "folds": ("a whole number from 2", (whole(2),)),
    "gamma": ("a number from 0", (real(0),)),
    "n": ("a whole number from 2", (whole(2),)),
    "n_components": ("a whole number from 1", (whole(1),)),
    "noise": ("a number from 0", (real(0),)),
    "seed": ("a whole number from 0", (whole(0),)),
    "statistic": ("'hotelling' or 'residual'", (one_of(["hotelling", "residual"]),)),
}


def check_values(**values: Any) -> None:
    """Check arguments by name.

    Raises
    ------
    ValueError
        Naming the argument, what it must be, and what it was.
    """
    for name, value in values.items():
        requirement, checks = VALUES[name]
        if not any(holds(value) for holds in checks):
            raise ValueError(f"{name} must be {requirement}, got {value!r}.")


def as_list(values: Any, name: str, requirement: str, holds: Check = lambda _: True) -> list[Any]:
    """Give the values of an argument that takes several, of which there must be one.

    Raises
    ------
    TypeError
        For a single value.
    ValueError
        For no value, or one that is not as required.
    """
    try:
        listed = None if isinstance(values, str | dict) else list(values)
    except TypeError:
        listed = None
    if listed is None:
        raise TypeError(
            f"{name} must be a list of {requirement}, got {values!r}: write one value as [value]."
        )
    if not listed or not all(holds(value) for value in listed):
        raise ValueError(f"{name} must be {requirement}, at least one, got {listed}.")
    return listed


def as_points(
    X: Any,
    name: str = "X",
    *,
    rows: int = 1,
    columns: int = 1,
    sparse: bool = True,
    single: bool = False,
    dtype: Any = PRECISIONS,
) -> Matrix:
    """Give points as an array of shape (n, d), or csr; a `single` one may come as (d,).

    Raises
    ------
    TypeError, ValueError
        For what is no such array, with fewer `rows` or `columns`, or with entries that are not
        finite; for sparse points where they are not taken.
    """
    if is_sparse(X) and not sparse:
        raise TypeError(f"{name} must be a dense array here: pass {name}.toarray().")
    least = {"ensure_min_samples": rows, "ensure_min_features": columns}
    try:
        points = check_array(
            X,
            accept_sparse="csr",
            dtype=dtype,
            ensure_2d=not single,
            ensure_all_finite=False,
            **least,
        )
    except (TypeError, ValueError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        what = f"{name} must be an array of numbers, one row a point: {_words(error)}"
        raise kind(what) from None
    points = points if is_sparse(points) else np.atleast_2d(points)
    check_finite(points, name, getattr(X, "columns", None))
    return points


def as_kernel_matrix(K: Any, name: str = "K", *, rows: int = 2) -> Array:
    """Give a kernel matrix as a dense array of shape (n, n), symmetric.

    Raises
    ------
    TypeError, ValueError
        As `as_points`, and for a matrix that is not square.
    """
    matrix = as_points(K, name, rows=rows)
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(
            f"{name} has shape {matrix.shape}: it must be a square matrix of the kernel values "
            "among the rows."
        )
    return symmetrised(matrix).astype(matrix.dtype, copy=False)


def as_numbers(values: Any, name: str, dimensions: Collection[int] = (1,)) -> Floats:
    """Give numbers in float64, finite or not, as an array of so many dimensions.

    Raises
    ------
    ValueError
        For anything else, and for none at all.
    """
    try:
        given = np.asarray(values)
        if np.iscomplexobj(given):
            raise TypeError("Complex data not supported")
        numbers = given.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be numbers: {_words(error)}.") from None
    if numbers.ndim not in dimensions or not numbers.size:
        shapes = " or ".join(f"{dimension}-dimensional" for dimension in dimensions)
        raise ValueError(f"{name} must be a {shapes} array, got shape {numbers.shape}.")
    return numbers


def check_kernel_pca(estimator: Any, name: str = "estimator") -> None:
    """Check that an argument is a KernelPCA, fitted or not.

    Raises
    ------
    TypeError
        Naming the argument and what it was.
    """
    if not isinstance(estimator, KernelPCA):
        kind = estimator if isinstance(estimator, type) else type(estimator)
        what = "the class" if estimator is kind else "an object of type"
        raise TypeError(f"{name} must be a kpca.KernelPCA, got {what} {kind.__name__}.")


def check_model(model: Any) -> None:
    """Check that an argument is a fitted KernelPCA.

    Raises
    ------
    TypeError
        As `check_kernel_pca`.
    NotFittedError
    """
    check_kernel_pca(model, "model")
    check_is_fitted(model)


def points_of(model: KernelPCA, X: Any, *, rows: int = 1) -> Matrix:
    """Give points that a fitted model is to look at, with the variables of its training points.

    Raises
    ------
    TypeError, ValueError
        As `as_points`, and for other variables.
    """
    as_points(X, rows=rows)
    return check_points(model, X)


def _words(error: Exception) -> str:
    """Give the sentences of a message, without the array that it prints."""
    lines = str(error).splitlines()
    return " ".join(line for line in lines if line[:1].isalpha() and not line.startswith("array="))
