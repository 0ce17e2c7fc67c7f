"""Checks of arguments and sample weights, made in `fit` as scikit-learn's conventions ask."""

from collections.abc import Callable, Iterator
from numbers import Real
from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from kpca.eigensolvers import SOLVERS, Problem
from kpca.eigensolvers.solve import choose
from kpca.kernels import KERNELS, KernelParameters, is_sparse
from kpca.linalg.memory import default_budget
from kpca.nystrom.landmarks import LANDMARKS
from kpca.nystrom.streaming import NO_BLOCKS, PRECISIONS, ArrayRows, Rows, as_blocks
from kpca.operators import Centering
from kpca.operators.sources import source_of
from kpca.preimage import LEARNED, METHODS
from kpca.preimage.ridge import BYTES as RIDGE_BYTES
from kpca.rules import TRUTH, Rules, checked, nothing, of, one_of, real, share, whole
from kpca.types import Array, Floats, Matrix
from kpca.warning import warn

NAMES = [*SOLVERS, "nystrom"]

# What each argument of `KernelPCA` must be, in words, and the checks of which one must hold.
RULES: Rules = {
    "n_components": (
        "a whole number from 1, None, or a share in (0, 1)",
        (whole(1), nothing, share),
    ),
    "kernel": (
        f"one of {sorted(KERNELS)}, 'precomputed', or callable",
        (one_of([*KERNELS, "precomputed"]), callable),
    ),
    "gamma": ("a number from 0, None (1/d), or 'median'", (real(0), nothing, one_of(["median"]))),
    "degree": ("a number from 0", (real(0),)),
    "coef0": ("a finite number", (real(),)),
    "kernel_params": ("a dict or None", (of(dict), nothing)),
    "alpha": ("a number from 0", (real(0),)),
    "fit_inverse_transform": TRUTH,
    "eigen_solver": (f"'auto' or one of {sorted(NAMES)}", (one_of(["auto", *NAMES]),)),
    "n_landmarks": ("a whole number from 1", (whole(1),)),
    "landmarks": (f"one of {sorted(LANDMARKS)}", (one_of(LANDMARKS),)),
    "tol": ("a number from 0 (0 means 1e-8)", (real(0),)),
    "max_iter": ("a whole number from 1, or None", (whole(1), nothing)),
    "iterated_power": ("a whole number from 0, or 'auto'", (whole(0), one_of(["auto"]))),
    "remove_zero_eig": TRUTH,
    "random_state": (
        "a whole number from 0, a RandomState, or None",
        (whole(0), of(np.random.RandomState), nothing),
    ),
    "copy_X": TRUTH,
    "n_jobs": ("a whole number or None", (whole(-(10**6)), nothing)),
    "center": TRUTH,
    "memory_budget": ("a number of bytes, or None", (real(1), nothing)),
    "indefinite": ("'raise' or 'clip'", (one_of(["raise", "clip"]),)),
    "preimage": (f"one of {sorted(METHODS)}", (one_of(METHODS),)),
}


def check_points(model: Any, X: Matrix) -> Matrix:
    """Give points that a fitted estimator is to look at, as its training points were checked."""
    check_is_fitted(model)
    if callable(X) or isinstance(X, Iterator):
        raise TypeError("X must be one array here: go through blocks of rows one by one.")
    return checked(X, owner=model, accept_sparse="csr", reset=False, dtype=PRECISIONS)


def by_blocks(model: Any, X: Any, work: Callable[[Matrix], Array]) -> Array:
    """Do some work on new points, at once or by the blocks that they come in, and join the results.

    An error that a block causes has a note that says which.
    """
    check_is_fitted(model)
    rows = None if isinstance(X, Iterator) else as_blocks(X)
    if rows is None and not isinstance(X, Iterator):
        return work(check_points(model, X))
    found = []
    for number, block in enumerate(X if rows is None else rows.each()):
        try:
            found.append(work(check_points(model, block)))
        except ValueError as error:
            error.add_note(f"This is block {number} of X.")
            raise
    if not found:
        if hasattr(X, "shape"):  # of no rows
            check_points(model, X)
        raise ValueError(NO_BLOCKS)
    return np.concatenate(found)


def check_search(model: Any, steps: Any) -> None:
    """Refuse a search for what was missed where there is none.

    Raises
    ------
    ValueError
        For a model of landmarks, or what is no number of steps.
    """
    check_is_fitted(model)
    if "landmark_axes_" in vars(model):
        raise ValueError(
            "A model of landmarks does not hold its training points: its completeness_ is the "
            "bound there is. More landmarks lower it."
        )
    if not whole(1)(steps):
        raise ValueError(f"steps must be a whole number from 1, and is {steps!r}.")


def is_same(X: Matrix, given: Any) -> bool:
    """Say whether checked points are, or look into, what the caller has."""
    return X is given or not (is_sparse(X) or X.flags.owndata)


def size(X: Matrix) -> float:
    """Give the bytes of points."""
    return float((X.data if is_sparse(X) else X).nbytes)


