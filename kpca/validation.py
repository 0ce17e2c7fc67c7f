"""Checks of arguments, arrays and weights, with errors that name argument and remedy."""

import sys
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from math import inf, isfinite
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import assert_all_finite, check_array, check_is_fitted, validate_data

from kpca.types import EPS, Array, Floats, Matrix

# Packages that `warn` skips on its way up the stack to the line of the user.
BETWEEN = {"kpca", "sklearn", "joblib", "functools"}

PRECISIONS = [np.float64, np.float32]
# Options with which `checked` reads samples.
SAMPLES: dict[str, Any] = {"accept_sparse": "csr", "dtype": PRECISIONS}
# Options with which `checked` reads scores, of which a model without components has none.
SCORES: dict[str, Any] = {"ensure_min_features": 0, "dtype": PRECISIONS}


class Rule(NamedTuple):
    """A requirement for a value, in words and as a check; `|` joins rules as alternatives."""

    words: str
    holds: Callable[[Any], bool]

    def __or__(self, other: "Rule") -> "Rule":
        return Rule(f"{self.words}, or {other.words}", lambda v: self.holds(v) or other.holds(v))


def integer(low: int, high: float = inf) -> Rule:
    """Return the rule for integers from `low` to `high`; infinity means no upper limit."""
    description = f"an integer from {low}"
    if high < inf:
        description += f" to {high}"
    return Rule(description, lambda v: _is_number(v, Integral) and low <= int(v) <= high)


def real(low: float = -inf) -> Rule:
    """Return the rule for finite numbers that are at least `low`."""
    description = "a finite number" if low == -inf else f"a finite number from {low:g}"
    return Rule(description, lambda v: _is_number(v, Real) and isfinite(v) and float(v) >= low)


def _is_number(value: Any, kind: type) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)


def one_of(values: Collection[str]) -> Rule:
    """Return the rule for strings that are in `values`."""
    return Rule(f"one of {sorted(values)}", lambda v: isinstance(v, str) and v in values)


def instance_of(*types: type) -> Rule:
    """Return the rule for instances of one of the types."""
    names = " or ".join(kind.__name__ for kind in types)
    return Rule(f"a {names}", lambda v: isinstance(v, types))


FRACTION = Rule("a fraction in (0, 1)", lambda v: isinstance(v, Real) and 0 < float(v) < 1)
NONE = Rule("None", lambda v: v is None)
TRUTH = Rule("True or False", instance_of(bool, np.bool_).holds)
SEED = integer(0) | instance_of(np.random.RandomState) | NONE


def is_sparse(X: Matrix) -> bool:
    """Return whether X is a scipy.sparse matrix, without importing scipy.sparse."""
    return hasattr(X, "tocsr")


def check_parameters(estimator: Any, rules: Mapping[str, Rule]) -> None:
    """Check that the parameters of an estimator meet the `rules`, which map names to rules.

    Raises
    ------
    ValueError
        If a parameter breaks its rule; the message names the parameter, the rule and the value.
    """
    for name, rule in rules.items():
        named = f"The {name!r} parameter of {type(estimator).__name__}"
        check_argument(named, getattr(estimator, name), rule)


def check_argument(name: str, value: Any, rule: Rule) -> None:
    """Check that an argument of a function meets a rule.

    Raises
    ------
    ValueError
        If the argument breaks the rule; the message names the argument, the rule and the value.
    """
    if not rule.holds(value):
        raise ValueError(f"{name} must be {rule.words}, got {value!r}.")


def check_memory(purpose: str, needed: float, budget: float, remedy: str) -> None:
    """Check that the `needed` bytes are within the `budget`, before anything is allocated.

    `purpose` begins the message of the error, and ends with a verb.

    Raises
    ------
    MemoryError
        If they exceed the budget; the message states the bytes, and what to change.
    """
    if needed > budget:
        raise MemoryError(
            f"{purpose} about {needed:.3g} bytes, and memory_budget allows {budget:.3g}: {remedy}."
        )


def checked_list(name: str, values: Any, rule: Rule) -> list[Any]:
    """Return the values of an argument that takes a list of at least one value.

    Raises
    ------
    ValueError
        If `values` is not a list, is empty, or has a value that breaks the rule.
    """
    listed = list(values) if isinstance(values, Iterable) and not isinstance(values, str) else []
    if not listed or not all(map(rule.holds, listed)):
        raise ValueError(
            f"{name} must be a list of at least one value, each {rule.words}, such as [value], got "
            f"{values!r}."
        )
    return listed


