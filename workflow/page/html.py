"""Parts of a page: templates, figures, tables with explained columns, and the glossary."""

import base64
import re
from collections.abc import Mapping
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from docutils.core import publish_parts
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from PIL import Image

from kpca.study.scoring.methods import METHODS
from kpca.study.store import read_table
from workflow.drawing import style

# Colours of the classes in the dark design; the contrast to its backgrounds is at least 3 to 1.
DARK = (
    "#7D9BFF",
    "#F2B134",
    "#2FC49A",
    "#FF8A50",
    "#7CCBF5",
    "#E79CC2",
    "#C2C25E",
    "#E4E7EA",
    "#D3A79E",
    "#A9A9A9",
)

# Colours of numbers, from the smallest to the largest, in each design.
RAMPS = {
    "light": ("#440154", "#3b528b", "#21918c", "#5ec962", "#fde725"),
    "dark": ("#9a7bd0", "#7d9be0", "#3fb8af", "#7fd77a", "#fde725"),
}

# Background colours of regions: negative, zero (as the page) and positive.
SHADES = {"light": ("#c5aad8", "#ffffff", "#c6dba0"), "dark": ("#482a5c", "#14181c", "#2b4416")}

# SVG paths of the markers of classes, centred at (0, 0).
MARKERS = (
    "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z",
    "M0-4L4 3H-4z",
    "M-3-3h6v6h-6z",
    "M0-4.2L4.2 0L0 4.2L-4.2 0z",
    "M0 4L4-3H-4z",
    "M-1.3-4h2.6v2.7h2.7v2.6h-2.7v2.7h-2.6v-2.7h-2.7v-2.6h2.7z",
    "M-3.5-3.5h7v7h-7zM-3.5-3.5l7 7M-3.5 3.5l7-7",
    "M0-4.5L1.3-1.4L4.5-1.4L2 .7L2.9 4L0 2.1L-2.9 4L-2 .7L-4.5-1.4L-1.3-1.4z",
    "M0-4L3.5-2V2L0 4L-3.5 2V-2z",
    "M0-4.5L1.2-1.2L4.5 0L1.2 1.2L0 4.5L-1.2 1.2L-4.5 0L-1.2-1.2z",
)

DPI = 120  # pixels per inch of a figure, if the page is wide enough
HEAD = 5_000  # number of characters at the start of an SVG that contain its size and title
MOST_ROWS = 400  # largest number of rows of a table that the page shows
ABOVE = ("sentence", "caveats")  # not in tables: the page shows these columns above them
_LISTED = re.compile(r"- `.+?: ")
_QUIET = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "report_level": 5,
    "math_output": "MathML",
}


