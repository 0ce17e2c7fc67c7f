"""Tables for the page: numbers as a person reads them, and what their columns mean."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup, escape

from pipeline.store import read_table

MOST_ROWS = 400
"""Longer tables are files only."""

ABOVE = ("sentence", "caveats")
"""Columns that the page shows above its tables."""

WIDE = 40
"""Characters of text above which a cell needs a wide column."""


def table(
    folder: Path, path: str, meanings: Mapping[str, Mapping[str, Markup]]
) -> dict[str, Any] | None:
    """Return a table as HTML, with its columns explained; None where it is too long to be shown."""
    frame = read_table(folder / path).drop(columns=list(ABOVE), errors="ignore").map(shown)
    if len(frame) > MOST_ROWS:
        return None
    longest = frame.apply(lambda column: column.str.len().max())
    wide = dict.fromkeys(frame.columns[longest > WIDE], "28rem")
    with pd.option_context("display.max_colwidth", None):
        html = frame.to_html(index=False, border=0, classes="sortable", col_space=wide)
    known = {**meanings[""], **meanings.get(path, {})}
    columns = {name: known[name] for name in frame if name in known}
    return {"path": path, "rows": len(frame), "columns": columns, "html": Markup(html)}


def shown(value: Any) -> str:
    """Return a value for people: three decimals, three digits of a small or a large number.

    >>> [shown(value) for value in (0.91236, 2000, float("nan"), True, 2e-7, 12345.6)]
    ['0.912', '2000', '', 'yes', '2e-07', '1.23e+04']
    """
    if pd.isna(value):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, float):
        return str(value)
    whole = value.is_integer() and abs(value) < 1e6
    return f"{value:{'.0f' if whole else '.3f' if 1e-3 <= abs(value) < 1e4 else '.3g'}}"


def documents(root: Path) -> str:
    """Return the text of the documents that describe columns, each entry on one line."""
    paths = sorted(root.glob("docs/columns*.md"))
    return re.sub(r"\n +", " ", "\n".join(path.read_text(encoding="utf-8") for path in paths))


def column_meanings(text: str) -> dict[str, dict[str, Markup]]:
    """Return path of a table → column → meaning, of `documents`; "" has what many share."""
    found: dict[str, dict[str, Markup]] = {"": {}}
    for section in re.split(r"\n##+ ", text):
        heading, *lines = section.splitlines()
        shared = [""] if "many tables share" in heading else []
        paths = re.findall(r"`([^`]+)`", heading) or shared
        for names, meaning in (line[2:].split(": ", 1) for line in lines if _LISTED.match(line)):
            for path in paths:
                columns = dict.fromkeys(re.findall(r"`(\w+)`", names), _inline(meaning))
                found.setdefault(path, {}).update(columns)
    return found


_LISTED = re.compile(r"- `.+?: ")


def _inline(text: str) -> Markup:
    """Return a line of Markdown as HTML: code, and of links the words alone."""
    plain = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", str(escape(text)))
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", plain))
