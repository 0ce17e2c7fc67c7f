"""The style of all figures.

Marks have the colours of Okabe and Ito (2008), which colour-blind readers can tell apart. Series
also differ in marker or line. Text has the colour `INK`, since most other colours are too faint for
text. Sizes are in inches. On a telephone, 390 pixels wide, the smallest letters are 6.5 pixels
high.
"""

import re
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from inspect import signature
from io import StringIO
from pathlib import Path
from typing import Any, TypeVar

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from kpca.files import write_atomically, write_text
from kpca.study.datasets.synthetic import SYNTHETIC
from kpca.study.fitting.kernels import FAMILIES
from kpca.study.scoring.metrics import METRICS
from workflow import job

_Drawing = TypeVar("_Drawing", bound=Callable[..., Any])

COLUMN = 2.8
NARROW = 4.5  # width of a figure whose legend has two entries
PAGE = 5.8
MOST_TICKS = 5
SVG_DPI = 120  # resolution of images in an SVG, equal to `workflow.page.html.DPI`

BLACK = "#000000"
ORANGE = "#E69F00"
SKY = "#56B4E9"
GREEN = "#009E73"
BLUE = "#0072B2"
VERMILION = "#D55E00"
PURPLE = "#CC79A7"
GREY = "#7F7F7F"
INK = "#1A1A1A"
BROWN = "#8C564B"
BAND = "#E4E4E4"  # colour of the band of differences that do not matter
OLIVE = "#999933"  # Tol's olive, since the yellow of Okabe and Ito is too faint for points on white

SPLITS: dict[str, dict[str, Any]] = {
    "train": {"color": BLUE, "linestyle": "--", "marker": "o", "label": "training rows"},
    "cv": {"color": GREY, "linestyle": ":", "marker": "^", "label": "cross-validation"},
    "test": {"color": VERMILION, "linestyle": "-", "marker": "s", "label": "test rows"},
}

KERNELS: dict[str, dict[str, Any]] = {
    "raw": {"color": GREY, "marker": "x", "label": "raw features"},
    "pca": {"color": BLACK, "marker": "o", "label": "PCA"},
}
for _name, _family in FAMILIES.items():
    KERNELS[_name] = {key: getattr(_family, key) for key in ("color", "marker", "label")}

CLASSES = (BLUE, ORANGE, GREEN, VERMILION, SKY, PURPLE, OLIVE, BLACK, BROWN, GREY)
CLASS_MARKERS = ("o", "^", "s", "D", "v", "P", "X", "*", "<", ">")
SEQUENTIAL = "viridis"
RINGS = ("outer ring", "inner ring")  # names of the two classes of the dataset `rings`

FONT = "DejaVu Sans"  # font of all figures; `STYLE` lists more fonts for the glyphs that it lacks
STYLE = Path(__file__).with_name("figures.mplstyle")
RC = mpl.rc_params_from_file(STYLE, use_default_template=False)


def figure(
    rows: int = 1, columns: int = 1, *, width: float = PAGE, height: float = 2.4, **options: Any
) -> tuple[Figure, Any]:
    """Return a figure and the (rows, columns) array of its axes."""
    mpl.use("agg")
    mpl.rcParams.update(RC)
    mpl.rcParams["font.family"] = font_families()
    from matplotlib import pyplot as plt

    return plt.subplots(rows, columns, figsize=(width, height), squeeze=False, **options)


@cache
def font_families() -> list[str]:
    """Return the font of all figures, and installed fonts for the glyphs that this font lacks."""
    available = {FONT, *font_manager.get_font_names()}
    return [name for name in RC["font.family"] if name in available]


def missing_glyphs(caught: Iterable[warnings.WarningMessage]) -> str:
    """Return the characters for which matplotlib found no font, and repeat all other warnings.

    >>> missing_glyphs([])
    ''
    """
    characters = []
    for one in caught:
        if glyph := re.match(r"Glyph (\d+) ", str(one.message)):
            characters.append(chr(int(glyph[1])))
        else:
            warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
    return "".join(dict.fromkeys(characters))


def save(fig: Figure, paths: Sequence[str | Path]) -> None:
    """Write a figure to every path; an SVG has the same bytes in every run.

    The label of the figure, if there is one, is a sentence that states its finding with numbers.
    It becomes the title of the SVG, which `workflow.page.html.figure` puts before the caption. The
    output of the job names characters that no installed font has.
    """
    from matplotlib import pyplot as plt

    title = {}
    if fig.get_label():
        title = {"Title": fig.get_label()}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        if fig.get_layout_engine() is not None:  # Lay out only once, for all formats.
            fig.draw_without_rendering()
        for path in map(Path, paths):
            fig.set_layout_engine("none")  # Saving restores the default engine.
            if path.suffix == ".svg":
                text = StringIO()
                fig.savefig(text, format="svg", metadata={"Date": None} | title, dpi=SVG_DPI)
                write_text(path, shortened(text.getvalue()))
            else:
                metadata = {"Software": None} | title
                write = partial(fig.savefig, format=path.suffix[1:], metadata=metadata)
                write_atomically(path, write)
    plt.close(fig)
    if characters := missing_glyphs(caught):
        print(
            f"{Path(paths[0]).name}: no installed font has {characters!r}, so boxes are drawn. "
            "Install a font that has them, such as Noto Sans CJK or Noto Sans Devanagari, delete "
            "the figure and run the same command again.",
            file=sys.stderr,
        )


