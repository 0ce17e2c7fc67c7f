"""Columns of dates: what is recognised as one."""

import re
from collections.abc import Iterable

_DATE = re.compile(r"(\d{1,4})([-./])\d{1,2}\2\d{1,4}([ T].*)?")


def are_dates(texts: Iterable[str]) -> bool:
    """Whether every text reads as a date, such as 2024-05-01, 1.5.2024 or 5/1/24 12:00.

    Examples
    --------
    >>> are_dates({"2024-05-01", "1.5.2024 12:00"}), are_dates({"1.5", "a"})
    (True, False)
    """
    return all(_DATE.fullmatch(text.strip()) for text in texts)


def day_is_first(texts: Iterable[str]) -> bool:
    """Whether dates begin with the day: with points between, or with a number above 12.

    >>> day_is_first(["1.5.2024"]), day_is_first(["5/1/24", "31/1/24"]), day_is_first(["5/1/24"])
    (True, True, False)
    """
    found = (_DATE.fullmatch(text.strip()) for text in texts)
    return any(m[2] == "." or 12 < int(m[1]) < 32 for m in found if m)