def check_training(model: Any, X: Any) -> Matrix:
    """Give training points for a solver that needs all of them at once.

    Raises
    ------
    TypeError
        For blocks of rows, naming the solver that takes them.
    ValueError
        For what is no table of finite numbers.
    MemoryError
        As `check_conversion` and `check_ridge_memory`.
    """
    if callable(X) or isinstance(X, Iterator) or (isinstance(X, list | tuple) and as_blocks(X)):
        raise TypeError(
            f"eigen_solver={model.eigen_solver!r} needs X as one array: blocks of rows are for "
            "eigen_solver='nystrom'."
        )
    check_conversion(model, X)
    try:
        X = checked(X, owner=model, accept_sparse="csr", dtype=PRECISIONS)
    except (TypeError, ValueError) as error:
        if not callable(model.kernel):
            raise
        cells = np.asarray(X, dtype=object).ravel()
        others = [cell for cell in cells if not isinstance(cell, Real | list | tuple | None)]
        if not others:
            raise
        raise ValueError(
            f"A kernel function takes rows of numbers, and X holds {others[0]!r}: for strings, "
            "graphs and other objects pass their kernel matrix, with kernel='precomputed'."
        ) from error
    check_ridge_memory(model, X.shape[0])
    return X


def check_conversion(model: Any, X: Any) -> None:
    """Refuse a fit that the memory budget does not hold before X is copied into float64.

    Whole numbers and truth values are, which may be eight times their size.

    Raises
    ------
    MemoryError
        As `kpca.eigensolvers.solve.choose`.
    """
    types = getattr(X, "dtypes", [getattr(X, "dtype", None)])  # of a table, or of an array
    if getattr(X, "ndim", 0) != 2 or all(t in (np.float32, np.float64) for t in types):
        return
    n, d = X.shape
    k = min(n, int(model.n_components or 1) or 1)  # at least
    source = source_of(X, model.kernel, KernelParameters(1.0, model.degree, model.coef0))
    problem = Problem(
        source,
        Centering(n),
        k,
        budget=model.memory_budget or default_budget(),
        held=8.0 * (X.nnz if is_sparse(X) else n * d),
        solver=model.eigen_solver,
    )
    choose(problem)


def check_rows(model: Any, X: Any) -> Rows:
    """Give training points in passes, and their columns to the estimator."""
    blocks = as_blocks(X)
    if blocks is None:
        return ArrayRows(checked(X, owner=model, accept_sparse="csr", copy=False, dtype=PRECISIONS))
    validate_data(model, blocks.first(), skip_check_array=True)
    return blocks


def check_learnable(model: Any, X_original: Matrix | None) -> None:
    """Refuse to learn pre-images from kernel values alone.

    Raises
    ------
    ValueError
        Where the points behind a precomputed kernel are missing.
    """
    if model.fit_inverse_transform and model.kernel == "precomputed" and X_original is None:
        raise ValueError(
            "Cannot fit_inverse_transform with a precomputed kernel alone: pass the points "
            "behind it, fit(K, X_original=X)."
        )


def check_ridge_memory(model: Any, n: int) -> None:
    """Refuse to learn pre-images where that needs more than the memory budget, before any work.

    Raises
    ------
    MemoryError
        With the bytes, and what needs none of them.
    """
    needed, budget = RIDGE_BYTES * float(n) ** 2, model.memory_budget or default_budget()
    if model.fit_inverse_transform and model.preimage == LEARNED and needed > budget:
        raise MemoryError(
            f"fit_inverse_transform=True on n = {n} points needs about {needed:.3g} bytes, and "
            f"memory_budget allows {budget:.3g}: raise memory_budget, or take "
            "preimage='fixed_point' or 'mds', which need no fit."
        )


def check_learned(model: Any) -> None:
    """Refuse pre-images that were to be learned and were not.

    Raises
    ------
    NotFittedError
        Naming the parameter, and the methods that need none.
    """
    check_is_fitted(model)
    if model.preimage == LEARNED and not model.fit_inverse_transform:
        raise NotFittedError(
            "The fit_inverse_transform parameter was not set to True when instantiating and "
            "hence the inverse transform is not available. preimage='fixed_point' and 'mds' "
            "need no fit."
        )


def seed_of(random_state: Any) -> int:
    """Give a seed; None is a fixed one, so that fits repeat."""
    return 0 if random_state is None else int(check_random_state(random_state).randint(2**31 - 1))


def check_weights(weights: Array | None, n: int | None) -> Floats | None:
    """Give sample weights in float64, or None where there are none.

    While the number n of points is not known, that of the weights has to do.

    Raises
    ------
    ValueError
        If they are not n finite non-negative numbers with a positive sum.
    """
    if weights is None:
        return None
    try:
        checked = np.array(weights, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"sample_weight must hold numbers: {error}.") from error
    n = n or checked.size
    if checked.ndim == 0:
        checked = np.full(n, float(checked))
    if checked.shape != (n,):
        raise ValueError(f"sample_weight must have shape ({n},), got {checked.shape}.")
    if not np.isfinite(checked).all() or (checked < 0).any():
        raise ValueError("sample_weight must be finite and not negative.")
    if not checked.any():
        raise ValueError("sample_weight is zero for every point: at least one must be positive.")
    with np.errstate(over="ignore"):
        total = checked.sum()
    if not np.isfinite(total):
        raise ValueError("sample_weight overflows: its sum is infinite. Scale it.")
    heaviest = int(np.argmax(checked))
    others = np.delete(checked, heaviest).sum()
    if 0 < others < n * np.finfo(np.float64).eps * total:
        warn(
            f"sample_weight of row {heaviest} is {total / others:.1g} times the sum of all others: "
            "their part of the kernel matrix is lost in rounding, and eigenvalues are zero."
        )
    return checked
