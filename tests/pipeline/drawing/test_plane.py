"""Rows in a plane: their colours, the line between two classes, and level lines."""

import numpy as np
import pytest

from kpca import KernelPCA
from pipeline.datasets.dataset import Dataset
from pipeline.drawing import style
from pipeline.drawing.plane import Boundary, draw_line, mesh, region, scatter, separate, surfaces

INDEX = np.array([1, 3])
SPLITS = ((np.array([0, 2]), INDEX),)
X = np.arange(8.0).reshape(4, 2)


@pytest.fixture
def ax():
    return style.figure()[1][0, 0]


def test_labels_come_before_a_target(ax) -> None:
    y, target = np.array([0, 1, 0, 2]), np.arange(4.0)
    dataset = Dataset(name="a", X=X, splits=SPLITS, y=y, target=target, class_names=("p", "q", "r"))

    assert scatter(ax, X[INDEX], dataset, INDEX) is None

    assert ax.get_legend_handles_labels()[1] == ["q", "r"]
    offsets = [c.get_offsets().data.tolist() for c in ax.collections]
    assert offsets == [[X[1].tolist()], [X[3].tolist()]]


def test_a_target_is_coloured_on_the_scale_of_all_rows(ax) -> None:
    dataset = Dataset(name="a", X=X, splits=SPLITS, target=np.array([5.0, 1.0, 9.0, 2.0]))

    drawn = scatter(ax, X[INDEX], dataset, INDEX)

    assert drawn.get_array().tolist() == [1.0, 2.0]
    assert drawn.get_clim() == (1.0, 9.0)


def test_rows_of_which_nothing_is_known_are_grey(ax) -> None:
    dataset = Dataset(name="a", X=X, splits=SPLITS)

    assert scatter(ax, X[INDEX], dataset, INDEX) is None
    assert len(ax.collections[0].get_offsets()) == 2


Z = np.array([[0.0, 0.0], [0.0, 3.0], [4.0, 0.0], [4.0, 3.0]])
Y = np.array([0, 0, 1, 1])


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_the_line_lies_midway_whatever_the_units(unit: float) -> None:
    line = separate(unit * Z, Y)

    np.testing.assert_allclose(line.w, [1, 0], atol=1e-3)
    np.testing.assert_allclose(line.distance(unit * Z) / unit, [-2, -2, 2, 2], atol=0.02)
    assert line.accuracy(unit * Z, Y) == 1.0
    assert line.accuracy(unit * Z, 1 - Y) == 0.0


def test_a_vertical_line_is_drawn_within_the_limits() -> None:
    ax = style.figure()[1][0, 0]
    ax.axis((0, 4, 0, 3))

    draw_line(ax, Boundary(np.array([1.0, 0.0]), -2.0))

    assert ax.axis() == (0, 4, 0, 3)
    assert (ax.lines[0].get_xy1()[0], ax.lines[0].get_xy2()[0]) == (2.0, 2.0)


def test_surfaces_are_the_scores_over_the_mesh():
    X = np.random.default_rng(0).normal(size=(30, 2))
    model, box = KernelPCA(2, kernel="rbf", gamma=0.5).fit(X), region(X)
    x, y = mesh(box)
    heights = surfaces(model, box)
    assert heights.shape == (2, *x.shape)
    place = np.array([[x[3, 5], y[3, 5]]])
    np.testing.assert_allclose(heights[:, 3, 5], model.transform(place)[0])
