import numpy as np
import pytest

from pipeline.drawing import style
from pipeline.drawing.boundary import Boundary, draw_line, separate

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
