import numpy as np
import pytest

from pipeline.datasets.dataset import Dataset
from pipeline.drawing import style
from pipeline.drawing.points import scatter

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
