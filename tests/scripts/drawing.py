"""What every figure has to do: be legible, and come out the same twice."""

from matplotlib.colors import to_hex
from matplotlib.text import Text

from tests.test_writing import CAPTIONS, long_caption
from workflow.drawing import style


def assert_text_is_legible(fig):
    """Letters have at least 7 points and stand out from white, or from a dark bar."""
    for text in fig.findobj(Text):
        if text.get_visible() and text.get_text().strip():
            assert text.get_fontsize() >= 7, text
            assert to_hex(text.get_color()) in {style.INK.lower(), style.BLACK, "#ffffff"}, text


def assert_caption_is_short(name, finding):
    """What a figure has found, which the page shows first, counts as words of the caption."""
    [caption] = [path for path in CAPTIONS if path.stem == name]
    assert [*long_caption(f"{finding} {caption.read_text()}")] == []


def assert_drawn_well(draw, folder, **options):
    """Draw into a file, with legible text; with a seed into another, which has the same bytes.

    The figure is returned.

    A figure of tables alone has nothing to vary: `test_sweep_figures` draws some again.
    """
    paths = [folder / "first.svg", folder / "second.svg"][: 1 + ("seed" in options)]
    for path in paths:
        fig = draw(**options)
        assert_text_is_legible(fig)
        style.save(fig, [path])
    assert len({path.read_bytes() for path in paths}) == 1
    return fig
