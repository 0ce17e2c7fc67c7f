"""Style, forest plots, rows in a plane, and what is shown of a sweep."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from matplotlib import colors, font_manager
from matplotlib.lines import Line2D

from kpca import KernelPCA
from kpca.study.fitting.grid import points
from tests.scores import score
from workflow.drawing import display_choice, forest, style
from workflow.drawing.plane import Boundary, draw_line, mesh, region, separate, surfaces


@pytest.fixture
def ax():
    return style.figure()[1][0, 0]


def test_a_hundred_classes_differ_and_custom_kernels_keep_their_names():
    assert len({tuple(style.class_style(c).values()) for c in range(100)}) == 100
    assert style.kernel_style("tanimoto")["label"] == "tanimoto"
    assert style.kernel_style("rbf")["label"] == "Gaussian"


def contrast(*pair):
    """Contrast of two colours as WCAG 2.2 defines it, from 1 to 21."""
    channels = np.array([colors.to_rgb(c) for c in pair])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    low, high = sorted(linear @ [0.2126, 0.7152, 0.0722])
    return float((high + 0.05) / (low + 0.05))


def test_everything_is_legible_on_a_telephone_and_in_print():
    sizes = [value for key, value in style.RC.items() if key.endswith(("size", "labelsize"))]
    points = min(size for size in sizes if size > style.RC["lines.markersize"])
    assert points / 72 * 390 / style.PAGE >= 6.5
    assert contrast(style.INK, "white") >= 4.5  # WCAG requires this contrast.
    luminance = np.array([colors.to_rgb(c) for c in style.CLASSES]) @ [0.2126, 0.7152, 0.0722]
    assert luminance.max() < 0.7


@pytest.mark.parametrize(("n", "places", "width"), [(11, 12, style.PAGE), (1, 1, style.NARROW)])
def test_panels_fill_rows_and_leave_blanks(n, places, width):
    fig, axes = style.panels(n, columns=4, height=1.0, sharex=True)
    assert (len(axes), len(fig.axes)) == (n, places)
    assert fig.get_size_inches()[0] == width
    assert not any(ax.axison for ax in fig.axes[n:])


def test_a_log_axis_has_few_plain_numbers(ax):
    for ends, ticks in (((0.01, 100), [0.01, 0.1, 1, 10, 100]), ((1, 4), [1, 2])):
        ax.set_xlim(*ends)
        style.plain_log(ax)
        np.testing.assert_allclose(ax.get_xticks(), ticks)
        assert [t.get_text() for t in ax.get_xticklabels()] == [f"{t:g}" for t in ticks]


@pytest.mark.parametrize(("n", "grows"), [(4, False), (1, True)])
def test_a_legend_is_never_wider_than_the_figure(n, grows):
    fig, _ = style.panels(n, columns=4, height=1.5)
    before = fig.get_figheight()
    handles = [Line2D([], [], label=f"the criterion number {i}") for i in range(6)]
    style.legend_above(fig, handles, columns=3)
    fig.draw_without_rendering()
    assert fig.legends[0].get_window_extent().width <= fig.bbox.width
    assert bool(fig.get_figheight() > before) is grows


TABLES = yaml.safe_load(Path(__file__).with_name("tables.yaml").read_text())
ROWS = pd.DataFrame(TABLES["comparisons"])
TUNED = ROWS[:2]
METHODS = ["linear_svm", "linear_svm_whitened", "rbf_svm", "embedding"]


def test_lines_are_ordered_raw_features_first_choices_last_and_name_their_methods(ax):
    lines = forest.lines(ROWS, METHODS)
    order = forest.order(lines)
    # Trustworthiness stands in only where there is nothing else.
    assert set(lines.loc[lines["method"] == "embedding", "dataset"]) == {"plain"}
    assert [*order][:5] == ["raw", "rbf_svm", "pca", "rbf", "rbf, whitened"]
    assert [*order.values()] == [
        "linear SVM, raw",
        "Gaussian SVM, raw",
        "PCA",
        "Gaussian",
        "Gaussian, whitened",
        "mine",
        "best raw by CV",
        "best kernel by CV",
    ]
    forest.draw(ax, lines, order)
    assert ax.lines[-1].get_ydata()[0] == 5.5  # the rule above the choices
    of_target = ROWS.query("kernel == 'raw'").assign(dataset="roll", method="least_squares")
    lines = forest.lines(pd.concat([ROWS, of_target[:1]]), [*METHODS, "least_squares"])
    assert forest.order(lines)["raw"] == "linear SVM or least squares, raw"


def test_label_free_is_hollow_and_beside_label_tuned(ax):
    rows = forest.lines(TUNED, METHODS)
    forest.draw(ax, rows, forest.order(rows))
    tuned = ax.lines[1]
    free = ax.lines[3]
    assert (tuned.get_xdata()[0], free.get_xdata()[0]) == (0.9, 0.7)
    assert tuned.get_markerfacecolor() == style.BLUE
    assert free.get_markerfacecolor() == "white"
    assert 0 < free.get_ydata()[0] - tuned.get_ydata()[0] < 0.5


Z = np.array([[0.0, 0.0], [0.0, 3.0], [4.0, 0.0], [4.0, 3.0]])
Y = np.array([0, 0, 1, 1])


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_the_line_lies_midway_whatever_the_units(unit):
    line = separate(unit * Z, Y)
    np.testing.assert_allclose(line.w, [1, 0], atol=1e-3)
    np.testing.assert_allclose(line.distance(unit * Z) / unit, [-2, -2, 2, 2], atol=0.02)
    assert line.accuracy(unit * Z, Y) == 1.0
    assert line.accuracy(unit * Z, 1 - Y) == 0.0


@pytest.mark.parametrize("w", [[1.0, 0.0], [0.6, 0.8]])
def test_a_line_is_drawn_along_the_boundary_within_the_limits(ax, w):
    ax.axis((0, 4, 0, 3))
    draw_line(ax, Boundary(np.array(w), -2.0))
    assert ax.axis() == (0, 4, 0, 3)
    first = ax.lines[0].get_xy1()
    second = ax.lines[0].get_xy2()
    assert first != second
    np.testing.assert_allclose(np.array([first, second]) @ w, 2)


def test_surfaces_are_the_scores_over_the_mesh():
    X = np.random.default_rng(0).normal(size=(30, 2))
    model = KernelPCA(2, kernel="rbf", gamma=0.5).fit(X)
    box = region(X)
    x, y = mesh(box)
    heights = surfaces(model, box)
    assert heights.shape == (2, *x.shape)
    point = np.array([[x[3, 5], y[3, 5]]])
    np.testing.assert_allclose(heights[:, 3, 5], model.transform(point)[0])


RBF = points("rbf", {"median": [0.3, 1, 3]})
VALIDATED = [score(**row, split=split) for row in TABLES["settings"] for split in ("cv", "test")]
# The last is of the variance rule alone: two components, which are not validated.
SCORES = pd.DataFrame([*VALIDATED, score(1.0, kernel="linear", cell="linear")])


def test_the_cell_shown_is_the_best_of_as_many_components_as_are_drawn():
    cells = display_choice.best_cells(SCORES, components=2).set_index("kernel")
    assert cells["cell"].to_dict() == {"rbf": "rbf-median1", "linear": "linear", "cosine": "cosine"}
    assert cells["n_components"].to_dict() == {"rbf": 2, "linear": 1, "cosine": 2}


def test_ties_between_families_go_to_the_simplest():
    cells = display_choice.best_cells(SCORES, components=2)
    grid = {"linear": points("linear", {}), "rbf": RBF, "cosine": points("cosine", {})}
    by_id = {kernel: {point.id: point for point in listed} for kernel, listed in grid.items()}
    assert display_choice.best_point(cells, "rings", by_id).id == "cosine"
    assert display_choice.best_point(cells, "rings", dict(reversed(by_id.items()))).id == "cosine"


@pytest.mark.parametrize(
    ("family", "cells", "expected"),
    [
        (RBF, ["poly-degree2", "rbf-median3"], "rbf-median3"),
        (RBF, [], "rbf-median1"),
        (points("rbf", {"gamma": [2, 4]}), [], "rbf-gamma2"),
    ],
)
def test_without_a_choice_the_median_heuristic_is_shown_else_the_first(family, cells, expected):
    assert display_choice.shown_point({point.id: point for point in family}, cells).id == expected


def test_a_label_leaves_out_what_the_whole_grid_shares():
    assert display_choice.constants(points("poly", {"degree": [2, 3], "coef0": [1]})) == ["coef0"]
    assert display_choice.constants(points("rbf", {"median": [1, 3], "gamma": [0.5]})) == []


def test_characters_without_a_font_are_named(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(style, "font_families", lambda: [style.FONT])
    fig, ((ax,),) = style.figure()
    ax.set_title("花 a")
    style.save(fig, [tmp_path / "figure.svg"])
    assert "figure.svg: no installed font has '花', so boxes are drawn. " in capsys.readouterr().err


def test_installed_fonts_follow_the_first(monkeypatch):
    monkeypatch.setattr(font_manager, "get_font_names", lambda: ["IPAGothic", "A"])
    assert style.font_families.__wrapped__() == [style.FONT, "IPAGothic"]
