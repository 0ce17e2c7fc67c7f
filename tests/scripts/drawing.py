"""What every figure has to do: come out the same twice."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.text import Text

from pipeline.drawing import style


def assert_text_is_legible(fig: Figure) -> None:
    """Letters have at least 7 points and stand out from white, or from a dark bar."""
    for text in fig.findobj(Text):
        if text.get_visible() and text.get_text().strip():
            assert text.get_fontsize() >= 7, text
            assert to_hex(text.get_color()) in {style.INK.lower(), style.BLACK, "#ffffff"}, text


def assert_drawn_twice_the_same(draw: Callable[..., Figure], folder: Path, **given: Any) -> None:
    """Draw into two files, which must not differ in a byte, with legible text."""
    paths = [folder / "first.svg", folder / "second.svg"]
    for path in paths:
        fig = draw(**given)
        assert_text_is_legible(fig)
        style.save(fig, [path])
    assert paths[0].read_bytes() == paths[1].read_bytes()
