"""What an argument must be: checks to be named in tables, and errors that name the argument."""

from collections.abc import Callable, Collection
from math import isfinite
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.utils.validation import assert_all_finite, check_array, validate_data

from kpca.types import Array, Matrix

Check = Callable[[Any], bool]
Rules = dict[str, tuple[str, tuple[Check, ...]]]


def whole(low: int) -> Check:
    """Whole numbers from `low` on."""
    return lambda v: isinstance(v, Integral) and not isinstance(v, bool) and int(v) >= low


def real(low: float = -float("inf")) -> Check:
    """Finite numbers from `low` on."""
    return lambda v: (
        isinstance(v, Real) and not isinstance(v, bool) and isfinite(v) and float(v) >= low
    )


def share(value: Any) -> bool:
    """Numbers strictly between 0 and 1."""
    return isinstance(value, Real) and not isinstance(value, Integral) and 0 < float(value) < 1


def one_of(values: Collection[Any]) -> Check:
    """Members of a collection of strings."""
    return lambda v: isinstance(v, str) and v in values


def nothing(value: Any) -> bool:
    """None."""
    return value is None


def of(*types: type) -> Check:
    """Instances of types."""
    return lambda v: isinstance(v, types)


TRUTH = ("True or False", (of(bool, np.bool_),))


def check(owner: Any, rules: Rules) -> None:
    """Check the arguments of an estimator by name.

    Raises
    ------
    ValueError
        Naming the argument, what it must be, and what it was.
    """
    for name, (requirement, checks) in rules.items():
        value = getattr(owner, name)
        if not any(holds(value) for holds in checks):
            raise ValueError(
                f"The {name!r} parameter of {type(owner).__name__} must be {requirement}. "
                f"Got {value!r}."
            )


def checked(X: Any, name: str = "X", *, owner: Any = None, **options: Any) -> Matrix:
    """Give numbers as scikit-learn's `check_array` takes them, or `validate_data` of an estimator.

    Raises
    ------
    TypeError, ValueError
        As these, and as `check_finite`.
    """
    options["ensure_all_finite"] = False  # whose message has no place
    try:
        if owner is None:
            numbers = check_array(X, input_name=name, **options)
        else:
            numbers = validate_data(owner, X, **options)
    except (TypeError, ValueError) as error:
        types = zip(getattr(X, "columns", ()), getattr(X, "dtypes", ()), strict=False)
        others = [column for column, dtype in types if getattr(dtype, "kind", "O") not in "biuf"]
        if not others:
            raise
        raise ValueError(
            f"{name} has no numbers in column {others[0]!r}: leave it out, or turn it into numbers."
        ) from error
    check_finite(numbers, name, getattr(X, "columns", None))
    return numbers


def check_finite(X: Matrix, name: str = "X", columns: Any = None) -> None:
    """Refuse numbers that are not finite, unless scikit-learn is told to take them for finite.

    Raises
    ------
    ValueError
        Naming the first by its row, from 0, and its column, by name where `columns` has names.
    """
    try:
        assert_all_finite(X)
    except ValueError:
        entries = X.tocoo() if hasattr(X, "tocoo") else None
        values: Array = X if entries is None else entries.data
        first = tuple(np.argwhere(~np.isfinite(values))[0])
        place = first if entries is None else (entries.row[first], entries.col[first])
        where = f"row {place[0]}"
        if len(place) > 1:
            where += f", column {place[1] if columns is None else repr(list(columns)[place[1]])}"
        what = "NaN" if np.isnan(values[first]) else "infinity"
        raise ValueError(
            f"{name} contains {what} in {where}: fill in or leave out what is not a finite number."
        ) from None
