from pathlib import Path

import numpy as np
import pytest
from matplotlib import colors
from matplotlib.lines import Line2D

from pipeline.drawing import style


def test_a_hundred_classes_differ_in_colour_or_marker() -> None:
    looks = {tuple(style.class_style(c).values()) for c in range(100)}

    assert len(looks) == 100


def test_a_kernel_of_the_users_own_keeps_its_name() -> None:
    assert style.kernel_style("tanimoto")["label"] == "tanimoto"
    assert style.kernel_style("rbf")["label"] == "Gaussian"


@pytest.mark.parametrize(
    "key", ["text.color", "axes.labelcolor", "axes.titlecolor", "xtick.labelcolor"]
)
def test_text_has_the_contrast_that_wcag_asks_for(key: str) -> None:
    assert contrast(style.RC[key], "white") >= 4.5


def contrast(*pair: str) -> float:
    """Contrast of two colours as WCAG 2.2 defines it, from 1 to 21."""
    channels = np.array([colors.to_rgb(c) for c in pair])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    low, high = sorted(linear @ [0.2126, 0.7152, 0.0722])
    return float((high + 0.05) / (low + 0.05))


def test_letters_are_legible_on_a_telephone() -> None:
    sizes = [value for key, value in style.RC.items() if key.endswith(("size", "labelsize"))]
    points = min(size for size in sizes if size > style.RC["lines.markersize"])

    assert points / 72 * 390 / style.PAGE >= 6.5


def test_classes_stand_out_from_white() -> None:
    luminance = np.array([colors.to_rgb(c) for c in style.CLASSES]) @ [0.2126, 0.7152, 0.0722]

    assert luminance.max() < 0.7


@pytest.mark.parametrize(
    ("n", "rows", "columns", "width"), [(11, 3, 4, style.PAGE), (1, 1, 1, style.NARROW)]
)
def test_panels_fill_rows_and_leave_blanks(n: int, rows: int, columns: int, width: float) -> None:
    fig, axes = style.panels(n, columns=4, height=1.0, sharex=True)

    assert len(axes) == n
    assert len(fig.axes) == rows * columns
    assert fig.get_size_inches()[0] == width
    assert not any(ax.axison for ax in fig.axes[n:])


@pytest.mark.parametrize(
    ("low", "high", "ticks"), [(0.01, 100, [0.01, 0.1, 1, 10, 100]), (1, 4, [1, 2])]
)
def test_a_log_axis_has_few_plain_numbers(low: float, high: float, ticks: list[float]) -> None:
    _, axes = style.figure()
    axes[0, 0].set_xlim(low, high)

    style.plain_log(axes[0, 0])

    np.testing.assert_allclose(axes[0, 0].get_xticks(), ticks)
    assert [t.get_text() for t in axes[0, 0].get_xticklabels()] == [f"{t:g}" for t in ticks]


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_a_figure_is_the_same_bytes_every_time(tmp_path: Path, kind: str) -> None:
    for name in "ab":
        fig, axes = style.figure()
        axes[0, 0].scatter([0, 1], [1, 0], clip_on=True)
        axes[0, 0].fill_between([0, 1], [0, 1], [1, 2])
        style.save(fig, [tmp_path / f"{name}.{kind}"])

    assert (tmp_path / f"a.{kind}").read_bytes() == (tmp_path / f"b.{kind}").read_bytes()


def test_a_note_says_why_there_is_nothing_to_draw(tmp_path: Path) -> None:
    style.save(style.note("No labels."), [tmp_path / "note.svg"])

    assert "<!-- No labels. -->" in (tmp_path / "note.svg").read_text()


@pytest.mark.parametrize(("n", "grows"), [(4, False), (1, True)])
def test_a_legend_is_never_wider_than_the_figure(n: int, grows: bool) -> None:
    fig, _ = style.panels(n, columns=4, height=1.5)
    before = fig.get_figheight()
    handles = [Line2D([], [], label=f"the criterion number {i}") for i in range(6)]

    style.legend_above(fig, handles, columns=3)

    fig.draw_without_rendering()
    [legend] = fig.legends
    assert legend.get_window_extent().width <= fig.bbox.width
    assert bool(fig.get_figheight() > before) is grows