def checked(X: Any, name: str = "X", *, owner: Any = None, **options: Any) -> Matrix:
    """Return X as an array of numbers, checked by scikit-learn and by the checks of this module.

    Scikit-learn's check is `check_array`, or `validate_data` of the estimator `owner`.

    Raises
    ------
    TypeError, ValueError
        As scikit-learn does, but with the name of the argument. Also as for `check_finite`,
        `check_mask` and `check_in_memory`.
    """
    check_in_memory(X, name)
    check_mask(X, name)
    # The message of scikit-learn does not say where a number is not finite; `check_finite` does.
    options["ensure_all_finite"] = False
    try:
        plain = owner is None
        check = partial(check_array, input_name=name) if plain else partial(validate_data, owner)
        numbers = check(X, **options)
    except (TypeError, ValueError) as error:
        types = zip(getattr(X, "columns", ()), getattr(X, "dtypes", ()), strict=False)
        others = [column for column, dtype in types if getattr(dtype, "kind", "O") not in "biuf"]
        if others:
            raise ValueError(
                f"{name} has no numbers in column {others[0]!r}: leave it out, or encode it."
            ) from error
        if hasattr(X, "columns") or str(error).startswith(f"{name} "):
            raise
        # Some messages print the whole array, which the reason leaves out.
        lines = str(error).splitlines()
        reason = " ".join(line for line in lines if line[:1].isalpha() and line[:6] != "array=")
        reason = reason or f"numpy.asarray cannot read a {type(X).__module__}.{type(X).__name__}."
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"{name} must be an array of numbers, one row per sample: {reason}") from error
    check_finite(numbers, name, getattr(X, "columns", None))
    return numbers


def check_finite(X: Matrix, name: str = "X", columns: Any = None) -> None:
    """Check that X has only finite numbers, unless scikit-learn is configured to assume this.

    Raises
    ------
    ValueError
        If X has NaN or infinity; the message gives the row, from 0, and the column of the first
        such number. The column is given by its name if `columns` has the names.
    """
    try:
        assert_all_finite(X)
    except ValueError:
        entries = X.tocoo() if hasattr(X, "tocoo") else None
        values: Array = X if entries is None else entries.data
        first = tuple(np.argwhere(~np.isfinite(values))[0])
        position = first if entries is None else (entries.row[first], entries.col[first])
        where = f"row {position[0]}"
        if len(position) > 1:
            column = position[1] if columns is None else repr(list(columns)[position[1]])
            where += f", column {column}"
        value = "NaN" if np.isnan(values[first]) else "infinity"
        raise ValueError(
            f"{name} contains {value} in {where}: fill in or leave out what is not a finite number."
        ) from None


def checked_samples(model: Any, X: Any, rows: int = 1) -> Matrix:
    """Return samples for a fitted estimator, checked as its training samples were."""
    check_is_fitted(model)
    if callable(X) or isinstance(X, Iterator):
        raise TypeError("X must be one array here: go through blocks of rows one by one.")
    return checked(X, owner=model, reset=False, ensure_min_samples=rows, **SAMPLES)


def checked_training(model: Any, X: Any, budget: float) -> Matrix:
    """Return training samples for a solver that needs all of them at once.

    Raises
    ------
    TypeError
        If X is given in blocks of rows; the message names the estimator that takes them.
    ValueError
        If X is not a table of finite numbers.
    MemoryError
        If X has integers or truth values, and their copy in float64 exceeds the budget.
    """
    if callable(X) or isinstance(X, Iterator) or is_list_of_blocks(X):
        raise TypeError("KernelPCA needs X as one array: blocks of rows are for LandmarkKernelPCA.")
    types = getattr(X, "dtypes", [getattr(X, "dtype", None)])
    if getattr(X, "ndim", 0) == 2 and not all(t in PRECISIONS for t in types):
        remedy = "raise memory_budget, or use LandmarkKernelPCA with blocks of rows"
        needed = 8.0 * (X.nnz if is_sparse(X) else X.size)
        check_memory("The copy of X in float64 needs", needed, budget, remedy)
    try:
        return checked(X, owner=model, accept_sparse="csr", dtype=PRECISIONS)
    except (TypeError, ValueError) as error:
        cells = np.asarray(X, dtype=object).ravel() if callable(model.kernel) else ()
        others = [cell for cell in cells if not isinstance(cell, Real | list | tuple | None)]
        if not others:
            raise
        raise ValueError(
            f"A kernel function takes rows of numbers, and X holds {others[0]!r}: for strings, "
            "graphs and other objects pass their kernel matrix, with kernel='precomputed'."
        ) from error