def shortened(svg: str) -> str:
    """Return an SVG with coordinates cut after two decimals, and without indentation.

    >>> shortened('<path d="M 25.972801 7 "/><use x="1.2" y="0.123" transform="scale(0.015625)"/>')
    '<path d="M25.97 7"/><use x="1.2" y="0.12" transform="scale(0.015625)"/>'
    """

    def cut(places: re.Match[str]) -> str:
        hundredths = re.sub(r"(\.\d\d)\d+", r"\1", places[0])
        return re.sub(r"\s*([A-Za-z])\s*|\s+$", r"\1", hundredths)

    return re.sub(r"\n\s+", "\n", re.sub(r'(?<= [dxy]=")[^"]+', cut, svg))


def panels(
    n: int, *, columns: int, height: float, extra: float = 0.45, **options: Any
) -> tuple[Figure, list[Axes]]:
    """Return a figure with n equal panels in rows; the rest of the last row stays blank.

    ``columns`` panels fill the width of a page. ``height`` is the height of one row in inches,
    and ``extra`` is the height of legends and labels.
    """
    width = max(PAGE * min(1.0, n / columns), NARROW)
    columns = min(columns, n)
    rows = -(-n // columns)
    fig, axes = figure(rows, columns, width=width, height=extra + height * rows, **options)
    for ax in axes.flat[n:]:
        ax.set_axis_off()
    return fig, list(axes.flat[:n])


def legend_above(fig: Figure, handles: Sequence[Any], *, columns: int) -> None:
    """Put a legend of at most ``columns`` columns above the panels.

    If fewer columns fit, the figure becomes higher.
    """
    heights = []
    for ncols in range(columns, 0, -1):
        legend = fig.legend(handles=handles, loc="outside upper center", ncols=ncols)
        box = legend.get_window_extent()
        heights.append(box.height / fig.dpi)
        if box.width <= fig.bbox.width or ncols == 1:
            break
        legend.remove()
    fig.set_figheight(fig.get_figheight() + (heights[-1] - heights[0]))


def distinct_handles(axes: Iterable[Axes]) -> list[Any]:
    """Return one handle for each label in the legends of ``axes``."""
    handles = [handle for ax in axes for handle in ax.get_legend_handles_labels()[0]]
    return [*{handle.get_label(): handle for handle in handles}.values()]


def legend_of(fig: Figure, ax: Axes, *, columns: int) -> None:
    """Put the legend of the panel ``ax`` above all panels."""
    legend_above(fig, ax.get_legend_handles_labels()[0], columns=columns)


def save_all(drawn: Figure | Mapping[str, Figure], outputs: Any) -> None:
    """Write one figure to all outputs of a job, or each of several to the outputs with its name."""
    if isinstance(drawn, Figure):
        save(drawn, outputs)
        return
    for name, fig in drawn.items():
        save(fig, outputs[name])


def script(draw: _Drawing) -> _Drawing:
    """Run a function as `workflow.job.script` does, and save the figures that it returns."""
    return job.script(draw, save_all)


def note(text: str) -> Figure:
    """Return a figure with only a text, which says why there is nothing to draw."""
    fig, axes = figure(height=0.6)
    axes[0, 0].set_axis_off()
    axes[0, 0].annotate(text, (0.5, 0.5), xycoords="axes fraction", ha="center", va="center")
    return fig


def kernel_style(kernel: object) -> dict[str, Any]:
    """Return colour, marker and label of a kernel; the label of a custom kernel is its name."""
    return KERNELS.get(str(kernel), {"color": BROWN, "marker": "h", "label": plain(kernel)})


def plain(text: object, longest: int = 40) -> str:
    r"""Return a text from data so that matplotlib draws it on one line, and not as a formula.

    A leading underscore gets a space before it, since legends leave out labels that begin with one.

    >>> print(plain("$x^2$"), plain("_a"), plain("abcdef", longest=4))
    \$x^2\$  _a abc…
    """
    line = " ".join("".join(c if c.isprintable() else " " for c in str(text)).split())
    short = line if len(line) <= longest else f"{line[: longest - 1]}…"
    return " " * short.startswith("_") + short.replace("$", r"\$")


def title(dataset: object) -> str:
    """Return the title of a dataset, for example above a panel.

    >>> title("swiss_roll"), title("my_own_data")
    ('Swiss roll', 'my own data')
    """
    name = str(dataset)
    return SYNTHETIC[name].title if name in SYNTHETIC else plain(name.replace("_", " "))


def panel_title(dataset: object, metric: str, common: str) -> str:
    """Return the title of a dataset, with its metric unless this is ``common``."""
    return title(dataset) + ("" if metric == common else f" ({METRICS[metric].symbol})")


def metric_words(metrics: Iterable[str], common: str, *, difference: bool = False) -> str:
    """Return the names of the metrics of all panels; the metric ``common`` comes first.

    A difference is in hundredths, which for an accuracy are percentage points.

    >>> metric_words(["correlation"], "balanced_accuracy")
    'balanced accuracy, or correlation (r)'
    >>> metric_words(["ami"], "ami", difference=True)
    '0.01 of adjusted mutual information'
    """
    words = []
    for name in dict.fromkeys([common, *metrics]):
        unit = "percentage points" if name == "balanced_accuracy" else "0.01"
        symbol = "" if name == common else f" ({METRICS[name].symbol})"
        words.append(f"{unit} of " * difference + METRICS[name].words + symbol)
    return ", or ".join(words)


def class_style(c: int) -> dict[str, Any]:
    """Return colour and marker of class number c; the pairs of the first 100 classes differ."""
    turn, colour = divmod(c, len(CLASSES))
    return {"color": CLASSES[colour], "marker": CLASS_MARKERS[(colour + turn) % len(CLASS_MARKERS)]}


def class_handles(names: Iterable[str]) -> list[Line2D]:
    """Return handles for a legend of classes with the given names."""
    looks = [class_style(c) | {"label": plain(name)} for c, name in enumerate(names)]
    return [Line2D([], [], linestyle="", **look) for look in looks]


def look(color: str, marker: str, label: str, **options: Any) -> dict[str, Any]:
    """Return the options of matplotlib with which a line is drawn, including its label."""
    return {"color": color, "marker": marker, "label": label, **options}


def draw_band(ax: Axes, points: pd.DataFrame, line: Mapping[str, Any], **band: Any) -> None:
    """Draw a curve with a band; the first columns of ``points`` are x, middle, low and high."""
    x, middle, low, high = points.iloc[:, :4].to_numpy().T
    ax.plot(x, middle, **line)
    ax.fill_between(x, low, high, color=line["color"], linewidth=0, **band)


def draw_intervals(ax: Axes, rows: pd.DataFrame, places: Any, line: Mapping[str, Any]) -> None:
    """Draw marks with intervals at the heights ``places``; columns are middle, low and high."""
    middle, low, high = rows.iloc[:, :3].to_numpy().T
    look = {"linestyle": "", "elinewidth": 0.8, **line}
    ax.errorbar(middle, places, xerr=[middle - low, high - middle], **look)


def name_lines(ax: Axes, names: Iterable[str]) -> None:
    """Name lines from top to bottom, at the heights 0, 1, 2 and so on."""
    listed = list(names)
    ax.set_yticks(range(len(listed)), listed)
    ax.set_ylim(len(listed) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)


def draw_each(draws: Iterable[Callable[..., Figure]], **arguments: Any) -> dict[str, Figure]:
    """Return the figure of each function under its name; each gets the arguments that it names."""
    figures = {}
    for draw in draws:
        takes = signature(draw).parameters
        figures[draw.__name__] = draw(**{name: arguments[name] for name in takes})
    return figures


def draw_margin(ax: Axes, metric: str) -> None:
    """Draw the band of differences that do not matter, in hundredths of a metric, and zero."""
    margin = 100 * METRICS[metric].margin
    ax.axvspan(-margin, margin, color=BAND, linewidth=0, zorder=0)
    ax.axvline(0, color=GREY, linewidth=0.6, zorder=0)


def no_scale(ax: Axes) -> None:
    """Remove ticks and draw a thin grey frame, for a panel whose axes carry no scale."""
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set(visible=True, color=GREY, linewidth=0.4)


def listed_log(ax: Axes, values: Sequence[float], base: int = 10) -> None:
    """Make the x-axis logarithmic, with ticks only at ``values``."""
    ax.set_xscale("log", base=base)
    ax.set_xticks(values, [f"{value:g}" for value in values])
    ax.set_xticks([], minor=True)


def plain_log(ax: Axes) -> None:
    """Make the x-axis logarithmic, with at most `MOST_TICKS` ticks that are plain numbers."""
    ax.set_xscale("log")
    low, high = ax.get_xlim()
    decades = np.arange(np.floor(np.log10(low)), np.ceil(np.log10(high)) + 1)
    steps = (1, 2, 5) if high < 30 * low else (1,)
    ticks = np.outer(10.0**decades, steps).ravel()
    ticks = ticks[(low <= ticks) & (ticks <= high)]
    every = max(1, -(-len(ticks) // MOST_TICKS))
    listed_log(ax, ticks[::every].tolist())


def at_least(low: float, high: float, width: float) -> tuple[float, float]:
    """Return limits that are widened to at least ``width``, so that small ranges look small.

    >>> at_least(0.0, 1.0, 0.5), at_least(1.0, 1.0, 0.5)
    ((0.0, 1.0), (0.75, 1.25))
    """
    missing = max(width - (high - low), 0.0)
    return low - missing / 2, high + missing / 2
