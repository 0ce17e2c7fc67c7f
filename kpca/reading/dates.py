"""Dates: which field is the day, what clock a cell shows, and features of both."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

PARTS = {"weekday": "day_of_week"}  # part of a date -> its name in pandas, if that is another
_DATE = re.compile(
    r"(?:(?P<year>\d{4})(?P<of_year>[-./])(?P<month>\d{1,2})(?P=of_year)(?P<day>\d{1,2})"
    r"|(?P<first>\d{1,2})(?P<mark>[-./])(?P<second>\d{1,2})(?P=mark)(?P<last>\d{4}|\d{2})"
    r"|\d{1,2}[- ](?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[- ]\d{4})"
    r"(?P<clock>[ T].*)?"
)
_ZONE = re.compile(r"(?P<clock>:\d{2}.*?)\s*(Z|UTC|[-+]\d{2}:?\d{2})$")
_TWO_DIGITS = 69  # years of two digits from here on are of the twentieth century, as in POSIX


def are_dates(texts: Iterable[str]) -> bool:
    """Whether every text reads as a date, such as 2024-05-01, 1.5.2024 or 5/1/24 12:00.

    >>> are_dates({"2024-05-01", "1.5.2024 12:00"}), are_dates({"1.5", "a"}), are_dates({"1.2.3"})
    (True, False, False)
    """
    return all(_DATE.fullmatch(text.strip()) for text in texts)


def day_is_first(texts: Iterable[str]) -> bool | None:
    """Return whether the day comes before the month, or None if either can.

    Points put it first, and so does a first number above 12; a second one above 12 puts it second.
    Dates that begin with the year say nothing of the others.

    Raises
    ------
    ValueError
        If the texts say both, or have two forms.

    Examples
    --------
    >>> day_is_first(["1.5.2024"]), day_is_first(["5/1/24", "31/1/24"]), day_is_first(["5/1/24"])
    (True, True, None)
    """
    firsts, forms = set[bool](), dict[str, str]()
    for text in texts:
        found = _DATE.fullmatch(text.strip())
        if found is None or found["mark"] is None:
            continue
        forms.setdefault(found["mark"], text)
        if int(found["first"]) > 12:
            firsts.add(True)
        elif int(found["second"]) > 12:
            firsts.add(False)
    if len(forms) > 1:
        raise ValueError(f"dates in two forms, {' and '.join(map(repr, forms.values()))}")
    if len(firsts) > 1:
        raise ValueError("dates of which some begin with the day, and some with the month")
    if firsts:
        return firsts.pop()
    return True if "." in forms or not forms else None


def read_dates(texts: Sequence[str], *, day_first: bool, zones: bool = False) -> Any:
    """Return the dates of texts as a Series of pandas, NaT for a text that is none.

    Parameters
    ----------
    texts : sequence of str
        Dates such as 2024-05-01T08:30+09:00 or 1.5.2024, or others that pandas reads.
    day_first : bool
        Whether the day comes before the month if the year comes last.
    zones : bool, default=False
        Whether times are compared by their zones, in UTC. By default, a date is what the clock
        of its cell shows.
    """
    import pandas as pd

    plain = pd.Series([_year_first(text, day_first, zones) for text in texts], dtype=object)
    dates = pd.to_datetime(plain, format="mixed", errors="coerce", utc=True)
    return dates.dt.tz_localize(None)


def _year_first(text: str, day_first: bool, zones: bool) -> str:
    """Return a date with its year first, and without its zone unless zones count."""
    text = text.strip()
    found = _DATE.fullmatch(text)
    if found is not None:
        year, month, day = found["year"], found["month"], found["day"]
        if year is None and found["mark"] is None:  # the name of the month says which it is
            return text
        if year is None:
            year, month, day = found["last"], found["first"], found["second"]
            if day_first:
                month, day = day, month
        if len(year) == 2:
            century = "20" if int(year) < _TWO_DIGITS else "19"
            year = century + year
        text = f"{year}-{int(month):02}-{int(day):02}{found['clock'] or ''}"
    return text if zones else _ZONE.sub(r"\g<clock>", text)


def date_features(
    column: str, texts: Sequence[str], parts: Sequence[str], *, day_first: bool
) -> dict[str, Any]:
    """Return features of a column of dates, such as ``day_month``; the weekday of a Monday is 0."""
    dates = read_dates(texts, day_first=day_first).dt
    fields = {part: getattr(dates, PARTS.get(part, part)) for part in parts}
    return {f"{column}_{part}": values.to_numpy(dtype=float) for part, values in fields.items()}
