"""Templates and scripts of a page that is one file and asks for nothing from outside."""

from importlib.resources import files
from typing import Any

from bokeh.resources import Resources
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from pipeline.drawing import style


def environment(**filters: Any) -> Environment:
    """Return templates that escape what they are given, and refuse what they are not given."""
    found = Environment(
        loader=PackageLoader("pipeline.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.policies["json.dumps_kwargs"] = {}  # Bokeh needs the order of keys
    found.filters |= filters
    found.globals["accent"] = (style.BLUE, style.SKY)
    return found


def inlined(text: str) -> Markup:
    """Return text of a script, which cannot end the element that it stands in."""
    return Markup(text.replace("</script", "<\\/script"))


def own(name: str) -> Markup:
    """Return one of our scripts or styles, by the name of its file."""
    return inlined(files("pipeline.page").joinpath("templates", name).read_text(encoding="utf-8"))


def bokeh() -> Markup:
    """Return the library that draws."""
    return inlined("\n".join(Resources(mode="inline", components=["bokeh"]).js_raw))
