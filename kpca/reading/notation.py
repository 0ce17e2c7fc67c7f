"""Notation of numbers and dates: decimal marks, currency and percent signs, day before month."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

POINT = "."
COMMA = ","
SIGNS = "$€£¥₹%"
# Typographic minus, no-break and thin blanks, and apostrophe → the characters of a keyboard.
_TYPED = str.maketrans("\u2212\u00a0\u202f\u2009\u2019", "-   '")
_SWAPPED = str.maketrans(".,", ",.")
_NUMBER = re.compile(
    rf"(?P<minus>[-+]?) ?(?P<before>[{SIGNS}]?) ?(?P<sign>[-+]?)"
    rf"(?P<digits>[.,]?\d[\d., ']*)(?P<power>(?:[eE][-+]?\d+)?) ?(?P<after>[{SIGNS}]?)"
)
# Digits with a decimal point. If they are in groups (of three, or of two and three as in India),
# the first digit is 1 to 9.
_DIGITS = re.compile(
    r"(?:[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,2}(?: \d{3})+|[1-9]\d{0,2}(?:'\d{3})+"
    r"|[1-9]\d?(?:,\d{2})+,\d{3}|\d*)(?:\.\d*)?"
)
# A number, and the text after it.
_REST = re.compile(r"([-+\u2212]?[\d., ]*\d) ?([^\d\s.,:/-][^\d]*)")
_PARTS = {"weekday": "day_of_week"}  # part of a date → its name in pandas, if the names differ
_DATE = re.compile(
    r"(?:\d{4}(?P<of_year>[-./])\d{1,2}(?P=of_year)\d{1,2}"
    r"|(?P<first>\d{1,2})(?P<mark>[-./])(?P<second>\d{1,2})(?P=mark)(?P<last>\d{4}|\d{2})"
    r"|\d{1,2}[- ](?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[- ]\d{4})"
    r"(?P<clock>[ T].*)?"
)
_ZONE = re.compile(r"(?P<clock>:\d{2}.*?)\s*(Z|UTC|[-+]\d{2}(?::?\d{2})?)$")
_TWO_DIGITS = 69  # first two-digit year that belongs to the twentieth century, as in POSIX


class Evidence(NamedTuple):
    """What the cells of a column show about its decimal mark."""

    marks: str = ""  # marks without which some cell is not a number: a point, a comma, or both
    open_cell: str = ""  # first cell that is a different number with each of the two marks
    numeric: bool = True  # whether each cell is a number if point or comma is the decimal mark


def typed(text: str) -> str:
    """Return a text with minus signs, blanks and apostrophes as they are typed on a keyboard.

    >>> typed("\u22121\u00a0234")
    '-1 234'
    """
    return text.translate(_TYPED).strip()


def number(text: str, mark: str = POINT) -> float | None:
    """Return the number that a text stands for, without its unit; None if the text is no number.

    Parameters
    ----------
    text : str
        A cell. Groups of digits may be separated by blanks, apostrophes or the other mark.
    mark : {".", ","}, default="."
        The decimal mark.

    Examples
    --------
    >>> number("-$1,234.5"), number("1.234,5 €", ","), number("12,3 %", ","), number("12,3")
    (-1234.5, 1234.5, 12.3, None)
    """
    match = _NUMBER.fullmatch(typed(text))
    if match is None or (match["minus"] and match["sign"]):
        return None
    digits = match["digits"].strip()
    if mark == COMMA:
        digits = digits.translate(_SWAPPED)
    if not _DIGITS.fullmatch(digits):
        return None
    plain = re.sub("[, ']", "", digits)
    return float(f"{match['minus']}{match['sign']}{plain}{match['power']}")


def common_rest(texts: Iterable[str]) -> str:
    """Return the text, such as a unit, that follows the number in all `texts` alike; else "".

    >>> common_rest(["53.25 km", "1 km"]), common_rest(["1a", "2b"]), common_rest(["p1", "p2"])
    ('km', '', '')
    """
    rests = {rest[2] if (rest := _REST.fullmatch(text)) else "" for text in texts}
    return rests.pop() if len(rests) == 1 else ""


def readings(text: str) -> str:
    """Return the two numbers that a text can stand for, joined by "or".

    >>> readings("12,345")
    '12.345 or 12345'
    """
    values = {number(text) or 0.0, number(text, COMMA) or 0.0}
    return " or ".join(f"{value:.15g}" for value in sorted(values, key=abs))


def unit(text: str) -> str:
    """Return the currency or percent sign of a number, or "".

    >>> unit("$5"), unit("5 %"), unit("5")
    ('$', '%', '')
    """
    match = _NUMBER.fullmatch(typed(text))
    return match["before"] or match["after"] if match else ""


def evidence(cells: Iterable[str]) -> Evidence:
    """Return what cells that are not missing show about their decimal mark.

    >>> evidence(["1,5", "12"]).marks, evidence(["1,234.5"]).marks, evidence(["1,234"]).open_cell
    (',', '.', '1,234')
    """
    marks = set[str]()
    open_cell = ""
    numeric = True
    for cell in cells:
        by_point = number(cell)
        by_comma = number(cell, COMMA)
        if by_point is None and by_comma is None:
            numeric = False
        elif by_comma is None:
            marks.add(POINT)
        elif by_point is None:
            marks.add(COMMA)
        elif by_point != by_comma:
            open_cell = open_cell or cell
    return Evidence("".join(sorted(marks)), open_cell, numeric)


def are_dates(texts: Iterable[str]) -> bool:
    """Return whether every text is a date, such as 2024-05-01, 1.5.2024 or 5/1/24 12:00.

    >>> are_dates({"2024-05-01", "1.5.2024 12:00"}), are_dates({"1.5", "a"}), are_dates({"1.2.3"})
    (True, False, False)
    """
    return all(_DATE.fullmatch(text.strip()) for text in texts)


def day_is_first(texts: Iterable[str]) -> bool | None:
    """Return whether the day comes before the month in dates; None if either can come first.

    The day comes first in dates with points, and if a first number is above 12. The month comes
    first if a second number is above 12. Dates that begin with the year are ignored.

    Raises
    ------
    ValueError
        If some dates begin with the day and others with the month, or if dates have two forms.

    Examples
    --------
    >>> day_is_first(["1.5.2024"]), day_is_first(["5/1/24", "31/1/24"]), day_is_first(["5/1/24"])
    (True, True, None)
    """
    firsts = set[bool]()
    forms = dict[str, str]()
    for text in texts:
        match = _DATE.fullmatch(text.strip())
        if match is None or match["mark"] is None:
            continue
        forms.setdefault(match["mark"], text)
        if int(match["first"]) > 12:
            firsts.add(True)
        elif int(match["second"]) > 12:
            firsts.add(False)
    if len(forms) > 1:
        raise ValueError(f"dates in two forms, {' and '.join(map(repr, forms.values()))}")
    if len(firsts) > 1:
        raise ValueError("dates of which some begin with the day, and some with the month")
    if firsts:
        return firsts.pop()
    return True if "." in forms or not forms else None


def read_dates(texts: Sequence[str], *, day_first: bool, zones: bool = False) -> Any:
    """Return the dates of texts as a pandas Series, with NaT for a text that is no date.

    Parameters
    ----------
    texts : sequence of str
        Dates such as 2024-05-01T08:30+09:00 or 1.5.2024, or in other forms that pandas reads.
    day_first : bool
        Whether the day comes before the month if the year comes last.
    zones : bool, default=False
        Whether times are converted from their zones to UTC. By default, zones are ignored.
    """
    import pandas as pd

    texts = [_year_first(text.strip(), day_first) for text in texts]
    if not zones:
        texts = [_ZONE.sub(r"\g<clock>", text) for text in texts]
    cells = pd.Series(texts, dtype=object)
    dates = pd.to_datetime(cells, format="mixed", errors="coerce", utc=True)
    return dates.dt.tz_localize(None)


def _year_first(text: str, day_first: bool) -> str:
    """Return a date with its year first, which pandas can read in one way only."""
    match = _DATE.fullmatch(text)
    if match is None or match["mark"] is None:
        return text
    year = match["last"]
    month = match["first"]
    day = match["second"]
    if day_first:
        month, day = day, month
    if len(year) == 2:
        century = "20" if int(year) < _TWO_DIGITS else "19"
        year = century + year
    return f"{year}-{int(month):02}-{int(day):02}{match['clock'] or ''}"


def date_features(
    column: str, texts: Sequence[str], parts: Sequence[str], *, day_first: bool
) -> dict[str, Any]:
    """Return the `parts` of the dates of a column as features, such as ``day_month``.

    The weekday of a Monday is 0.
    """
    dates = read_dates(texts, day_first=day_first).dt
    fields = {part: getattr(dates, _PARTS.get(part, part)) for part in parts}
    return {f"{column}_{part}": values.to_numpy(dtype=float) for part, values in fields.items()}
