"""Checks of constructor arguments, made in `fit` as scikit-learn's conventions ask."""

from collections.abc import Callable, Collection
from math import isfinite
from numbers import Integral, Real
from typing import Any

Check = Callable[[Any], bool]


def whole(low: int) -> Check:
    """Whole numbers from `low` on."""
    return lambda v: isinstance(v, Integral) and not isinstance(v, bool) and int(v) >= low


def real(low: float | None = None) -> Check:
    """Finite numbers, from `low` on where it is given."""
    return lambda v: (
        isinstance(v, Real)
        and not isinstance(v, bool)
        and isfinite(v)
        and (low is None or float(v) >= low)
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


def truth(value: Any) -> bool:
    """Accept True or False."""
    return type(value).__name__ in ("bool", "bool_")


def anything(_: Any) -> bool:
    """No restriction."""
    return True


def mapping(value: Any) -> bool:
    """Dictionaries."""
    return isinstance(value, dict)


Rules = dict[str, tuple[str, tuple[Check, ...]]]


def check(owner: str, values: dict[str, Any], rules: Rules) -> None:
    """Check values by name.

    Parameters
    ----------
    owner : str
        Name of the class, for the message.
    values : dict
        Argument by name.
    rules : dict
        For each name what is required, in words, and the checks of which one must hold.

    Raises
    ------
    ValueError
        Naming the argument, what it must be, and what it was.
    """
    for name, (requirement, checks) in rules.items():
        value = values[name]
        if not any(holds(value) for holds in checks):
            raise ValueError(
                f"The {name!r} parameter of {owner} must be {requirement}. Got {value!r}."
            )
