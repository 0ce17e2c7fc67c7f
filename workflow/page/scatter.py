"""Rows in a plane as SVG, which is drawn when the page is written and so needs no script."""

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup, escape
from PIL import Image

from kpca.study.seeds import evenly_spaced
from kpca.types import Floats
from workflow.page.html import data_url

SIZE = 255  # width and height of a picture in units of its SVG
ROOM = 0.06  # free margin on each side, as a fraction of the range of the points
STEPS = 15  # number of shades on each side of 0
# Red, green, blue and largest opacity of the shades below and above 0, on any background.
OVERLAYS = ((120, 60, 160, 85), (100, 140, 20, 85))


def scatter(points: Floats, markers: Sequence[str], words: str, most: int) -> Markup:
    """Return a picture of points.

    Parameters
    ----------
    points : array of shape (n, 2) or (n, 1)
    markers : sequence of n str
        Name of the marker of each point, among those of the template ``markers.svg.j2``.
    words : str
        Description for readers who do not see the picture.
    most : int
        Largest number of points that are drawn. If there are more, evenly spaced ones are drawn.

    Returns
    -------
    Markup
        An element ``svg``.
    """
    if points.shape[1] == 1:
        points = np.column_stack([points, np.zeros(len(points))])
    low = points.min(axis=0)
    width = points.max(axis=0) - low
    places = SIZE * ((points - low) / np.where(width > 0, width, 1) + ROOM) / (1 + 2 * ROOM)
    marks = []
    for row in evenly_spaced(len(points), most):
        x, y = places[row]
        marks.append(f'<use href="#{markers[row]}" x="{x:.1f}" y="{SIZE - y:.1f}"/>')
    head = f'<svg viewBox="0 0 {SIZE} {SIZE}" role="img" aria-label="{escape(words)}">'
    return Markup(f"{head}{''.join(marks)}</svg>")


def shaded(picture: Markup, heights: Floats) -> Markup:
    """Return a picture drawn over shades of ``heights``, which lie between -1 and 1.

    The first height belongs to the lower left corner.
    """
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
