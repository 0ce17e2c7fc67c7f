"""Templates, scripts and figures of a page that is one file and asks for nothing from outside."""

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
from markupsafe import Markup
from PIL import Image

from pipeline.drawing import style

MOST_SVG = 200_000
"""Bytes of an SVG above which its PNG is taken, as WebP, which loses nothing and is smaller."""

DPI = 120
"""Pixels per inch of a figure where there is room for it."""

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
    environment.filters |= filters or {}
    environment.tests["known"] = pd.notna
    environment.globals["library"] = library
    return environment.get_template(template).render(accent=(style.BLUE, style.SKY), **values)


def library(package: str, name: str) -> Markup:
    """Return the file of a script in a package, which cannot end the element that it stands in."""
    text = files(package).joinpath(name).read_text(encoding="utf-8")
    return Markup(text.replace("</script", "<\\/script"))


def figure(svg: Path, title: str, caption: Path) -> dict[str, Any]:
    """Return what the page shows of a figure, with its size in pixels.

    Given are its SVG, with the PNG next to it, and the file of its caption.
    """
    text = caption.read_text(encoding="utf-8")
    first = re.split(r"(?<=\w\.) ", " ".join(text.split()))[0].replace("``", "")
    source, width, height = image(svg)
    shown = {"name": svg.stem, "title": title, "caption": to_html(text), "alt": first}
    return shown | {"source": source, "width": width, "height": height}


def image(svg: Path) -> tuple[str, int, int]:
    """Return the smaller form as a data URL, with width and height.

    Images do not share names inside them, as SVG written into the page would.
    """
    text = svg.read_text(encoding="utf-8")
    source = f"data:image/svg+xml,{quote(' '.join(text.split()), safe=_PLAIN)}"
    (size,) = re.findall(r'viewBox="\S+ \S+ (\S+) (\S+)"', text)
    width, height = (round(float(length) * DPI / 72) for length in size)
    if len(source) > MOST_SVG:
        with Image.open(svg.with_suffix(".png")) as opened, BytesIO() as content:
            opened.convert("RGB").save(content, "WEBP", lossless=True, method=1)
            coded = base64.b64encode(content.getvalue()).decode()
        source = min(source, f"data:image/webp;base64,{coded}", key=len)
    return source, width, height


def to_html(text: str) -> Markup:
    """Return reStructuredText as HTML; what is no valid text is shown as it is."""
    return Markup(publish_parts(text, writer="html5", settings_overrides=_QUIET)["fragment"])
