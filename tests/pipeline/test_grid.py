"""From the axes of a family to its points."""

import pytest

from pipeline.grid import Point, point_from_dict, points


def test_every_combination_is_one_point() -> None:
    grid = points("poly", {"degree": [2, 3], "scale": [0.1, 1], "coef0": [0, 1]})

    assert len({point.id for point in grid}) == 8
    assert grid[0].parameters == {"degree": 2, "scale": 0.1, "coef0": 0}


def test_the_order_of_axes_means_nothing() -> None:
    backwards = {"degree": [2], "coef0": [0]}
    assert points("poly", {"coef0": [0], "degree": [2]}) == points("poly", backwards)


@pytest.mark.parametrize("grid", [None, {}])
def test_a_family_without_axes_has_one_point(grid: dict[str, object] | None) -> None:
    assert points("cosine", grid) == [Point("cosine")]


def test_arguments_of_ones_own_kernel_are_not_taken_for_bandwidths() -> None:
    grid = points("own", {"callable": "mine:f", "parameters": {"width": [1, 2], "gamma": [3]}})

    assert [point.parameters for point in grid] == [{"gamma": 3, "width": w} for w in (1, 2)]
    assert {point.callable for point in grid} == {"mine:f"}


@pytest.mark.parametrize(
    ("value", "text"), [(1, "1"), (1.0, "1"), (0.1, "0.1"), (1e-5, "1e-05"), ("cube", "cube")]
)
def test_an_id_is_short(value: float | str, text: str) -> None:
    assert Point("own", {"a": value}).id == f"own-a{text}"


@pytest.mark.parametrize(
    "point", [Point("linear"), Point("rbf", {"gamma": 0.5}), Point("own", {"a": 1}, "mine:f")]
)
def test_the_plain_form_leads_back(point: Point) -> None:
    assert point_from_dict(point.as_dict()) == point