def render(template: str, filters: Mapping[str, Any] | None = None, **values: Any) -> str:
    """Return a template filled with ``values``; texts are escaped, and missing values refused."""
    environment = Environment(
        loader=PackageLoader("workflow.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":")}  # Do not sort keys.
    environment.filters |= {"shown": shown, **(filters or {})}
    environment.tests["known"] = pd.notna
    return environment.get_template(template).render(
        accent=(style.BLUE, style.SKY),
        class_colours={"light": style.CLASSES, "dark": DARK},
        ramps=RAMPS,
        shades=SHADES,
        markers=MARKERS,
        **values,
    )


def rounded(values: np.ndarray, digits: int = 4) -> list[float | None]:
    """Return numbers with ``digits`` significant digits, and None for NaN and infinite values."""
    return [
        float(f"{value:.{digits}g}") if np.isfinite(value) else None for value in values.tolist()
    ]


def data_url(image: Image.Image) -> str:
    """Return an image as a data URL, which makes it part of the page."""
    with BytesIO() as content:
        image.save(content, "png", optimize=True)
        return f"data:image/png;base64,{base64.b64encode(content.getvalue()).decode()}"


def figure(svg: Path, title: str, caption: Path) -> dict[str, Any]:
    """Return what the page shows of a figure, which remains a file of its own.

    ``svg`` and ``caption`` are the files of the figure and of its caption. The caption begins with
    the title of the SVG, which is the computed finding of the figure, if there is one.
    """
    start = " ".join(svg.read_text(encoding="utf-8")[:HEAD].split())
    titles = re.findall(r"<svg [^>]*> <title>(.*?)</title>", start)
    text = " ".join([*map(unescape, titles), caption.read_text(encoding="utf-8")])
    first = re.split(r"(?<=\w\.) ", " ".join(text.split()))[0].replace("``", "")
    (size,) = re.findall(r'viewBox="\S+ \S+ (\S+) (\S+)"', start)
    width, height = (round(float(length) * DPI / 72) for length in size)
    return {
        "name": svg.stem,
        "title": title,
        "caption": to_html(text),
        "alt": first,
        "words": text,
        "width": width,
        "height": height,
    }


def markdown(text: str) -> str:
    r"""Return text in which characters that Markdown would interpret are escaped.

    >>> print(markdown("K_x * [1]"))
    K\_x \* \[1]
    """
    return re.sub(r"([\\`*_\[$#])", r"\\\1", " ".join(text.replace("``", "").split()))


def to_html(text: str) -> Markup:
    """Return reStructuredText as HTML; invalid markup is shown as it is."""
    return Markup(publish_parts(text, writer="html5", settings_overrides=_QUIET)["fragment"])


def table(
    folder: Path, path: str, meanings: Mapping[str, Mapping[str, Markup]]
) -> dict[str, Any] | None:
    """Return a table as HTML, with its columns explained; None if it is empty or too long."""
    frame = read_table(folder / path).drop(columns=list(ABOVE), errors="ignore").map(shown)
    if not 0 < len(frame) <= MOST_ROWS:
        return None
    if path == "tables/comparisons.csv":
        frame.loc[tuned_clusters(frame), "criterion"] += ", tuned with labels"
    with pd.option_context("display.max_colwidth", None):
        html = frame.to_html(index=False, border=0, classes="sortable")
    meanings_of_table = {**meanings[""], **meanings.get(path, {})}
    columns = {name: meanings_of_table[name] for name in frame if name in meanings_of_table}
    html = re.sub(r">\s+<", "><", html)
    return {"path": path, "rows": len(frame), "columns": columns, "html": Markup(html)}


def tuned_clusters(rows: pd.DataFrame) -> pd.Series:
    """Return which rows are about clusterings whose settings were chosen with labels.

    These are all clusterings but k-means on raw features and label-free choices. A user who
    clusters has no labels, and would get lower scores.
    """
    clustering = [name for name, method in METHODS.items() if method.gives == "clusters"]
    is_fixed = (rows["method"] == "kmeans") & (rows["kernel"] == "raw")
    is_tuned = rows["method"].isin(clustering) & (rows["criterion"] != "label_free")
    return is_tuned & ~is_fixed


def shown(value: Any) -> str:
    """Return a value as text: three decimals, or three digits if it is very small or large.

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
    """Return the text of the documents that match ``pattern``, each list entry on one line."""
    paths = sorted(root.glob(f"docs/{pattern}"))
    return re.sub(r"\n +", " ", "\n".join(path.read_text(encoding="utf-8") for path in paths))


def check_meanings(text: str) -> dict[str, list[Markup]]:
    """Return code of a check → its explanations, from the text of docs/checks.md."""
    return {
        section[:5]: [_inline(line[2:]) for line in section.splitlines() if line[:2] == "- "]
        for section in re.split(r"\n## ", text)[1:]
    }


def column_meanings(text: str) -> dict[str, dict[str, Markup]]:
    """Return path of a table → column → meaning; the path "" has columns that many tables share.

    ``text`` comes from `documents`.
    """
    sections: dict[str, dict[str, Markup]] = {"": {}}
    for section in re.split(r"\n##+ ", text):
        heading, *lines = section.splitlines()
        shared = [""] if "many tables share" in heading else []
        paths = re.findall(r"`([^`]+)`", heading) or shared
        for names, meaning in (line[2:].split(": ", 1) for line in lines if _LISTED.match(line)):
            for path in paths:
                columns = dict.fromkeys(re.findall(r"`(\w+)`", names), _inline(meaning))
                sections.setdefault(path, {}).update(columns)
    return sections


def glossary(text: str) -> dict[str, str]:
    """Return term → meaning from docs/glossary.md, but without "score", which has another meaning.

    On a page, scores are values of metrics.
    """
    without_links = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", text)
    plain = re.sub("[*`]", "", without_links)
    entries = re.findall(r"^(\w.*)\n((?:  .+\n)+)", plain, flags=re.M)
    meanings = {term: " ".join(meaning.split()) for term, meaning in entries}
    meanings.pop("score", None)
    return meanings


def explained(text: str, terms: Mapping[str, str]) -> Markup:
    """Return text in which the first use of each term links to its meaning, also shown as a tip."""
    unexplained = {term.lower(): term for term in sorted(terms, key=len, reverse=True)}
    pattern = re.compile(rf"\b({'|'.join(map(re.escape, unexplained))})(?=s?\b)(?! PCA)", re.I)

    def linked(found: re.Match[str]) -> str:
        term = unexplained.pop(found[0].lower(), "")
        if not term:
            return found[0]
        tip = escape(terms[term])
        return f'<a class="term" href="#{term.replace(" ", "-")}" title="{tip}">{found[0]}</a>'

    parts = re.split("(<[^>]*>)", str(escape(text)))  # Parts with odd numbers are tags.
    return Markup("".join(p if i % 2 else pattern.sub(linked, p) for i, p in enumerate(parts)))


def _inline(text: str) -> Markup:
    """Return a line of Markdown as HTML: code and bold words are kept, links become plain words."""
    plain = re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", str(escape(text)))
    bold = re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", plain)
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", bold))
