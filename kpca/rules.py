"""What an argument must be: checks to be named in tables, and the error that names the argument."""

from collections.abc import Callable, Collection
from math import isfinite
from numbers import Integral, Real
from typing import Any

import numpy as np

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