def check_scores(scores: Array, k: int, model: str) -> None:
    """Raise a ValueError if the scores do not have k columns, one per component of the model."""
    if scores.shape[1] != k:
        raise ValueError(
            f"X has {scores.shape[1]} columns, but this {model} has {k} components: pass scores."
        )


def is_list_of_blocks(X: Any) -> bool:
    """Return whether X is a list of arrays of rows, or of functions that return such arrays."""
    of_blocks = isinstance(X, list | tuple) and bool(X)
    return of_blocks and (getattr(X[0], "ndim", 0) == 2 or callable(X[0]))


def is_lazy(X: Any) -> bool:
    """Return whether X is an array that is read in pieces, such as those of Dask, zarr and h5py."""
    return hasattr(X, "chunks") and not hasattr(X, "to_numpy")


def check_in_memory(X: Any, name: str = "X") -> None:
    """Check that X is not an array that is read in pieces, since NumPy would read all of it.

    Raises
    ------
    TypeError
        If X is such an array; the message says what reads it in pieces.
    """
    if is_lazy(X):
        raise TypeError(
            f"{name} is a {type(X).__module__.split('.')[0]} array. LandmarkKernelPCA.fit reads "
            "samples in pieces, and nothing else does. If it fits into memory, pass "
            "np.asarray(X); of a kernel matrix, kpca.KernelColumns(lambda i: K[i].T, diagonal)."
        )


def check_mask(values: Any, name: str) -> None:
    """Check that no entries are masked, since NumPy and scikit-learn silently drop masks.

    Raises
    ------
    ValueError
        If entries are masked; the message states their number, and what to do.
    """
    if masked := int(np.ma.count_masked(values)) if isinstance(values, np.ma.MaskedArray) else 0:
        raise ValueError(
            f"{name} has {masked} masked entries, whose values would be used: fill them in by "
            f"{name}.filled(value), or leave out their rows."
        )


def checked_weights(weights: Any, n: int | None) -> Floats | None:
    """Return sample weights in float64, or None if there are none.

    If the number n of samples is not known yet, it is taken to be the number of weights.

    Raises
    ------
    ValueError
        If the weights are not n finite non-negative numbers with a positive sum.
    """
    if weights is None:
        return None
    check_mask(weights, "sample_weight")
    try:
        numbers = np.array(weights, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"sample_weight must hold numbers: {error}.") from error
    n = n or numbers.size
    if numbers.ndim == 0:
        numbers = np.full(n, float(numbers))
    if numbers.shape != (n,):
        raise ValueError(f"sample_weight must have shape ({n},), got {numbers.shape}.")
    if not np.isfinite(numbers).all() or (numbers < 0).any():
        raise ValueError("sample_weight must be finite and not negative.")
    if not numbers.any():
        raise ValueError("sample_weight is zero for every sample: at least one must be positive.")
    with np.errstate(over="ignore"):
        total = numbers.sum()
    if not np.isfinite(total):
        raise ValueError("sample_weight overflows: its sum is infinite. Scale it.")
    heaviest = int(np.argmax(numbers))
    others = np.delete(numbers, heaviest).sum()
    if 0 < others < n * EPS * total:
        warn(
            f"sample_weight of row {heaviest} is {total / others:.1g} times the sum of all others: "
            "their part of the kernel matrix is lost in rounding, and eigenvalues are zero."
        )
    return numbers


def seed_of(random_state: Any) -> int:
    """Return a seed drawn from `random_state`; None means 0, so that fits are reproducible."""
    return 0 if random_state is None else int(check_random_state(random_state).randint(2**31 - 1))


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Issue a warning for the innermost line outside of the packages `BETWEEN`.

    `warnings.warn` finds the line by a number of frames instead, which depends on the function of
    this package that was called.
    """
    frame = sys._getframe(1)
    while str(frame.f_globals.get("__name__")).partition(".")[0] in BETWEEN and frame.f_back:
        frame = frame.f_back
    names = frame.f_globals
    registry = names.setdefault("__warningregistry__", {})
    location = (frame.f_code.co_filename, frame.f_lineno, str(names.get("__name__")), registry)
    warnings.warn_explicit(message, category, *location)
