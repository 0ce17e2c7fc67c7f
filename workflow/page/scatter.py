"""Rows in a plane as SVG, drawn when the page is written: it needs no script."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from markupsafe import Markup, escape
from PIL import Image

from kpca.study.seeds import evenly_spaced
from kpca.types import Floats
from workflow.drawing import style
from workflow.page.embedding import MOST_CLASSES, RAMP, Colours
from workflow.page.html import MARKERS, RAMPS, data_url

SIZE = 255  # of a picture, in units of its own
OTHER = "class-none"  # name of the marker of rows without a class and without a number
STEPS = 15  # of a shade on each side of 0
# Red, green, blue and the most opacity of what lies below and above 0, on any ground.
OVERLAYS = ((120, 60, 160, 85), (100, 140, 20, 85))


def markers_of(colours: Colours | None, rows: int) -> list[str]:
    """Return the name of the marker of each row: of its class, or of its place in the ramp."""
    if colours is None:
        return [OTHER] * rows
    if colours.ends is None:
        return [OTHER if place < 0 else f"class-{place}" for place in colours.rows]
    last = len(RAMPS["light"]) - 1
    return [OTHER if p < 0 else f"number-{round(last * p / RAMP)}" for p in colours.rows]


def scatter(
    points: Floats, markers: Sequence[str], words: str, most: int, room: float = 0.06
) -> Markup:
    """Return a picture of points.

    Parameters
    ----------
    points : array of shape (n, 2) or (n, 1)
    markers : sequence of n str
        Name of the marker of each point, among those of `definitions`.
    words : str
        What a reader without the picture is told.
    most : int
        Points that are drawn, evenly spaced.
    room : float, default=0.06
        Free part of the picture at each side.

    Returns
    -------
    Markup
        An element ``svg``.
    """
    if points.shape[1] == 1:
        points = np.column_stack([points, np.zeros(len(points))])
    low = points.min(axis=0)
    width = points.max(axis=0) - low
    places = SIZE * ((points - low) / np.where(width > 0, width, 1) + room) / (1 + 2 * room)
    marks = []
    for row in evenly_spaced(len(points), most):
        x, y = places[row]
        marks.append(f'<use href="#{markers[row]}" x="{x:.1f}" y="{SIZE - y:.1f}"/>')
    return _picture(words, "".join(marks))


def shaded(picture: Markup, heights: Floats) -> Markup:
    """Return a picture over shades of heights between -1 and 1, from the lower left corner on."""
    steps = np.rint(STEPS * heights[::-1]) / STEPS
    colours = np.zeros((*steps.shape, 4), dtype=np.uint8)
    for sign, shade in zip((-1, 1), OVERLAYS, strict=True):
        side = sign * steps > 0
        colours[side] = shade
        colours[side, 3] = (shade[3] * abs(steps[side])).astype(np.uint8)
    image = data_url(Image.fromarray(colours))
    size = f'width="{SIZE}" height="{SIZE}" preserveAspectRatio="none"'
    head, separator, marks = picture.partition(">")
    return Markup(f'{head}{separator}<image href="{image}" {size}/>{marks}')


def definitions() -> Markup:
    """Return the markers of all classes and numbers, once for a page."""
    paths = [_definition(OTHER, "--other", MARKERS[0])]
    for place in range(MOST_CLASSES):
        turn, colour = divmod(place, len(style.CLASSES))
        marker = MARKERS[(colour + turn) % len(MARKERS)]
        paths.append(_definition(f"class-{place}", f"--class-{colour}", marker))
    for place in range(len(RAMPS["light"])):
        paths.append(_definition(f"number-{place}", f"--ramp-{place}", MARKERS[0]))
    return _picture("", f"<defs>{''.join(paths)}</defs>", hidden=True)


def _definition(name: str, colour: str, path: str) -> str:
    return f'<path id="{name}" class="mark" style="color: var({colour})" d="{path}"/>'


def _picture(words: str, content: str, *, hidden: bool = False) -> Markup:
    attributes: dict[str, Any] = {"role": "img", "aria-label": words}
    if hidden:
        attributes = {"width": 0, "height": 0, "aria-hidden": "true", "style": "position: absolute"}
    written = " ".join(f'{name}="{escape(value)}"' for name, value in attributes.items())
    return Markup(f'<svg viewBox="0 0 {SIZE} {SIZE}" {written}>{content}</svg>')
