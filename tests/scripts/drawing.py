"""What every figure has to do: come out the same twice."""

from collections.abc import Callable
from pathlib import Path
from typing import Any


def assert_drawn_twice_the_same(draw: Callable[..., None], folder: Path, **given: Any) -> None:
    """Draw into two files, which must not differ in a byte."""
    for turn in ("first", "second"):
        draw(**given, paths=[folder / f"{turn}.svg"])
    assert (folder / "first.svg").read_bytes() == (folder / "second.svg").read_bytes()
