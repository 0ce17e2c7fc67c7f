"""What every figure has to do: come out the same twice."""

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
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


def assert_drawn_twice_the_same(draw: Callable[..., Any], folder: Path, **given: Any) -> None:
    """Draw into two files, which must not differ in a byte, with legible text."""

    def save(fig: Figure, paths: Sequence[Path]) -> None:
        assert_text_is_legible(fig)
        saved(fig, paths)

    saved = style.save
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(style, "save", save)
        for name in ("first", "second"):
            paths = [folder / f"{name}.svg"]
            if "paths" in inspect.signature(draw).parameters:
                draw(**given, paths=paths)
            else:
                save(draw(**given), paths)
    assert (folder / "first.svg").read_bytes() == (folder / "second.svg").read_bytes()
