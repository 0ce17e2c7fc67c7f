"""Parts of a page that is one file and asks for nothing from outside.

Tables have numbers as a person reads them, and what their columns mean.
"""

import base64
import re
from collections.abc import Mapping
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pandas as pd
from docutils.core import publish_parts
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from PIL import Image

from pipeline.drawing import style
from pipeline.store import read_table

MOST_SVG = 200_000
"""Bytes of an SVG above which its PNG is taken, as WebP, which loses nothing and is smaller."""

DPI = 120
"""Pixels per inch of a figure where there is room for it."""

MOST_ROWS = 400
"""Longer tables are files only."""

ABOVE = ("sentence", "caveats")
"""Columns that the page shows above its tables."""

WIDE = 40
"""Characters of text above which a cell needs a wide column."""


_LISTED = re.compile(r"- `.+?: ")
_PLAIN = "".join(c for c in map(chr, range(32, 127)) if c not in "\"#%&'<>")
_QUIET = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "report_level": 5,
    "math_output": "MathML",
}


def render(template: str, filters: Mapping[str, Any] | None = None, **values: Any) -> str:
    """Fill in a template, which escapes what it is given, and refuses what it is not given."""
    environment = Environment(
        loader=PackageLoader("pipeline.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.policies["json.dumps_kwargs"] = {}  # Bokeh needs the order of keys
    environment.filters |= {"shown": shown, **(filters or {})}
    environment.tests["known"] = pd.notna
    environment.globals["library"] = library
    return environment.get_template(template).render(accent=(style.BLUE, style.SKY), **values)


def library(package: str, name: str) -> Markup:
    """Return the file of a script in a package, which cannot end the element that it stands in."""
    text = files(package).joinpath(name).read_text(encoding="utf-8")
    return Markup(text.replace("</script", "<\\/script"))


def figure(svg: Path, title: str, caption: Path) -> dict[str, Any]:
    """Return what the page shows of a figure, with its size in pixels.

    Given are its SVG, with the PNG next to it, and the file of its caption. The smaller form is a
    data URL: images do not share names inside them, as SVG written into the page would.
    """
    words = caption.read_text(encoding="utf-8")
    first = re.split(r"(?<=\w\.) ", " ".join(words.split()))[0].replace("``", "")
    text = svg.read_text(encoding="utf-8")
    source = f"data:image/svg+xml,{quote(' '.join(text.split()), safe=_PLAIN)}"
    (size,) = re.findall(r'viewBox="\S+ \S+ (\S+) (\S+)"', text)
    width, height = (round(float(length) * DPI / 72) for length in size)
    if len(source) > MOST_SVG:
        with Image.open(svg.with_suffix(".png")) as opened, BytesIO() as content:
            opened.convert("RGB").save(content, "WEBP", lossless=True, method=1)
            coded = base64.b64encode(content.getvalue()).decode()
        source = min(source, f"data:image/webp;base64,{coded}", key=len)
    shown = {"name": svg.stem, "title": title, "caption": to_html(words), "alt": first}
    return shown | {"source": source, "width": width, "height": height}


def to_html(text: str) -> Markup:
    """Return reStructuredText as HTML; what is no valid text is shown as it is."""
    return Markup(publish_parts(text, writer="html5", settings_overrides=_QUIET)["fragment"])


def table(
    folder: Path, path: str, meanings: Mapping[str, Mapping[str, Markup]]
) -> dict[str, Any] | None:
    """Return a table as HTML, with its columns explained; None if it is empty or too long."""
    frame = read_table(folder / path).drop(columns=list(ABOVE), errors="ignore").map(shown)
    if not 0 < len(frame) <= MOST_ROWS:
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


def documents(root: Path, pattern: str) -> str:
    """Return the text of some documents, each entry of a list on one line."""
    paths = sorted(root.glob(f"docs/{pattern}"))
    return re.sub(r"\n +", " ", "\n".join(path.read_text(encoding="utf-8") for path in paths))


def check_meanings(text: str) -> dict[str, list[Markup]]:
    """Return the code of a check → what docs/checks.md says of it, of `documents`."""
    return {
        section[:5]: [_inline(line[2:]) for line in section.splitlines() if line[:2] == "- "]
        for section in re.split(r"\n## ", text)[1:]
    }


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


def _inline(text: str) -> Markup:
    """Return a line of Markdown as HTML: code, bold words, and of links the words alone."""
    plain = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", str(escape(text)))
    bold = re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", plain)
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", bold))
